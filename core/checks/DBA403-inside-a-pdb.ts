import type { ConnectorKind } from "../document/intent.ts";
import { isInsideAPdb } from "../facts/database/database.ts";
import { type Check, fail, fine, unknown } from "./check.ts";
import { databaseIn } from "./database.ts";
import { settingsIn } from "./settings.ts";

/**
 * Every check looks from CDB$ROOT; from inside a PDB some views show that PDB only.
 *
 * Rule: reference: Oracle, first paragraph.
 */
export const insideAPdb: Check<ConnectorKind | "Cutover" | "Preflight"> = {
  code: "DBA403",
  title: "The login leads into a PDB",
  problem: "LogMiner refuses log files inside a PDB, and the dictionary shows that PDB only.",
  remedy:
    "Let cdc.database.service name the root's service; or set cdc.mining.mode=range if mining from inside the " +
    "PDB is meant.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const database = databaseIn(facts);
    if (!database.known) return unknown(database.why, database.remedy);
    const { container, connectedTo, name } = database.value;
    if (!container) return fine(`${name} has no containers`);
    if (!isInsideAPdb(database.value)) return fine(`connected to ${connectedTo} of ${name}`);
    if (settingsIn(facts).miningMode === "range")
      return fine(`connected to ${connectedTo} of ${name}, with cdc.mining.mode=range`);
    return fail({ seen: `connected to ${connectedTo} of the container database ${name}, not to CDB$ROOT` });
  },
};
