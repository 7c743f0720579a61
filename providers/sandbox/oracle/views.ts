/** The dynamic performance views, as relations over the world. One entry for each view; columns have Oracle's names. */

import { DICTIONARY_VIEWS, showsContainer, withoutLeftOut } from "./dictionary-views.ts";
import { type LogMiner, minedContents } from "./logminer.ts";
import { sessionView } from "./session-views.ts";
import type { Relation } from "./sql/scope.ts";
import type { SqlValue } from "./sql/values.ts";
import { columns, date, type Rows, type View, yes } from "./view.ts";
import type { OracleWorld, TransactionRow } from "./world.ts";

function majorVersion(world: OracleWorld): number {
  return Number(world.version.split(".")[0]);
}

const INSTANCE_COLUMNS = columns("INSTANCE_NUMBER INSTANCE_NAME:16 HOST_NAME:64 VERSION:17 STATUS:12");

const TRANSACTION_COLUMNS = columns(
  "INST_ID CON_ID XIDUSN XIDSLOT XIDSQN START_SCN START_DATE@ STATUS:16 SES_ADDR:16 USED_UBLK USED_UREC",
);
const SESSION_COLUMNS = columns("INST_ID CON_ID SADDR:16 SID SERIAL# USERNAME:128 CLIENT_IDENTIFIER:64 STATUS:8");

/** A session's address; a transaction points at its session by it. */
const address = (at: number) => (0x7f0000 + at * 0x100).toString(16).toUpperCase().padStart(16, "0");

const transactionRow = (world: OracleWorld, row: TransactionRow, index: number): readonly SqlValue[] => [
  row.instance,
  row.container,
  row.usn,
  row.slot,
  row.sequence,
  row.startScn,
  date(world, row.startTime),
  "ACTIVE",
  address(index),
  1n,
  1n,
];

/** Transactions of the containers that the session sees: `GV$` views are filtered by CONTAINER_DATA too. */
function transactions(world: OracleWorld, from: string): Rows {
  const isShown = showsContainer(world, from);
  return world.transactions.flatMap((row, at) => (isShown(row.container) ? [transactionRow(world, row, at)] : []));
}

/** The sessions of the open transactions; one that is being recovered has none. */
function sessions(world: OracleWorld, from: string): Rows {
  const isShown = showsContainer(world, from);
  return world.transactions.flatMap((row, at) =>
    row.user === null || !isShown(row.container)
      ? []
      : [[row.instance, row.container, address(at), BigInt(100 + at), 1n, row.user, row.clientId, "ACTIVE"]],
  );
}

/** The V$ view of a GV$ view: this instance only, and no INST_ID. */
function ofThisInstance(view: View): View {
  return {
    columns: view.columns.slice(1),
    rows: (world, container) =>
      view.rows(world, container).flatMap(([instance, ...rest]) => (instance === 1n ? [rest] : [])),
  };
}

const GV_TRANSACTION: View = { columns: TRANSACTION_COLUMNS, rows: transactions };
const GV_SESSION: View = { columns: SESSION_COLUMNS, rows: sessions };

const VIEWS: Readonly<Record<string, View>> = {
  DUAL: { columns: columns("DUMMY:1"), rows: () => [["X"]] },
  V$DATABASE: {
    columns: columns(
      "DBID NAME:9 CDB:3 LOG_MODE:12 OPEN_MODE:20 DATABASE_ROLE:16 CURRENT_SCN RESETLOGS_CHANGE# RESETLOGS_TIME@ " +
        "SUPPLEMENTAL_LOG_DATA_MIN:8 SUPPLEMENTAL_LOG_DATA_PK:3 SUPPLEMENTAL_LOG_DATA_ALL:3",
    ),
    rows: (world) => [
      [
        world.database.dbid,
        world.database.name,
        yes(world.database.cdb),
        world.database.logMode,
        world.database.openMode,
        world.database.role,
        world.currentScn(),
        world.database.resetlogsScn,
        date(world, world.database.resetlogsTime),
        world.database.supplementalLogMin,
        yes(world.database.supplementalLogPk ?? false),
        yes(world.database.supplementalLogAll ?? false),
      ],
    ],
  },
  V$THREAD: {
    columns: columns("THREAD# STATUS:6 ENABLED:8 SEQUENCE# ENABLE_CHANGE# DISABLE_CHANGE#"),
    rows: ({ threads }) =>
      threads.map((row) => [row.thread, row.status, row.enabled, row.sequence, row.enableScn, row.disableScn]),
  },
  V$ARCHIVE_DEST_STATUS: {
    columns: columns("DEST_ID DEST_NAME:256 STATUS:9 TYPE:16"),
    rows: ({ destinations }) => destinations.map((row) => [row.id, row.name, row.status, row.type]),
  },
  V$ARCHIVED_LOG: {
    columns: columns(
      "THREAD# SEQUENCE# FIRST_CHANGE# NEXT_CHANGE# FIRST_TIME@ NEXT_TIME@ NAME:513 STATUS:1 DELETED:3 DEST_ID " +
        "STANDBY_DEST:3 RESETLOGS_CHANGE# BLOCKS BLOCK_SIZE DICTIONARY_BEGIN:3 DICTIONARY_END:3",
    ),
    rows: (world) =>
      world.archivedLogs.map((row) => [
        row.thread,
        row.sequence,
        row.firstScn,
        row.nextScn,
        date(world, row.firstTime),
        date(world, row.nextTime),
        row.name,
        row.status,
        yes(row.deleted),
        row.destination,
        yes(row.standby),
        row.resetlogsScn,
        row.blocks,
        row.blockSize,
        yes(row.dictionary === "begin" || row.dictionary === "whole"),
        yes(row.dictionary === "end" || row.dictionary === "whole"),
      ]),
  },
  V$LOG: {
    columns: columns(
      "GROUP# THREAD# SEQUENCE# BYTES BLOCKSIZE MEMBERS ARCHIVED:3 STATUS:16 FIRST_CHANGE# FIRST_TIME@ NEXT_CHANGE#",
    ),
    rows: (world) =>
      world.onlineLogs.map((row) => [
        row.group,
        row.thread,
        row.sequence,
        row.bytes,
        512n,
        BigInt(row.members.length),
        yes(row.archived),
        row.status,
        row.firstScn,
        date(world, row.firstTime),
        row.nextScn,
      ]),
  },
  V$LOGFILE: {
    columns: columns("GROUP# STATUS:7 TYPE:7 MEMBER:513 IS_RECOVERY_DEST_FILE:3"),
    rows: ({ onlineLogs }) =>
      onlineLogs.flatMap(({ group, members }) =>
        members.map(({ name, status }) => [group, status, "ONLINE", name, "NO"]),
      ),
  },
  V$PARAMETER: {
    columns: columns("NAME:80 VALUE:4000"),
    rows: ({ parameters }) => Object.entries(parameters),
  },
  DBA_TAB_STATISTICS: {
    columns: columns("OWNER:128 TABLE_NAME:128 OBJECT_TYPE:12 LAST_ANALYZED@"),
    rows: (world) => {
      const analyzed = date(world, world.database.resetlogsTime);
      const fixed = Array.from({ length: Number(world.fixedStatistics) }, (_, at): readonly SqlValue[] => [
        "SYS",
        `X$KSLOOPBACK${at}`,
        "FIXED TABLE",
        analyzed,
      ]);
      return [["SYS", "X$KSNEVER", "FIXED TABLE", null], ["SYS", "OBJ$", "TABLE", analyzed], ...fixed];
    },
  },
  DBA_PDB_SAVED_STATES: {
    columns: columns("CON_NAME:128 STATE:14"),
    rows: ({ savedStates }) => savedStates.map((name) => [name, "OPEN"]),
  },
  ALL_USERS: {
    columns: columns("USERNAME:128"),
    rows: ({ users, rdsRetention }) =>
      [...Object.keys(users), ...(rdsRetention === undefined ? [] : ["RDSADMIN"])].map((name) => [name]),
  },
  GV$TRANSACTION: GV_TRANSACTION,
  GV$SESSION: GV_SESSION,
  V$TRANSACTION: ofThisInstance(GV_TRANSACTION),
  V$SESSION: ofThisInstance(GV_SESSION),
};

/** `VERSION` shows only the release since 18c, and `VERSION_FULL` all parts. */
function instance(world: OracleWorld): Relation {
  const row = [1n, world.database.name, "oracle-loopback"];
  const major = majorVersion(world);
  if (major < 18) return { columns: INSTANCE_COLUMNS, rows: [[...row, world.version, "OPEN"]] };
  return {
    columns: [...INSTANCE_COLUMNS, ...columns("VERSION_FULL:17")],
    rows: [[...row, `${major}.0.0.0.0`, "OPEN", world.version]],
  };
}

/** The table of Amazon RDS; undefined for other databases. */
function rdsConfiguration({ rdsRetention }: OracleWorld): Relation | undefined {
  if (rdsRetention === undefined) return undefined;
  return { columns: columns("NAME:100 VALUE:100"), rows: [["archivelog retention hours", rdsRetention]] };
}

/** Maps the view `SYS.V_$LOG` to its public synonym `V$LOG`. */
function plainName(name: string): string {
  return name.replace(/^(SYS|SYSTEM)\./, "").replace(/^(G?V)_\$/, "$1$");
}

/** The view of a session's own LogMiner. */
const CONTENTS = "V$LOGMNR_CONTENTS";

/** Views that every database has, but that have no rows here: a statement that names one can be parsed. */
const NOT_SERVED: ReadonlySet<string> = new Set([
  "V$LOGMNR_LOGS",
  "V$LOGMNR_PARAMETERS",
  "V$PDBS",
  "V$PROCESS",
  "V$SQL",
  "V$VERSION",
]);

/**
 * Whether a view is denied: views of the dictionary require this privilege, and each of the others a grant of its own.
 */
function isDenied({ denied }: OracleWorld, name: string): boolean {
  return denied.has(name) || (/^(?:CDB|DBA)_/.test(name) && denied.has("SELECT ANY DICTIONARY"));
}

/** Whether a statement that names the view can be parsed. */
export function isReadable(world: OracleWorld, name: string): boolean {
  const plain = plainName(name);
  if (isDenied(world, plain)) return false;
  return (
    [VIEWS, DICTIONARY_VIEWS].some((views) => plain in views) ||
    plain === "V$INSTANCE" ||
    plain === CONTENTS ||
    NOT_SERVED.has(plain)
  );
}

/** @returns undefined for a view that does not exist or is not granted: the database does not distinguish the two */
export function viewNamed(
  world: OracleWorld,
  { container, miner }: { readonly container: string; readonly miner: LogMiner },
  user: string,
  name: string,
): Relation | undefined {
  const plain = plainName(name);
  if (isDenied(world, plain)) return undefined;
  if (plain === CONTENTS) return minedContents(world, miner);
  if (plain === "V$INSTANCE") return instance(world);
  if (plain === "RDSADMIN.RDS_CONFIGURATION") return rdsConfiguration(world);
  const view = VIEWS[plain] ?? DICTIONARY_VIEWS[plain];
  return view === undefined
    ? sessionView(world, container, user, plain)
    : { columns: view.columns, rows: withoutLeftOut(world, plain, view.rows(world, container)) };
}
