import type { ArchivedLog, OnlineLog } from "../../schemas/generated/facts.ts";
import {
  countedLogs,
  historyOf,
  logSizeFor,
  reachOf,
  type ThreadHistory,
  type ThreadReach,
} from "../facts/redo/history.ts";
import { destinationOf } from "../facts/redo/logs.ts";
import type { OraclePort } from "../ports/oracle.ts";
import { epochMillis, type Instant, millisBetween } from "../values/instant.ts";
import { highest, lowest } from "../values/lists.ts";
import { noDestination } from "./redo-profile.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What is sized, and from which data. */
export interface SizingQuestion {
  /** Days of history that count. */
  readonly days: number;
  /** How long the connector may be down, milliseconds. */
  readonly maxDowntime: number;
  /** `cdc.txjournal.threshold.ms`. */
  readonly journalThreshold: number;
  /** `cdc.archive.destination`. */
  readonly destination: string | undefined;
}

export interface ThreadSizing extends ThreadHistory {
  /** Average log switches per hour, in tenths. */
  readonly switchesPerHour: number;
  /** The smallest online log; undefined if it has none. */
  readonly onlineBytes: bigint | undefined;
  /** The size for four switches in the busiest hour; undefined if its online logs are large enough. */
  readonly wantedBytes: bigint | undefined;
}

/** Recommended sizes of online logs and of the archive, by what was archived. */
export interface Sizing {
  readonly database: string;
  readonly destination: string;
  readonly question: SizingQuestion;
  /** The first log that counts; undefined if there is none. */
  readonly since: Instant | undefined;
  readonly threads: readonly ThreadSizing[];
  /** All threads together. */
  readonly bytesPerDay: bigint;
  readonly busiestHour: ThreadHistory["peak"] | undefined;
  /** How long archived logs have to be kept, milliseconds, in whole hours. */
  readonly retention: number;
  /** Space for that time, at the average rate and at the rate of the busiest hour. */
  readonly space: { readonly average: bigint; readonly busiest: bigint };
  readonly reaches: readonly ThreadReach[];
}

/**
 * Reads the archived logs of the past days from the catalogue. It takes no lock and writes nothing.
 *
 * @throws CallFailed if the database has no archive destination that can be mined
 */
export async function readSizes(question: SizingQuestion, oracle: OraclePort, now: number): Promise<Sizing> {
  const database = await oracle.database();
  const [destinations, archived, online] = await Promise.all([
    oracle.destinations(),
    oracle.archivedLogs(0n),
    oracle.onlineLogs(),
  ]);
  const destination = destinationOf(destinations, question.destination);
  if (destination === undefined) throw noDestination(database.name, question.destination);
  const logs = countedLogs(archived, destination.id, database.resetlogsScn);
  return { database: database.name, destination: destination.name, ...sizes(logs, online, question, now) };
}

/**
 * Rule: the connector's own doctor, "sizing": about four log switches in the busiest hour; archived logs for the
 * longest downtime and what open transactions are mined again from.
 *
 * @param now milliseconds since the epoch
 */
export function sizes(
  logs: ReadonlyMap<bigint, readonly ArchivedLog[]>,
  online: readonly OnlineLog[],
  question: SizingQuestion,
  now: number,
): Omit<Sizing, "database" | "destination"> {
  const from = now - question.days * DAY;
  const all = [...logs.values()].flat();
  const [total] = historyOf(new Map([[0n, all]]), from);
  const counted = all.filter(({ firstTime }) => firstTime !== undefined && epochMillis(firstTime) >= from);
  const since = lowest(counted.flatMap(({ firstTime }) => firstTime ?? []));
  const until = highest(counted.flatMap(({ nextTime }) => nextTime ?? []));
  const covered = since === undefined || until === undefined ? HOUR : millisBetween(since, until);
  const hours = Math.max(1, covered / HOUR);
  const perHour = (bytes: bigint): bigint => (bytes * 1000n) / BigInt(Math.round(hours * 1000));
  const retention = Math.ceil((question.maxDowntime + question.journalThreshold) / HOUR);
  const average = total === undefined ? 0n : perHour(total.bytes);
  return {
    question,
    since,
    threads: historyOf(logs, from).map((one) => threadSizing(one, online, hours)),
    bytesPerDay: average * 24n,
    busiestHour: total?.peak,
    retention: retention * HOUR,
    space: { average: average * BigInt(retention), busiest: (total?.peak.bytes ?? 0n) * BigInt(retention) },
    reaches: reachOf(logs),
  };
}

function threadSizing(history: ThreadHistory, online: readonly OnlineLog[], hours: number): ThreadSizing {
  const onlineBytes = lowest(online.flatMap(({ thread, bytes }) => (thread === history.thread ? [bytes] : [])));
  const wanted = logSizeFor(history);
  return {
    ...history,
    switchesPerHour: Math.round((history.logs / hours) * 10),
    onlineBytes,
    wantedBytes: onlineBytes === undefined || wanted > onlineBytes ? wanted : undefined,
  };
}
