import { sameWords, viewOf } from "./byte-work.ts";
import type { Scratch } from "./scratch.ts";
import { hashOf, keyEnd, keyStart, nextTuple } from "./tuple.ts";
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
  readonly sources: readonly Uint8Array[];
  readonly views: readonly DataView[];
  /** Upper bound of the number of keys. */
  readonly capacity: number;
  /** Number of keys so far. */
  count: number;
  /** Hash table whose size is a power of two: the number of a key, or -1. */
  readonly slots: Int32Array;
  /** For each key: the source and tuple of its first occurrence, and its hash. */
  readonly sourceOf: Uint8Array;
  readonly tupleOf: Int32Array;
  readonly hashOf: Int32Array;
}

/** @param sources each a sequence of tuples @throws RangeError for a truncated sequence */
export function keyIndex(sources: readonly Uint8Array[], scratch: Scratch): KeyIndex {
  const capacity = sources.reduce((sum, bytes) => sum + countTuples(bytes), 0);
  let slots = 16;
  while (slots < capacity * 2) slots *= 2;
  return {
    sources,
    views: sources.map(viewOf),
    capacity,
    count: 0,
    slots: scratch.ints(slots, -1),
    sourceOf: scratch.bytes(capacity),
    tupleOf: scratch.ints(capacity, 0),
    hashOf: scratch.ints(capacity, 0),
  };
}

/** Returns the number of the key of the tuple at `at` in a source, a new number for a new key. */
export function entryOf(index: KeyIndex, source: number, at: number): number {
  const { slots, hashOf: hashes } = index;
  const bytes = index.sources[source] as Uint8Array;
  const hash = hashOf(bytes, at) | 0;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot] as number;
    if (entry < 0) {
      const added = index.count++;
      slots[slot] = added;
      index.sourceOf[added] = source;
      index.tupleOf[added] = at;
      hashes[added] = hash;
      return added;
    }
    if (hashes[entry] === hash && isOf(index, entry, source, at)) return entry;
  }
}

function isOf(index: KeyIndex, entry: number, source: number, at: number): boolean {
  const firstSource = index.sourceOf[entry] as number;
  const first = index.tupleOf[entry] as number;
  const start = keyStart(first);
  const end = keyEnd(index.sources[firstSource] as Uint8Array, first);
  const other = keyStart(at);
  if (end - start !== keyEnd(index.sources[source] as Uint8Array, at) - other) return false;
  return sameWords(index.views[firstSource] as DataView, start, end, index.views[source] as DataView, other);
}

/** A view. */
export function keyOfEntry(index: KeyIndex, entry: number): Uint8Array {
  const bytes = index.sources[index.sourceOf[entry] as number] as Uint8Array;
  const at = index.tupleOf[entry] as number;
  return bytes.subarray(keyStart(at), keyEnd(bytes, at));
}

export function addKeyHash(index: KeyIndex, entry: number, sum: HashSum): void {
  const source = index.sourceOf[entry] as number;
  const at = index.tupleOf[entry] as number;
  sum.add(index.views[source] as DataView, keyStart(at), keyEnd(index.sources[source] as Uint8Array, at));
}

function countTuples(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at = nextTuple(bytes, at)) count++;
  return count;
}
