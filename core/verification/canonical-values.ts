import type { Column, TableShape, ValueKind } from "../../schemas/generated/verification-job.ts";
import type { OracleValue } from "../ports/oracle.ts";
import { showCount } from "../values/amounts.ts";
import { ByteSink } from "../values/byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { beginValue, endValue, LONGEST_INLINE, NULL, writeLarge } from "./canonical-row.ts";
import {
  appendTuple,
  beginTuple,
  bufferFor,
  endTuple,
  hashOfKey,
  ONE_MORE,
  ROW,
  TABLE,
  type TupleSink,
} from "./tuple.ts";
import { writeBinaryNumber } from "./values/binary-number.ts";
import { writeDateText } from "./values/datetime.ts";
import { writeDecimal } from "./values/decimal.ts";
import { writeDayInterval, writeMonthInterval } from "./values/interval.ts";

/**
 * Appends the tuple of one row of the table to `into`.
 *
 * @returns why it cannot be compared, which makes the table inconclusive; nothing is appended then
 */
export type TableRowReader = (
  /** Values of the shape's columns, in that order. */
  values: readonly OracleValue[],
  into: TupleSink,
) => string | undefined;

export function tableRowReader({ key, columns }: TableShape, work: ByteWork): TableRowReader {
  const row = new ByteSink();
  const keyFields = new ByteSink();
  const rules = columns.map(({ kind }) => VALUE_RULES[kind]);
  const keyAt = key.map(({ name }) => columns.findIndex((column) => column.name === name));
  const inKey = columns.map((_, at) => keyAt.indexOf(at));
  const keyEnds = key.map(() => 0);

  function writeField(values: readonly OracleValue[], at: number, sink: ByteSink): string | undefined {
    const problem = writeOracleValue(rules[at] as ValueRule, values[at] as OracleValue, sink, work);
    return problem === undefined ? undefined : `column ${(columns[at] as Column).name}: ${problem}`;
  }

  function writeKey(values: readonly OracleValue[]): string | undefined {
    keyFields.clear();
    for (let nth = 0; nth < keyAt.length; nth++) {
      const problem = writeField(values, keyAt[nth] as number, keyFields);
      if (problem !== undefined) return problem;
      keyEnds[nth] = keyFields.length;
    }
    return undefined;
  }

  /** The fields of the key are copied. */
  function writeRow(values: readonly OracleValue[], sink: ByteSink): string | undefined {
    for (let at = 0; at < rules.length; at++) {
      const nth = inKey[at] as number;
      if (nth >= 0) sink.copy(keyFields.bytes, nth === 0 ? 0 : (keyEnds[nth - 1] as number), keyEnds[nth] as number);
      else {
        const problem = writeField(values, at, sink);
        if (problem !== undefined) return problem;
      }
    }
    return undefined;
  }

  return (values, into) => {
    if (values.length !== columns.length) return `${values.length} values for ${columns.length} columns`;
    if (key.length === 0) {
      row.clear();
      const problem = writeRow(values, row);
      if (problem === undefined) appendTuple(into, TABLE, ONE_MORE, row);
      return problem;
    }
    const keyProblem = writeKey(values);
    if (keyProblem !== undefined) return keyProblem;
    const hash = hashOfKey(keyFields);
    const sink = bufferFor(into, hash);
    const start = beginTuple(sink, TABLE, hash, keyFields);
    const problem = writeRow(values, sink);
    if (problem === undefined) endTuple(sink, start, TABLE, ROW);
    else sink.length = start;
    return problem;
  };
}

/** Default of each column as a field; undefined if it is NULL or unknown. */
export function defaultFields({ columns }: TableShape, work: ByteWork): readonly (Uint8Array | undefined)[] {
  return columns.map(({ kind, byDefault }) => {
    if (byDefault === undefined) return undefined;
    const field = new ByteSink();
    const problem = writeOracleValue(VALUE_RULES[kind], byDefault, field, work);
    return problem === undefined ? field.bytes.slice(0, field.length) : undefined;
  });
}

/**
 * Rules that turn Oracle's values of each kind into canonical bytes. `record-encodings.ts` does the same for values in
 * records; both write the same bytes.
 *
 * Rule: reference: connector settings, "What a cutover verification compares".
 */

export interface ValueRule {
  /** How values are compared, in words. */
  readonly compared: string;
  /** An empty text and an empty RAW are NULL in Oracle. An empty LOB is not. */
  readonly emptyIsNull: boolean;
  /** Trailing blanks are the padding of a CHAR, whatever its length. Both sides are compared without them. */
  readonly padded: boolean;
  /** Writes the canonical bytes of Oracle's text. @returns why it cannot */
  readonly text: (text: string, sink: ByteSink) => string | undefined;
  /** Whether the driver may return bytes, which are then the canonical bytes. */
  readonly bytes: boolean;
}

const plain = { emptyIsNull: false, padded: false, bytes: false };
const characters = { ...plain, text: writeText };
const binary = { ...plain, bytes: true, text: writeHex };

export const VALUE_RULES: Readonly<Record<ValueKind, ValueRule>> = {
  number: { ...plain, compared: "decimal text without trailing zeros", text: viaBytes(writeDecimal) },
  "number-as-double": { ...plain, compared: "as doubles", text: (t, sink) => writeBinaryNumber(t, 64, sink) },
  "binary-float": { ...plain, compared: "shortest decimal text", text: (t, sink) => writeBinaryNumber(t, 32, sink) },
  "binary-double": { ...plain, compared: "shortest decimal text", text: (t, sink) => writeBinaryNumber(t, 64, sink) },
  datetime: {
    ...plain,
    compared: "local date and time",
    text: viaBytes((bytes, start, end, sink) => writeDateText(bytes, start, end, false, sink)),
  },
  instant: {
    ...plain,
    compared: "instant in UTC",
    text: viaBytes((bytes, start, end, sink) => writeDateText(bytes, start, end, true, sink)),
  },
  "day-interval": { ...plain, compared: "microseconds", text: writeDayInterval },
  "month-interval": { ...plain, compared: "microseconds", text: writeMonthInterval },
  raw: { ...binary, compared: "bytes", emptyIsNull: true },
  blob: { ...binary, compared: "bytes" },
  "padded-text": { ...characters, compared: "text without trailing blanks", emptyIsNull: true, padded: true },
  text: { ...characters, compared: "text", emptyIsNull: true },
  clob: { ...characters, compared: "text" },
};

/**
 * Writes one value of the table as a field of a canonical row.
 *
 * @returns why it cannot be written; the caller discards what was written of it
 */
export function writeOracleValue(
  rule: ValueRule,
  value: OracleValue,
  sink: ByteSink,
  work: ByteWork,
): string | undefined {
  if (value === null || (rule.emptyIsNull && value.length === 0)) {
    sink.byte(NULL);
    return undefined;
  }
  if (typeof value === "string") {
    const start = beginValue(sink);
    const problem = rule.text(value, sink);
    if (problem !== undefined) return problem;
    if (rule.padded) trimSpaces(sink, start);
    endValue(sink, start, work);
    return undefined;
  }
  if (!(value instanceof Uint8Array)) {
    if (value.length <= LONGEST_INLINE)
      return `a digest of ${showCount(value.length)} bytes, which are to be given whole`;
    writeLarge(sink, value.length, value.sha256);
    return undefined;
  }
  if (!rule.bytes) return "bytes where text is expected";
  const start = beginValue(sink);
  sink.copy(value, 0, value.length);
  endValue(sink, start, work);
  return undefined;
}

/** Removes trailing blanks from what was written since `start`. */
export function trimSpaces(sink: ByteSink, start: number): void {
  while (sink.length > start && sink.bytes[sink.length - 1] === 0x20) sink.length--;
}

/** Adapts a writer that takes bytes: the text is placed where the value goes, and overwritten. */
function viaBytes(
  write: (bytes: Uint8Array, start: number, end: number, sink: ByteSink) => string | undefined,
): ValueRule["text"] {
  return (text, sink) => {
    const start = sink.length;
    const problem = writeText(text, sink);
    if (problem !== undefined) return problem;
    // The writer reads a value before overwriting it.
    const { bytes, length } = sink;
    sink.length = start;
    return write(bytes, start, length, sink);
  };
}

const encoder = new TextEncoder();
/** Up to this many characters, a loop is faster than a call to the encoder. */
const SHORT = 96;

function writeText(text: string, sink: ByteSink): string | undefined {
  const { length } = text;
  sink.reserve(length * 3);
  if (length <= SHORT) {
    const { bytes } = sink;
    let to = sink.length;
    let index = 0;
    for (; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x80) bytes[to++] = code;
      else if (code < 0x800) {
        bytes[to++] = 0xc0 | (code >> 6);
        bytes[to++] = 0x80 | (code & 0x3f);
      } else if (code < 0xd800 || code > 0xdfff) {
        bytes[to++] = 0xe0 | (code >> 12);
        bytes[to++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[to++] = 0x80 | (code & 0x3f);
      } else break;
    }
    if (index === length) {
      sink.length = to;
      return undefined;
    }
  }
  const { written } = encoder.encodeInto(text, sink.bytes.subarray(sink.length));
  if (written !== text.length && /\p{Cs}/u.test(text)) return "a text with half a surrogate pair";
  sink.length += written;
  return undefined;
}

function writeHex(text: string, sink: ByteSink): string | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return "no hexadecimal text";
  for (let at = 0; at < text.length; at += 2) sink.byte(Number.parseInt(text.slice(at, at + 2), 16));
  return undefined;
}
