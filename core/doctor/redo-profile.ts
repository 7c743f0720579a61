import type { ArchivedLog, OnlineLog } from "../../schemas/generated/facts.ts";
import { CallFailed } from "../errors.ts";
import { historyOf, logSizeFor, reachOf, type ThreadHistory, type ThreadReach } from "../facts/redo/history.ts";
import { archivedLogsOf, destinationOf, isReadable } from "../facts/redo/logs.ts";
import type { MinedRows, RedoRange } from "../facts/redo/redo.ts";
import { type CapturedSet, fullNameOf } from "../facts/tables/tables.ts";
import type { OraclePort } from "../ports/oracle.ts";
import { DAY, HOUR } from "../values/duration.ts";
import { epochMillis, type Instant, instantOf, millisBetween } from "../values/instant.ts";
import { ascending, highest, lowest } from "../values/lists.ts";

export interface SizingQuestion {
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
  const logs = archivedLogsOf(archived, destination.id, database.resetlogsScn);
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

/** Bytes: a larger sample is mined only after the user confirms it. */
export const SMALL_SAMPLE = 1_000_000_000n;

export interface ProfileQuestion {
  /** How far back the rates reach, in milliseconds. */
  readonly window: number;
  /** How many of the newest archived logs are mined. */
  readonly logs: number;
  readonly destination: string | undefined;
}

/** What one thread archived in one clock hour (UTC). */
export interface HourRate extends Omit<ThreadHistory, "peak"> {
  readonly since: Instant;
}

/** What LogMiner would read. */
export interface RedoSample extends RedoRange {
  readonly logs: readonly ArchivedLog[];
  readonly bytes: bigint;
}

export interface RedoRates {
  readonly database: string;
  readonly destination: string;
  readonly question: ProfileQuestion;
  readonly since: Instant;
  readonly until: Instant;
  /** Hours by time and thread; an hour in which a thread switched no log is left out. */
  readonly hours: readonly HourRate[];
  /** Undefined if none was requested, or no archived log can be read. */
  readonly sample: RedoSample | undefined;
}

export interface TableRedo {
  readonly name: string;
  /** Undefined where the captured tables are not known. */
  readonly captured: boolean | undefined;
  readonly rows: bigint;
  readonly inserts: bigint;
  readonly updates: bigint;
  readonly deletes: bigint;
  readonly ddl: bigint;
  readonly other: bigint;
  /** The pattern that a job that reloads the table leaves in the redo. */
  readonly reload: "truncate and reload" | "delete and reload" | undefined;
}

export interface MinedSample {
  readonly sample: RedoSample;
  readonly rows: bigint;
  /** Begins and ends of transactions. */
  readonly controlRows: bigint;
  /** Rows without a table, or of one that the dictionary does not name. */
  readonly unnamedRows: bigint;
  /** Most rows first. */
  readonly tables: readonly TableRedo[];
  /** Rows of tables, and of them those of captured ones; `captured` is undefined where these are not known. */
  readonly named: { readonly rows: bigint; readonly captured: bigint | undefined };
  /** Why the captured tables are not known. */
  readonly unknown: Extract<CapturedSet, { readonly known: false }> | undefined;
}

/**
 * Reads the rates, and determines what a sample would mine. It mines nothing, takes no lock and writes nothing.
 *
 * @param now milliseconds since the epoch
 * @throws CallFailed if the database has no archive destination that can be mined
 */
export async function readRedoRates(question: ProfileQuestion, oracle: OraclePort, now: number): Promise<RedoRates> {
  const database = await oracle.database();
  const [destinations, archived] = await Promise.all([oracle.destinations(), oracle.archivedLogs(0n)]);
  const destination = destinationOf(destinations, question.destination);
  if (destination === undefined) throw noDestination(database.name, question.destination);
  const logs = [...archivedLogsOf(archived, destination.id, database.resetlogsScn).values()].flat();
  const to = Math.floor(now / 1000) * 1000;
  const from = to - question.window;
  return {
    database: database.name,
    destination: destination.name,
    question,
    since: instantOf(from),
    until: instantOf(to),
    hours: hoursOf(logs, from, to),
    sample: question.logs === 0 ? undefined : sampleOf(logs, question.logs),
  };
}

/** @param wanted `cdc.archive.destination` */
export function noDestination(database: string, wanted: string | undefined): CallFailed {
  return new CallFailed("oracle", "missing", {
    message: `${database} has no valid local archive destination${wanted === undefined ? "" : ` ${wanted}`}`,
    remedy: "Run cdcctl doctor check: RED205 lists the destinations.",
  });
}

/** Rates by the time of the log switch. @param from, to milliseconds since the epoch */
export function hoursOf(logs: readonly ArchivedLog[], from: number, to: number): readonly HourRate[] {
  const rates = new Map<string, HourRate>();
  for (const { thread, nextTime, bytes } of logs) {
    const at = nextTime === undefined ? Number.NaN : epochMillis(nextTime);
    if (!(at >= from && at < to)) continue;
    const since = instantOf(Math.floor(at / HOUR) * HOUR);
    const known = rates.get(`${since} ${thread}`) ?? { since, thread, logs: 0, bytes: 0n };
    rates.set(`${since} ${thread}`, { ...known, logs: known.logs + 1, bytes: known.bytes + bytes });
  }
  return [...rates.values()].sort((a, b) => a.since.localeCompare(b.since) || (a.thread < b.thread ? -1 : 1));
}

/**
 * Chooses the newest readable logs, by SCN: times have whole seconds. Logs of other threads that hold redo of the same
 * range are mined with them, because LogMiner requires it.
 */
export function sampleOf(logs: readonly ArchivedLog[], count: number): RedoSample | undefined {
  const newest = logs
    .filter(isReadable)
    .sort(ascending(({ nextScn }) => nextScn))
    .slice(-count);
  const [first] = newest.map(({ firstScn }) => firstScn).sort(ascending((scn) => scn));
  const last = newest.at(-1)?.nextScn;
  if (first === undefined || last === undefined) return undefined;
  const mined = logs.filter((log) => isReadable(log) && log.nextScn > first && log.firstScn < last);
  return {
    from: first,
    to: last - 1n,
    files: mined.flatMap(({ name }) => name ?? []),
    logs: mined,
    bytes: mined.reduce((sum, { bytes }) => sum + bytes, 0n),
  };
}

const CONTROL: readonly string[] = ["START", "COMMIT", "ROLLBACK"];

/**
 * Adds up LogMiner's rows by table.
 *
 * @param pdbs `cdc.database.pdbs`
 */
export function profileOf(
  sample: RedoSample,
  mined: readonly MinedRows[],
  captured: CapturedSet,
  pdbs: readonly string[],
): MinedSample {
  const names = captured.known ? new Set(captured.tables.map(({ fullName }) => fullName)) : undefined;
  const tables = new Map<string, MinedRows[]>();
  let [controlRows, unnamedRows] = [0n, 0n];
  for (const one of mined) {
    const { container = "", owner, table } = one;
    if (CONTROL.includes(one.operation)) controlRows += one.rows;
    else if (owner === undefined || table === undefined) unnamedRows += one.rows;
    else {
      const name = fullNameOf({ container, owner, name: table }, pdbs);
      tables.set(name, [...(tables.get(name) ?? []), one]);
    }
  }
  const found = [...tables].map(([name, rows]) => tableRedo(name, rows, names?.has(name)));
  const sumOf = (some: readonly TableRedo[]) => some.reduce((sum, { rows }) => sum + rows, 0n);
  return {
    sample,
    rows: mined.reduce((sum, { rows }) => sum + rows, 0n),
    controlRows,
    unnamedRows,
    tables: found.sort((a, b) => (a.rows === b.rows ? a.name.localeCompare(b.name) : a.rows > b.rows ? -1 : 1)),
    named: {
      rows: sumOf(found),
      captured: names === undefined ? undefined : sumOf(found.filter((one) => one.captured)),
    },
    unknown: captured.known ? undefined : captured,
  };
}

function tableRedo(name: string, mined: readonly MinedRows[], captured: boolean | undefined): TableRedo {
  const of = (fits: (operation: string) => boolean): bigint =>
    mined.reduce((sum, { operation, rows }) => (fits(operation) ? sum + rows : sum), 0n);
  const rows = of(() => true);
  const inserts = of((operation) => operation.includes("INSERT"));
  const updates = of((operation) => operation === "UPDATE");
  const deletes = of((operation) => operation === "DELETE");
  const ddl = of((operation) => operation === "DDL");
  const truncates = mined.reduce((sum, one) => sum + one.truncates, 0n);
  const other = rows - inserts - updates - deletes - ddl;
  return { name, captured, rows, inserts, updates, deletes, ddl, other, reload: reloadIn(inserts, deletes, truncates) };
}

/** Rule: the connector's own doctor, "redo-profile": from 1000 inserts on; as many deletes, give or take a fifth. */
function reloadIn(inserts: bigint, deletes: bigint, truncates: bigint): TableRedo["reload"] {
  if (inserts < RELOADED_ROWS) return undefined;
  if (truncates > 0n) return "truncate and reload";
  const [less, more] = inserts < deletes ? [inserts, deletes] : [deletes, inserts];
  return deletes >= RELOADED_ROWS && less * 5n >= more * 4n ? "delete and reload" : undefined;
}

const RELOADED_ROWS = 1000n;
