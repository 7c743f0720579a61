import type { ConnectorSeen } from "../../schemas/generated/facts.ts";
import { settingsIn, type WithSettings } from "../facts/connector-facts.ts";
import { type DatabaseSeen, isInsideAPdb, minesInRange, roleMined } from "../facts/database/database.ts";
import type { Observed } from "../facts/observed.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import { destinationOf } from "../facts/redo/logs.ts";
import { counted, showCount } from "../values/amounts.ts";
import { type Check, type CheckOf, fail, fine, unknown, unseen } from "./check.ts";

const TURN_ON = {
  text: "Turn it on, as SYS, after SHUTDOWN IMMEDIATE and STARTUP MOUNT, and open the database again",
  sql: "ALTER DATABASE " + "ARCHIVELOG;",
};

/** A database in NOARCHIVELOG mode overwrites redo after a few switches. */
export const noArchivelog: Check<unknown, { readonly facts: WithDatabase }> = {
  code: "DBA401",
  title: "The database is in NOARCHIVELOG mode",
  problem: "Redo is overwritten within a few log switches; the connector will soon meet a gap.",
  remedy: "Restart the database in MOUNT mode and run ALTER DATABASE ARCHIVELOG.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const database = databaseIn(facts);
    if (!database.known) return unseen(database);
    const { name, logMode } = database.value;
    const seen = `${name} is in ${logMode} mode`;
    if (logMode === "NOARCHIVELOG") return fail(seen, { remedies: [TURN_ON] });
    if (logMode === "ARCHIVELOG") return fine(seen);
    // A plan moves within the existing redo. A future connector depends on what will be archived, and manual archiving
    // can't be relied on.
    if (logMode === "MANUAL" && !("known" in facts.database)) return fine(seen);
    return unknown(
      logMode === "MANUAL"
        ? `${seen}: logs are archived manually`
        : `${name} is in an unknown log mode: ${logMode === "" ? "an empty one" : logMode}`,
      { text: "Turn on automatic archiving, with the database mounted", sql: "ALTER DATABASE ARCHIVELOG;" },
    );
  },
};

/**
 * The connector asks for role and open mode at its start and after each reconnect. On a standby without redo apply
 * nothing moves: the applied SCN bounds what is mined.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 */
export const notPrimary: Check<
  unknown,
  { readonly facts: WithSettings<Pick<ConnectorSeen, "captureMode">> & WithDatabase }
> = {
  code: "DBA402",
  title: "The database can't be mined in its role",
  problem:
    "The connector mines a primary open READ WRITE, or with cdc.capture.mode=archive_only a physical standby open " +
    "READ ONLY. In any other role or open mode the task stops with CDC-5001.",
  remedy:
    "Connect the connector to the primary, or to a physical standby open READ ONLY with " +
    "cdc.capture.mode=archive_only.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const database = databaseIn(facts);
    if (!database.known) return unseen(database);
    const { name, role, openMode } = database.value;
    const { captureMode } = settingsIn(facts);
    const seen = `${name} is a ${role}, ${openMode === "MOUNTED" ? "" : "open "}${openMode}`;
    const how = captureMode === "archive_only" ? `${seen}, with cdc.capture.mode=archive_only` : seen;
    if (!roleMined(database.value, captureMode)) return fail(how);
    if (role === "PRIMARY" || openMode !== "READ ONLY") return fine(how);
    return fail(`${seen}: without redo apply, nothing above SCN ${database.value.currentScn} is mined`, {
      remedies: [
        {
          text: "Start redo apply on the standby",
          sql: "ALTER DATABASE RECOVER MANAGED STANDBY " + "DATABASE DISCONNECT;",
        },
      ],
      grade: "advisory",
    });
  },
};

/**
 * Inside a PDB LogMiner accepts no log files. `auto` chooses range there, which adds none.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 */
export const logsInsideAPdb: Check<
  unknown,
  { readonly facts: WithSettings<Pick<ConnectorSeen, "miningMode">> & WithDatabase }
> = {
  code: "DBA403",
  title: "Log files can't be mined inside a PDB",
  problem: "LogMiner accepts no log files inside a PDB: the task refuses to start (CDC-5001).",
  remedy: "Set cdc.mining.mode=auto to mine from inside the PDB, or set cdc.database.service to the root's service.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const database = databaseIn(facts);
    if (!database.known) return unseen(database);
    const { container, connectedTo, name } = database.value;
    if (!container) return fine(`${name} has no containers`);
    if (!isInsideAPdb(database.value)) return fine(`connected to ${connectedTo} of ${name}`);
    const { miningMode } = settingsIn(facts);
    const seen = `connected to ${connectedTo} of ${name}, with cdc.mining.mode=${miningMode}`;
    if (!["auto", "range", "logs"].includes(miningMode)) return unknown(`how logs are mined: ${seen}`);
    return minesInRange(database.value, { miningMode }) ? fine(seen) : fail(seen);
  },
};

/** LogMiner needs minimal supplemental logging to put chained rows and row pieces together, or it misses changes. */
export const noMinimalSupplementalLogging: CheckOf<PreflightFacts, "logging" | "database"> = {
  code: "DBA404",
  title: "Minimal supplemental logging is off",
  problem: "The redo lacks the data that reassembles rows: changes are missed, and no log contains them.",
  remedy: "Turn it on for the whole database: ALTER DATABASE ADD SUPPLEMENTAL LOG DATA.",
  grade: "refusal",

  run(_intent, { facts: { logging, database } }) {
    if (!logging.known) return unseen(logging);
    const { minimal } = logging.value;
    const where = database.known && database.value.container ? ", in CDB$ROOT" : "";
    const seen = `SUPPLEMENTAL_LOG_DATA_MIN is ${minimal}`;
    return minimal === "YES" || minimal === "IMPLICIT"
      ? fine(seen)
      : fail(seen, {
          remedies: [
            {
              text: `Turn it on for the whole database${where}`,
              sql: "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;",
            },
          ],
        });
  },
};

const OLDEST = 19;

export const databaseTooOld: CheckOf<PreflightFacts, "database"> = {
  code: "DBA405",
  title: "The database is older than 19c",
  problem: "The connector supports Oracle Database 19c and later.",
  remedy: "Upgrade the database to 19c or later before the connector is started.",
  grade: "refusal",

  run(_intent, { facts }) {
    if (!facts.database.known) return unseen(facts.database);
    const { name, version } = facts.database.value;
    const release = Number(/^\d+/.exec(version)?.[0]);
    if (Number.isNaN(release)) return unknown(`${name} reports its version as ${JSON.stringify(version)}`);
    const seen = `${name} is ${version}`;
    return release < OLDEST ? fail(seen) : fine(seen);
  },
};

/**
 * The connector mines one redo thread. RED203 can be accepted in a plan: it may be disabled before the next start.
 *
 * Rule: reference: Oracle, "Preflight rules"; connector rules, "Where the database may be mined".
 */
export const notOneRedoThread: CheckOf<PreflightFacts, "threads"> = {
  code: "RED204",
  title: "The number of enabled redo threads is not one",
  problem: "The connector mines one redo thread: with several enabled ones the task refuses to start (CDC-5001).",
  remedy: "Capture from a database with one enabled thread, or ask the connector's vendor.",
  grade: "refusal",

  run(_intent, { facts: { threads } }) {
    if (!threads.known) return unseen(threads);
    const enabled = threads.value.filter((one) => one.enabled !== "DISABLED");
    const [only] = enabled;
    if (only === undefined) return fail("no redo thread is enabled");
    if (enabled.length === 1) return fine(`redo thread ${only.thread} is the only enabled thread`);
    return fail(
      `${showCount(enabled.length)} redo threads are enabled: ${enabled.map(({ thread }) => thread).join(", ")}`,
    );
  },
};

const MEND = {
  text: "Fix the destination, or set cdc.archive.destination to a valid local one. To see its error",
  sql: "SELECT " + "DEST_NAME, STATUS, ERROR FROM V$ARCHIVE_DEST;",
};

/** The connector reads the archived logs of one destination: the named one, or the lowest valid local one. */
export const noArchiveDestination: CheckOf<PreflightFacts, "destinations" | "settings"> = {
  code: "RED205",
  title: "No valid local archive destination",
  problem:
    "The connector reads archived logs from one valid local destination; without it the task finds no archived redo.",
  remedy:
    "Fix the destination (V$ARCHIVE_DEST.ERROR shows what is wrong), or set cdc.archive.destination to a valid " +
    "local one.",
  grade: "refusal",

  run(_intent, { facts: { destinations, settings } }) {
    if (!destinations.known) return unseen(destinations);
    const wanted = settings.archiveDestination;
    const found = destinationOf(destinations.value, wanted);
    if (found !== undefined)
      return fine(
        `archived logs are read from ${found.name}${wanted === undefined ? ", the lowest valid local one" : ""}`,
      );
    const used = destinations.value.filter(({ status }) => status !== "INACTIVE");
    const listed =
      used.length === 0
        ? "no destination is in use"
        : used.map(({ name, status, type }) => `${name} is ${status}, ${type}`).join("; ");
    return fail(
      wanted === undefined
        ? `no archive destination is valid and local: ${listed}`
        : `cdc.archive.destination is ${wanted}, which is not a valid local one: ${listed}`,
      { remedies: [MEND] },
    );
  },
};

/** A plan always knows the database; a preflight may not be able to read it. */
interface WithDatabase {
  readonly database: DatabaseSeen | Observed<DatabaseSeen>;
}

type Known =
  | { readonly known: true; readonly value: DatabaseSeen }
  | Extract<Observed<DatabaseSeen>, { readonly known: false }>;

function databaseIn({ database }: WithDatabase): Known {
  return "known" in database ? database : { known: true, value: database };
}

/**
 * The views of LogMiner and of the logs are fixed tables: without statistics their queries have poor plans.
 *
 * Rule: the connector's own preflight, DOC-16.
 */
export const noFixedStatistics: CheckOf<PreflightFacts, "fixedStatistics"> = {
  code: "DBA413",
  title: "Fixed objects have no statistics",
  problem:
    "Queries on V$LOGMNR_CONTENTS and V$ARCHIVED_LOG get poor plans without them, which slows every step of mining.",
  remedy: "Gather them under normal load: EXEC DBMS_STATS.GATHER_FIXED_OBJECTS_STATS.",
  grade: "advisory",

  run(_intent, { facts: { fixedStatistics } }) {
    if (!fixedStatistics.known) return unseen(fixedStatistics);
    if (fixedStatistics.value > 0n)
      return fine(`${counted(fixedStatistics.value, "fixed table has", "fixed tables have")} statistics`);
    return fail("no fixed table has statistics", {
      remedies: [{ text: "Gather them under normal load", sql: "EXEC DBMS_STATS.GATHER_FIXED_OBJECTS_STATS;" }],
    });
  },
};

/** Idle connections are silently closed after four minutes by Azure's load balancer, 350 s by Amazon's. */
const SHORTEST_IDLE = 240n;
const SET_KEEPALIVE = {
  text: "Enable probes of idle connections",
  setting: "cdc.database.connection.properties=oracle.net.TCP_KEEPIDLE=120",
};

/**
 * Keepalive probes begin after the operating system's idle time, two hours on Linux, unless the connector's settings
 * change it.
 *
 * Rule: the connector's own preflight, DOC-19.
 */
export const keepaliveTooLate: CheckOf<PreflightFacts, "settings"> = {
  code: "DBA414",
  title: "TCP keepalive begins too late for load balancers",
  problem:
    "A load balancer or firewall before the database drops idle connections, and the task notices only when a call " +
    "times out.",
  remedy:
    "Set oracle.net.TCP_KEEPIDLE in cdc.database.connection.properties below its limit, or SQLNET.EXPIRE_TIME at the " +
    "database.",
  grade: "advisory",

  run(_intent, { facts: { settings } }) {
    const { keepIdle } = settings;
    if (keepIdle === undefined)
      return fail("oracle.net.TCP_KEEPIDLE is not set: the operating system's idle time applies, two hours on Linux", {
        remedies: [SET_KEEPALIVE],
      });
    const seen = `oracle.net.TCP_KEEPIDLE is ${keepIdle} s`;
    if (keepIdle > 0n && keepIdle < SHORTEST_IDLE) return fine(seen);
    return fail(`${seen}; load balancers drop connections that are idle for ${SHORTEST_IDLE} s or more`, {
      remedies: [SET_KEEPALIVE],
    });
  },
};

/**
 * The connector's driver can encrypt as the database requires; cdcctl's driver does not support every way. Nothing can
 * be read from the database then, so this check comes first.
 */
export const encryptionRequired: CheckOf<PreflightFacts, "encryptionRequired"> = {
  code: "DBA415",
  title: "The database requires native network encryption",
  problem: "Without a login, cdcctl can't inspect the database; the connector's own driver may be able to log in.",
  remedy:
    "Connect over TLS (a TCPS listener, and a jdbc:oracle:thin:@tcps:// URL), or set SQLNET.ENCRYPTION_SERVER and " +
    "SQLNET.CRYPTO_CHECKSUM_SERVER to ACCEPTED or REQUESTED on the database.",
  grade: "refusal",

  run(_intent, { facts }) {
    if (!facts.encryptionRequired.known) return unseen(facts.encryptionRequired);
    return facts.encryptionRequired.value
      ? fail("the database refused cdcctl: native network encryption or integrity could not be negotiated")
      : fine("native network encryption does not prevent a login");
  },
};
