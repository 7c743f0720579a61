import type { RecordPlace, SideRead, UnreadableReason } from "../../../schemas/generated/verification-result.ts";
import type { Scn } from "../../values/scn.ts";
import { TABLE_NOT_NAMED } from "../change-reader.ts";
import type { UnitDone } from "./manifest.ts";

export const NOTHING_READ: SideRead = {
  count: 0,
  foreign: 0,
  bytes: 0,
  unreadable: 0,
  unsaid: 0,
  reasons: [],
};

/**
 * Maximum number of different reasons. The smallest texts are kept, so that every division of the work keeps the same
 * ones.
 */
const MOST_REASONS = 20;

/** Merges the results of units. Associative and commutative. */
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
 * Decides the tombstones of a whole side: if the topic also holds records of other tables, the table of a tombstone
 * without its delete is unknown.
 */
export function attributed(read: SideRead): SideRead {
  if (read.foreign === 0 || read.unsaid === 0) return read;
  return {
    ...read,
    unreadable: read.unreadable + read.unsaid,
    reasons: mergedReasons([...read.reasons, { why: TABLE_NOT_NAMED, count: read.unsaid, place: undefined }]),
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

/** Counts what one unit reads, in addition to what it read before. */
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

/** Context in which a unit of reading runs. */
export interface UnitContext {
  readonly checkScn: Scn;
  /** Bytes of tuples that may be buffered in memory before they are written. */
  readonly segment: number;
  stopped(): boolean;
  /** Called after every batch. */
  seen(so: Pick<ReadTally, "count" | "foreign" | "bytes">): void;
  /**
   * Called with the unit's progress, from which another run can resume. Everything it covers has been written by then.
   */
  note(done: UnitDone): Promise<void>;
}
