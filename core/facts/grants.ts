/**
 * What the capture user needs (reference: Oracle, "Capture user's grants"). `doctor setup-sql` writes it as a script, `doctor check` compares with it.
 */

/** A system privilege or a role. */
export interface SystemGrant {
  readonly privilege: string;
  /** In a database without containers there is no such privilege. */
  readonly containersOnly?: true;
  readonly why: string;
}

/** EXECUTE on a package, SELECT on a view; all are SYS's. */
export interface ObjectGrant {
  readonly privilege: "SELECT" | "EXECUTE";
  readonly on: string;
}

export const SYSTEM_GRANTS: readonly SystemGrant[] = [
  { privilege: "CREATE SESSION", why: "to connect" },
  { privilege: "SET CONTAINER", containersOnly: true, why: "to read tables and their columns in each PDB" },
  { privilege: "LOGMINING", why: "to mine redo" },
  { privilege: "EXECUTE_CATALOG_ROLE", why: "to mine redo" },
  { privilege: "SELECT ANY TABLE", why: "to take snapshots" },
  { privilege: "FLASHBACK ANY TABLE", why: "to take snapshots as of an SCN" },
  { privilege: "SELECT ANY DICTIONARY", why: "to find tables, columns and keys" },
  { privilege: "SELECT ANY TRANSACTION", why: "to see open transactions" },
];

/** Dynamic performance views are public synonyms, which can't be granted: the views behind them are. */
export const VIEWS_GRANTED = [
  "V_$DATABASE",
  "V_$INSTANCE",
  "V_$LOG",
  "V_$LOGFILE",
  "V_$ARCHIVED_LOG",
  "V_$ARCHIVE_DEST_STATUS",
  "V_$THREAD",
  "V_$TRANSACTION",
  "GV_$TRANSACTION",
  "V_$SESSION",
  "GV_$SESSION",
  "V_$PROCESS",
  "V_$LOGMNR_CONTENTS",
  "V_$LOGMNR_LOGS",
  "V_$LOGMNR_PARAMETERS",
  "V_$PDBS",
  "V_$CONTAINERS",
  "V_$VERSION",
  "V_$PARAMETER",
  "V_$SQL",
] as const;

export const OBJECT_GRANTS: readonly ObjectGrant[] = [
  { privilege: "EXECUTE", on: "DBMS_LOGMNR" },
  { privilege: "EXECUTE", on: "DBMS_LOGMNR_D" },
  ...VIEWS_GRANTED.map((on): ObjectGrant => ({ privilege: "SELECT", on })),
];
