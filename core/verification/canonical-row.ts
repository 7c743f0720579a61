import type { ByteSink } from "../values/byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";

/**
 * Canonical form of a row (or a key): equal values give equal bytes. Each column, in the order of the table's shape, is
 * a number (LEB128) and what follows it:
 *
 * - `NULL`
 * - `UNAVAILABLE`: the record holds the placeholder; the column keeps the row's earlier value
 * - `ABSENT`: the record has no such field, because it was written before the column was added
 * - `LARGE`, the length (LEB128) and SHA-256 of the canonical bytes of a value of more than `LONGEST_INLINE` bytes
 * - from `VALUE` on, `VALUE` plus the length of a value's canonical bytes, and these
 */
export const NULL = 0;
export const UNAVAILABLE = 1;
export const ABSENT = 2;
const LARGE = 3;
const VALUE = 4;

/** The limit in bytes. Longer values are compared by length and SHA-256, which bounds a row's size in memory. */
export const LONGEST_INLINE = 4096;

const DIGEST = 32;

/** Begins a value whose canonical bytes follow. Pass the result to `endValue` or `dropValue`. */
export function beginValue(sink: ByteSink): number {
  sink.reserve(1);
  sink.length += 1;
  return sink.length;
}

/** Ends a value: writes its length in front of it, or replaces it with its digest. */
export function endValue(sink: ByteSink, start: number, work: ByteWork): void {
  const length = sink.length - start;
  const code = VALUE + length;
  if (code < 0x80) {
    sink.bytes[start - 1] = code;
    return;
  }
  if (length > LONGEST_INLINE) {
    const digest = work.sha256(sink.bytes.subarray(start, sink.length));
    dropValue(sink, start);
    writeLarge(sink, length, digest);
    return;
  }
  // Two bytes hold the length of any inline value; one byte is reserved.
  sink.reserve(1);
  sink.bytes.copyWithin(start + 1, start, start + length);
  sink.bytes[start - 1] = (code & 0x7f) | 0x80;
  sink.bytes[start] = code >>> 7;
  sink.length += 1;
}

/** Discards a value that was begun. */
export function dropValue(sink: ByteSink, start: number): void {
  sink.length = start - 1;
}

/** @param length of the canonical bytes that the digest covers */
export function writeLarge(sink: ByteSink, length: number, digest: Uint8Array): void {
  sink.byte(LARGE);
  sink.varint(length);
  sink.copy(digest, 0, DIGEST);
}

/** End of the field that begins at `at`. @throws RangeError for a row that ends inside it: a damaged one */
function endOfField(bytes: Uint8Array, at: number): number {
  const { value: code, end } = numberAt(bytes, at);
  const after = code >= VALUE ? end + code - VALUE : code === LARGE ? numberAt(bytes, end).end + DIGEST : end;
  if (after > bytes.length) throw new RangeError(`a row of ${bytes.length} bytes ends within the field at ${at}`);
  return after;
}

function numberAt(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let factor = 1;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next] as number;
    value += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte < 0x80) return { value, end: next + 1 };
  }
  throw new RangeError(`a row of ${bytes.length} bytes ends within the number at ${at}`);
}

/** A decoded field of a canonical row, for output when the operator requests values. */
export type RowField =
  | { readonly is: "null" }
  | { readonly is: "unavailable" }
  | { readonly is: "absent" }
  | { readonly is: "value"; readonly bytes: Uint8Array }
  | { readonly is: "large"; readonly length: number; readonly sha256: Uint8Array };

/** The columns of a row, in the order of the shape. */
export function fieldsOf(row: Uint8Array): readonly RowField[] {
  const fields: RowField[] = [];
  for (let at = 0; at < row.length; ) {
    const end = endOfField(row, at);
    fields.push(rowField(row, at, end));
    at = end;
  }
  return fields;
}

function rowField(row: Uint8Array, at: number, end: number): RowField {
  const { value: code, end: start } = numberAt(row, at);
  if (code === NULL) return { is: "null" };
  if (code === UNAVAILABLE) return { is: "unavailable" };
  if (code === ABSENT) return { is: "absent" };
  if (code !== LARGE) return { is: "value", bytes: row.slice(start, end) };
  const length = numberAt(row, start);
  return { is: "large", length: length.value, sha256: row.slice(length.end, end) };
}

interface RowComparison {
  /** Columns (by their index in the shape) whose values differ. */
  readonly different: readonly number[];
  /** Columns for which the topic's row holds no value. */
  readonly unavailable: readonly number[];
  /** Columns added after the topic's row was written, whose value in the table differs from their default. */
  readonly added: readonly number[];
  /** Such columns whose value in the table is their default. */
  readonly byDefault: readonly number[];
}

/**
 * Compares a table's row with a topic's, column by column. @param defaults each column's default as a field; undefined
 * if unknown
 */
export function compareRows(
  table: Uint8Array,
  topic: Uint8Array,
  defaults: readonly (Uint8Array | undefined)[] = [],
): RowComparison {
  const different: number[] = [];
  const unavailable: number[] = [];
  const added: number[] = [];
  const byDefault: number[] = [];
  let left = 0;
  let right = 0;
  for (let column = 0; left < table.length || right < topic.length; column++) {
    const leftEnd = endOfField(table, left);
    const rightEnd = endOfField(topic, right);
    if (topic[right] === UNAVAILABLE) unavailable.push(column);
    else if (topic[right] === ABSENT) {
      const value = defaults[column];
      if (value !== undefined && sameField(table, left, leftEnd, value, 0, value.length)) byDefault.push(column);
      else if (table[left] !== NULL) added.push(column);
    } else if (!sameField(table, left, leftEnd, topic, right, rightEnd)) different.push(column);
    left = leftEnd;
    right = rightEnd;
  }
  return { different, unavailable, added, byDefault };
}

function sameField(a: Uint8Array, from: number, to: number, b: Uint8Array, start: number, end: number): boolean {
  if (to - from !== end - start) return false;
  for (let at = from, other = start; at < to; at++, other++) if (a[at] !== b[other]) return false;
  return true;
}

/** Writes the later row of a key, taking the earlier row's value for columns that the later one has no value for. */
export function overEarlier(later: Uint8Array, earlier: Uint8Array, sink: ByteSink): void {
  let left = 0;
  let right = 0;
  while (left < later.length || right < earlier.length) {
    const leftEnd = endOfField(later, left);
    const rightEnd = endOfField(earlier, right);
    if (later[left] === UNAVAILABLE) sink.copy(earlier, right, rightEnd);
    else sink.copy(later, left, leftEnd);
    left = leftEnd;
    right = rightEnd;
  }
}
