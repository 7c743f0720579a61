import { bytesToHex } from "@noble/hashes/utils.js";
import type { RecordPlace, SideRead, UnreadableReason } from "../../../schemas/generated/verification-result.ts";
import type { Scn } from "../../values/scn.ts";
import { TABLE_NOT_NAMED } from "../change-reader.ts";
import type { UnitDone } from "./manifest.ts";

/**
 * Maximum number of different reasons. The smallest texts are kept, so that every division of the work keeps the same
 * ones.
 */
const MOST_REASONS = 20;

/** A member of results that earlier versions wrote under another name. */
export const presentName = (member: string): string => (member === "unsaid" ? "tableUnknown" : member);

/** Merges the results of units. Associative and commutative. */
export function mergedReads(a: SideRead, b: SideRead): SideRead {
  return {
    count: a.count + b.count,
    foreign: a.foreign + b.foreign,
    bytes: a.bytes + b.bytes,
    ...((a.repeated ?? b.repeated) ? { repeated: (a.repeated ?? 0) + (b.repeated ?? 0) } : {}),
    unreadable: a.unreadable + b.unreadable,
    withoutKey: a.withoutKey + b.withoutKey,
    tableUnknown: a.tableUnknown + b.tableUnknown,
    reasons: mergedReasons([...a.reasons, ...b.reasons]),
  };
}

/**
 * Decides the tombstones of a whole side: if the topic also holds records of other tables, the table of a tombstone
 * without its delete is unknown.
 */
export function decideTombstones(read: SideRead): SideRead {
  if (read.foreign === 0 || read.tableUnknown === 0) return read;
  return {
    ...read,
    unreadable: read.unreadable + read.tableUnknown,
    withoutKey: read.withoutKey + read.tableUnknown,
    reasons: mergedReasons([
      ...read.reasons,
      { why: TABLE_NOT_NAMED, count: read.tableUnknown, place: undefined, key: undefined },
    ]),
  };
}

function mergedReasons(all: readonly UnreadableReason[]): readonly UnreadableReason[] {
  const byText = new Map<string, UnreadableReason>();
  for (const reason of all) {
    const known = byText.get(reason.why);
    byText.set(
      reason.why,
      known === undefined ? reason : { ...earlier(known, reason), count: known.count + reason.count },
    );
  }
  return [...byText.values()].sort((a, b) => (a.why < b.why ? -1 : 1)).slice(0, MOST_REASONS);
}

function earlier(one: UnreadableReason, other: UnreadableReason): UnreadableReason {
  const [a, b] = [one.place, other.place];
  if (a === undefined || b === undefined) return b === undefined ? one : other;
  if (a.partition !== b.partition) return a.partition < b.partition ? one : other;
  return a.offset < b.offset ? one : other;
}

// ---- While a unit reads ---------------------------------------------------------------------------------------------

/** Counts what one unit reads, in addition to what it read before. */
export interface ReadTally {
  count: number;
  foreign: number;
  bytes: number;
  tableUnknown: number;
  /** @param key in canonical form; undefined if it cannot be read either */
  unreadable(why: string, place?: RecordPlace, key?: Uint8Array): void;
  read(): SideRead;
}

export function readTally(before: SideRead): ReadTally {
  let reasons = before.reasons;
  let { unreadable, withoutKey } = before;
  return {
    count: before.count,
    foreign: before.foreign,
    bytes: before.bytes,
    tableUnknown: before.tableUnknown,
    unreadable(why, place, key) {
      unreadable += 1;
      if (key === undefined) withoutKey += 1;
      reasons = mergedReasons([...reasons, { why, count: 1, place, key: key && bytesToHex(key) }]);
    },
    read() {
      const { count, foreign, bytes, tableUnknown } = this;
      return { count, foreign, bytes, unreadable, withoutKey, tableUnknown, reasons };
    },
  };
}

export interface UnitContext {
  readonly checkScn: Scn;
  /** Bytes of tuples that may be buffered in memory before they are written. */
  readonly segment: number;
  stopped(): boolean;
  seen(so: Pick<ReadTally, "count" | "foreign" | "bytes">): void;
  /**
   * Called with the unit's progress, from which another run can resume. Everything it covers has been written by then.
   */
  note(done: UnitDone): Promise<void>;
}
