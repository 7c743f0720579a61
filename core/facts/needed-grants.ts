import { identifier } from "../values/identifier.ts";
import { OBJECT_GRANTS, SYSTEM_GRANTS, type VIEWS_GRANTED } from "./grants.ts";

/** A grant as `doctor check` looks for it: by what shows that it is in effect. */
export interface NeededGrant {
  /** As GRANT names it: a privilege, a role, or the object that SELECT or EXECUTE is granted on. */
  readonly name: string;
  readonly is: "privilege" | "role" | "view" | "package";
  /** `to mine redo`. */
  readonly why: string;
  /** Only in a container database. */
  readonly containersOnly?: true;
  /** Also used inside of the captured PDBs. */
  readonly inPdbs?: true;
  /** Grants on each captured table can stand in for it. */
  readonly orTableByTable?: true;
}

const ALSO: Readonly<Record<string, Pick<NeededGrant, "inPdbs" | "orTableByTable">>> = {
  "SET CONTAINER": { inPdbs: true },
  "SELECT ANY TABLE": { inPdbs: true, orTableByTable: true },
  "FLASHBACK ANY TABLE": { inPdbs: true, orTableByTable: true },
};

const SHOWS: { readonly [V in (typeof VIEWS_GRANTED)[number]]: string } = {
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

/** Everything that a script grants, in its order. */
export const NEEDED_GRANTS: readonly NeededGrant[] = [
  ...SYSTEM_GRANTS.map(
    ({ privilege, why, containersOnly }): NeededGrant => ({
      name: privilege,
      is: privilege.endsWith("_ROLE") ? "role" : "privilege",
      why,
      ...(containersOnly === undefined ? {} : { containersOnly }),
      ...ALSO[privilege],
    }),
  ),
  ...OBJECT_GRANTS.map(({ privilege, on }): NeededGrant => {
    if (privilege === "EXECUTE") return { name: on, is: "package", why: "to mine redo" };
    return { name: on, is: "view", why: `to see ${(SHOWS as Readonly<Record<string, string>>)[on] ?? "it"}` };
  }),
];

/** The statement that grants it, to be run as SYS; `CONTAINER=ALL` where a common user needs it in every container. */
export function grantStatement({ name, is }: NeededGrant, user: string, everywhere: boolean): string {
  const what = is === "view" ? `SELECT ON ${name}` : is === "package" ? `EXECUTE ON ${name}` : name;
  return `GRANT ${what} TO ${identifier(user)}${everywhere ? " CONTAINER=ALL" : ""};`;
}

/** Lets a common user see all containers from the root. */
export function containerDataStatement(user: string): string {
  return `ALTER USER ${identifier(user)} SET CONTAINER_DATA=ALL CONTAINER=CURRENT;`;
}
