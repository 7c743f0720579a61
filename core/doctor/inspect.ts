import type { ContainerSeen, Unknown } from "../../schemas/generated/facts.ts";
import { connectorSettings } from "../document/connector-settings.ts";
import { CallFailed, UsageError } from "../errors.ts";
import { connectVersion, isAtLeast } from "../facts/connector/connector.ts";
import { hiddenPdb, isNamed } from "../facts/database/database.ts";
import { NEEDED_GRANTS } from "../facts/database/needed-grants.ts";
import type { Observed } from "../facts/observed.ts";
import { allNamed, observing } from "../facts/observer.ts";
import { storedOffsetOf } from "../facts/offset/stored-offset.ts";
import type { InternalTopic, PreflightFacts, PreflightSettings } from "../facts/preflight.ts";
import { keyColumnNames } from "../facts/tables/key-columns.ts";
import { connectorNamed, offsetsIfAny } from "../kinds/connector/observe.ts";
import { CONNECTOR_CLASS } from "../legacy/connector-class.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";

/** `fast`: only what the connector's own validation checks, without history and statistics. */
export type Rules = "fast" | "all";

/**
 * Failures that leave nothing known about the database: no answer, or a refused login. Any other failure leaves one
 * fact unknown.
 */
const NO_ACCESS: readonly CallFailed["kind"][] = ["unreachable", "unauthorized", "lost"];

/** Error codes of the thin driver when no native network service could be negotiated. */
const ENCRYPTION: readonly string[] = ["NJS-531", "NJS-532", "NJS-533"];

export interface PreflightSystems {
  readonly oracle: OraclePort;
  readonly kafka: KafkaPort | undefined;
  readonly connect: ConnectPort | undefined;
  /** The name by which the workers know the connector. */
  readonly name?: string | undefined;
}

/**
 * Reads everything that a preflight checks. It takes no lock and writes nothing; the number of round trips depends on
 * the PDBs, not on the tables.
 *
 * @param systems without brokers or workers if none are named
 * @param rules `fast` leaves out what is slow to query
 * @throws CallFailed where the database can't be logged in to
 */
export async function inspectBeforeStart(
  settings: PreflightSettings,
  { oracle, kafka, connect, name }: PreflightSystems,
  clock: Clock,
  rules: Rules = "all",
): Promise<PreflightFacts> {
  const { pdbs } = settings.tables;
  let encryptionRequired = false;
  const observe = <T>(source: string, read: () => Promise<T>, fatal = NO_ACCESS): Promise<Observed<T>> => {
    const look = observing(clock, (failure) => {
      if (!(failure instanceof CallFailed) || fatal.includes(failure.kind)) return false;
      encryptionRequired ||= failure.code !== undefined && ENCRYPTION.includes(failure.code);
      return true;
    });
    return look(source, read);
  };
  // Brokers and workers that don't answer or refuse the login leave the database readable.
  const beside = async <P, T>(
    source: string,
    port: P | undefined,
    unnamed: Omit<Unknown, "source">,
    read: (port: P) => Promise<T>,
  ): Promise<Observed<T>> => {
    if (rules === "fast") return { known: false, why: "not checked with --rules fast", source };
    if (port === undefined) return { ...unnamed, source };
    try {
      return await observe(source, () => read(port), []);
    } catch (problem) {
      // Broker settings that only a worker's client can use.
      if (problem instanceof UsageError) return { known: false, why: problem.message, source };
      throw problem;
    }
  };
  const ofBrokers = <T>(source: string, read: (kafka: KafkaPort) => Promise<T>): Promise<Observed<T>> =>
    beside(source, kafka, NO_BROKERS, read);
  const slow = async <T>(source: string, read: () => Promise<T>): Promise<Observed<T>> =>
    rules === "all" ? observe(source, read) : { known: false, why: "not checked with --rules fast", source };
  // Alone and first: after a refused login, no second one is attempted.
  const database = await observe("V$DATABASE", () => oracle.database());
  const containers = await observe("V$CONTAINERS", () => oracle.containers());
  const others = await allNamed({
    logging: observe("V$DATABASE", () => oracle.supplementalLogging()),
    threads: observe("V$THREAD", () => oracle.threads()),
    destinations: observe("V$ARCHIVE_DEST_STATUS", () => oracle.destinations()),
    account: observe("USER_USERS", () => oracle.account()),
    // Another session can be refused although the first was accepted: session limit, locked account, overloaded
    // listener.
    rights: observe("SESSION_PRIVS", () => oracle.rights(openPdbs(pdbs, containers)), []),
    usable: observe("views and packages", () => oracle.tryObjects(OBJECTS)),
    dictionary: observe("CDB_TABLES", () => oracle.dictionary(pdbs)),
    pdbLogging: observe("CDB_SUPPLEMENTAL_LOGGING", async () => (pdbs.length === 0 ? [] : oracle.pdbLogging(pdbs))),
    logGroups: observe("CDB_LOG_GROUPS", () => oracle.logGroups(pdbs)),
    columns: observe("CDB_TAB_COLS", () => oracle.columnsOfNote(pdbs, keyColumnNames(settings.keys.columns))),
    nestedTables: observe("CDB_NESTED_TABLES", () => oracle.nestedTables(pdbs)),
    keys: observe("CDB_CONSTRAINTS", () => oracle.keyedTables(pdbs)),
    moving: observe("CDB_TABLES", () => oracle.movingTables(pdbs)),
    savedStates: observe("DBA_PDB_SAVED_STATES", () => oracle.savedStates()),
    rds: observe("RDSADMIN.RDS_CONFIGURATION", () => oracle.rdsArchive()),
    archived: slow("V$ARCHIVED_LOG", () => oracle.archivedLogs(0n)),
    online: slow("V$LOG", () => oracle.onlineLogs()),
    dictionaryBuilds: slow("V$ARCHIVED_LOG", () => oracle.dictionaryLogs()),
    undoRetention: slow("V$PARAMETER", () => oracle.undoRetention()),
    fixedStatistics: slow("DBA_TAB_STATISTICS", () => oracle.fixedStatistics()),
    internalTopics: ofBrokers("the brokers' topics", (brokers) => inspectTopics(settings, brokers)),
    mayCreateTopics: ofBrokers("the brokers' rights", (brokers) => brokers.mayCreateTopics()),
    maxTransactionMillis:
      settings.exactlyOnce === undefined
        ? Promise.resolve({ ...NO_TRANSACTIONS, source: "transaction.max.timeout.ms" })
        : ofBrokers("transaction.max.timeout.ms", (brokers) => brokers.maxTransactionMillis()),
    exactlyOnceSource:
      settings.exactlyOnce === undefined
        ? Promise.resolve({ ...NO_TRANSACTIONS, source: VALIDATION })
        : beside(VALIDATION, connect, NO_WORKERS, (workers) =>
            supportsExactlyOnce(workers, settings.connectorClass ?? CONNECTOR_CLASS),
          ),
    deployed: beside("GET /connectors/…", connect, NO_WORKERS, (workers) => inspectDeployed(workers, name, settings)),
  });
  return {
    settings,
    encryptionRequired: { known: true, value: encryptionRequired, source: "the login", at: clock.now() },
    database,
    containers,
    ...others,
  };
}

const NO_TRANSACTIONS = {
  known: false,
  why: "not checked: the configuration does not require exactly-once delivery",
} as const;

const VALIDATION = "PUT /connector-plugins/…/config/validate";

const NO_WORKERS = {
  known: false,
  why: "no Connect worker is named",
  remedies: [
    { text: "Name one", setting: "--context NAME", note: "or --connect-url URL, or skip the check: --rules fast" },
  ],
} as const;

/**
 * Whether exactly-once support for source connectors is enabled on a worker. A distributed worker without it reports an
 * error for `exactly.once.support=required`. The validated configuration holds nothing else, so other errors are
 * ignored. Other workers of the cluster may be configured differently.
 *
 * Rule: KIP-618, "exactly.once.support"; Kafka Connect's `DistributedHerder.validateSourceConnectorExactlyOnceSupport`.
 *
 * @throws CallFailed where the class is not installed there, or the worker's version can't be read
 */
export async function supportsExactlyOnce(connect: ConnectPort, connectorClass: string): Promise<boolean> {
  const { version } = await connect.worker();
  const release = connectVersion(version);
  if (release === undefined)
    throw new CallFailed("connect", "unsupported", {
      message: `${connect.url} has version ${version}, which is not a version of Kafka Connect`,
    });
  // Earlier versions ignore the setting.
  if (!isAtLeast(release, 3, 3)) return false;
  const problems = await connect.validate(connectorClass, {
    name: "cdcctl-preflight",
    "exactly.once.support": "required",
  });
  return !problems.some(
    ({ setting, errors }) => setting === "exactly.once.support" && errors.some((error) => error.includes(NO_SUPPORT)),
  );
}

/** The text of every version from 3.3 on. */
const NO_SUPPORT = "This worker does not have exactly-once source support enabled";

async function inspectDeployed(connect: ConnectPort, name: string | undefined, { prefix }: PreflightSettings) {
  if (name === undefined) throw new UsageError("neither the configuration nor --connector names the connector");
  const offsets = await offsetsIfAny(name, connect);
  if (storedOffsetOf({ offsets, prefix }) === null) return "no offset";
  const { config } = await connectorNamed(name, connect);
  return connectorSettings(config, `GET /connectors/${name}`).tables;
}

const NO_BROKERS = {
  known: false,
  why: "the configuration does not name brokers: cdc.stream.bootstrap.servers is not set",
  remedies: [{ text: "Name them", setting: "--bootstrap-servers HOST:PORT", note: "or leave them out: --rules fast" }],
} as const;

async function inspectTopics(settings: PreflightSettings, kafka: KafkaPort): Promise<readonly InternalTopic[]> {
  const { opsTopic: ops, signalsTopic: signals, heartbeatTopic: heartbeat, journalTopic: journal } = settings;
  const roles = Object.entries({ ops, signals, heartbeat, journal }) as [InternalTopic["role"], string][];
  return Promise.all(
    roles.map(async ([role, name]) => ({ name, role, seen: (await kafka.topic(name)) ?? ("missing" as const) })),
  );
}

const OBJECTS = NEEDED_GRANTS.filter(({ is }) => is === "view" || is === "package").map(({ name }) => name);

/** PDBs that a session can switch to and query. */
function openPdbs(pdbs: readonly string[], containers: Observed<readonly ContainerSeen[]>): readonly string[] {
  if (!containers.known) return pdbs;
  return pdbs.flatMap((pdb) => {
    const seen = containers.value.find(({ name }) => isNamed(name, pdb));
    return seen === undefined || hiddenPdb([pdb], containers.value) !== undefined ? [] : [seen.name];
  });
}
