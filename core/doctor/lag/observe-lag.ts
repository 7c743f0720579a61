import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import {
  readTaskMetrics,
  TASK_ATTRIBUTES,
  TASK_METRICS_DOMAIN,
  type TaskMetrics,
} from "../../facts/connector/task-metrics.ts";
import { withRedactedTraces } from "../../facts/connector/traces.ts";
import { mapObserved, type Observed, type Source } from "../../facts/observed.ts";
import { lenientObserverAt, type Observer } from "../../facts/observer.ts";
import { type OffsetEntry, ownOffset, type StoredOffset } from "../../facts/offset/stored-offset.ts";
import { examineSeen } from "../../facts/redo/from.ts";
import { inspectJournal, JOURNAL_BOUNDS } from "../../kinds/connector/inspect-kafka.ts";
import { readRedo, timesOf } from "../../kinds/connector/inspect-position.ts";
import { connectorNamed, noConnector, type SettingsOf } from "../../kinds/connector/observe.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { JmxPort } from "../../ports/jmx.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom } from "../../timeline/timeline.ts";
import { settingOf } from "../../values/config.ts";
import { epochMillis, type Instant, instantOf } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import { type LagFacts, type LaggingConnector, type LagSample, RECENT_MILLIS, redoAhead } from "./lag-facts.ts";
import { oldestOf } from "./long-transaction.ts";

interface LagQuestion {
  readonly name: string;
  readonly context?: string | undefined;
  /** Milliseconds between the two samples. */
  readonly interval: number;
  /** The JVM that runs the task, if the user named it. */
  readonly jmx: JmxPort | undefined;
}

/** Waits between the two samples. @returns false when it was interrupted */
export type Wait = (millis: number) => Promise<boolean>;

type LagSettings = Awaited<ReturnType<SettingsOf>>;
type Seen<K extends keyof LagFacts> = Pick<LagFacts, K>;

/**
 * Takes two samples of a connector, and between them reads the redo and the open transactions. Read-only. The number of
 * requests does not depend on the number of captured tables. What can't be observed, even the whole database, is
 * unknown with its reason; only Connect has to answer.
 *
 * @returns undefined when the wait was interrupted
 * @throws CallFailed of Connect; Refusal where there is no such connector
 */
export async function observeLag(
  { name, context, interval, jmx }: LagQuestion,
  { connect, clock, oracle, kafka }: Pick<World, "connect" | "clock" | "oracle" | "kafka">,
  settingsOf: SettingsOf,
  wait: Wait,
): Promise<LagFacts | undefined> {
  const observe = lenientObserverAt(clock);
  const description = await connectorNamed(name, connect);
  const settings = await settingsOf(description);
  const connector = { ...connectorOf(name, connect, settings, clock.now()), context };
  // A configuration whose database can't be used does not prevent reading the rest.
  const database = await observe("cdc.database.*", async () => oracle(settings));
  const sample = (port: Observed<OraclePort>, jvm: Observed<JmxPort>) =>
    sampleOf({ name, settings, connect, database: port, jvm, observe, now: () => clock.now() });

  const began = clock.elapsed();
  const first = await sample(database, jvmOf(jmx, clock.now()));
  // Tried only once: each further attempt would be another failed login, and bring the account closer to being locked.
  const answering = first.currentScn.known ? database : first.currentScn;
  const brokers = await observe("cdc.stream.*", async () => kafka(settings));
  const millis = Math.max(interval, LEAST_JOURNAL_MILLIS);
  const reading = through(brokers, (port) =>
    inspectJournal(port, settings, observe, clock, { ...JOURNAL_BOUNDS, millis }),
  );
  // An abandoned read ends with the connection.
  reading.catch(() => undefined);
  const rest = await observeRedo(answering, settings, first, observe);
  const left = interval - (clock.elapsed() - began);
  if (left > 0 && !(await wait(left))) return undefined;
  const between = BigInt(Math.round(clock.elapsed() - began));
  const second = await sample(answering, first.metrics.known ? jvmOf(jmx, clock.now()) : first.metrics);
  const journaled = await inTime(reading, millis - (clock.elapsed() - began), clock, settings.journalTopic);
  const unread = { known: false, why: "not asked yet", source: "SCN_TO_TIMESTAMP" } as const;
  const facts = { connector, between, first, second, ...rest, journaled, times: unread };
  const times = await through(answering, (port) => observe("SCN_TO_TIMESTAMP", () => timesOf(port, scnsOf(facts))));
  return { ...facts, times };
}

/** The journal is read during the wait; it gets at least this long. */
const LEAST_JOURNAL_MILLIS = 10_000;

/** Slow or silent brokers may be the very cause of the lag, so the explanation does not wait for them. */
async function inTime(
  reading: Promise<LagFacts["journaled"]>,
  left: number,
  { sleep }: Pick<World["clock"], "sleep">,
  topic: string,
): Promise<LagFacts["journaled"]> {
  const over = new AbortController();
  const late = sleep(Math.max(0, left), over.signal).then(() => ({
    known: false as const,
    why: "the brokers took too long (admin journal inspect waits for them)",
    source: topic,
  }));
  try {
    return await Promise.race([reading, late]);
  } finally {
    over.abort();
  }
}

function scnsOf(facts: LagFacts): readonly (Scn | undefined)[] {
  const { stored, currentScn } = facts.second;
  const redo = examineSeen(redoAhead(facts));
  return [
    ...(stored.known ? [stored.value.resumeScn, stored.value.lastCommit?.scn] : []),
    currentScn.known ? currentScn.value : undefined,
    redo.known ? redo.value.firstAvailable : undefined,
    facts.transactions.known ? oldestOf(facts.transactions.value)?.startScn : undefined,
    ...(facts.journaled.known ? drawnFrom(facts.journaled.value) : []),
  ];
}

interface Look {
  readonly name: string;
  readonly settings: LagSettings;
  readonly connect: ConnectPort;
  readonly database: Observed<OraclePort>;
  readonly jvm: Observed<JmxPort>;
  readonly observe: Observer;
  readonly now: () => string;
}

async function sampleOf({ name, settings, connect, database, jvm, observe, now }: Look): Promise<LagSample> {
  const observedAt = now();
  const offsets = `GET /connectors/${name}/offsets`;
  // Read the current SCN after the offset: a resume SCN above it then comes from another database.
  const [status, entries] = await Promise.all([connect.status(name), observe(offsets, () => connect.offsets(name))]);
  const [seen, metrics] = await Promise.all([
    through(database, (port) => observe("V$DATABASE", () => port.database())),
    through(jvm, (port) => metricsOf(port, settings.prefix, observe, now)),
  ]);
  if (status === undefined) throw await noConnector(name, connect);
  return {
    at: observedAt,
    // Again: a configuration file may hold the value that the worker's copy only refers to.
    status: withRedactedTraces(status, settings.config),
    stored: entries.known ? storedOf(entries.value, settings.prefix, offsets, observedAt) : entries,
    currentScn: mapObserved(seen, ({ currentScn }) => currentScn),
    metrics,
  };
}

function storedOf(all: readonly OffsetEntry[], server: string, source: Source, now: string): Observed<StoredOffset> {
  const own = ownOffset(all, server);
  switch (own.is) {
    case "stored":
      return { known: true, value: own.offset, source, at: now };
    case "none":
      return {
        known: false,
        why: `no offset is stored for ${server}: the connector has not committed anything yet`,
        source,
      };
    case "unreadable":
      return { known: false, why: own.why, source };
  }
}

function jvmOf(jmx: JmxPort | undefined, at: string): Observed<JmxPort> {
  const source = "JMX";
  return jmx === undefined
    ? { known: false, why: "no --jmx-url or --metrics-url", source }
    : { known: true, value: jmx, source, at };
}

async function metricsOf(
  jmx: JmxPort,
  prefix: string,
  observe: Observer,
  now: () => string,
): Promise<Observed<TaskMetrics>> {
  const bean = `${TASK_METRICS_DOMAIN}:type=task,server=${prefix}`;
  return observe(bean, async () => readTaskMetrics(await jmx.taskAttributes(prefix, TASK_ATTRIBUTES), bean, now()));
}

/**
 * Reads the database, its redo and its open transactions. It runs after the first sample, so that the redo is never
 * older than the connector's position.
 */
async function observeRedo(
  database: Observed<OraclePort>,
  { tables }: ConnectorSettings,
  { stored, at: observedAt }: LagSample,
  observe: Observer,
): Promise<Seen<"database" | "redo" | "transactions">> {
  if (!database.known) return { database, redo: database, transactions: database };
  const port = database.value;
  const dayAgo = instantOf(epochMillis(observedAt) - RECENT_MILLIS);
  const lowest = async () => {
    const recent = await observe("TIMESTAMP_TO_SCN", () => port.scnAt(dayAgo));
    const from = stored.known ? stored.value.resumeScn : undefined;
    const day = recent.known ? recent.value : undefined;
    return from === undefined ? (day ?? 0n) : day === undefined || from < day ? from : day;
  };
  const seen = await observe("V$DATABASE", () => readRedo(port, tables.pdbs, lowest, observe));
  if (!seen.known) return { database: seen, redo: seen, transactions: seen };
  const { redo, transactions } = seen.value;
  return { database: { ...seen, value: seen.value.database }, redo, transactions };
}

function connectorOf(
  name: string,
  { url }: ConnectPort,
  { captureMode, archiveDestination, config, origin }: LagSettings,
  observedAt: Instant,
): LaggingConnector {
  const number = <T>(setting: string, unset: T): Observed<bigint | T> => {
    const source = origin;
    const text = settingOf(config, setting);
    if (text === undefined) return { known: true, value: unset, source, at: observedAt };
    return /^\d{1,18}$/.test(text)
      ? { known: true, value: BigInt(text), source, at: observedAt }
      : { known: false, why: `${setting} is not a number in this copy: only the worker resolves it`, source };
  };
  return {
    name,
    connectUrl: url,
    captureMode,
    archiveDestination,
    pollMaxRecords: number("cdc.poll.max.records", 2000n),
    targetLatency: number("cdc.mining.target.latency.ms", undefined),
  };
}

async function through<P, T>(port: Observed<P>, ask: (port: P) => Promise<Observed<T>>): Promise<Observed<T>> {
  return port.known ? ask(port.value) : port;
}
