import type { Mark, Timeline, TransactionMark } from "../../schemas/generated/plan.ts";

export type { Mark, Stretch, ThreadTimeline, Timeline, TransactionMark, Unseen } from "../../schemas/generated/plan.ts";

/** What an SCN can be marked for, in the order in which marks of one SCN stand. */
export const MARKS = ["first available", "target", "stored scn", "last commit", "resume SCN", "current SCN"] as const;

/**
 * - `archived`, `online`: there, as far as was looked. `missing`: the catalogue has no such log. `purged`: it is marked
 *   deleted or expired.
 * - `unreadable`: it has no file name, or its file could not be opened. `in part`: so many stretches in a row that they
 *   are shown as one.
 */
export const REDO_STATES = ["archived", "online", "missing", "purged", "unreadable", "in part"] as const;

export type RedoState = (typeof REDO_STATES)[number];

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
