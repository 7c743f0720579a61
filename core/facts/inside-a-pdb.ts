import type { DatabaseSeen } from "./database.ts";
import type { ConnectorSettings } from "./settings.ts";

export const ROOT = "CDB$ROOT";

/** Whether a login leads into a PDB: `V$DATABASE.CDB` is YES there as well as in the root. */
export function isInsideAPdb({ container, connectedTo }: Pick<DatabaseSeen, "container" | "connectedTo">): boolean {
  return container && connectedTo !== ROOT;
}

/**
 * Whether the task goes from one container into another. It mines and reads where it logged in when that is a PDB, and
 * where `cdc.mining.mode` is `range`.
 *
 * Rule: reference: Oracle, "Capture user's grants".
 */
export function goesIntoContainers(
  database: Pick<DatabaseSeen, "container" | "connectedTo">,
  { miningMode }: Pick<ConnectorSettings, "miningMode">,
): boolean {
  return database.container && !isInsideAPdb(database) && miningMode !== "range";
}
