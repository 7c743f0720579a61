/**
 * The database behind the loopback server: a plain object that a test or a demonstration changes while clients are
 * connected.
 */
import type { GeneratedRows, TableRows } from "../table-rows.ts";
import type { Fault, OracleUser, Rows } from "./options.ts";
import { ordinaryTables } from "./ordinary-tables.ts";

/**
 * The state that a client can see, as Oracle stores it. SCNs are bigints; times are milliseconds since the epoch, shown
 * in the server's zone.
 */
export interface OracleWorld {
  database: DatabaseIdentity;
  /** Five parts. Before 18 `V$INSTANCE` has no `VERSION_FULL`. */
  version: string;
  /** Offset of the server's operating system, `+01:00`; the zone of `SYSTIMESTAMP` and every DATE of the views. */
  zone: string;
  now: () => number;
  currentScn: () => bigint;
  scnTimes: ScnTimes;
  threads: ThreadRow[];
  destinations: DestinationRow[];
  archivedLogs: ArchivedLogRow[];
  onlineLogs: OnlineLogRow[];
  transactions: TransactionRow[];
  /** The content of the archived logs, as LogMiner shows it. */
  redoRows: RedoRow[];
  tables: TableRow[];
  /** Owners that came with the database (`CDB_USERS.ORACLE_MAINTAINED`). Every other owner of a table is a user's. */
  oracleMaintained: Set<string>;
  /**
   * Open modes of containers that differ from that of the database. A PDB that is mounted or restricted shows nothing
   * in `CDB_` views.
   */
  openModes: Record<string, ContainerMode>;
  /**
   * Containers that `CDB_` views silently omit, because the query failed in them; `CDB_LOG_GROUPS ORCLPDB1`: only in
   * that view.
   */
  omitted: Set<string>;
  /** `CONTAINER_DATA=ALL` of the logins; without it, a session in the root sees only the root. */
  containerData: boolean;
  /**
   * Files that the server can open. Files that the catalogue lists but that are missing here were removed with `rm`.
   */
  files: Set<string>;
  /**
   * Objects that are granted to no user: views (`V$LOG`, `CDB_TABLES`), packages (`DBMS_LOGMNR`), roles, and
   * privileges: without `LOGMINING` the package runs but refuses calls, without `SELECT ANY DICTIONARY` there are no
   * `CDB_` views.
   */
  denied: Set<string>;
  /** Privileges that were granted without `CONTAINER=ALL`: they apply only in the root. */
  rootOnly: Set<string>;
  /** Supplemental logging of whole PDBs, if enabled. */
  pdbLogging: Record<string, { primaryKey: boolean; all: boolean }>;
  /** `V$PARAMETER`, by lower-case name. */
  parameters: Record<string, string>;
  /** How many fixed tables have statistics. */
  fixedStatistics: bigint;
  /** PDBs that are opened automatically when the instance starts. */
  savedStates: string[];
  /** The `archivelog retention hours` of Amazon RDS; undefined: the database is elsewhere. */
  rdsRetention: string | undefined;
  /** `SQLNET.ENCRYPTION_SERVER=REQUIRED`, with an algorithm that no thin client supports. */
  encryptionRequired: boolean;
  /** Users by upper-case name. */
  users: Record<string, OracleUser>;
  /**
   * The container of a session (`CON_NAME`) by service: `CDB$ROOT`, a PDB's name, or the database's name if it is not a
   * container database.
   */
  services: Record<string, string>;
  /** A SID connects to the root, or to the database that has no containers. */
  sids: string[];
  /** Every statement that ran, in order. */
  seen: string[];
  /** Requests that were answered, logons and fetches included. */
  roundTrips: number;
  /** Login attempts, accepted or not. */
  logons: number;
  /** Sessions at present, and the most that there were at the same time. */
  sessions: number;
  mostSessions: number;
  /** Milliseconds that each round trip takes. */
  latency: number;
  /** The fault of a statement. */
  fault: ((sql: string) => Fault | undefined) | undefined;
  /** Changes the result of a query before it is sent. */
  alters: ((sql: string, answer: Rows) => Rows) | undefined;
}

export interface DatabaseIdentity {
  dbid: bigint;
  name: string;
  cdb: boolean;
  logMode: "ARCHIVELOG" | "NOARCHIVELOG" | "MANUAL";
  openMode: string;
  role: string;
  resetlogsScn: bigint;
  resetlogsTime: number;
  /** `YES`, `NO`, `IMPLICIT`. */
  supplementalLogMin: string;
  /** Whether primary keys, and all columns, are logged in every table. */
  supplementalLogPk?: boolean;
  supplementalLogAll?: boolean;
}

/** The mapping of SCNs to times in the database, and its range. */
export interface ScnTimes {
  /** Lowest SCN with a known time. */
  oldest: bigint;
  /** Milliseconds since the epoch. */
  timeOf: (scn: bigint) => number;
  /** The last SCN at or before that time. */
  scnAt: (time: number) => bigint;
}

export interface ThreadRow {
  thread: bigint;
  enabled: "PUBLIC" | "PRIVATE" | "DISABLED";
  status: "OPEN" | "CLOSED";
  sequence: bigint;
  enableScn: bigint;
  /** 0 while it was never disabled. */
  disableScn: bigint;
}

export interface DestinationRow {
  id: bigint;
  name: string;
  status: string;
  type: string;
}

export interface ArchivedLogRow {
  thread: bigint;
  sequence: bigint;
  firstScn: bigint;
  /** Exclusive. */
  nextScn: bigint;
  firstTime: number;
  nextTime: number;
  name: string | null;
  /** `A`, `D`, `U`, `X`. */
  status: string;
  deleted: boolean;
  destination: bigint;
  standby: boolean;
  resetlogsScn: bigint;
  blocks: bigint;
  blockSize: bigint;
  /** The part of a dictionary in the redo that it contains. */
  dictionary?: "begin" | "end" | "whole";
}

export interface OnlineLogRow {
  group: bigint;
  thread: bigint;
  sequence: bigint;
  firstScn: bigint;
  /** Exclusive; 18446744073709551615 (281474976710655 before 12.2) in the log that is being written. */
  nextScn: bigint;
  firstTime: number;
  /** `CURRENT`, `ACTIVE`, `INACTIVE`, `UNUSED`. */
  status: string;
  archived: boolean;
  bytes: bigint;
  members: { name: string /** Null is good; `INVALID`, `STALE`, `DELETED`. */; status: string | null }[];
}

/** A number of equal rows of redo. */
export interface RedoRow {
  scn: bigint;
  container: string;
  /** Null, like `table`, for redo without a table. */
  owner: string | null;
  table: string | null;
  operation: string;
  sql: string | null;
  count: number;
}

export interface TransactionRow {
  instance: bigint;
  container: bigint;
  usn: bigint;
  slot: bigint;
  sequence: bigint;
  startScn: bigint;
  startTime: number;
  user: string | null;
  clientId: string | null;
}

/** `RESTRICTED` is `READ WRITE` for those with RESTRICTED SESSION. */
export type ContainerMode = "READ WRITE" | "READ ONLY" | "MOUNTED" | "MIGRATE" | "RESTRICTED";

export interface TableRow {
  owner: string;
  name: string;
  /** Null in a database without containers. */
  pdb: string | null;
  columns: ColumnRow[];
  /** Its primary key; undefined without one. */
  primaryKey?: { name: string; columns: string[] };
  uniqueIndexes?: { name: string; columns: string[] }[];
  /** Its supplemental log groups. */
  logGroups?: LogGroupType[];
  /** Columns of its USER LOG GROUP. Default: those of the primary key. */
  logGroupColumns?: string[];
  /** Its rows; without them, it cannot be queried. */
  rows?: TableRows;
  /** Replaces `rows`. */
  generated?: GeneratedRows;
  /** Statistics: number of rows, and their average length in bytes. */
  statistics?: { rows: bigint; rowBytes: bigint };
  temporary?: boolean;
  rowMovement?: boolean;
  nested?: boolean;
  /** Whether it is in the recycle bin. */
  dropped?: boolean;
  iotType?: "IOT" | "IOT_OVERFLOW" | "IOT_MAPPING";
  /** Milliseconds since the epoch; default: the database's creation. */
  lastDdl?: number;
  /** When statistics were gathered last, milliseconds since the epoch. */
  analyzed?: number;
  /** Rows of `CDB_TAB_MODIFICATIONS`; a partitioned table has one of its own and one for each partition. */
  modifications?: ModificationRow[];
  /** `MAX(ORA_ROWSCN)`; undefined for a table without rows. */
  rowScn?: bigint;
  /** The error of a SELECT from it. */
  unreadable?: { code: number; text: string };
  /** Whether a scan of it never ends. */
  takesForEver?: boolean;
}

export type LogGroupType =
  | "ALL COLUMN LOGGING"
  | "PRIMARY KEY LOGGING"
  | "UNIQUE KEY LOGGING"
  | "FOREIGN KEY LOGGING"
  | "USER LOG GROUP";

export interface ColumnRow {
  name: string;
  /** The type with its digits where Oracle shows them: `TIMESTAMP(6)`, `INTERVAL DAY(2) TO SECOND(6)`. */
  dataType: string;
  nullable: boolean;
  precision?: bigint;
  scale?: bigint;
  virtual?: boolean;
  identity?: boolean;
  nestedTable?: boolean;
  /** Whether it was added by Oracle, or made invisible by its owner. */
  hidden?: "by Oracle" | "by its owner";
  /** Its DEFAULT as it was written, `DATA_DEFAULT`; for a virtual column, its expression. */
  byDefault?: string;
}

export interface ModificationRow {
  /** Null in the row of the table. */
  partition: string | null;
  subpartition: string | null;
  inserts: bigint;
  updates: bigint;
  deletes: bigint;
  /** Milliseconds since the epoch. */
  at: number;
  truncated: boolean;
}

/** `NEXT_CHANGE#` of a log that has no end yet. */
export const NO_END = 18446744073709551615n;

const EPOCH = Date.UTC(2026, 10, 20, 18, 0, 0);
/** The default world's SCN 2,000,000 was current at its epoch; from there one SCN is 100 ms. */
const EPOCH_SCN = 2_000_000n;
const MILLIS_PER_SCN = 100;

/**
 * A healthy container database, 19c: one thread, archived logs 118 to 121 with SCNs 2,000,000 to 2,040,000, the current
 * log 122 from there, current SCN 2,045,000. Time advances only if a test advances it.
 */
export function healthyWorld(changes: Partial<OracleWorld> = {}): OracleWorld {
  const timeOf = (scn: bigint) => EPOCH + Number(scn - EPOCH_SCN) * MILLIS_PER_SCN;
  const sequences = [118n, 119n, 120n, 121n];
  const archivedLogs = sequences.map((sequence, i): ArchivedLogRow => {
    const firstScn = EPOCH_SCN + BigInt(i) * 10_000n;
    const nextScn = firstScn + 10_000n;
    return {
      thread: 1n,
      sequence,
      firstScn,
      nextScn,
      firstTime: timeOf(firstScn),
      nextTime: timeOf(nextScn),
      name: archiveName(1n, sequence),
      status: "A",
      deleted: false,
      destination: 1n,
      standby: false,
      resetlogsScn: 1n,
      blocks: 819_200n,
      blockSize: 512n,
    };
  });
  const online = (group: bigint, sequence: bigint, firstScn: bigint, nextScn: bigint): OnlineLogRow => ({
    group,
    thread: 1n,
    sequence,
    firstScn,
    nextScn,
    firstTime: timeOf(firstScn),
    status: nextScn === NO_END ? "CURRENT" : "INACTIVE",
    archived: nextScn !== NO_END,
    bytes: 209_715_200n,
    members: [{ name: `/u02/oradata/ORCLCDB/redo0${group}.log`, status: null }],
  });
  const onlineLogs = [
    online(1n, 120n, 2_020_000n, 2_030_000n),
    online(2n, 121n, 2_030_000n, 2_040_000n),
    online(3n, 122n, 2_040_000n, NO_END),
  ];
  return {
    database: {
      dbid: 2_914_731_004n,
      name: "ORCLCDB",
      cdb: true,
      logMode: "ARCHIVELOG",
      openMode: "READ WRITE",
      role: "PRIMARY",
      resetlogsScn: 1n,
      resetlogsTime: Date.UTC(2026, 0, 1),
      supplementalLogMin: "YES",
    },
    version: "19.22.0.0.0",
    zone: "+01:00",
    now: () => timeOf(2_045_000n),
    currentScn: () => 2_045_000n,
    scnTimes: {
      oldest: 1_000_000n,
      timeOf,
      scnAt: (time) => EPOCH_SCN + BigInt(Math.floor((time - EPOCH) / MILLIS_PER_SCN)),
    },
    threads: [{ thread: 1n, enabled: "PUBLIC", status: "OPEN", sequence: 122n, enableScn: 1n, disableScn: 0n }],
    destinations: [
      { id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" },
      { id: 2n, name: "LOG_ARCHIVE_DEST_2", status: "INACTIVE", type: "UNKNOWN" },
    ],
    archivedLogs,
    onlineLogs,
    transactions: [],
    redoRows: [],
    tables: ordinaryTables(timeOf),
    oracleMaintained: new Set(["SYS", "SYSTEM"]),
    openModes: {},
    omitted: new Set(),
    containerData: true,
    files: new Set([
      ...archivedLogs.flatMap(({ name }) => (name === null ? [] : [name])),
      ...onlineLogs.flatMap(({ members }) => members.map(({ name }) => name)),
    ]),
    denied: new Set(),
    rootOnly: new Set(),
    pdbLogging: {},
    parameters: { undo_retention: "900" },
    fixedStatistics: 1_312n,
    savedStates: ["ORCLPDB1"],
    rdsRetention: undefined,
    encryptionRequired: false,
    users: { "C##CDC": { password: "cdc-secret" } },
    services: { ORCLCDB: "CDB$ROOT", ORCLPDB1: "ORCLPDB1" },
    sids: ["ORCLCDB"],
    seen: [],
    roundTrips: 0,
    logons: 0,
    sessions: 0,
    mostSessions: 0,
    latency: 0,
    fault: undefined,
    alters: undefined,
    ...changes,
  };
}

export function archiveName(thread: bigint, sequence: bigint): string {
  return `/u03/archive/ORCLCDB/${thread}_${sequence}_1.arc`;
}
