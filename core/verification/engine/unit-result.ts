import { NOT_SAID } from "../change-reader.ts";
import type { Place } from "../tuple.ts";

/** What was read of one side: by one unit, or by all of them together (`mergedReads`). */
export interface SideRead {
  /** Rows, or records of the table; those that could not be read among them. */
  readonly count: number;
  /** Records of other tables in the same topic. */
  readonly foreign: number;
  /** Keys and values of all of these, in bytes; 0 for rows. */
  readonly bytes: number;
  /** Rows or records that could not be read or compared: each makes the table inconclusive. */
  readonly unreadable: number;
  /** Tombstones that stand alone (compaction took their delete away), taken for the table's: `attributed` decides. */
  readonly unsaid: number;
  /** Why, with how often: the first of those texts, in their order. */
  readonly reasons: readonly UnreadableReason[];
}

interface UnreadableReason {
  readonly why: string;
  readonly count: number;
  /** The first such record, by partition and offset; none for a row of the table. */
  readonly place: RecordPlace | undefined;
}

export type RecordPlace = Omit<Place, "scn">;

export const NOTHING_READ: SideRead = {
  count: 0,
  foreign: 0,
  bytes: 0,
  unreadable: 0,
  unsaid: 0,
  reasons: [],
};

/**
 * Different reasons that are kept. They are the smallest texts, so that every division of the work keeps the same ones.
 */
const MOST_REASONS = 20;

/** Adds up what units read. Associative and commutative. */
export function mergedReads(a: SideRead, b: SideRead): SideRead {
  return {
    count: a.count + b.count,
    foreign: a.foreign + b.foreign,
    bytes: a.bytes + b.bytes,
    unreadable: a.unreadable + b.unreadable,
    unsaid: a.unsaid + b.unsaid,
    reasons: mergedReasons([...a.reasons, ...b.reasons]),
  };
}

/**
 * Of a whole side: where the topic holds other tables' records too, nobody knows whose a tombstone is that stands
 * alone.
 */
export function attributed(read: SideRead): SideRead {
  if (read.foreign === 0 || read.unsaid === 0) return read;
  return {
    ...read,
    unreadable: read.unreadable + read.unsaid,
    reasons: mergedReasons([...read.reasons, { why: NOT_SAID, count: read.unsaid, place: undefined }]),
  };
}

function mergedReasons(all: readonly UnreadableReason[]): readonly UnreadableReason[] {
  const byText = new Map<string, UnreadableReason>();
  for (const reason of all) {
    const known = byText.get(reason.why);
    byText.set(
      reason.why,
      known === undefined
        ? reason
        : { why: reason.why, count: known.count + reason.count, place: earlier(known.place, reason.place) },
    );
  }
  return [...byText.values()].sort((a, b) => (a.why < b.why ? -1 : 1)).slice(0, MOST_REASONS);
}

function earlier(a: RecordPlace | undefined, b: RecordPlace | undefined): RecordPlace | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.partition !== b.partition) return a.partition < b.partition ? a : b;
  return a.offset < b.offset ? a : b;
}

// ---- While a unit reads ---------------------------------------------------------------------------------------------

/** Counts what one unit reads, on top of what it had read before. */
export interface ReadTally {
  count: number;
  foreign: number;
  bytes: number;
  unsaid: number;
  unreadable(why: string, place: RecordPlace | undefined): void;
  read(): SideRead;
}

export function readTally(before: SideRead): ReadTally {
  let reasons = before.reasons;
  let unreadable = before.unreadable;
  return {
    count: before.count,
    foreign: before.foreign,
    bytes: before.bytes,
    unsaid: before.unsaid,
    unreadable(why, place) {
      unreadable += 1;
      reasons = mergedReasons([...reasons, { why, count: 1, place }]);
    },
    read() {
      const { count, foreign, bytes, unsaid } = this;
      return { count, foreign, bytes, unreadable, unsaid, reasons };
    },
  };
}
