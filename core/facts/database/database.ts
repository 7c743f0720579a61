import type { Database, ScnTime } from "../../../schemas/generated/facts.ts";
import { millisBetween } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
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
