import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";

/**
 * A connector's position in the redo of its database, as one picture: marks, available and missing redo, transactions
 * that are not over. A plain value of bounded size, however many logs and transactions there are.
 */
export interface Timeline {
  /** In order of SCN; of one SCN in the order of `MARKS`. */
  readonly marks: readonly Mark[];
  /** In order of thread. */
  readonly threads: readonly ThreadTimeline[];
  /** Oldest first; at most `MOST_TRANSACTIONS`. */
  readonly transactions: readonly TransactionMark[];
  /** Transactions that are younger than those. */
  readonly moreTransactions: bigint;
  /** Stored partitions of the legacy connector without a mark, between those that have one. */
  readonly moreStored?: bigint;
  /** What could not be read, or was not: nothing of it counts as empty. */
  readonly unseen: readonly Unseen[];
}

/** What an SCN can be marked for, in the order in which marks of one SCN stand. */
export const MARKS = ["first available", "target", "stored scn", "last commit", "resume SCN", "current SCN"] as const;

export interface Mark {
  readonly mark: (typeof MARKS)[number];
  readonly scn: Scn;
  /** Undefined where the database doesn't know the time. */
  readonly at: Instant | undefined;
  /**
   * Where the picture is of more than one connector: whose it is. Of a `stored scn` the legacy connector's partition.
   */
  readonly of?: string;
  /** So many other partitions hold the same. */
  readonly more?: bigint;
  /** A partition that is left out of the takeover. */
  readonly leftOut?: true;
}

export interface ThreadTimeline {
  readonly thread: bigint;
  /** In order of SCN; at most `MOST_STRETCHES`. */
  readonly stretches: readonly Stretch[];
}

/**
 * - `archived`, `online`: there, as far as was looked. `missing`: the catalogue has no such log. `purged`: it is marked
 *   deleted or expired.
 * - `unreadable`: it has no file name, or its file could not be opened. `in part`: so many stretches in a row that they
 *   are shown as one.
 */
export const REDO_STATES = ["archived", "online", "missing", "purged", "unreadable", "in part"] as const;

export type RedoState = (typeof REDO_STATES)[number];

/** Consecutive logs of a thread with which the same is the matter. */
export interface Stretch {
  readonly state: RedoState;
  readonly from: Scn;
  /** Exclusive. */
  readonly to: Scn;
  /** Inclusive; undefined where no log tells the sequence. */
  readonly fromSequence: bigint | undefined;
  readonly toSequence: bigint | undefined;
  readonly fromTime: Instant | undefined;
  readonly toTime: Instant | undefined;
}

export interface TransactionMark {
  readonly xid: string;
  readonly firstScn: Scn;
  readonly at: Instant | undefined;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  /** Where it was seen: in `GV$TRANSACTION`, in the journal topic, in the task's buffer. */
  readonly seenIn: readonly SeenIn[];
}

type SeenIn = "database" | "journal" | "task";

export interface Unseen {
  readonly what:
    | "redo"
    | "open transactions"
    | "journaled transactions"
    | "times"
    | "time zone rules"
    | "stored offset";
  readonly why: string;
}

export const MOST_STRETCHES = 64;
/** SCNs of stored partitions. */
export const MOST_STORED = 8;
export const MOST_TRANSACTIONS = 50;

/** Whether redo in this state is missing, as far as is known. */
export function isGap(state: RedoState): boolean {
  return state !== "archived" && state !== "online";
}

/** Where the connector resumes, or would: mining needs all redo from here on. */
export function needsRedoFrom({ marks }: Timeline): Mark | undefined {
  return marks.find(({ mark }) => mark === "target") ?? marks.find(({ mark }) => mark === "resume SCN");
}

/** Whether a transaction is still going on, as far as was seen: one that only the journal knows may be over. */
export function isOpen({ seenIn }: TransactionMark): boolean {
  return seenIn.some((place) => place !== "journal");
}
