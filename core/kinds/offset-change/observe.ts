import type { OffsetChangeIntent } from "../../document/intent.ts";
import { CallFailed, Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector.ts";
import type { ScnTime } from "../../facts/database.ts";
import { JOURNAL_READ, journaledTransactions } from "../../facts/journal-headers.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import type { ConnectorSeen, OffsetChangeFacts, OpsHistory } from "../../facts/offset-change-facts.ts";
import { decodeOffsetsSet } from "../../facts/ops-event.ts";
import { examineRedo, logsToProbe, type RedoCatalogue } from "../../facts/redo-examination.ts";
import type { ConnectorSettings } from "../../facts/settings.ts";
import { decodeOffset, type StoredOffset, sameOffset } from "../../facts/stored-offset.ts";
import type { KafkaPort, OraclePort, World } from "../../ports.ts";
import type { Scn } from "../../values/scn.ts";
import { maskConfiguration } from "../../values/secret.ts";
import { probeApplies } from "./reading.ts";

/** How far the ops topic is read back. */
const HISTORY_READ = { from: "tail", records: 20_000, millis: 10_000 } as const;

/** Where the connector's configuration comes from: the worker's copy, or a file instead of it (`--config`). */
export type SettingsOf = (
  description: ConnectorDescription,
) => Promise<ConnectorSettings & { readonly config: Readonly<Record<string, string>> }>;

export interface Observation {
  readonly facts: OffsetChangeFacts;
  readonly settings: ConnectorSettings;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
}

/**
 * Looks at everything an offset change is decided by, and changes nothing. What can be asked at the same time is. A right that is missing leaves
 * a fact unknown; anything else that goes wrong ends the look.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function observeOffsetChange(
  intent: OffsetChangeIntent,
  world: World,
  settingsOf: SettingsOf,
  pinned?: Scn,
): Promise<Observation> {
  const name = intent.target.connector;
  const at = world.clock.now();
  const [worker, description, status, offsets] = await Promise.all([
    world.connect.worker(),
    world.connect.connector(name),
    world.connect.status(name),
    world.connect
      .offsets(name)
      .catch((failure: unknown) =>
        failure instanceof CallFailed && failure.kind === "missing" ? [] : Promise.reject(failure),
      ),
  ]);
  if (description === undefined || status === undefined) throw noConnector(name, world.connect.url);
  refuseForeignClass(description);
  const settings = await settingsOf(description);
  const connector: ConnectorSeen = {
    name,
    connectorClass: description.config["connector.class"],
    config: maskConfiguration(settings.config),
    configOrigin: settings.origin,
    prefix: settings.prefix,
    opsTopic: settings.opsTopic,
    captureMode: settings.captureMode,
    miningMode: settings.miningMode,
    archiveDestination: settings.archiveDestination,
    valueConverter: settings.valueConverter,
    valueConverterSchemas: settings.valueConverterSchemas,
    status,
    offsets,
  };
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const observer = observerAt(world);
  const stored = soleOffset(connector);
  const [fromKafka, fromOracle] = await allOrFirst(
    lookAtKafka(kafka, settings, observer),
    lookAtOracle(oracle, intent, connector, stored, observer, pinned),
  );
  const forward = fromOracle.to !== undefined && (stored === undefined || fromOracle.to > stored.resumeScn);
  const journaled = forward
    ? await lookAtJournal(kafka, settings, observer)
    : await observer(settings.journalTopic, async () => []);
  const { to: _to, ...database } = fromOracle;
  return {
    facts: {
      kind: "OffsetChange",
      at,
      worker: { url: world.connect.url, version: worker.version, clusterId: worker.clusterId },
      connector,
      ...database,
      journaled,
      ...fromKafka,
    },
    settings,
    kafka,
    oracle,
  };
}

type Observer = <T>(source: string, look: () => Promise<T>) => Promise<Observed<T>>;

/** A right that is missing, or a call that the other side does not know, leaves a fact unknown; other failures end the look. */
function observerAt({ clock }: World): Observer {
  return async (source, look) => {
    try {
      return { known: true, value: await look(), source, at: clock.now() };
    } catch (failure) {
      if (!(failure instanceof CallFailed) || (failure.kind !== "forbidden" && failure.kind !== "unsupported"))
        throw failure;
      return {
        known: false,
        why: failure.message,
        ...(failure.remedy === undefined ? {} : { remedy: failure.remedy }),
        source,
      };
    }
  };
}

async function lookAtKafka(
  kafka: KafkaPort,
  { opsTopic }: ConnectorSettings,
  observe: Observer,
): Promise<Pick<OffsetChangeFacts, "brokers" | "opsTopic" | "opsHistory">> {
  const [brokers, topic] = await Promise.all([
    observe("Kafka metadata", async () => ({ address: kafka.brokers, clusterId: await kafka.clusterId() })),
    observe(opsTopic, async () => (await kafka.topic(opsTopic)) ?? ("missing" as const)),
  ]);
  if (!topic.known || topic.value === "missing") {
    return {
      brokers,
      opsTopic: topic,
      opsHistory: { ...topic, ...(topic.known ? { value: { events: [], whole: true } } : {}) } as Observed<OpsHistory>,
    };
  }
  const opsHistory = await observe(opsTopic, async (): Promise<OpsHistory> => {
    const { records, whole, reachedEnd } = await kafka.read(opsTopic, HISTORY_READ);
    const events = [...records]
      .sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : a.offset < b.offset ? -1 : 1))
      .flatMap(({ value }) => decodeOffsetsSet(value) ?? []);
    return { events, whole: whole && reachedEnd };
  });
  return { brokers, opsTopic: topic, opsHistory };
}

async function lookAtJournal(
  kafka: KafkaPort,
  { journalTopic, prefix }: ConnectorSettings,
  observe: Observer,
): Promise<OffsetChangeFacts["journaled"]> {
  return observe(journalTopic, async () => {
    if ((await kafka.topic(journalTopic)) === undefined) return [];
    const { records, reachedEnd } = await kafka.read(journalTopic, JOURNAL_READ);
    if (!reachedEnd) throw tooLong(journalTopic);
    const { transactions, unreadable } = journaledTransactions(records, prefix);
    if (unreadable > 0) throw notReadable(journalTopic, unreadable);
    return transactions;
  });
}

async function lookAtOracle(
  oracle: OraclePort,
  { position }: OffsetChangeIntent,
  connector: ConnectorSeen,
  stored: StoredOffset | undefined,
  observe: Observer,
  pinned: Scn | undefined,
): Promise<
  Pick<OffsetChangeFacts, "database" | "target" | "redo" | "probes" | "transactions" | "times"> & {
    readonly to: Scn | undefined;
  }
> {
  const timestampScn =
    position.to === "timestamp" && pinned === undefined ? oracle.scnAt(position.timestamp) : Promise.resolve(undefined);
  const aim =
    pinned ??
    (position.to === "scn" ? position.scn : position.to === "restore" ? restoredScn(position.offset) : undefined);
  const lowest = async () => {
    const to = aim ?? (await timestampScn);
    if (to === undefined) return 0n;
    return stored === undefined || to < stored.resumeScn ? to : stored.resumeScn;
  };
  const [seen, threads, destinations, archived, online, transactions, scn] = await allOrFirst(
    oracle.database(),
    observe("V$THREAD", () => oracle.threads()),
    observe("V$ARCHIVE_DEST_STATUS", () => oracle.destinations()),
    observe("V$ARCHIVED_LOG", async () => oracle.archivedLogs(await lowest())),
    observe("V$LOG, V$LOGFILE", () => oracle.onlineLogs()),
    observe("GV$TRANSACTION, GV$SESSION", () => oracle.openTransactions()),
    timestampScn,
  );
  const database = { ...seen, address: oracle.address };
  const redo = catalogueOf(threads, destinations, archived, online);
  const question = {
    currentScn: seen.currentScn,
    resetlogsScn: seen.resetlogsScn,
    captureMode: connector.captureMode,
    destination: connector.archiveDestination,
  };
  const examined = mapObserved(redo, (catalogue) =>
    examineRedo(catalogue, { ...question, from: aim ?? scn ?? 0n }, undefined),
  );
  const to =
    aim ?? scn ?? (examined.known && position.to === "earliestAvailable" ? examined.value.earliest : undefined);
  const applies = probeApplies({ connector, database });
  const [probes, times] = await allOrFirst(
    observe("DBMS_LOGMNR.ADD_LOGFILE", async () => ({
      applies,
      files:
        applies && redo.known && to !== undefined && to <= seen.currentScn
          ? await oracle.probeLogs(
              logsToProbe(redo.value, {
                ...question,
                from: position.to === "earliestAvailable" && pinned === undefined ? 0n : to,
              }),
            )
          : [],
    })),
    observe("SCN_TO_TIMESTAMP", () =>
      timesOf(oracle, [
        to,
        stored?.resumeScn,
        stored?.lastCommit?.scn,
        seen.currentScn,
        examined.known ? examined.value.firstAvailable : undefined,
      ]),
    ),
  );
  return {
    database,
    target: position.to === "timestamp" ? { by: "timestamp", scn: pinned ?? scn } : { by: position.to },
    redo,
    probes,
    transactions,
    times,
    to,
  };
}

async function timesOf(oracle: OraclePort, scns: readonly (Scn | undefined)[]): Promise<readonly ScnTime[]> {
  const asked = [...new Set(scns)].filter((scn) => scn !== undefined);
  return asked.length === 0 ? [] : oracle.timesOf(asked);
}

/** The catalogue is known when all four views are; otherwise it is unknown for the first reason. */
function catalogueOf(
  threads: Observed<RedoCatalogue["threads"]>,
  destinations: Observed<RedoCatalogue["destinations"]>,
  archived: Observed<RedoCatalogue["archived"]>,
  online: Observed<RedoCatalogue["online"]>,
): Observed<RedoCatalogue> {
  if (threads.known && destinations.known && archived.known && online.known) {
    return {
      ...archived,
      value: {
        threads: threads.value,
        destinations: destinations.value,
        archived: archived.value,
        online: online.value,
      },
    };
  }
  const missing = [threads, destinations, archived, online].flatMap((one) => (one.known ? [] : [one]));
  const remedies = missing.flatMap(({ remedy }) => remedy ?? []);
  return {
    known: false,
    why: missing.map(({ why }) => why).join("; "),
    ...(remedies.length === 0 ? {} : { remedy: remedies.join("\n") }),
    source: missing.map(({ source }) => source).join(", "),
  };
}

function soleOffset({ offsets, prefix }: ConnectorSeen): StoredOffset | undefined {
  const mine = offsets.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset;
  const decoded = mine === undefined || mine === null ? undefined : decodeOffset(mine);
  return decoded?.ok ? decoded.offset : undefined;
}

function restoredScn(offset: Parameters<typeof decodeOffset>[0]): Scn | undefined {
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn : undefined;
}

function noConnector(name: string, url: string): CallFailed {
  return new CallFailed({
    system: "connect",
    kind: "missing",
    message: `the workers at ${url} have no connector ${name}`,
    remedy: `See which there are:  curl ${url}/connectors`,
  });
}

/** A connector without any `cdc.` setting is another program's: there is nothing to observe it by. */
function refuseForeignClass({ name, config }: ConnectorDescription): void {
  if (Object.keys(config).some((setting) => setting.startsWith("cdc."))) return;
  const connectorClass = config["connector.class"] ?? "connector without a class";
  throw new Refusal(
    "CON301",
    `${name} is a ${connectorClass}, not the CDC source connector: its configuration has no cdc.* settings`,
    [
      connectorClass.includes("OracleCdcSourceConnector")
        ? "Its offsets have another form; name the connector that took over from it."
        : "Check target.connector.",
    ],
  );
}

function tooLong(topic: string): CallFailed {
  return new CallFailed({
    system: "kafka",
    kind: "unsupported",
    message: `${topic} holds more than ${JOURNAL_READ.records} records, or could not be read within ${JOURNAL_READ.millis / 1000} s`,
  });
}

function notReadable(topic: string, records: number): CallFailed {
  return new CallFailed({
    system: "kafka",
    kind: "unsupported",
    message: `${records} ${records === 1 ? "record" : "records"} of ${topic} can't be read: is cdc.journal.converter a JSON converter?`,
  });
}

/** Waits for all; when one fails, its error is thrown once the others have settled, so that none is left running unobserved. */
async function allOrFirst<T extends readonly unknown[]>(
  ...promises: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return settled.map((one) => (one.status === "fulfilled" ? one.value : undefined)) as unknown as T;
}
