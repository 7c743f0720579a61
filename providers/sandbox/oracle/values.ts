/** Column types by name, their numbers on the wire, and the encodings of their values. */
import { type DateKind, decodeDate, encodeDate, encodeDaysToSeconds, encodeYearsToMonths } from "./datetime.ts";
import { decodeNumber, encodeNumber } from "./number.ts";
import { BadWire } from "./wire.ts";

/**
 * A value of a cell or a bind: NUMBER as decimal text, number or bigint; dates as Date or text; RAW and BLOB as Buffer.
 */
export type Value = string | number | bigint | Date | Buffer | null;

interface TypeOnWire {
  readonly number: number;
  /**
   * Bytes announced for a column; undefined if the column states them. 0 means "always null" to a client, except for
   * LONG.
   */
  readonly size?: number;
  readonly text?: true;
}

const TYPES = {
  VARCHAR2: { number: 1, text: true },
  NUMBER: { number: 2, size: 22 },
  LONG: { number: 8, size: 0, text: true },
  DATE: { number: 12, size: 7 },
  RAW: { number: 23 },
  CHAR: { number: 96, text: true },
  BINARY_FLOAT: { number: 100, size: 4 },
  BINARY_DOUBLE: { number: 101, size: 8 },
  CLOB: { number: 112, size: 4000, text: true },
  BLOB: { number: 113, size: 4000 },
  TIMESTAMP: { number: 180, size: 11 },
  TIMESTAMP_TZ: { number: 181, size: 13 },
  INTERVAL_YM: { number: 182, size: 5 },
  INTERVAL_DS: { number: 183, size: 11 },
  TIMESTAMP_LTZ: { number: 231, size: 11 },
} as const satisfies Record<string, TypeOnWire>;

export type ColumnType = keyof typeof TYPES;

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Bytes; for VARCHAR2, CHAR and RAW. */
  readonly size?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly nullable?: boolean;
}

export function typeOnWire(type: ColumnType): TypeOnWire {
  return TYPES[type];
}

/** Type numbers a client may declare for a bind or a define (JDBC has several for one type). */
const DECLARED: Readonly<Record<number, ColumnType>> = {
  2: "NUMBER",
  3: "NUMBER",
  6: "NUMBER",
  12: "DATE",
  15: "RAW",
  23: "RAW",
  24: "RAW",
  100: "BINARY_FLOAT",
  101: "BINARY_DOUBLE",
  156: "DATE",
  180: "TIMESTAMP",
  181: "TIMESTAMP_TZ",
  187: "TIMESTAMP",
  188: "TIMESTAMP_TZ",
  231: "TIMESTAMP_LTZ",
  232: "TIMESTAMP_LTZ",
};

/** Returns the type of a bind declared with this type number; text by default. */
export function declaredType(number: number): ColumnType {
  return DECLARED[number] ?? "VARCHAR2";
}

/**
 * LONG, LONG RAW and their long variants: sent after the other values of a row; LOBs can be requested as these types.
 */
export function isLongType(number: number): boolean {
  return number === 8 || number === 24 || number === 94 || number === 95;
}

/** The bytes of a value, without its length. */
export function encodeValue(type: ColumnType, value: Value | undefined): Uint8Array | null {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "NUMBER":
      return encodeNumber(value instanceof Date || Buffer.isBuffer(value) ? String(value) : value);
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMP_TZ":
    case "TIMESTAMP_LTZ":
      return encodeDate(value instanceof Date ? value : String(value), type satisfies DateKind);
    case "RAW":
    case "BLOB":
      return Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    case "BINARY_DOUBLE": {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleBE(Number(value));
      return sortable(bytes);
    }
    case "BINARY_FLOAT": {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatBE(Number(value));
      return sortable(bytes);
    }
    case "INTERVAL_YM":
      return encodeYearsToMonths(String(value));
    case "INTERVAL_DS":
      return encodeDaysToSeconds(String(value));
    case "VARCHAR2":
    case "CHAR":
    case "LONG":
    case "CLOB":
      return Buffer.from(String(value));
  }
}

/** Floats sort as bytes: the sign bit flipped, all bits if negative. */
function sortable(bytes: Buffer): Buffer {
  const head = bytes[0] ?? 0;
  if (head & 0x80) for (let i = 0; i < bytes.length; i++) bytes[i] = ~(bytes[i] ?? 0);
  else bytes[0] = head | 0x80;
  return bytes;
}

/** Reads a bind's bytes as its declared type. @throws BadWire for invalid bytes */
export function decodeValue(type: number, bytes: Buffer): string | Buffer | Date {
  switch (declaredType(type)) {
    case "NUMBER":
      return decodeNumber(bytes);
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMP_TZ":
    case "TIMESTAMP_LTZ":
      return decodeDate(bytes);
    case "RAW":
      return Buffer.from(bytes);
    case "BINARY_DOUBLE":
    case "BINARY_FLOAT":
      return decodeFloat(Buffer.from(bytes));
    default:
      return bytes.toString();
  }
}

function decodeFloat(bytes: Buffer): string {
  if (bytes.length !== 4 && bytes.length !== 8) throw new BadWire(`float of ${bytes.length} bytes`);
  const head = bytes[0] ?? 0;
  if (head & 0x80) bytes[0] = head & 0x7f;
  else for (let i = 0; i < bytes.length; i++) bytes[i] = ~(bytes[i] ?? 0);
  return String(bytes.length === 8 ? bytes.readDoubleBE() : bytes.readFloatBE());
}
