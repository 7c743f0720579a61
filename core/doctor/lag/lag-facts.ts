import type {
  ConnectorStatus,
  JournaledTransaction,
  OpenTransaction,
  RedoCatalogue,
  ScnTime,
} from "../../../schemas/generated/facts.ts";
import { isRunning } from "../../facts/connector/connector.ts";
import type { TaskMetrics } from "../../facts/connector/task-metrics.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { fromElsewhere } from "../../facts/offset/origin.ts";
import type { StoredOffset } from "../../facts/offset/stored-offset.ts";
import { examineSeen, type RedoSeen, redoSeenFrom } from "../../facts/redo/from.ts";
import { archivedLogsOf } from "../../facts/redo/logs.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { counted } from "../../values/amounts.ts";
import { DAY, HOUR } from "../../values/duration.ts";
import { type Instant, millisBetween } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";

/**
 * The observations that explain a lag: two samples of what moves, and one of the rest. A plain value without secrets.
 * Only the connector's state is always known, because nothing can be explained without it. Everything else may be
 * unknown, each with its reason.
 */
export interface LagFacts {
  readonly connector: LaggingConnector;
  /** Milliseconds between the two samples. */
  readonly between: bigint;
  readonly first: LagSample;
  readonly second: LagSample;
  readonly database: Observed<DatabaseSeen>;
  /** Redo from the stored resume SCN or from one day ago, whichever is earlier. */
  readonly redo: Observed<RedoCatalogue>;
  readonly transactions: Observed<readonly OpenTransaction[]>;
  /** Shown in the timeline only: no cause depends on it. Unknown if reading it took too long. */
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /** The times of the SCNs that are shown (`SCN_TO_TIMESTAMP`). */
  readonly times: Observed<readonly ScnTime[]>;
}

export interface LaggingConnector {
  readonly name: string;
  readonly connectUrl: string;
  /**
   * The name in the contexts file, if the connector was requested by context: suggested commands take their credentials
   * from it.
   */
  readonly context?: string | undefined;
  readonly captureMode: "online" | "archive_only";
  readonly archiveDestination: string | undefined;
  /** Records per poll, `cdc.poll.max.records`. */
  readonly pollMaxRecords: Observed<bigint>;
  /** Milliseconds, `cdc.mining.target.latency.ms`; undefined if not set. */
  readonly targetLatency: Observed<bigint | undefined>;
}

/** One sample of what moves while the connector works. */
export interface LagSample {
  readonly at: Instant;
  readonly status: ConnectorStatus;
  readonly stored: Observed<StoredOffset>;
  readonly currentScn: Observed<Scn>;
  readonly metrics: Observed<TaskMetrics>;
}

/** How long ago an SCN was current. */
export interface Age {
  readonly at: Instant;
  /** Milliseconds until the second sample. */
  readonly millis: bigint;
  /** `log`: `at` is the first time of the log that holds the SCN, so this is an upper bound of its age. */
  readonly by: "SCN" | "log";
  /** Whose clock gave the current time. The clock of this machine may differ from the database's, which gave `at`. */
  readonly clock: "database" | "this machine";
}

/** Whether the age is exact: not an upper bound, and measured by the database's own clock. */
export function isExact({ by, clock }: Age): boolean {
  return by === "SCN" && clock === "database";
}

/**
 * Returns the age of an SCN by the database's own clock: from `SCN_TO_TIMESTAMP`, which covers some days, and beyond
 * that from the first time of the archived log that holds the SCN (reference: Oracle, "Why is the connector behind?").
 */
export function ageOf(scn: Scn, facts: LagFacts): Observed<Age> {
  const { times, redo, second } = facts;
  const own = databaseNow(facts);
  const clock = own === undefined ? "this machine" : "database";
  const aged = (at: Instant, by: Age["by"]): Age => {
    return { at, millis: BigInt(Math.max(0, millisBetween(at, own ?? second.at))), by, clock };
  };
  const at = timeOf(scn, facts);
  if (at !== undefined) return { known: true, value: aged(at, "SCN"), source: "SCN_TO_TIMESTAMP", at: second.at };
  const begun = redo.known
    ? redo.value.archived.find(({ firstScn, nextScn }) => firstScn <= scn && scn < nextScn)?.firstTime
    : undefined;
  if (begun !== undefined)
    return { known: true, value: aged(begun, "log"), source: "V$ARCHIVED_LOG.FIRST_TIME", at: second.at };
  const forgotten = times.known ? `the database no longer maps SCN ${scn} to a time` : times.why;
  const unlisted = redo.known ? "no listed archived log contains it" : redo.why;
  const why = forgotten === unlisted ? forgotten : `${forgotten}; ${unlisted}`;
  return { known: false, why, source: "SCN_TO_TIMESTAMP, V$ARCHIVED_LOG.FIRST_TIME" };
}

/** The age of an SCN that may be unknown itself. */
function ageOfObserved(scn: Observed<Scn>, facts: LagFacts): Observed<Age> {
  return scn.known ? ageOf(scn.value, facts) : scn;
}

/** The current time by the database's clock; undefined if unknown: the clock of this machine may differ. */
export function databaseNow(facts: LagFacts): Instant | undefined {
  const current = mapObserved(facts.second.currentScn, (scn) => timeOf(scn, facts));
  return current.known ? current.value : undefined;
}

function timeOf(scn: Scn, { times }: LagFacts): Instant | undefined {
  return times.known ? times.value.find((time) => time.scn === scn)?.at : undefined;
}

/** How fast the connector advances, and how fast the database writes: SCNs between the two samples. */
export interface Pace {
  readonly by: "MinedToScn" | "resume SCN";
  /** SCNs that the connector advanced. */
  readonly mined: bigint;
  /** SCNs that the database advanced. */
  readonly written: bigint;
  /** SCNs that remained at the second sample. */
  readonly left: bigint;
  /** Milliseconds until the connector has caught up at this rate; undefined: never. */
  readonly catchUp: bigint | undefined;
}

const STILL = "the stored offset did not move between the two samples";
/** Connect's default of `offset.flush.interval.ms`. */
const FLUSH =
  "Connect stores it once a minute by default (offset.flush.interval.ms): a longer --interval may see it move";

/**
 * Returns the rate of the connector between two samples, by its mining position (`MinedToScn`) or else by its stored
 * resume SCN. A stored offset that did not move gives no rate: it moves only when Connect stores it.
 */
function paceOf({ first, second, between }: LagFacts): Observed<Pace> {
  const unknown = (why: string): Observed<Pace> => ({ known: false, why, source: "two samples" });
  const [from, to] = [first.currentScn, second.currentScn];
  if (!isRunning(second.status)) return unknown("the connector does not run");
  if (between <= 0n) return unknown("no time passed between the two samples");
  if (!from.known) return from;
  if (!to.known) return to;
  const mining = positions(first, second, minedTo);
  const stored = positions(first, second, resumeScn);
  const [at, by] = mining.known ? [mining, "MinedToScn" as const] : [stored, "resume SCN" as const];
  if (!at.known) return at;
  const mined = at.value.to - at.value.from;
  if (by === "resume SCN" && mined === 0n) return unknown(`${STILL}; ${FLUSH}`);
  if (mined < 0n) return unknown(`the ${by} moved back between the two samples, by ${counted(-mined, "SCN")}`);
  const written = to.value - from.value;
  const left = to.value > at.value.to ? to.value - at.value.to : 0n;
  const closed = mined - written;
  const catchUp = left === 0n ? 0n : closed <= 0n ? undefined : (left * between + closed - 1n) / closed;
  return { known: true, value: { by, mined, written, left, catchUp }, source: "two samples", at: second.at };
}

/**
 * Whether the connector advanced between the two samples: its stored offset, or its mining position. That it did not
 * advance is certain only if both are known: Connect may just not have stored the offset again yet.
 */
function movedOn({ first, second }: LagFacts): Observed<boolean> {
  const pairs = [resumeScn, lastCommitScn, minedTo].map((of) => positions(first, second, of));
  const moved = pairs.find((seen) => seen.known && seen.value.to !== seen.value.from);
  if (moved?.known) return { ...moved, value: true };
  const [stored, , mining] = pairs;
  if (stored?.known && mining?.known) return { ...mining, value: false };
  const why = stored === undefined || stored.known ? `${STILL}; ${FLUSH}` : stored.why;
  return { known: false, why, source: "two samples" };
}

function positions(
  first: LagSample,
  second: LagSample,
  of: (sample: LagSample) => Observed<Scn>,
): Observed<{ readonly from: Scn; readonly to: Scn }> {
  const [from, to] = [of(first), of(second)];
  if (!from.known) return from;
  if (!to.known) return to;
  return { ...to, value: { from: from.value, to: to.value } };
}

function minedTo({ metrics }: LagSample): Observed<Scn> {
  return metrics.known ? metrics.value.lag.MinedToScn : metrics;
}

function resumeScn({ stored }: LagSample): Observed<Scn> {
  return mapObserved(stored, (offset) => offset.resumeScn);
}

/** 0 if nothing has been committed yet. */
function lastCommitScn({ stored }: LagSample): Observed<Scn> {
  return mapObserved(stored, ({ lastCommit }) => lastCommit?.scn ?? 0n);
}

/** Values derived once from the facts of a lag. All causes and all views use them. */
export interface LagReading {
  readonly facts: LagFacts;
  /** The connector's position at the second sample. */
  readonly resume: Observed<Scn>;
  readonly resumeAge: Observed<Age>;
  readonly lastCommit: Observed<Scn>;
  readonly lastCommitAge: Observed<Age>;
  /** SCNs from the resume SCN to the current one, at the second sample. */
  readonly behind: Observed<bigint>;
  readonly behindCommit: Observed<bigint>;
  readonly pace: Observed<Pace>;
  readonly moved: Observed<boolean>;
  readonly redo: Observed<RedoExamination>;
  readonly recent: Observed<readonly RedoRate[]>;
}

export function readLag(seen: LagFacts): LagReading {
  const facts = ofThisDatabase(seen);
  const { currentScn } = facts.second;
  const resume = resumeScn(facts.second);
  const lastCommit = lastCommitOf(facts);
  const redo = examineSeen(redoAhead(facts));
  return {
    facts,
    resume,
    resumeAge: ageOfObserved(resume, facts),
    lastCommit,
    lastCommitAge: ageOfObserved(lastCommit, facts),
    behind: distance(resume, currentScn),
    behindCommit: distance(lastCommit, currentScn),
    pace: paceOf(facts),
    moved: movedOn(facts),
    redo,
    recent: recentRedo(facts, redo),
  };
}

/**
 * Accepts an offset only if it belongs to this database. SCNs of another database or incarnation are meaningless here,
 * and so is an SCN above the current one: such an offset is unknown, and no lag is derived from it. An offset without
 * an origin is accepted, as the connector accepts it.
 */
function ofThisDatabase(facts: LagFacts): LagFacts {
  const why = stranger(facts);
  if (why === undefined) return facts;
  const { first, second } = facts;
  const stored = { known: false, why, source: second.stored.source } as const;
  return { ...facts, first: { ...first, stored }, second: { ...second, stored } };
}

function stranger({ connector, database, second: { stored, currentScn } }: LagFacts): string | undefined {
  if (!stored.known) return undefined;
  const elsewhere = database.known ? fromElsewhere(stored.value, database.value, connector.name) : undefined;
  if (elsewhere !== undefined) return `${elsewhere.seen} (${elsewhere.code})`;
  const { resumeScn } = stored.value;
  if (currentScn.known && resumeScn > currentScn.value)
    return (
      `the stored resume SCN ${resumeScn} is above the current SCN ${currentScn.value}: ` +
      "it belongs to another database or incarnation"
    );
  return undefined;
}

function lastCommitOf({ second: { stored } }: LagFacts): Observed<Scn> {
  if (!stored.known) return stored;
  const scn = stored.value.lastCommit?.scn;
  return scn === undefined
    ? { known: false, why: "the stored offset has no commit yet", source: stored.source }
    : { ...stored, value: scn };
}

function distance(from: Observed<Scn>, to: Observed<Scn>): Observed<bigint> {
  if (!from.known) return from;
  if (!to.known) return to;
  // A commit may be newer than the reading of the current SCN.
  return { ...to, value: to.value > from.value ? to.value - from.value : 0n };
}

/** What a thread has recently written, by its archived logs. */
export interface RedoRate {
  readonly thread: bigint;
  readonly logs: bigint;
  readonly bytes: bigint;
  /** Milliseconds covered by these logs. */
  readonly millis: bigint;
  readonly bytesPerHour: bigint;
}

/** Logs that ended within this time give the recent rate. */
export const RECENT_MILLIS = DAY;

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
function recentRedo(facts: LagFacts, ahead: Observed<RedoExamination>): Observed<readonly RedoRate[]> {
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
