import { CallFailed, UsageError } from "../errors.ts";
import { hiddenPdb, isNamed } from "../facts/database/hidden-pdb.ts";
import { NEEDED_GRANTS } from "../facts/database/needed-grants.ts";
import type { Observed } from "../facts/observed.ts";
import { allOrFirst } from "../facts/observer.ts";
import type { InternalTopic, PreflightFacts, PreflightSettings } from "../facts/preflight.ts";
import { keyColumnNames } from "../facts/tables/key-columns.ts";
import type { ContainerSeen } from "../facts/tables/tables.ts";
import type { Clock } from "../ports/clock.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";

/** `fast`: what a connector's own validation looks at, and no history and no statistics. */
export type Rules = "fast" | "all";

/**
 * Where nobody answers, or lets us in, there is nothing to be told of the database; everything else leaves a fact
 * unknown.
 */
const NOBODY_THERE: readonly CallFailed["kind"][] = ["unreachable", "unauthorized", "lost"];

/** What the thin driver says where no service of the network could be agreed on. */
const ENCRYPTION: readonly string[] = ["NJS-531", "NJS-532", "NJS-533"];

/**
 * Looks at everything that a preflight judges. It takes no lock and writes nothing; the number of round trips depends
 * on the PDBs, and not on the tables.
 *
 * @param kafka undefined: nobody names the brokers
 * @param rules `fast` leaves out what takes a database long to tell
 * @throws CallFailed where the database can't be logged in to
 */
export async function lookBeforeStart(
  settings: PreflightSettings,
  oracle: OraclePort,
  kafka: KafkaPort | undefined,
  clock: Clock,
  rules: Rules = "all",
): Promise<PreflightFacts> {
  const { pdbs } = settings.tables;
  let encryptionRequired = false;
  const observe = async <T>(source: string, look: () => Promise<T>, fatal = NOBODY_THERE): Promise<Observed<T>> => {
    try {
      return { known: true, value: await look(), source, at: clock.now() };
    } catch (failure) {
      if (!(failure instanceof CallFailed) || fatal.includes(failure.kind)) throw failure;
      const { message: why, remedies, code } = failure;
      if (code !== undefined && ENCRYPTION.includes(code)) encryptionRequired = true;
      return { known: false, why, ...(remedies.length === 0 ? {} : { remedies }), source };
    }
  };
  // Brokers that don't answer, or let us in, hide nothing of the database.
  const ofBrokers = async <T>(source: string, look: (kafka: KafkaPort) => Promise<T>): Promise<Observed<T>> => {
    if (rules === "fast") return { known: false, why: "left out by --rules fast", source };
    if (kafka === undefined) return { ...NO_BROKERS, source };
    try {
      return await observe(source, () => look(kafka), []);
    } catch (problem) {
      // Settings of the brokers that only a worker's client can use.
      if (problem instanceof UsageError) return { known: false, why: problem.message, source };
      throw problem;
    }
  };
  const slow = async <T>(source: string, look: () => Promise<T>): Promise<Observed<T>> =>
    rules === "all" ? observe(source, look) : { known: false, why: "left out by --rules fast", source };
  // First alone: who is not let in tries no second time.
  const database = await observe("V$DATABASE", () => oracle.database());
  const containers = await observe("V$CONTAINERS", () => oracle.containers());
  const [
    logging,
    threads,
    destinations,
    account,
    rights,
    usable,
    dictionary,
    pdbLogging,
    logGroups,
    columns,
    nestedTables,
    keys,
    moving,
    savedStates,
    rds,
    archived,
    online,
    dictionaryBuilds,
    undoRetention,
    fixedStatistics,
    internalTopics,
    mayCreateTopics,
    maxTransactionMillis,
  ] = await allOrFirst(
    observe("V$DATABASE", () => oracle.supplementalLogging()),
    observe("V$THREAD", () => oracle.threads()),
    observe("V$ARCHIVE_DEST_STATUS", () => oracle.destinations()),
    observe("USER_USERS", () => oracle.account()),
    // Another session, which can be refused where the first was let in: no more sessions, a lock, a listener that has
    // enough.
    observe("SESSION_PRIVS", () => oracle.rights(openPdbs(pdbs, containers)), []),
    observe("views and packages", () => oracle.tryObjects(OBJECTS)),
    observe("CDB_TABLES", () => oracle.dictionary(pdbs)),
    observe("CDB_SUPPLEMENTAL_LOGGING", async () => (pdbs.length === 0 ? [] : oracle.pdbLogging(pdbs))),
    observe("CDB_LOG_GROUPS", () => oracle.logGroups(pdbs)),
    observe("CDB_TAB_COLS", () => oracle.columnsOfNote(pdbs, keyColumnNames(settings.keys.columns))),
    observe("CDB_NESTED_TABLES", () => oracle.nestedTables(pdbs)),
    observe("CDB_CONSTRAINTS", () => oracle.keyedTables(pdbs)),
    observe("CDB_TABLES", () => oracle.movingTables(pdbs)),
    observe("DBA_PDB_SAVED_STATES", () => oracle.savedStates()),
    observe("RDSADMIN.RDS_CONFIGURATION", () => oracle.rdsArchive()),
    slow("V$ARCHIVED_LOG", () => oracle.archivedLogs(0n)),
    slow("V$LOG", () => oracle.onlineLogs()),
    slow("V$ARCHIVED_LOG", () => oracle.dictionaryLogs()),
    slow("V$PARAMETER", () => oracle.undoRetention()),
    slow("DBA_TAB_STATISTICS", () => oracle.fixedStatistics()),
    ofBrokers("the brokers' topics", (brokers) => lookAtTopics(settings, brokers)),
    ofBrokers("the brokers' rights", (brokers) => brokers.mayCreateTopics()),
    settings.exactlyOnce === undefined
      ? Promise.resolve(NO_TRANSACTIONS)
      : ofBrokers("transaction.max.timeout.ms", (brokers) => brokers.maxTransactionMillis()),
  );
  return {
    settings,
    encryptionRequired: { known: true, value: encryptionRequired, source: "the login", at: clock.now() },
    database,
    logging,
    threads,
    destinations,
    account,
    rights,
    usable,
    containers,
    dictionary,
    pdbLogging,
    logGroups,
    columns,
    nestedTables,
    keys,
    moving,
    savedStates,
    rds,
    archived,
    online,
    dictionaryBuilds,
    undoRetention,
    fixedStatistics,
    internalTopics,
    mayCreateTopics,
    maxTransactionMillis,
  };
}

const NO_TRANSACTIONS: Observed<never> = {
  known: false,
  why: "not asked for: exactly-once delivery is not required by the configuration",
  source: "transaction.max.timeout.ms",
};

const NO_BROKERS = {
  known: false,
  why: "the configuration names no brokers: cdc.stream.bootstrap.servers is not set",
  remedies: [{ text: "Name them", setting: "--bootstrap-servers HOST:PORT", note: "or leave them out: --rules fast" }],
} as const;

async function lookAtTopics(settings: PreflightSettings, kafka: KafkaPort): Promise<readonly InternalTopic[]> {
  const { opsTopic: ops, signalsTopic: signals, heartbeatTopic: heartbeat, journalTopic: journal } = settings;
  const roles = Object.entries({ ops, signals, heartbeat, journal }) as [InternalTopic["role"], string][];
  return Promise.all(
    roles.map(async ([role, name]) => ({ name, role, seen: (await kafka.topic(name)) ?? ("missing" as const) })),
  );
}

const OBJECTS = NEEDED_GRANTS.filter(({ is }) => is === "view" || is === "package").map(({ name }) => name);

/** Those that a session can go into and ask. */
function openPdbs(pdbs: readonly string[], containers: Observed<readonly ContainerSeen[]>): readonly string[] {
  if (!containers.known) return pdbs;
  return pdbs.flatMap((pdb) => {
    const seen = containers.value.find(({ name }) => isNamed(name, pdb));
    return seen === undefined || hiddenPdb([pdb], containers.value) !== undefined ? [] : [seen.name];
  });
}
