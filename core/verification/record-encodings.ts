import type { Column, RecordFormat, ValueKind } from "../../schemas/generated/verification-job.ts";
import { writeBase64 } from "../values/base64.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { integerAt } from "./byte-work.ts";
import { writeBinaryNumber } from "./values/binary-number.ts";
import { type FractionDigits, writeDateText, writeLocalIso, writeSinceEpoch } from "./values/datetime.ts";
import { writeDecimal, writeUnscaled } from "./values/decimal.ts";
import { writeDayPeriod, writeFloatMicros, writeMonthPeriod } from "./values/interval.ts";
import { isUtf8 } from "./values/utf8.ts";

/**
 * Rules that turn the values of records into canonical bytes: the encodings of Connect's JSON converter (reference:
 * wire formats, "Change records"). A value that cannot be decoded exactly is reported, never guessed.
 */

/**
 * Type of a JSON value, given by its first character. Strings are passed without quotation marks and without escapes.
 */
export type Token = "string" | "number" | "boolean" | "object" | "array";

/** Writes the canonical bytes of one JSON value. @returns why it cannot */
export type RecordEncoder = (
  bytes: Uint8Array,
  start: number,
  end: number,
  token: Token,
  sink: ByteSink,
) => string | undefined;

/** Result for a value that a record holds in part only, or not at all: it is not compared. */
export const NOT_HELD = "a value that the record does not hold";

/** A field of a Connect schema, as the envelope of a record declares it. */
export interface FieldSchema {
  readonly type: string;
  readonly name: string | undefined;
  /** The scale of a `Decimal`. */
  readonly scale: number | undefined;
}

export const decimal: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "number" ? writeDecimal(bytes, start, end, sink) : unexpected(token, "a number");

const decimalText: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "string" ? writeDecimal(bytes, start, end, sink) : decimal(bytes, start, end, token, sink);

const unscaled = new ByteSink(64);

export function decimalOfScale(scale: number): RecordEncoder {
  const encoder: RecordEncoder = (bytes, start, end, token, sink) => {
    if (token !== "string") return decimal(bytes, start, end, token, sink);
    unscaled.clear();
    return writeBase64(bytes, start, end, unscaled) ?? writeUnscaled(unscaled.bytes, unscaled.length, scale, sink);
  };
  WRITE_MODES.set(encoder, AS_DECIMAL);
  return encoder;
}

/**
 * The encoder for records that have no schema: a number is self-describing, a struct contains its scale, a base64 text
 * does not.
 */
const schemaless: RecordEncoder = (bytes, start, end, token, sink) => {
  if (token === "number") return writeDecimal(bytes, start, end, sink);
  if (token === "object") return variableScale(bytes, start, end, sink);
  return token === "string"
    ? "a base64 decimal without a schema can't be decoded: its scale is not known"
    : unexpected(token, "a number");
};

const struct: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "object" ? variableScale(bytes, start, end, sink) : unexpected(token, "a VariableScaleDecimal");

/** Decimal digits that survive a round trip through each binary width (DBL_DIG, FLT_DIG of C). */
const DIGITS_KEPT: Readonly<Record<string, number>> = { double: 15, float: 6 };

export function throughDouble(type: string): (column: Column) => RecordEncoder {
  return ({ kind, precision }) =>
    (kind === "number-as-double" && type === "double") ||
    (precision !== undefined && precision <= (DIGITS_KEPT[type] ?? 0))
      ? decimal
      : inPart(`a NUMBER that came through a ${type}, which does not keep all its digits`);
}

/** The encoders of columns of whose values the records hold a part only. */
export const IN_PART = new Set<RecordEncoder>();

function inPart(why: string): RecordEncoder {
  const encoder = (): string => why;
  IN_PART.add(encoder);
  return encoder;
}

const exactly = new ByteSink(64);

/** Wraps another encoder and rounds its result to a double. */
export const rounded =
  (encoder: RecordEncoder): RecordEncoder =>
  (bytes, start, end, token, sink) => {
    exactly.clear();
    const problem = encoder(bytes, start, end, token, exactly);
    return problem ?? writeBinaryNumber(textOf(exactly.bytes, 0, exactly.length), 64, sink);
  };

const integerOf =
  (unit: FractionDigits): RecordEncoder =>
  (bytes, start, end, token, sink) =>
    token === "number"
      ? writeSinceEpoch(bytes, start, end, unit, sink)
      : unexpected(token, "an integer since the epoch");

const SINCE_EPOCH = { 3: integerOf(3), 6: integerOf(6), 9: integerOf(9) } as const;

export const sinceEpoch =
  (unit: keyof typeof SINCE_EPOCH) =>
  ({ precision }: Column): RecordEncoder =>
    (precision ?? 9) > unit
      ? inPart(`a time in units of 10^-${unit} seconds of a column with ${precision ?? 9} digits after the second`)
      : SINCE_EPOCH[unit];

/** Reference: wire formats: ms to three digits, µs to six, ns above. */
export function adaptive(column: Column): RecordEncoder {
  const digits = column.precision ?? 9;
  return sinceEpoch(digits <= 3 ? 3 : digits <= 6 ? 6 : 9)(column);
}

export const zoned: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "string" ? writeDateText(bytes, start, end, true, sink) : unexpected(token, "ISO 8601 text");

const localIso: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "string" ? writeLocalIso(bytes, start, end, sink) : unexpected(token, "ISO 8601 text");

const period =
  (write: typeof writeDayPeriod): RecordEncoder =>
  (bytes, start, end, token, sink) =>
    token === "string" ? write(ascii(bytes, start, end), sink) : unexpected(token, "an ISO 8601 duration");

export const dayPeriod = period(writeDayPeriod);
export const monthPeriod = period(writeMonthPeriod);

export const micros: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "number" ? writeFloatMicros(ascii(bytes, start, end), sink) : unexpected(token, "a number");

/** Jackson writes values that are not JSON numbers (`NaN`) as text. */
const binaryNumber =
  (width: 32 | 64): RecordEncoder =>
  (bytes, start, end, token, sink) => {
    if (token === "number") return writeBinaryNumber(ascii(bytes, start, end), width, sink);
    const text = token === "string" ? ascii(bytes, start, end) : "";
    return /^(?:NaN|[+-]?Infinity)$/.test(text) ? writeBinaryNumber(text, width, sink) : unexpected(token, "a number");
  };

const base64: RecordEncoder = (bytes, start, end, token, sink) =>
  token === "string" ? writeBase64(bytes, start, end, sink) : unexpected(token, "base64 text");

const text: RecordEncoder = (bytes, start, end, token, sink) => {
  if (token !== "string") return unexpected(token, "text");
  sink.reserve(end - start);
  let high = 0;
  let to = sink.length;
  const { bytes: into } = sink;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    high |= byte;
    into[to++] = byte;
  }
  if (high >= 0x80 && !isUtf8(bytes, start, end)) return "a text that is not UTF-8";
  sink.length = to;
  return undefined;
};

export function unexpected(token: Token, expected: string): string {
  return `a JSON ${token} where ${expected} is expected`;
}

/** The value as text, truncated to the longest that its kind can have. */
function ascii(bytes: Uint8Array, start: number, end: number): string {
  return textOf(bytes, start, Math.min(end, start + 64));
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  let written = "";
  for (let at = start; at < end; at++) written += String.fromCharCode(bytes[at] as number);
  return written;
}

type EncoderOf = (column: Column, field: FieldSchema) => RecordEncoder;
interface EncodingRow {
  readonly kinds: readonly ValueKind[];
  readonly types: readonly string[];
  /** Name of the schema; undefined for a schema without a name. */
  readonly name: string | undefined;
  readonly encoder: EncoderOf;
}

const DATES: readonly ValueKind[] = ["datetime"];
const NUMBERS: readonly ValueKind[] = ["number", "number-as-double"];
const INTERVALS: readonly ValueKind[] = ["day-interval", "month-interval"];

/** Schemas that may be declared for each kind of column. */
const BY_SCHEMA: readonly EncodingRow[] = [
  { kinds: NUMBERS, types: ["int8", "int16", "int32", "int64"], name: undefined, encoder: () => decimal },
  { kinds: NUMBERS, types: ["string"], name: undefined, encoder: () => decimalText },
  { kinds: NUMBERS, types: ["double"], name: undefined, encoder: throughDouble("double") },
  { kinds: NUMBERS, types: ["float"], name: undefined, encoder: throughDouble("float") },
  {
    kinds: NUMBERS,
    types: ["bytes"],
    name: "org.apache.kafka.connect.data.Decimal",
    encoder: (_, { scale }) =>
      scale === undefined ? () => "a Decimal whose schema says no scale" : decimalOfScale(scale),
  },
  { kinds: NUMBERS, types: ["struct"], name: "io.debezium.data.VariableScaleDecimal", encoder: () => struct },
  { kinds: DATES, types: ["int64"], name: "io.debezium.time.Timestamp", encoder: sinceEpoch(3) },
  { kinds: DATES, types: ["int64"], name: "io.debezium.time.MicroTimestamp", encoder: sinceEpoch(6) },
  { kinds: DATES, types: ["int64"], name: "io.debezium.time.NanoTimestamp", encoder: sinceEpoch(9) },
  { kinds: DATES, types: ["int64"], name: "org.apache.kafka.connect.data.Timestamp", encoder: sinceEpoch(3) },
  { kinds: ["instant"], types: ["string"], name: "io.debezium.time.ZonedTimestamp", encoder: () => zoned },
  { kinds: INTERVALS, types: ["double"], name: "io.debezium.time.MicroDuration", encoder: () => micros },
  { kinds: DATES, types: ["string"], name: undefined, encoder: () => localIso },
  { kinds: ["instant"], types: ["string"], name: undefined, encoder: () => zoned },
  { kinds: ["day-interval"], types: ["string"], name: undefined, encoder: () => dayPeriod },
  { kinds: ["month-interval"], types: ["string"], name: undefined, encoder: () => monthPeriod },
  { kinds: ["binary-float"], types: ["float", "double"], name: undefined, encoder: () => binaryNumber(32) },
  { kinds: ["binary-double"], types: ["double"], name: undefined, encoder: () => binaryNumber(64) },
  { kinds: ["raw", "blob"], types: ["bytes"], name: undefined, encoder: () => base64 },
  { kinds: ["text", "padded-text", "clob"], types: ["string"], name: undefined, encoder: () => text },
];

function numberAlone(column: Column, { decimals }: RecordFormat): RecordEncoder {
  return decimals === "string" ? decimalText : decimals === "double" ? throughDouble("double")(column) : schemaless;
}

/** How a column is decoded if the record has no schema. */
const WITHOUT_SCHEMA: Readonly<Record<ValueKind, (column: Column, format: RecordFormat) => RecordEncoder>> = {
  number: numberAlone,
  "number-as-double": numberAlone,
  datetime: (column, { temporals }) =>
    temporals === "adaptive"
      ? adaptive(column)
      : temporals === "iso"
        ? localIso
        : () => "a date without a schema can't be decoded: its unit is not known",
  instant: () => zoned,
  "day-interval": (_, { temporals }) => (temporals === "iso" ? dayPeriod : micros),
  "month-interval": (_, { temporals }) => (temporals === "iso" ? monthPeriod : micros),
  "binary-float": () => binaryNumber(32),
  "binary-double": () => binaryNumber(64),
  raw: () => base64,
  blob: () => base64,
  text: () => text,
  "padded-text": () => text,
  clob: () => text,
};

/**
 * Returns the encoder of a column.
 *
 * @param field the column's field in the record's schema; undefined for a record without a schema
 */
export function recordEncoder(column: Column, field: FieldSchema | undefined, format: RecordFormat): RecordEncoder {
  const encoder = exactEncoder(column, field, format);
  return column.kind === "number-as-double" ? rounded(encoder) : encoder;
}

/** The same before it is rounded to what the new connector delivers. */
export function exactEncoder(column: Column, field: FieldSchema | undefined, format: RecordFormat): RecordEncoder {
  if (field === undefined) return WITHOUT_SCHEMA[column.kind](column, format);
  const row = BY_SCHEMA.find(
    ({ kinds, types, name }) => kinds.includes(column.kind) && types.includes(field.type) && name === field.name,
  );
  if (row !== undefined) return row.encoder(column, field);
  const declared = field.name ?? field.type;
  return () => `a schema (${declared}) that is not known for such a column`;
}

// ---- Values that are written in the pass that reads them ------------------------------------------------------------

/**
 * The encodings of most values, which need no lookahead: a plainly written value is written in the pass that finds its
 * end.
 */
export const NOT_AT_ONCE = 0;
export const AS_DECIMAL = 1;
export const AS_TEXT = 2;
export const AS_MILLIS = 3;
const AS_MICROS = 4;

const WRITE_MODES = new WeakMap<RecordEncoder, number>([
  [decimal, AS_DECIMAL],
  [decimalText, AS_DECIMAL],
  [schemaless, AS_DECIMAL],
  [text, AS_TEXT],
  [SINCE_EPOCH[3], AS_MILLIS],
  [SINCE_EPOCH[6], AS_MICROS],
]);

/** How an encoder's values are written in one pass; `NOT_AT_ONCE` for most encoders. */
export function writeModeOf(encoder: RecordEncoder): number {
  return WRITE_MODES.get(encoder) ?? NOT_AT_ONCE;
}

const SCALE = [..."scale"].map((character) => character.charCodeAt(0));
const VALUE = [..."value"].map((character) => character.charCodeAt(0));

/**
 * Writes the canonical text of a `VariableScaleDecimal`: the JSON object `{"scale":2,"value":"MDk="}`, its members in
 * any order, and no other members.
 *
 * @returns why it cannot be written; undefined if it was
 */
export function variableScale(bytes: Uint8Array, start: number, end: number, sink: ByteSink): string | undefined {
  const wrong = "no VariableScaleDecimal";
  let scale: number | undefined;
  let valueStart = -1;
  let valueEnd = -1;
  let position = start + 1;
  for (let member = 0; member < 2; member++) {
    // A member is at least `"scale":0`, followed by a comma or the brace.
    if (position + 10 > end || bytes[position] !== 0x22 || bytes[position + 6] !== 0x22 || bytes[position + 7] !== 0x3a)
      return wrong;
    const name = position + 1;
    position += 8;
    if (scale === undefined && spells(bytes, name, SCALE)) {
      const from = position;
      while (position < end && isOfNumber(bytes[position] as number)) position++;
      scale = smallInteger(bytes, from, position);
      if (scale === undefined) return wrong;
    } else if (valueStart < 0 && spells(bytes, name, VALUE) && bytes[position] === 0x22) {
      valueStart = ++position;
      while (position < end && bytes[position] !== 0x22) position++;
      valueEnd = position++;
    } else return wrong;
    if (bytes[position++] !== (member === 0 ? 0x2c : 0x7d)) return wrong;
  }
  if (position !== end || scale === undefined || valueStart < 0) return wrong;
  unscaled.clear();
  return (
    writeBase64(bytes, valueStart, valueEnd, unscaled) ?? writeUnscaled(unscaled.bytes, unscaled.length, scale, sink)
  );
}

function spells(bytes: Uint8Array, at: number, name: readonly number[]): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}

function smallInteger(bytes: Uint8Array, start: number, end: number): number | undefined {
  const negative = bytes[start] === 0x2d;
  const first = negative ? start + 1 : start;
  if (end - first < 1 || end - first > 4) return undefined;
  const value = integerAt(bytes, first, end);
  return value < 0 ? undefined : negative ? -value : value;
}
