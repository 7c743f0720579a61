import type { ContainerSeen, Database, ScnTime } from "../../../schemas/generated/facts.ts";
import type { Instant } from "../../values/instant.ts";
import { millisBetween } from "../../values/instant.ts";
import type { Advice } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import { identifier } from "../../values/table-name.ts";
import { earliestByWrongHour } from "../../values/zone-change.ts";
import type { Observed } from "../observed.ts";

/** One reading of `V$DATABASE`, `V$INSTANCE` and the session. */
export interface DatabaseSeen extends Omit<Database, "address"> {}

export const ROOT = "CDB$ROOT";

/** Whether a login is connected to a PDB: `V$DATABASE.CDB` is YES there as well as in the root. */
export function isInsideAPdb({ container, connectedTo }: Pick<DatabaseSeen, "container" | "connectedTo">): boolean {
  return container && connectedTo !== ROOT;
}

/**
 * Whether Oracle chooses the logs for an SCN range, and the task adds none.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 */
export function minesInRange(
  database: Pick<DatabaseSeen, "container" | "connectedTo">,
  { miningMode }: { readonly miningMode: string },
): boolean {
  return miningMode === "range" || (miningMode !== "logs" && isInsideAPdb(database));
}

/**
 * Whether the task mines a database in this role and open mode. In any other it stops with CDC-5001, at its start and
 * after each reconnect.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 */
export function roleMined(
  { role, openMode }: Pick<DatabaseSeen, "role" | "openMode">,
  captureMode: "online" | "archive_only",
): boolean {
  if (role === "PRIMARY") return openMode === "READ WRITE";
  return captureMode === "archive_only" && role === "PHYSICAL STANDBY" && openMode.startsWith("READ ONLY");
}

/**
 * Whether the task switches containers. It mines and reads where it logged in if that is a PDB, or if `cdc.mining.mode`
 * is `range`.
 *
 * Rule: reference: Oracle, "Capture user's grants".
 */
export function goesIntoContainers(
  database: Pick<DatabaseSeen, "container" | "connectedTo">,
  { miningMode }: { readonly miningMode: string },
): boolean {
  return database.container && !isInsideAPdb(database) && miningMode !== "range";
}

/** Whether the task itself adds log files to its LogMiner sessions: not from inside one PDB. */
export function probeApplies({
  connector,
  database,
}: {
  readonly connector: { readonly miningMode: string };
  readonly database: { readonly container: boolean; readonly connectedTo: string };
}): boolean {
  return connector.miningMode !== "range" && !isInsideAPdb(database);
}

/** Milliseconds between two SCNs; undefined if the database does not know the time of one. */
export function span(from: Scn, to: Scn, times: Observed<readonly ScnTime[]>): bigint | undefined {
  const at = (scn: Scn) => (times.known ? times.value.find((time) => time.scn === scn)?.at : undefined);
  const [start, end] = [at(from), at(to)];
  return start === undefined || end === undefined ? undefined : BigInt(Math.max(0, millisBetween(start, end)));
}

/** A PDB of `cdc.database.pdbs` that this login can't see into, and the remedy. */
export interface HiddenPdb {
  readonly why: string;
  readonly remedy: Advice;
}

/** `CON_ID` in a database without containers. */
const NO_CONTAINER = 0n;

/**
 * The first PDB, of those configured, that the login does not see or that is not open. From the root, views show only
 * rows within the login's CONTAINER_DATA and silently omit the others: `GV$` as well as `CDB_` views.
 *
 * A session inside a PDB sees only that PDB, whatever its CONTAINER_DATA, so no grant shows it another one.
 *
 * Rule: Oracle Database Security Guide, "Enabling Common Users to View CONTAINER_DATA Object Information".
 */
export function hiddenPdb(pdbs: readonly string[], containers: readonly ContainerSeen[]): HiddenPdb | undefined {
  const inside = pdbOfSession(containers);
  const [only] = containers;
  if (pdbs.length > 0 && only?.id === NO_CONTAINER)
    return {
      why: `${only.name} has no containers, but cdc.database.pdbs names ${pdbs.join(", ")}`,
      remedy: "Remove cdc.database.pdbs from the configuration, or connect to the container database.",
    };
  for (const pdb of pdbs) {
    const container = containers.find(({ name }) => isNamed(name, pdb));
    if (container === undefined && inside !== undefined)
      return {
        why: `this login is inside ${inside} and does not see the PDB ${pdb} of cdc.database.pdbs`,
        remedy: remedyInside(inside, pdb),
      };
    if (container === undefined)
      return {
        why: `this login does not see the PDB ${pdb} of cdc.database.pdbs, or no such PDB exists`,
        remedy: {
          text: "Let this login (USER) see all containers",
          sql: "ALTER USER USER SET CONTAINER_DATA=ALL CONTAINER=CURRENT;",
        },
      };
    if (!container.openMode.startsWith("READ"))
      return {
        why: `the PDB ${container.name} is ${container.openMode} and not open`,
        remedy: { text: "Open it", sql: `ALTER PLUGGABLE DATABASE ${identifier(container.name)} OPEN;` },
      };
  }
  return undefined;
}

/** The remedy for a login that connects to a PDB other than the captured one. */
export function remedyInside(inside: string, pdb: string): string {
  return (
    `Connect as a common user to the root, not to ${inside} (cdc.database.service). To mine from inside the PDB ` +
    `(cdc.mining.mode=range), connect to ${pdb} itself.`
  );
}

/** The PDB that a session is inside: only sessions of the root see the root, whatever their CONTAINER_DATA. */
function pdbOfSession(containers: readonly ContainerSeen[]): string | undefined {
  return containers.some(({ name }) => name === ROOT) ? undefined : containers[0]?.name;
}

/** PDB names are upper-case, however a setting writes them. */
export function isNamed(name: string, pdb: string): boolean {
  return name.toUpperCase() === pdb.toUpperCase();
}

/**
 * Whether the containers have to be read to know that no configured PDB is hidden: not without containers, nor inside
 * the configured PDB.
 */
export function mayHidePdbs(
  pdbs: readonly string[],
  { container, connectedTo }: Pick<DatabaseSeen, "container" | "connectedTo">,
): boolean {
  return container && pdbs.some((pdb) => !isNamed(connectedTo, pdb));
}

/** The database server's clock: it shows its offset from UTC (`+01:00`), but not the rules for changing it. */
export interface ServerClock {
  readonly zone: string;
  readonly now: Instant;
}

/**
 * Explains in one sentence with which offset times were converted, and which of them may be an hour off; undefined if
 * all are right whatever the rules.
 *
 * @param times as the database's statements return them: converted with the current offset
 */
export function timesInDoubt({ zone, now }: ServerClock, times: readonly Instant[]): string | undefined {
  const earliest = earliestByWrongHour(zone, times, now);
  return earliest === undefined
    ? undefined
    : `times are converted with the database server's current offset, ${zone}; times before the last change of its ` +
        `clock, such as ${earliest}, may be an hour off`;
}
