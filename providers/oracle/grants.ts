/** A view that is read: its columns, and the grant that the login needs (reference: Oracle, "Views"). */
export interface ViewRead {
  readonly columns: readonly string[];
  /**
   * The object that SELECT is granted on: V$ names are public synonyms, which can't be granted. Views of the dictionary
   * have none: they come with SELECT ANY DICTIONARY (reference: Oracle, "Capture user's grants").
   */
  readonly grantOn?: string;
}

export const VIEWS = {
  V$DATABASE: {
    columns: [
      "DBID",
      "NAME",
      "CDB",
      "LOG_MODE",
      "OPEN_MODE",
      "DATABASE_ROLE",
      "CURRENT_SCN",
      "RESETLOGS_CHANGE#",
      "SUPPLEMENTAL_LOG_DATA_MIN",
      "SUPPLEMENTAL_LOG_DATA_PK",
      "SUPPLEMENTAL_LOG_DATA_ALL",
    ],
    grantOn: "V_$DATABASE",
  },
  V$INSTANCE: { columns: ["VERSION_FULL", "VERSION"], grantOn: "V_$INSTANCE" },
  V$THREAD: {
    columns: ["THREAD#", "ENABLED", "STATUS", "SEQUENCE#", "ENABLE_CHANGE#", "DISABLE_CHANGE#"],
    grantOn: "V_$THREAD",
  },
  V$ARCHIVE_DEST_STATUS: { columns: ["DEST_ID", "DEST_NAME", "STATUS", "TYPE"], grantOn: "V_$ARCHIVE_DEST_STATUS" },
  V$ARCHIVED_LOG: {
    columns: [
      "THREAD#",
      "SEQUENCE#",
      "FIRST_CHANGE#",
      "NEXT_CHANGE#",
      "NAME",
      "STATUS",
      "DELETED",
      "DEST_ID",
      "STANDBY_DEST",
      "RESETLOGS_CHANGE#",
      "BLOCKS",
      "BLOCK_SIZE",
      "FIRST_TIME",
      "NEXT_TIME",
      "DICTIONARY_BEGIN",
      "DICTIONARY_END",
    ],
    grantOn: "V_$ARCHIVED_LOG",
  },
  V$LOG: {
    columns: ["GROUP#", "THREAD#", "SEQUENCE#", "FIRST_CHANGE#", "NEXT_CHANGE#", "STATUS", "ARCHIVED", "BYTES"],
    grantOn: "V_$LOG",
  },
  V$PARAMETER: { columns: ["NAME", "VALUE"], grantOn: "V_$PARAMETER" },
  V$LOGMNR_CONTENTS: {
    columns: ["SRC_CON_NAME", "SEG_OWNER", "TABLE_NAME", "OPERATION", "SQL_REDO"],
    grantOn: "V_$LOGMNR_CONTENTS",
  },
  V$LOGFILE: { columns: ["GROUP#", "MEMBER", "TYPE", "STATUS"], grantOn: "V_$LOGFILE" },
  GV$TRANSACTION: {
    columns: ["INST_ID", "SES_ADDR", "CON_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_DATE"],
    grantOn: "GV_$TRANSACTION",
  },
  GV$SESSION: { columns: ["INST_ID", "SADDR", "USERNAME", "CLIENT_IDENTIFIER"], grantOn: "GV_$SESSION" },
  V$CONTAINERS: { columns: ["CON_ID", "NAME", "OPEN_MODE", "RESTRICTED"], grantOn: "V_$CONTAINERS" },
  CDB_TABLES: {
    columns: [
      "CON_ID",
      "OWNER",
      "TABLE_NAME",
      "TEMPORARY",
      "NESTED",
      "IOT_TYPE",
      "DROPPED",
      "LAST_ANALYZED",
      "NUM_ROWS",
      "AVG_ROW_LEN",
      "ROW_MOVEMENT",
    ],
  },
  DBA_PDB_SAVED_STATES: { columns: ["CON_NAME", "STATE"] },
  DBA_TAB_STATISTICS: { columns: ["OBJECT_TYPE", "LAST_ANALYZED"] },
  CDB_USERS: { columns: ["CON_ID", "USERNAME", "ORACLE_MAINTAINED"] },
  CDB_OBJECTS: {
    columns: ["CON_ID", "OWNER", "OBJECT_NAME", "OBJECT_TYPE", "LAST_DDL_TIME", "ORACLE_MAINTAINED"],
  },
  CDB_TAB_MODIFICATIONS: {
    columns: [
      "CON_ID",
      "TABLE_OWNER",
      "TABLE_NAME",
      "PARTITION_NAME",
      "SUBPARTITION_NAME",
      "INSERTS",
      "UPDATES",
      "DELETES",
      "TRUNCATED",
      "TIMESTAMP",
    ],
  },
  DBA_TAB_COLS: { columns: ["OWNER", "TABLE_NAME", "COLUMN_NAME", "DEFAULT_LENGTH", "DATA_DEFAULT"] },
  CDB_TAB_COLS: {
    columns: [
      "DEFAULT_LENGTH",
      "CON_ID",
      "OWNER",
      "TABLE_NAME",
      "COLUMN_NAME",
      "COLUMN_ID",
      "INTERNAL_COLUMN_ID",
      "DATA_TYPE",
      "DATA_PRECISION",
      "DATA_SCALE",
      "NULLABLE",
      "VIRTUAL_COLUMN",
      "HIDDEN_COLUMN",
      "USER_GENERATED",
      "IDENTITY_COLUMN",
    ],
  },
  CDB_CONSTRAINTS: { columns: ["CON_ID", "OWNER", "CONSTRAINT_NAME", "CONSTRAINT_TYPE", "TABLE_NAME", "STATUS"] },
  CDB_CONS_COLUMNS: { columns: ["CON_ID", "OWNER", "CONSTRAINT_NAME", "COLUMN_NAME", "POSITION"] },
  CDB_INDEXES: {
    columns: ["CON_ID", "OWNER", "INDEX_NAME", "TABLE_OWNER", "TABLE_NAME", "UNIQUENESS", "STATUS"],
  },
  CDB_LOG_GROUPS: { columns: ["CON_ID", "OWNER", "LOG_GROUP_NAME", "TABLE_NAME", "LOG_GROUP_TYPE", "ALWAYS"] },
  CDB_LOG_GROUP_COLUMNS: {
    columns: ["CON_ID", "OWNER", "LOG_GROUP_NAME", "TABLE_NAME", "COLUMN_NAME", "LOGGING_PROPERTY"],
  },
  CDB_SUPPLEMENTAL_LOGGING: { columns: ["CON_ID", "PRIMARY_KEY", "ALL_COLUMN"] },
  CDB_NESTED_TABLES: { columns: ["CON_ID", "OWNER", "TABLE_NAME", "PARENT_TABLE_NAME", "PARENT_TABLE_COLUMN"] },
  CDB_IND_COLUMNS: { columns: ["CON_ID", "INDEX_OWNER", "INDEX_NAME", "COLUMN_NAME", "COLUMN_POSITION"] },
} as const satisfies Readonly<Record<string, ViewRead>>;

type View = keyof typeof VIEWS;

/** Returns the views that a statement names, in the order of their first occurrence. */
export function viewsIn(sql: string): readonly View[] {
  const named = [...sql.toUpperCase().matchAll(/\b(?:G?V\$|(?:CDB|DBA)_)\w+/g)].map(([name]) => name);
  return [...new Set(named)].filter((name): name is View => Object.hasOwn(VIEWS, name));
}

/**
 * Returns the views that an error may concern.
 *
 * @param offset where in the statement the server found it, characters from 0; undefined or 0 if it did not report one
 * @returns the view at the offset, otherwise every view that the statement reads
 */
export function viewsBlamed(sql: string, offset: number | undefined): readonly View[] {
  const at =
    offset === undefined || offset === 0
      ? undefined
      : /^(?:SYS\.)?((?:G?V\$|(?:CDB|DBA)_)\w+)/i.exec(sql.slice(offset))?.[1];
  const view = at?.toUpperCase();
  return view !== undefined && Object.hasOwn(VIEWS, view) ? [view as View] : viewsIn(sql);
}

/** A user who lacks a privilege. */
export interface Grantee {
  readonly user: string;
  /**
   * `USER_USERS.COMMON`: a user of all containers. Undefined if the database did not report it; the name does not show
   * it, see `COMMON_USER_PREFIX`.
   */
  readonly common?: boolean | undefined;
}

/** @returns the statement an administrator runs; `CONTAINER=ALL` for a common user, who needs it in every container */
export function grantOf(view: View, to: Grantee): string {
  const { grantOn }: ViewRead = VIEWS[view];
  return granted(grantOn === undefined ? "SELECT ANY DICTIONARY" : `SELECT ON ${grantOn}`, to);
}

/** The grant to switch between containers. */
export function grantOfSetContainer(to: Grantee): string {
  return granted("SET CONTAINER", to);
}

/** The grant to read tables of other users. */
export function grantOfTables(to: Grantee): string {
  return granted("SELECT ANY TABLE", to);
}

/** The grant to read earlier versions of tables of other users. */
export function grantOfFlashback(to: Grantee): string {
  return granted("FLASHBACK ANY TABLE", to);
}

export function grantOfLogMiner(to: Grantee): string {
  return granted("EXECUTE ON DBMS_LOGMNR", to);
}

/** The grants that LogMiner itself requires in addition to EXECUTE. */
export function grantOfLogMining(to: Grantee): string {
  return granted("LOGMINING, EXECUTE_CATALOG_ROLE", to);
}

function granted(what: string, { user, common }: Grantee): string {
  if (common === true) return `GRANT ${what} TO ${user} CONTAINER=ALL;`;
  const inDoubt =
    common === undefined ? " (with CONTAINER=ALL where it is a common user, which could not be seen)" : "";
  return `GRANT ${what} TO ${user};${inDoubt}`;
}
