import type { ConnectorStatus, ScnTime } from "../../schemas/generated/facts.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { LARGEST_TRANSACTIONS, type LargestTransaction, readTaskMetrics } from "../facts/connector/task-metrics.ts";
import { isInsideAPdb } from "../facts/database/database.ts";
import { hiddenPdb, mayHidePdbs } from "../facts/database/hidden-pdb.ts";
import { mapObserved, type Observed } from "../facts/observed.ts";
import { lenientObserverAt, type Observer } from "../facts/observer.ts";
import { readableForm } from "../journal/journal-form.ts";
import { type ReadingOptions, readRecords } from "../journal/read-journal.ts";
import type { Clock } from "../ports/clock.ts";
import type { JmxPort } from "../ports/jmx.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { DatabaseInspection } from "./in-database.ts";
import { type JournaledPart, journaledParts } from "./journaled-part.ts";

/** Open transactions as they were seen, source by source; none takes another with it. */
export interface TransactionsSeen {
  /** When the observation began. */
  readonly at: Instant;
  readonly connector: string;
  /** Undefined where Connect knows of no state. */
  readonly status: Observed<ConnectorStatus | undefined>;
  /** Undefined if no JVM was given. */
  readonly buffered: BufferInspection | undefined;
  readonly journaled: Observed<JournalInspection>;
  /** Undefined where there was no transaction to look up. */
  readonly database: Observed<DatabaseInspection> | undefined;
  /** When the first SCNs and the present one were current; undefined as `database`. */
  readonly times: Observed<TimesInspection> | undefined;
}

interface BufferInspection {
  /** `host:port` of the RMI registry. */
  readonly address: string;
  readonly transactions: Observed<readonly LargestTransaction[]>;
  /** What should be fixed although the call succeeded. */
  readonly remarks: readonly string[];
}

interface JournalInspection {
  readonly topic: string;
  /** False: the brokers know no such topic, and nothing was ever journaled. */
  readonly exists: boolean;
  readonly parts: readonly JournaledPart[];
  /** Records that can't be read: what they hold is missing here. */
  readonly unreadable: number;
}

interface TimesInspection {
  /** By the database's clock; undefined if it reports none: this machine's clock may differ. */
  readonly now: Instant | undefined;
  readonly times: readonly ScnTime[];
}

/** The sources to read. A port that can't be created because a setting is missing is a source that can't be read. */
interface TransactionsQuestion {
  readonly connector: string;
  readonly settings: ConnectorSettings;
  readonly status: () => Promise<ConnectorStatus | undefined>;
  readonly jmx: JmxPort | undefined;
  readonly kafka: () => KafkaPort;
  readonly oracle: () => OraclePort;
  readonly clock: Clock;
  readonly reading?: ReadingOptions;
}

/**
 * Only reads. The database is asked after the others: what it no longer lists then has ended, and has not just begun.
 */
export async function readTransactions(question: TransactionsQuestion): Promise<TransactionsSeen> {
  const { connector, settings, jmx, clock } = question;
  const observe = lenientObserverAt(clock);
  const at = clock.now();
  const [status, buffered, journaled] = await Promise.all([
    observe(`GET /connectors/${connector}/status`, question.status),
    jmx === undefined ? undefined : inspectBuffer(jmx, settings.prefix, clock),
    observe(settings.journalTopic, () => inspectJournal(question)),
  ]);
  const scns = [
    ...(buffered?.transactions.known ? buffered.transactions.value.map(({ firstScn }) => firstScn) : []),
    ...(journaled.known ? journaled.value.parts.map(({ firstScn }) => firstScn) : []),
  ];
  const asked = scns.length === 0 ? undefined : await inspectDatabase(question, scns, observe);
  return { at, connector, status, buffered, journaled, database: asked?.database, times: asked?.times };
}

async function inspectBuffer(jmx: JmxPort, prefix: string, clock: Clock): Promise<BufferInspection> {
  const attributes = await lenientObserverAt(clock)(`JMX of ${jmx.address}`, () =>
    jmx.taskAttributes(prefix, [LARGEST_TRANSACTIONS]),
  );
  const metrics = mapObserved(attributes, (read) => readTaskMetrics(read, attributes.source, clock.now()));
  const transactions = metrics.known ? metrics.value.largestTransactions : metrics;
  return { address: jmx.address, transactions, remarks: jmx.remarks };
}

async function inspectJournal({ settings, kafka, reading }: TransactionsQuestion): Promise<JournalInspection> {
  const { journalTopic: topic, journalConverter, prefix: server } = settings;
  const form = readableForm(journalConverter, topic);
  const port = kafka();
  if ((await port.topic(topic)) === undefined) return { topic, exists: false, parts: [], unreadable: 0 };
  const { chunks, counts } = await readRecords(port, { topic, server, form }, reading);
  return { topic, exists: true, parts: journaledParts(chunks), unreadable: counts.unreadable };
}

async function inspectDatabase(
  { settings, oracle }: TransactionsQuestion,
  scns: readonly Scn[],
  observe: Observer,
): Promise<{ readonly database: Observed<DatabaseInspection>; readonly times: Observed<TimesInspection> }> {
  const port = await observe("cdc.database.*", async () => oracle());
  if (!port.known) return { database: port, times: port };
  const own = await observe("V$DATABASE", () => port.value.database());
  if (!own.known) return { database: own, times: own };
  const { container, currentScn } = own.value;
  const fromRoot = container && !isInsideAPdb(own.value);
  const { pdbs } = settings.tables;
  const [database, times] = await Promise.all([
    observe("GV$TRANSACTION", async () => ({
      open: await port.value.openTransactions(),
      fromRoot,
      // Inside a PDB the view has that one's alone: a login inside another one sees nothing of those that are captured.
      hidden: mayHidePdbs(pdbs, own.value) ? hiddenPdb(pdbs, await port.value.containers()) : undefined,
    })),
    observe("SCN_TO_TIMESTAMP", async () => {
      const seen = await port.value.timesOf([...new Set([...scns, currentScn])]);
      return { now: seen.find(({ scn }) => scn === currentScn)?.at, times: seen };
    }),
  ]);
  return { database, times };
}
