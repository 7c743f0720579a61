import type { Place, Truncates } from "../../schemas/generated/verification-result.ts";
import type { ByteSink } from "../values/byte-sink.ts";
import { compare64, read64, viewOf, write64 } from "../values/bytes.ts";
import { hash32 } from "./murmur3.ts";

/**
 * Output of the readers of table and topics, input of the join, as bytes: plain values that any engine can transport. A
 * tuple is
 *
 *   u32 length of what follows · u32 hash of the key · u32 length of the key · u8 source and event ·
 *   (of a topic only) u64 SCN · u32 partition · u64 offset · key · row
 *
 * least significant byte first. The upper bits of `hash` decide the hash partition of the join, the lower bits find the
 * key within it. The row is empty if the event has none.
 */
export const TABLE = 0;
export const NEW_TOPIC = 1;
export const LEGACY_TOPIC = 2;
export type Source = typeof TABLE | typeof NEW_TOPIC | typeof LEGACY_TOPIC;

/** The same by name, in the order of the numbers. */
export const SIDES = ["table", "new", "legacy"] as const;
export type Side = (typeof SIDES)[number];
/** What there is of each side of a table. */
export type Sides<One> = Readonly<Record<Side, One>>;

export function eachSide<From, To>(sides: Sides<From>, to: (one: From, side: Side) => To): Sides<To> {
  return Object.fromEntries(SIDES.map((side) => [side, to(sides[side], side)])) as Sides<To>;
}

export const ROW = 0;
/** A partial row: some columns keep their earlier value. */
export const ROW_IN_PART = 1;
/** The row was deleted: a delete or a tombstone. */
export const GONE = 2;
/** The row as read by a snapshot, at the snapshot's SCN. */
export const SNAPSHOT = 3;
/** One row more, or one less, of a table without a key, whose rows are counted. The key holds the row. */
export const ONE_MORE = 4;
export const ONE_LESS = 5;
/** The table was truncated. No key; every hash partition needs it. */
export const TRUNCATE = 6;
/** A record of the legacy topic that cannot be read, but for its key. Its SCN is unknown, and 0 in the tuple. */
export const UNREADABLE = 7;
export type Event =
  | typeof ROW
  | typeof ROW_IN_PART
  | typeof GONE
  | typeof SNAPSHOT
  | typeof ONE_MORE
  | typeof ONE_LESS
  | typeof TRUNCATE
  | typeof UNREADABLE;

/** Bytes before the key. */
export const TABLE_HEAD = 13;
export const TOPIC_HEAD = 33;

/** Positions in a tuple. The lower three bits of `KIND` are the event, those above the source. */
const HASH = 4;
const KEY_LENGTH = 8;
const KIND = 12;
const SCN = 13;
const PARTITION = 21;
const OFFSET = 25;

export type { Place };

/** The same, with the offset as a record batch encodes it: the base offset of the batch and the delta of the record. */
export interface PlaceInBatch extends Omit<Place, "offset"> {
  readonly baseOffset: bigint;
  readonly offsetDelta: number;
}

export interface TupleSink {
  /** A buffer for each hash partition, or one for all. */
  buffers: readonly ByteSink[];
  /** The buffer that truncates are appended to: they have no key, and every hash partition needs them. */
  readonly truncates: ByteSink;
}

export function oneSink(sink: ByteSink): TupleSink {
  return { buffers: [sink], truncates: sink };
}

/** Returns the buffer that a tuple of this hash is appended to. */
export function bufferFor({ buffers }: TupleSink, hash: number): ByteSink {
  return buffers[joinPartition(hash, buffers.length)] as ByteSink;
}

/** Appends one tuple without a row to the buffer of its key. @param place left out for a row of the table */
export function appendTuple(into: TupleSink, source: Source, event: Event, key: ByteSink, place?: PlaceInBatch): void {
  const hash = hashOfKey(key);
  const sink = event === TRUNCATE ? into.truncates : bufferFor(into, hash);
  endTuple(sink, beginTuple(sink, source, hash, key), source, event, place);
}

export function hashOfKey(key: ByteSink): number {
  return hash32(key.data, 0, key.length);
}

/**
 * Begins a tuple at the end of `into`, to which the caller then appends the row; a tuple is discarded by setting the
 * length of `into` back to its start.
 *
 * @returns its start
 */
export function beginTuple(into: ByteSink, source: Source, hash: number, key: ByteSink): number {
  const head = source === TABLE ? TABLE_HEAD : TOPIC_HEAD;
  into.reserve(head + key.length);
  const start = into.length;
  into.data.setUint32(start + HASH, hash, true);
  into.data.setUint32(start + KEY_LENGTH, key.length, true);
  into.length = start + head;
  into.append(key);
  return start;
}

/**
 * Completes the tuple that begins at `start` and whose row ends where `into` ends.
 *
 * @param place left out for a row of the table
 */
export function endTuple(
  { data, length }: ByteSink,
  start: number,
  source: Source,
  event: Event,
  place?: PlaceInBatch,
): void {
  data.setUint32(start, length - start - 4, true);
  data.setUint8(start + KIND, (source << 3) | event);
  if (place === undefined) return;
  write64(data, start + SCN, place.scn);
  data.setUint32(start + PARTITION, place.partition, true);
  write64(data, start + OFFSET, place.baseOffset, place.offsetDelta);
}

/** Hash partition of a key, among `partitions` (a power of two, at most 2^16). */
export function joinPartition(hash: number, partitions: number): number {
  return (hash >>> 16) & (partitions - 1);
}

// ---- Reading; `tuple` is the position where one begins --------------------------------------------------------------

/** Start of the next tuple. @throws RangeError for a tuple that extends beyond the bytes: a truncated file */
export function nextTuple(data: DataView, tuple: number): number {
  const { byteLength } = data;
  const end = tuple + TABLE_HEAD <= byteLength ? tupleEnd(data, tuple) : byteLength + 1;
  if (end > byteLength || keyEnd(data, tuple) > end)
    throw new RangeError(`the tuple at ${tuple} extends beyond the end, ${byteLength} bytes`);
  return end;
}

export const hashOf = (data: DataView, tuple: number): number => data.getUint32(tuple + HASH, true);
export const sourceOf = (data: DataView, tuple: number): Source => (data.getUint8(tuple + KIND) >> 3) as Source;
export const eventOf = (data: DataView, tuple: number): Event => (data.getUint8(tuple + KIND) & 7) as Event;
export const partitionOf = (data: DataView, tuple: number): number => data.getUint32(tuple + PARTITION, true);
export const keyStart = (data: DataView, tuple: number): number =>
  tuple + (sourceOf(data, tuple) === TABLE ? TABLE_HEAD : TOPIC_HEAD);
export const keyEnd = (data: DataView, tuple: number): number =>
  keyStart(data, tuple) + data.getUint32(tuple + KEY_LENGTH, true);
export const tupleEnd = (data: DataView, tuple: number): number => tuple + 4 + data.getUint32(tuple, true);

export function keyOf(data: DataView, tuple: number): Uint8Array {
  return bytesOf(data, keyStart(data, tuple), keyEnd(data, tuple));
}

export function rowOf(data: DataView, tuple: number): Uint8Array {
  return bytesOf(data, keyEnd(data, tuple), tupleEnd(data, tuple));
}

export function placeOf(data: DataView, tuple: number): Place {
  return { scn: read64(data, tuple + SCN), partition: partitionOf(data, tuple), offset: read64(data, tuple + OFFSET) };
}

/** Compares the SCNs of two tuples, or of a tuple and the result of `scnBytes`, without creating bigints. */
export function compareScn(a: DataView, tuple: number, b: DataView, other: number): number {
  return compare64(a, tuple + SCN, b, other + SCN);
}

export function compareOffset(data: DataView, tuple: number, other: number): number {
  return compare64(data, tuple + OFFSET, data, other + OFFSET);
}

/** An SCN in the layout that `compareScn(tuples, tuple, scnBytes(scn), 0)` expects. */
export function scnBytes(scn: bigint): DataView {
  const data = viewOf(new Uint8Array(SCN + 8));
  write64(data, SCN, scn);
  return data;
}

function bytesOf({ buffer, byteOffset }: DataView, start: number, end: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + start, end - start);
}

export const NO_TRUNCATES: Truncates = { newTopic: undefined, legacyTopic: undefined };

/**
 * Finds the last truncates among some tuples. A truncate has no key, so that the join of every hash partition needs
 * what one unit of work finds.
 */
export function truncatesIn(bytes: Uint8Array, checkScn: bigint): Truncates {
  const data = viewOf(bytes);
  let found = NO_TRUNCATES;
  for (let tuple = 0; tuple < bytes.length; tuple = nextTuple(data, tuple)) {
    if (eventOf(data, tuple) !== TRUNCATE) continue;
    const place = placeOf(data, tuple);
    if (place.scn > checkScn) continue;
    if (sourceOf(data, tuple) === NEW_TOPIC) found = laterTruncates(found, { ...NO_TRUNCATES, newTopic: place });
    if (sourceOf(data, tuple) === LEGACY_TOPIC) found = laterTruncates(found, { ...NO_TRUNCATES, legacyTopic: place });
  }
  return found;
}

export function laterTruncates(a: Truncates, b: Truncates): Truncates {
  return { newTopic: later(a.newTopic, b.newTopic), legacyTopic: later(a.legacyTopic, b.legacyTopic) };
}

function later(a: Place | undefined, b: Place | undefined): Place | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.scn !== b.scn) return a.scn > b.scn ? a : b;
  if (a.partition !== b.partition) return a.partition > b.partition ? a : b;
  return a.offset > b.offset ? a : b;
}

/**
 * Whether a record precedes a truncate of the same topic. Within a partition the order of the log decides, as for every
 * consumer: a redelivered record is after the one it repeats. Between partitions the SCN decides; no other change has
 * the SCN of a truncate. A record that cannot be read may be after one in another partition.
 */
export function isBeforeTruncate(data: DataView, tuple: number, truncate: Place): boolean {
  const { scn, partition, offset } = placeOf(data, tuple);
  if (partition === truncate.partition) return offset < truncate.offset;
  return scn <= truncate.scn && eventOf(data, tuple) !== UNREADABLE;
}
