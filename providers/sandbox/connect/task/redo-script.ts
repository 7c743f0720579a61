import { isBefore, type RedoPlace } from "../../../../core/journal/chunk-record.ts";
import { parseXid } from "../../../../core/values/xid.ts";
import type { LastCommit, Position } from "./position.ts";
import { stopWith } from "./stopped-task.ts";

/** The redo of a database, as far as it concerns captured tables. It only grows. */
export interface RedoScript {
  readonly transactions: readonly ScriptedTransaction[];
  readonly ddl: readonly ScriptedDdl[];
  /** Up to where it is written. */
  readonly end: bigint;
}

export interface ScriptedTransaction {
  /** `CON:USN.SLOT.SQN` */
  readonly xid: string;
  readonly thread: bigint;
  readonly start: RedoPlace;
  /** Changes of captured tables, in order. */
  readonly changes: readonly RedoPlace[];
  /** Undefined: it is open. */
  readonly end: { readonly is: "commit" | "rollback"; readonly at: RedoPlace } | undefined;
}

export interface ScriptedDdl {
  readonly at: RedoPlace;
  /** `PDB.OWNER.NAME` */
  readonly table: string;
}

/** A transaction that the journal gives back at the start. */
export interface RestoredTransaction {
  readonly xid: string;
  readonly changes: number;
  /** Its last journaled record, which is before the resume point. */
  readonly last: RedoPlace;
  readonly firstScn: bigint;
}

/** A committed transaction, of which the task delivers the changes from one on. */
export interface Delivery {
  readonly xid: string;
  readonly commit: RedoPlace;
  readonly thread: bigint;
  /** Its changes, restored ones first. */
  readonly size: number;
  /** How many of them come from the journal. */
  readonly restored: number;
  /** Which change of the script is the first that was mined: not 0 if the resume point lies within the transaction. */
  readonly firstMined: number;
  /** How many of its changes were delivered before. */
  readonly delivered: number;
}

export interface OpenEntry {
  readonly xid: string;
  readonly firstScn: bigint;
  readonly changes: number;
  /** What it holds the resume point at. */
  readonly bound: RedoPlace;
}

export interface Mined {
  /** Deliveries in the order of their commits. */
  readonly deliveries: readonly Delivery[];
  readonly ddl: readonly ScriptedDdl[];
  readonly open: readonly OpenEntry[];
}

/**
 * Mines the redo from the resume point of the start to its end.
 *
 * Rule: reference, connector rules, "The first-start cut", "Journal and generations", "What a stored offset must hold";
 * source: `FirstStartScope`, `SkipRule`, `HeapTransactionBuffer`.
 *
 * @param start the position that the task started from: its first-start cut applies until the task ends
 * @param now the position now: what it delivered since is recognised
 * @throws Error that stops the task
 */
export function mine(
  start: Position,
  now: Position,
  restored: readonly RestoredTransaction[],
  { transactions, ddl }: RedoScript,
): Mined {
  const cut = cutOf(start);
  const isMined = (place: RedoPlace): boolean => !isBefore(place, start.resume);
  const entries = transactions.map((transaction) => {
    const kept = (place: RedoPlace): boolean =>
      isMined(place) && (cut === undefined || place.scn >= cut.floor || cut.keeps(transaction));
    const known = restored.find(({ xid }) => xid === transaction.xid);
    const mined = transaction.changes.filter(kept);
    return {
      transaction,
      known,
      mined,
      end: transaction.end !== undefined && kept(transaction.end.at) ? transaction.end : undefined,
      isBuffered: known !== undefined || mined.length > 0,
    };
  });
  const commits = entries
    .flatMap((entry) => (entry.end?.is === "commit" ? [{ ...entry, at: entry.end.at }] : []))
    .sort((a, b) => (isBefore(a.at, b.at) ? -1 : 1));
  const deliveries: Delivery[] = [];
  for (const { transaction, known, mined, at, isBuffered } of commits) {
    const { xid, thread, changes } = transaction;
    if (now.released.includes(xid)) throw releasedCommits(xid, at.scn);
    if (!isBuffered) continue;
    const size = (known?.changes ?? 0) + mined.length;
    const delivered = deliveredBefore(now, { at, thread, xid }, size);
    const firstMined = mined[0] === undefined ? changes.length : changes.indexOf(mined[0]);
    if (delivered < size)
      deliveries.push({ xid, thread, commit: at, size, restored: known?.changes ?? 0, firstMined, delivered });
  }
  const ended = new Set(entries.flatMap(({ transaction, end }) => (end === undefined ? [] : [transaction.xid])));
  const open = [
    ...restored
      .filter(({ xid }) => !ended.has(xid))
      .map(({ xid, firstScn, changes, last }) => ({ xid, firstScn, changes, bound: last })),
    ...entries.flatMap(({ transaction: { xid }, known, mined, end }): readonly OpenEntry[] => {
      const first = mined[0];
      if (known !== undefined || end !== undefined || first === undefined) return [];
      return [{ xid, firstScn: first.scn, changes: mined.length, bound: first }];
    }),
  ];
  const isKeptDdl = (place: RedoPlace): boolean => isMined(place) && (cut === undefined || place.scn >= cut.floor);
  return { deliveries, ddl: ddl.filter(({ at }) => isKeptDdl(at)), open };
}

/** The earlier of two places; the lower SCN, so that no log is left out (source: `ResumeCalculator`). */
export function earlier(one: RedoPlace, other: RedoPlace): RedoPlace {
  const first = isBefore(other, one) ? other : one;
  return { ...first, scn: one.scn < other.scn ? one.scn : other.scn };
}

/** The first-start cut: until a commit is acknowledged, and only with a floor. */
function cutOf({ lastCommit, floor, openScn, openXids }: Position) {
  if (lastCommit !== undefined || floor <= 0n) return undefined;
  return {
    floor,
    keeps: ({ xid, start }: ScriptedTransaction): boolean => openXids.has(xid) || start.scn >= openScn,
  };
}

/**
 * How many of a committed transaction's changes were delivered before. A commit is recognised by its place, thread and
 * id; the SCN decides only where an address or the thread is missing.
 */
function deliveredBefore(now: Position, commit: LastCommit, size: number): number {
  const mark = now.threads.size > 0 ? now.threads.get(commit.thread)?.commit : now.lastCommit;
  if (mark === undefined) {
    const isCut = now.lastCommit === undefined && commit.at.scn < now.floor;
    return isCut && now.threads.size === 0 ? size : 0;
  }
  const order = inCommitOrder(commit, mark);
  if (order > 0) return 0;
  const isLast = order === 0 && commit.thread === now.lastCommit?.thread && mark.xid === now.lastCommit.xid;
  return order === 0 && isLast ? Math.min(Number(now.eventIndex), size) : size;
}

/** Redo order within a thread if both have an address; otherwise by SCN, thread and id (source: `CommitOrder`). */
function inCommitOrder(one: LastCommit, other: LastCommit): number {
  if (one.thread === other.thread && one.at.rsId !== undefined && other.at.rsId !== undefined) {
    const [a, b] = [
      { ...one.at, scn: 0n },
      { ...other.at, scn: 0n },
    ];
    return isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0;
  }
  return compare(one.at.scn, other.at.scn) || compare(one.thread, other.thread) || compareXids(one.xid, other.xid);
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function compareXids(one: string, other: string): number {
  const [a, b] = [parseXid(one), parseXid(other)];
  if (a === undefined || b === undefined) return one === other ? 0 : one < other ? -1 : 1;
  return (
    compare(a.container ?? 0n, b.container ?? 0n) ||
    compare(a.usn, b.usn) ||
    compare(a.slot, b.slot) ||
    compare(a.sqn, b.sqn)
  );
}

/** Rule: reference, connector codes, CDC-7001. */
function releasedCommits(xid: string, scn: bigint): Error {
  return stopWith(
    "CDC-7001",
    `Transaction ${xid} committed at SCN ${scn} after the orphan detector had released it as rolled back; its ` +
      "earlier changes were discarded.",
    `Reset the offsets to a position before SCN ${scn} so the transaction is re-mined whole, or resnapshot the ` +
      "affected tables; then raise cdc.transaction.orphan.check.interval.ms.",
  );
}
