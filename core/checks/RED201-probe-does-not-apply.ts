import type { ConnectorKind } from "../document/intent.ts";
import { probeApplies } from "../facts/database/database.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * From inside a PDB LogMiner refuses to add files, and the task adds none: a file that was removed with rm can't be
 * noticed.
 *
 * Rule: reference: connector settings, `cdc.mining.mode`.
 */
export const probeDoesNotApply: Check<ConnectorKind> = {
  code: "RED201",
  title: "Log files can't be probed from inside a PDB",
  problem: "A file that was removed without RMAN still counts as present; the task would stop at it.",
  remedy: "Ask the DBA for `CROSSCHECK ARCHIVELOG ALL` (RMAN) and look again.",
  grade: "advisory",

  run(_intent, { facts }) {
    if (probeApplies(facts)) return pass;
    return fail({
      seen:
        "the catalogue says which logs are there; whether the files can be opened was not tried (mining from " +
        "inside a PDB)",
    });
  },
};
