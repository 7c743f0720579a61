import type { Column, RecordFormat, ValueKind } from "../../../schemas/generated/verification-job.ts";
import { writeBase64 } from "../../values/base64.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import { indexOfBytes, wantedBytes } from "../byte-work.ts";
import { NULL, UNAVAILABLE } from "../canonical-row.ts";
import {
  adaptive,
  dayPeriod,
  decimal,
  decimalOfScale,
  exactEncoder,
  type FieldSchema,
  IN_PART,
  micros,
  monthPeriod,
  NOT_HELD,
  type RecordEncoder,
  recordEncoder,
  rounded,
  sinceEpoch,
  throughDouble,
  unexpected,
  zoned,
} from "../record-encodings.ts";

/**
 * How the values of Debezium's records are decoded (reference: Debezium, "Records, for verification"; run with its
 * classes 1.9.4 to 3.6.1). What its settings make it lose is not compared.
 */

type DebeziumFormat = NonNullable<RecordFormat["debezium"]>;
type EncoderOf = (column: Column, format: DebeziumFormat) => RecordEncoder;

const POINT = 0x2e;

const notHeld: RecordEncoder = () => NOT_HELD;

/**
 * Before 2.7.0, and with `legacy.decimal.handling.strategy`, an integer of up to 18 digits stays one in every mode.
 * Java prints a double with a point, so that each number says what it was, whichever version wrote it.
 */
function doubleOrInteger(column: Column): RecordEncoder {
  const double = throughDouble("double")(column);
  if (!IN_PART.has(double)) return double;
  return (bytes, start, end, token, sink) => {
    for (let at = start; at < end; at++) if (bytes[at] === POINT) return NOT_HELD;
    return decimal(bytes, start, end, token, sink);
  };
}

const LOCAL_TIMES: Readonly<Record<DebeziumFormat["times"], (column: Column) => RecordEncoder>> = {
  adaptive,
  connect: sinceEpoch(3),
  microseconds: sinceEpoch(6),
  nanoseconds: sinceEpoch(9),
  isostring: () => zoned,
};

/** Microseconds or ISO 8601, by `interval.handling.mode`: each value says which. */
const interval: EncoderOf =
  ({ kind }) =>
  (bytes, start, end, token, sink) => {
    const read = token === "number" ? micros : kind === "day-interval" ? dayPeriod : monthPeriod;
    return read(bytes, start, end, token, sink);
  };

const plain = new ByteSink(64);

/** Base64 of either alphabet (`base64-url-safe`). */
const eitherBase64: RecordEncoder = (bytes, start, end, token, sink) => {
  if (token !== "string") return unexpected(token, "base64 text");
  plain.clear();
  plain.copy(bytes, start, end);
  for (let at = 0; at < plain.length; at++) {
    if (plain.bytes[at] === 0x2d) plain.bytes[at] = 0x2b;
    else if (plain.bytes[at] === 0x5f) plain.bytes[at] = 0x2f;
  }
  return writeBase64(plain.bytes, 0, plain.length, sink);
};

const hexadecimal: RecordEncoder = (bytes, start, end, token, sink) => {
  if (token !== "string" || (end - start) % 2 !== 0) return unexpected(token, "hexadecimal text");
  for (let at = start; at < end; at += 2) {
    const byte = (digitOf(bytes[at] as number) << 4) | digitOf(bytes[at + 1] as number);
    if (byte < 0) return "no hexadecimal text";
    sink.byte(byte);
  }
  return undefined;
};

/** @returns -1 for none */
function digitOf(character: number): number {
  const lower = character | 0x20;
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const binary: EncoderOf = (_, { binaries }) => (binaries === "hex" ? hexadecimal : eitherBase64);

interface OwnSchema {
  readonly kinds: readonly ValueKind[];
  readonly type: string;
  readonly name: string | undefined;
  readonly encoder: EncoderOf;
}

const INTERVALS: readonly ValueKind[] = ["day-interval", "month-interval"];

/** The schemas that the new connector does not declare. */
const OWN: readonly OwnSchema[] = [
  { kinds: ["datetime"], type: "string", name: "io.debezium.time.IsoTimestamp", encoder: () => zoned },
  { kinds: INTERVALS, type: "int64", name: "io.debezium.time.MicroDuration", encoder: interval },
  { kinds: INTERVALS, type: "string", name: "io.debezium.time.Interval", encoder: interval },
  { kinds: ["raw", "blob"], type: "string", name: undefined, encoder: binary },
];

/** What differs from the new connector's records if they have no schema. */
const ALONE: Partial<Readonly<Record<ValueKind, EncoderOf>>> = {
  datetime: (column, { times }) => LOCAL_TIMES[times](column),
  "day-interval": interval,
  "month-interval": interval,
  raw: binary,
  blob: binary,
};

/** A decimal that is told by its column: with no schema the record does not say its scale. */
function numberAlone(column: Column, format: RecordFormat): RecordEncoder {
  if (format.decimals === "double") return doubleOrInteger(column);
  return format.decimals === "precise" && column.scale !== undefined
    ? decimalOfScale(column.scale)
    : exactEncoder(column, undefined, format);
}

const isNumber = ({ kind }: Column): boolean => kind === "number" || kind === "number-as-double";
const isLob = ({ kind }: Column): boolean => kind === "blob" || kind === "clob";

/** How a column is decoded: by Debezium's settings if the records are its own. */
export function encoderOf(column: Column, field: FieldSchema | undefined, format: RecordFormat): RecordEncoder {
  const { debezium } = format;
  if (debezium === undefined) return recordEncoder(column, field, format);
  if (isLob(column) && !debezium.lobs) return notHeld;
  const own = field === undefined ? ALONE[column.kind] : declared(column, field);
  const encoder =
    own !== undefined
      ? own(column, debezium)
      : field === undefined && isNumber(column)
        ? numberAlone(column, format)
        : exactEncoder(column, field, format);
  const held = IN_PART.has(encoder) ? notHeld : encoder;
  return column.kind === "number-as-double" ? rounded(held) : held;
}

function declared({ kind }: Column, { type, name }: FieldSchema): EncoderOf | undefined {
  return OWN.find((one) => one.kinds.includes(kind) && one.type === type && one.name === name)?.encoder;
}

/** Debezium's null of a LOB says nothing of it: it stands for an empty one too, and for any without `lob.enabled`. */
export function nullOf(column: Column, { debezium }: RecordFormat): number {
  return debezium !== undefined && isLob(column) ? UNAVAILABLE : NULL;
}

const INCREMENTAL = wantedBytes(new TextEncoder().encode('"snapshot":"incremental"'));

/** Whether an incremental snapshot read the row: the SCNs of its `source` are then those of the change before it. */
export function isIncremental(bytes: Uint8Array, source: number, end: number): boolean {
  return source >= 0 && indexOfBytes(bytes, INCREMENTAL, source, end) >= 0;
}
