import { sameWords, viewOf } from "../values/bytes.ts";
import type { Scratch } from "./scratch.ts";
import { hashOf, keyEnd, keyOf, keyStart, nextTuple, sourceOf } from "./tuple.ts";
import type { HashSum } from "./verdict.ts";

/**
 * The distinct keys of a set of tuples, numbered from 0. Keys are found by hash and distinguished by their bytes:
 * equality is never decided by a hash.
 *
 * Plain data with functions on it, so that every join runs the same compiled functions; closures created for each join
 * would be compiled each time.
 */
export interface KeyIndex {
  /** One sequence of tuples for each source. */
  readonly sources: readonly DataView[];
  readonly capacity: number;
  count: number;
  /** Hash table whose size is a power of two: the number of a key, or -1. */
  readonly slots: Int32Array;
  /** The source and tuple of each key's first occurrence, and its hash. */
  readonly sourceOf: Uint8Array;
  readonly tupleOf: Int32Array;
  readonly hashOf: Int32Array;
}

/** @param tuples one sequence for each source @throws RangeError for a truncated one, or a tuple of another source */
export function keyIndex(tuples: readonly Uint8Array[], scratch: Scratch): KeyIndex {
  const sources = tuples.map(viewOf);
  const capacity = sources.reduce((sum, data, source) => sum + countTuples(data, source), 0);
  let slots = 16;
  while (slots < capacity * 2) slots *= 2;
  return {
    sources,
    capacity,
    count: 0,
    slots: scratch.ints(slots, -1),
    sourceOf: scratch.bytes(capacity),
    tupleOf: scratch.ints(capacity, 0),
    hashOf: scratch.ints(capacity, 0),
  };
}

/** Returns the number of the key of a tuple of a source, a new number for a new key. */
export function entryOf(index: KeyIndex, source: number, tuple: number): number {
  const { slots, hashOf: hashes } = index;
  const hash = hashOf(index.sources[source] as DataView, tuple) | 0;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot] as number;
    if (entry < 0) {
      const added = index.count++;
      slots[slot] = added;
      index.sourceOf[added] = source;
      index.tupleOf[added] = tuple;
      hashes[added] = hash;
      return added;
    }
    if (hashes[entry] === hash && isOf(index, entry, source, tuple)) return entry;
  }
}

function isOf(index: KeyIndex, entry: number, source: number, tuple: number): boolean {
  const data = index.sources[source] as DataView;
  const known = index.sources[index.sourceOf[entry] as number] as DataView;
  const first = index.tupleOf[entry] as number;
  const start = keyStart(known, first);
  const end = keyEnd(known, first);
  const other = keyStart(data, tuple);
  return end - start === keyEnd(data, tuple) - other && sameWords(known, start, end, data, other);
}

/** A view. */
export function keyOfEntry(index: KeyIndex, entry: number): Uint8Array {
  return keyOf(index.sources[index.sourceOf[entry] as number] as DataView, index.tupleOf[entry] as number);
}

export function addKeyHash(index: KeyIndex, entry: number, sum: HashSum): void {
  const data = index.sources[index.sourceOf[entry] as number] as DataView;
  const at = index.tupleOf[entry] as number;
  sum.add(data, keyStart(data, at), keyEnd(data, at));
}

function countTuples(data: DataView, source: number): number {
  let count = 0;
  for (let at = 0, { byteLength } = data; at < byteLength; count++) {
    const next = nextTuple(data, at);
    // Only a topic's tuples have a place.
    if (sourceOf(data, at) !== source) throw new RangeError(`the tuple at ${at} is of another source`);
    at = next;
  }
  return count;
}
