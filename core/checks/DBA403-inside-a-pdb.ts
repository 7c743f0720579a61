import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";

/**
 * Every check looks from CDB$ROOT; from inside a PDB some views show that PDB only.
 *
 * Rule: reference: Oracle, first paragraph.
 */
export const insideAPdb: Check<ConnectorKind | "Cutover"> = {
  code: "DBA403",
  title: "The login leads into a PDB",
  problem: "LogMiner refuses log files inside a PDB, and the dictionary shows that PDB only.",
  remedy:
    "Let cdc.database.service name the root's service; or set cdc.mining.mode=range if mining from inside the PDB is meant.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const { database } = facts;
    if (!database.container || database.connectedTo === "CDB$ROOT" || settingsIn(facts).miningMode === "range")
      return pass;
    return fail({
      seen: `connected to ${database.connectedTo} of the container database ${database.name}, not to CDB$ROOT`,
    });
  },
};
