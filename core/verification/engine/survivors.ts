import { sameWords, viewOf } from "../byte-work.ts";
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
  UNREADABLE,
} from "../tuple.ts";

/** Maximum share of the memory that may remain in use after superseded tuples were dropped. */
const MOST_LEFT = 0.75;

/** Tuples gathered in limited memory. */
export interface Survivors {
  /** @returns false if there is no room left */
  add(bytes: Uint8Array, at: number, end: number): boolean;
  bytes(): Uint8Array;
}

/**
 * Gathers tuples of one side into `into`. If the memory is full, records that the join would ignore are dropped: a key
 * may have been updated millions of times, and only its last record in a partition counts.
 *
 * A record is superseded by a later one in the log with the same key and partition, at the same SCN or a higher one
 * that still counts, that contains the whole row or its deletion; one that cannot be read only by another such one, as
 * its SCN is unknown. Of records above the check SCN the join only needs to know whether there is one, and whether a
 * snapshot read it.
 *
 * @param checkScn undefined if every tuple counts
 */
export function survivors(into: Uint8Array, checkScn: bigint | undefined): Survivors {
  const data = viewOf(into);
  let length = 0;
  const check = checkScn === undefined ? undefined : scnBytes(checkScn);

  return {
    add(bytes, at, end) {
      if (length + end - at > into.length) {
        if (check === undefined) return false;
        length = swept(into, data, length, check);
        // Stop sweeping when it frees too little, or it would never end.
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
function swept(into: Uint8Array, data: DataView, length: number, check: DataView): number {
  const dead = new Set<number>();
  const byHash = new Map<number, number[]>();
  for (let at = 0; at < length; at = tupleEnd(data, at)) {
    const hash = hashOf(data, at);
    const others = byHash.get(hash);
    if (others === undefined) {
      byHash.set(hash, [at]);
      continue;
    }
    let superseded = false;
    const left = others.filter((other) => {
      if (superseded || !sameLog(data, at, other)) return true;
      if (supersedes(data, at, other, check)) {
        dead.add(other);
        return false;
      }
      superseded = supersedes(data, other, at, check);
      return true;
    });
    if (superseded) dead.add(at);
    else left.push(at);
    byHash.set(hash, left);
  }
  let end = 0;
  for (let at = 0; at < length; ) {
    const next = tupleEnd(data, at);
    if (!dead.has(at)) {
      into.copyWithin(end, at, next);
      end += next - at;
    }
    at = next;
  }
  return end;
}

function sameLog(data: DataView, a: number, b: number): boolean {
  if (partitionOf(data, a) !== partitionOf(data, b)) return false;
  const start = keyStart(data, a);
  const end = keyEnd(data, a);
  const other = keyStart(data, b);
  return end - start === keyEnd(data, b) - other && sameWords(data, start, end, data, other);
}

function supersedes(data: DataView, later: number, earlier: number, check: DataView): boolean {
  const above = compareScn(data, later, check, 0) > 0;
  if (above !== compareScn(data, earlier, check, 0) > 0) return false;
  if (above) return (eventOf(data, later) === SNAPSHOT) === (eventOf(data, earlier) === SNAPSHOT);
  if (eventOf(data, earlier) === UNREADABLE && eventOf(data, later) !== UNREADABLE) return false;
  return (
    eventOf(data, later) !== ROW_IN_PART &&
    compareOffset(data, later, earlier) > 0 &&
    compareScn(data, later, data, earlier) >= 0
  );
}
