import {
  compareOffset,
  compareScn,
  eventOf,
  hashOf,
  keyEnd,
  keyStart,
  partitionOf,
  ROW_IN_PART,
  SNAPSHOT,
  scnBytes,
  tupleEnd,
} from "../tuple.ts";

/** Maximum share of the memory that may remain in use after superseded tuples were dropped. */
const MOST_LEFT = 0.75;

/** Tuples gathered in limited memory. */
export interface Survivors {
  /** @returns false if there is no room left */
  add(bytes: Uint8Array, at: number, end: number): boolean;
  /** The remaining tuples, as a view. */
  bytes(): Uint8Array;
}

/**
 * Gathers tuples of one side into `into`. If the memory is full, records that the join would ignore are dropped: a key
 * may have been updated millions of times, and only its last record in a partition counts.
 *
 * A record is superseded by a later one in the log with the same key and partition, at the same SCN or a higher one
 * that still counts, that contains the whole row or its deletion. Of records above the check SCN the join only needs to
 * know whether there is one, and whether a snapshot read it.
 *
 * @param checkScn undefined if every tuple counts
 */
export function survivors(into: Uint8Array, checkScn: bigint | undefined): Survivors {
  let length = 0;
  const check = checkScn === undefined ? undefined : scnBytes(checkScn);

  return {
    add(bytes, at, end) {
      if (length + end - at > into.length) {
        if (check === undefined) return false;
        length = swept(into, length, check);
        // Sweeping for less and less room would never end.
        if (length + end - at > into.length || length > into.length * MOST_LEFT) return false;
      }
      into.set(bytes.subarray(at, end), length);
      length += end - at;
      return true;
    },
    bytes: () => into.subarray(0, length),
  };
}

/** Drops superseded tuples. @returns the bytes that remain */
function swept(into: Uint8Array, length: number, check: Uint8Array): number {
  const dead = new Set<number>();
  const byHash = new Map<number, number[]>();
  for (let at = 0; at < length; at = tupleEnd(into, at)) {
    const hash = hashOf(into, at);
    const others = byHash.get(hash);
    if (others === undefined) {
      byHash.set(hash, [at]);
      continue;
    }
    let superseded = false;
    const left = others.filter((other) => {
      if (superseded || !sameLog(into, at, other)) return true;
      if (supersedes(into, at, other, check)) {
        dead.add(other);
        return false;
      }
      superseded = supersedes(into, other, at, check);
      return true;
    });
    if (superseded) dead.add(at);
    else left.push(at);
    byHash.set(hash, left);
  }
  let end = 0;
  for (let at = 0; at < length; ) {
    const next = tupleEnd(into, at);
    if (!dead.has(at)) {
      into.copyWithin(end, at, next);
      end += next - at;
    }
    at = next;
  }
  return end;
}

function sameLog(bytes: Uint8Array, a: number, b: number): boolean {
  if (partitionOf(bytes, a) !== partitionOf(bytes, b)) return false;
  let left = keyStart(a);
  let right = keyStart(b);
  const end = keyEnd(bytes, a);
  if (end - left !== keyEnd(bytes, b) - right) return false;
  for (; left < end; left++, right++) if (bytes[left] !== bytes[right]) return false;
  return true;
}

function supersedes(bytes: Uint8Array, later: number, earlier: number, check: Uint8Array): boolean {
  const above = compareScn(bytes, later, check, 0) > 0;
  if (above !== compareScn(bytes, earlier, check, 0) > 0) return false;
  if (above) return (eventOf(bytes, later) === SNAPSHOT) === (eventOf(bytes, earlier) === SNAPSHOT);
  return (
    eventOf(bytes, later) !== ROW_IN_PART &&
    compareOffset(bytes, later, earlier) > 0 &&
    compareScn(bytes, later, bytes, earlier) >= 0
  );
}
