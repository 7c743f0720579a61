import type { SignalAck, SignalSeen } from "../../../schemas/generated/facts.ts";
import { counted } from "../../values/amounts.ts";
import { truncate } from "../../values/truncate.ts";
import { isAccepted } from "../ops/signal.ts";
import type { StoredOffset } from "./stored-offset.ts";

/** The snapshots that come before that of a new signal: while any of them is left, the task rejects the signal. */
export interface SnapshotsAhead {
  /** Each in words. */
  readonly what: readonly string[];
  /** Tables with chunks that are still to be read, by their full names. */
  readonly tables: readonly string[];
}

/**
 * What the task does before it handles a new signal: at its start it goes on with an unfinished snapshot, then with
 * those that are pending, and only then reads signals, in their order. A snapshot is known to be over by the stored
 * offset alone.
 *
 * Rule: reference: connector rules, "Signals and snapshots".
 *
 * @param captured full names of the captured tables, which a snapshot without a scope covers
 * @param answers of the ops topic: a signal that was rejected starts nothing
 * @returns undefined if there is none
 */
export function snapshotsAhead(
  { snapshot, snapshotPending: pending }: Pick<StoredOffset, "snapshot" | "snapshotPending">,
  unread: readonly SignalSeen[],
  answers: readonly SignalAck[],
  captured: readonly string[],
): SnapshotsAhead | undefined {
  const unfinished = unfinishedTables(snapshot, captured);
  const starting = unread.filter(
    ({ id, type }) => type === "snapshot" && !answers.some((ack) => ack.id === id && ack.outcome !== "ok"),
  );
  const what = [
    ...(unfinished === undefined ? [] : [`a snapshot is unfinished (${counted(unfinished.length, "table")} left)`]),
    ...(pending.length === 0 ? [] : [`the snapshot of ${counted(pending.length, "table")} is pending`]),
    ...starting.map(({ id, offset, tables }) => {
      const isRunning = answers.some((ack) => ack.id === id && isAccepted(ack));
      const signal = `${isRunning ? "" : "unread "}signal ${truncate(id, 60) || "without id"} (offset ${offset})`;
      return `the ${signal} starts a snapshot of ${counted(tables.length, "table")}`;
    }),
  ];
  if (what.length === 0) return undefined;
  return { what, tables: [...(unfinished ?? []), ...pending, ...starting.flatMap(({ tables }) => tables)] };
}

/** Undefined while no snapshot is under way. A table without an entry has not begun. */
function unfinishedTables(
  snapshot: StoredOffset["snapshot"],
  captured: readonly string[],
): readonly string[] | undefined {
  if (snapshot === undefined) return undefined;
  if (!snapshot.readable) return [];
  if (snapshot.complete) return undefined;
  const done = new Set(snapshot.done);
  return (snapshot.scope ?? captured).filter((table) => !done.has(table));
}
