/** The views that are read, the columns of each, and what the login needs to read it (reference: Oracle, "Views"). */
export interface ViewRead {
  readonly columns: readonly string[];
  /** The object that SELECT is granted on: V$ names are public synonyms, which can't be granted. */
  readonly grantOn: string;
}

export const VIEWS = {
  V$DATABASE: {
    columns: ["DBID", "NAME", "CDB", "LOG_MODE", "OPEN_MODE", "DATABASE_ROLE", "CURRENT_SCN", "RESETLOGS_CHANGE#"],
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
    ],
    grantOn: "V_$ARCHIVED_LOG",
  },
  V$LOG: {
    columns: ["GROUP#", "THREAD#", "SEQUENCE#", "FIRST_CHANGE#", "NEXT_CHANGE#", "STATUS", "ARCHIVED", "BYTES"],
    grantOn: "V_$LOG",
  },
  V$LOGFILE: { columns: ["GROUP#", "MEMBER", "TYPE", "STATUS"], grantOn: "V_$LOGFILE" },
  GV$TRANSACTION: {
    columns: ["INST_ID", "SES_ADDR", "CON_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_DATE"],
    grantOn: "GV_$TRANSACTION",
  },
  GV$SESSION: { columns: ["INST_ID", "SADDR", "USERNAME", "CLIENT_IDENTIFIER"], grantOn: "GV_$SESSION" },
} as const satisfies Readonly<Record<string, ViewRead>>;

export type View = keyof typeof VIEWS;

/** Views that a statement names, in the order in which it names them first. */
export function viewsIn(sql: string): readonly View[] {
  const named = [...sql.toUpperCase().matchAll(/\bG?V\$\w+/g)].map(([name]) => name);
  return [...new Set(named)].filter((name): name is View => Object.hasOwn(VIEWS, name));
}

/**
 * The view that an error is about.
 *
 * @param offset where in the statement the server found it, characters from 0; undefined or 0 when it did not say
 * @returns the one at the offset, else every view that the statement reads
 */
export function viewsBlamed(sql: string, offset: number | undefined): readonly View[] {
  const at = offset === undefined || offset === 0 ? undefined : /^(?:SYS\.)?(G?V\$\w+)/i.exec(sql.slice(offset))?.[1];
  const view = at?.toUpperCase();
  return view !== undefined && Object.hasOwn(VIEWS, view) ? [view as View] : viewsIn(sql);
}

/** @returns the statement an administrator runs; `CONTAINER=ALL` for a common user, who has to see it in every container */
export function grantOf(view: View, user: string): string {
  return `GRANT SELECT ON ${VIEWS[view].grantOn} TO ${grantee(user)};`;
}

export function grantOfLogMiner(user: string): string {
  return `GRANT EXECUTE ON DBMS_LOGMNR TO ${grantee(user)};`;
}

/** What LogMiner itself asks for besides EXECUTE. */
export function grantOfLogMining(user: string): string {
  return `GRANT LOGMINING, EXECUTE_CATALOG_ROLE TO ${grantee(user)};`;
}

function grantee(user: string): string {
  return /^c##/i.test(user) ? `${user} CONTAINER=ALL` : user;
}
