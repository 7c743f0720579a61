import { probeApplies } from "../facts/database/database.ts";
import { type Check, pass, unknown } from "./check.ts";

/**
 * Which way a resnapshot goes is decided by the redo from the stored position on, each of its files opened.
 *
 * Rule: specification, `resnapshot`.
 */
export const redoUnseen: Check<"Resnapshot"> = {
  code: "SNP904",
  title: "Whether redo is gone can't be told",
  problem:
    "A signal alone would not help a connector that stands before a gap, and a move would skip changes for nothing.",
  remedy: "Give the capture user its grants on the redo catalogue and on DBMS_LOGMNR.",
  grade: "refusal",

  run(_intent, { redo, facts }) {
    if (redo === undefined) return pass;
    if (!redo.known) return unknown(`the redo can't be seen: ${redo.why}`, redo.remedy);
    if (!probeApplies(facts) || redo.value.probed) return pass;
    return facts.probes.known
      ? unknown("whether every log can be opened was not tried")
      : unknown(`whether every log can be opened: ${facts.probes.why}`, facts.probes.remedy);
  },
};
