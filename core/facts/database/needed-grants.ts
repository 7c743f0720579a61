import { identifier, quoted } from "../../values/table-name.ts";

/*
 * What the capture user needs (reference: Oracle, "Capture user's grants").
 */

/**
 * A grant that the connector needs: `doctor setup-sql` writes it into a script, `doctor check` verifies that it is in
 * effect.
 */
export interface NeededGrant {
  /** The name in GRANT: a privilege, a role, or the object that SELECT or EXECUTE is granted on. */
  readonly name: string;
  readonly is: "privilege" | "role" | "view" | "package";
  /** `to mine redo`. */
  readonly why: string;
  readonly containersOnly?: true;
  /** Also used inside the captured PDBs. */
  readonly inPdbs?: true;
  /** Only to write dictionaries, which are off where an SCN range is mined. */
  readonly toBuild?: true;
  /** Grants on each captured table can replace it. */
  readonly orTableByTable?: true;
}

/** Dynamic performance views are public synonyms, which can't be granted: the views behind them are. */
const SHOWS: Readonly<Record<string, string>> = {
  V_$DATABASE: "log mode, role, current SCN and incarnation",
  V_$INSTANCE: "the version",
  V_$LOG: "online logs",
  V_$LOGFILE: "files of online logs",
  V_$ARCHIVED_LOG: "archived logs",
  V_$ARCHIVE_DEST_STATUS: "archive destinations",
  V_$THREAD: "redo threads",
  V_$TRANSACTION: "open transactions",
  GV_$TRANSACTION: "open transactions of every instance",
  V_$SESSION: "who has a transaction open",
  GV_$SESSION: "who has a transaction open, in every instance",
  V_$PROCESS: "the miner's own process",
  V_$LOGMNR_CONTENTS: "mined changes",
  V_$LOGMNR_LOGS: "logs of the miner's session",
  V_$LOGMNR_PARAMETERS: "parameters of the miner's session",
  V_$PDBS: "PDBs",
  V_$CONTAINERS: "containers",
  V_$VERSION: "the version",
  V_$PARAMETER: "parameters of the instance",
  V_$SQL: "statements of the miner",
};

/** Everything that the script grants, in order. All objects belong to SYS. */
export const NEEDED_GRANTS: readonly NeededGrant[] = [
  { name: "CREATE SESSION", is: "privilege", why: "to connect" },
  {
    name: "SET CONTAINER",
    is: "privilege",
    why: "to read tables and their columns in each PDB",
    containersOnly: true,
    inPdbs: true,
  },
  { name: "LOGMINING", is: "privilege", why: "to mine redo" },
  { name: "EXECUTE_CATALOG_ROLE", is: "role", why: "to mine redo" },
  { name: "SELECT ANY TABLE", is: "privilege", why: "to take snapshots", inPdbs: true, orTableByTable: true },
  {
    name: "FLASHBACK ANY TABLE",
    is: "privilege",
    why: "to take snapshots as of an SCN",
    inPdbs: true,
    orTableByTable: true,
  },
  { name: "SELECT ANY DICTIONARY", is: "privilege", why: "to find tables, columns and keys" },
  { name: "SELECT ANY TRANSACTION", is: "privilege", why: "to see open transactions" },
  { name: "DBMS_LOGMNR", is: "package", why: "to mine redo" },
  { name: "DBMS_LOGMNR_D", is: "package", why: "to write dictionaries into the redo", toBuild: true },
  ...Object.entries(SHOWS).map(([name, shown]): NeededGrant => ({ name, is: "view", why: `to see ${shown}` })),
];

/** The privilege granted on an object; undefined for privileges and roles themselves. */
export function privilegeOn({ is }: Pick<NeededGrant, "is">): "SELECT" | "EXECUTE" | undefined {
  if (is === "view") return "SELECT";
  return is === "package" ? "EXECUTE" : undefined;
}

/** The statement that grants it, to be run as SYS; `CONTAINER=ALL` where a common user needs it in every container. */
export function grantStatement(grant: NeededGrant, user: string, everywhere: boolean): string {
  const privilege = privilegeOn(grant);
  const what = privilege === undefined ? grant.name : `${privilege} ON SYS.${grant.name}`;
  return `GRANT ${what} TO ${identifier(user)}${everywhere ? " CONTAINER=ALL" : ""};`;
}

/** Lets a common user see all containers from the root. */
export function containerDataStatement(user: string): string {
  return `ALTER USER ${identifier(user)} SET CONTAINER_DATA=ALL CONTAINER=CURRENT;`;
}

/** Logs all columns of a table, run in its own PDB. Names are quoted: a table may be called ORDER. */
export function allColumnsLogged(owner: string, table: string): string {
  return `ALTER TABLE ${quoted(owner)}.${quoted(table)} ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;`;
}
