import { hashOf, keyEnd, keyStart, nextTuple } from "./tuple.ts";
import type { HashSum } from "./verdict.ts";

/**
 * The distinct keys of some tuples, numbered from 0. They are found by their hash and told apart by their bytes: no equality is left to a
 * hash.
 */
export interface KeyIndex {
  /** More than there can be keys. */
  readonly capacity: number;
  /** Keys so far. */
  count(): number;
  /** The number of the key of the tuple at `at` in a source; a new one for a key that was not seen yet. */
  entryOf(source: number, at: number): number;
  /** A view. */
  key(entry: number): Uint8Array;
  hashInto(entry: number, sum: HashSum): void;
}

/** @param sources each a run of tuples. @throws RangeError for one that was cut off */
export function keyIndex(sources: readonly Uint8Array[]): KeyIndex {
  const capacity = sources.reduce((sum, bytes) => sum + countTuples(bytes), 0);
  let slots = 16;
  while (slots < capacity * 2) slots *= 2;
  const table = new Int32Array(slots).fill(-1);
  const sourceOfEntry = new Uint8Array(capacity);
  const tupleOfEntry = new Int32Array(capacity);
  const hashOfEntry = new Int32Array(capacity);
  let count = 0;

  function isOf(entry: number, bytes: Uint8Array, at: number): boolean {
    const other = sources[sourceOfEntry[entry] as number] as Uint8Array;
    const first = tupleOfEntry[entry] as number;
    let left = keyStart(first);
    const end = keyEnd(other, first);
    let right = keyStart(at);
    if (end - left !== keyEnd(bytes, at) - right) return false;
    for (; left < end; left++, right++) if (other[left] !== bytes[right]) return false;
    return true;
  }

  return {
    capacity,
    count: () => count,
    entryOf(source, at) {
      const bytes = sources[source] as Uint8Array;
      const hash = hashOf(bytes, at) | 0;
      let slot = hash & (slots - 1);
      for (;;) {
        const entry = table[slot] as number;
        if (entry < 0) {
          table[slot] = count;
          sourceOfEntry[count] = source;
          tupleOfEntry[count] = at;
          hashOfEntry[count] = hash;
          return count++;
        }
        if (hashOfEntry[entry] === hash && isOf(entry, bytes, at)) return entry;
        slot = (slot + 1) & (slots - 1);
      }
    },
    key(entry) {
      const bytes = sources[sourceOfEntry[entry] as number] as Uint8Array;
      const at = tupleOfEntry[entry] as number;
      return bytes.subarray(keyStart(at), keyEnd(bytes, at));
    },
    hashInto(entry, sum) {
      const bytes = sources[sourceOfEntry[entry] as number] as Uint8Array;
      const at = tupleOfEntry[entry] as number;
      sum.add(bytes, keyStart(at), keyEnd(bytes, at));
    },
  };
}

function countTuples(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at = nextTuple(bytes, at)) count++;
  return count;
}
