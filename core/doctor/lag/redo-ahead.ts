import { mapObserved, type Observed } from "../../facts/observed.ts";
import { type RedoSeen, redoSeenFrom } from "../../facts/redo/from.ts";
import { archivedLogsOf } from "../../facts/redo/logs.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { millisBetween } from "../../values/instant.ts";
import type { LagFacts } from "./lag-facts.ts";

/** What a thread has recently written, by its archived logs. */
export interface RedoRate {
  readonly thread: bigint;
  readonly logs: bigint;
  readonly bytes: bigint;
  /** Milliseconds covered by these logs. */
  readonly millis: bigint;
  readonly bytesPerHour: bigint;
}

const HOUR = 3_600_000;
/** Logs that ended within this time give the recent rate. */
export const RECENT_MILLIS = 24 * HOUR;

/** The redo from the stored resume SCN to now, by the catalogue alone: the files are not probed. */
export function redoAhead({ database, redo, second: { stored }, connector }: LagFacts): Observed<RedoSeen> {
  if (!stored.known) return stored;
  return database.known
    ? redoSeenFrom(stored.value.resumeScn, { database: database.value, redo }, connector)
    : database;
}

/**
 * Bytes of redo per hour and thread, by the archived logs of the last day; a thread without archived logs is left out.
 */
export function recentRedo(facts: LagFacts, ahead: Observed<RedoExamination>): Observed<readonly RedoRate[]> {
  const { redo, database, second } = facts;
  if (!ahead.known) return ahead;
  if (!database.known) return database;
  const { resetlogsScn } = database.value;
  return mapObserved(redo, ({ archived }) =>
    [...archivedLogsOf(archived, ahead.value.destination?.id, resetlogsScn)].flatMap(([thread, all]) => {
      const logs = all.flatMap(({ firstTime, nextTime, bytes }) =>
        firstTime !== undefined && nextTime !== undefined && millisBetween(nextTime, second.at) <= RECENT_MILLIS
          ? [{ from: firstTime, to: nextTime, bytes }]
          : [],
      );
      const [first, last] = [logs[0], logs.at(-1)];
      const millis = first === undefined || last === undefined ? 0 : millisBetween(first.from, last.to);
      if (millis <= 0) return [];
      const bytes = logs.reduce((sum, log) => sum + log.bytes, 0n);
      const rate = (bytes * BigInt(HOUR)) / BigInt(millis);
      return [{ thread, logs: BigInt(logs.length), bytes, millis: BigInt(millis), bytesPerHour: rate }];
    }),
  );
}
