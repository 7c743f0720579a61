import type { OracleWorld } from "../../oracle/world.ts";
import { capturedTables } from "./captured-tables.ts";
import { stopWith } from "./stopped-task.ts";

type Config = Readonly<Record<string, string>>;

/**
 * Checks the database before an offset is read.
 *
 * Rule: reference, connector rules, "Where the database may be mined"; source: `TopologyGuard`.
 *
 * @throws Error with CDC-5001
 */
export function requireMinable(config: Config, oracle: OracleWorld): void {
  const refused = roleRefused(oracle.database, config["cdc.capture.mode"] === "archive_only");
  if (refused !== undefined) throw stopWith("CDC-5001", refused.what, refused.action);
  const enabled = oracle.threads.filter((thread) => thread.enabled !== "DISABLED");
  if (enabled.length > 1)
    throw stopWith(
      "CDC-5001",
      `The database has ${enabled.length} enabled redo threads ` +
        `(${oracle.threads.map(({ thread, status }) => `thread ${thread} ${status}`).join(", ")}). This release ` +
        "captures a single redo thread: with one cursor the connector would skip or repeat whole threads.",
      "Run the connector against a single-instance database.",
    );
  if (config["cdc.mining.mode"] === "logs" && isInsidePdb(config, oracle))
    throw stopWith(
      "CDC-5001",
      "cdc.mining.mode=logs adds redo logs itself, which is not possible inside a PDB.",
      "Set cdc.mining.mode to auto or range, or connect to the root.",
    );
}

/** `auto`, the default, chooses range inside a PDB. */
export function minesInRange(config: Config, oracle: OracleWorld): boolean {
  const mode = config["cdc.mining.mode"] ?? "auto";
  return mode === "range" || (mode === "auto" && isInsidePdb(config, oracle));
}

/**
 * Requires a dictionary: there are no builds in range mode, so that nothing decodes rows from before a DDL. What the
 * redo before it holds is not written down here: rows of the table are assumed.
 *
 * @throws Error with CDC-6001 for a captured table whose last DDL lies between the resume SCN and now
 */
export function requireDictionary(config: Config, oracle: OracleWorld, resumeScn: bigint): void {
  if (!minesInRange(config, oracle)) return;
  const from = oracle.scnTimes.timeOf(resumeScn);
  const changed = capturedTables(config, oracle).find(({ row }) => row.lastDdl !== undefined && row.lastDdl > from);
  if (changed === undefined) return;
  throw stopWith(
    "CDC-6001",
    `Rows of ${changed.name} were written before a DDL on it, and in range mode no dictionary in the redo covers them.`,
    "Move the offset past the DDL, clear the table's key on the schema topic, and snapshot the table.",
  );
}

/** `archive_only` on a standby ends at the applied SCN: what has not been applied is not mined. */
export function minedUpTo(config: Config, oracle: OracleWorld, position: bigint): bigint {
  const isStandby = config["cdc.capture.mode"] === "archive_only" && oracle.database.role === "PHYSICAL STANDBY";
  const applied = oracle.currentScn();
  return isStandby && applied < position ? applied : position;
}

function isInsidePdb(config: Config, { services, database }: OracleWorld): boolean {
  if (!database.cdb) return false;
  const service = (config["cdc.database.service"] ?? "").toUpperCase();
  const container = Object.entries(services).find(([name]) => name.toUpperCase() === service)?.[1];
  return container !== undefined && container !== "CDB$ROOT";
}

function roleRefused({ role, openMode }: OracleWorld["database"], archiveOnly: boolean) {
  if (role === "PRIMARY" && openMode === "READ WRITE") return undefined;
  if (!archiveOnly)
    return {
      what: `cdc.capture.mode=online needs a PRIMARY database open READ WRITE; this one is ${role} ${openMode}.`,
      action:
        "Point the connector at the primary, or use cdc.capture.mode=archive_only on an Active Data Guard standby " +
        "open read-only.",
    };
  if (role === "PHYSICAL STANDBY" && openMode.startsWith("READ ONLY")) return undefined;
  return {
    what:
      `The database is ${role} ${openMode}. Archive-only capture reads a primary or a physical standby open ` +
      "READ ONLY.",
    action: "Open the standby read-only (Active Data Guard), or point the connector at the primary.",
  };
}
