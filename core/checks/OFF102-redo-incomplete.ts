import { probeApplies } from "../facts/database/database.ts";
import { restoreCommands } from "../facts/redo/redo.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * The task mines every log from the target on. One that is missing (CDC-2001), marked deleted or can't be opened
 * (CDC-2002) stops it. The remedy comes first: purged is not lost while there is a backup.
 *
 * Rule: specification, `offsets set`, rule 2; reference: Oracle, "Is the redo from an SCN to now all present?".
 */
export const redoIncomplete: Check<"OffsetChange"> = {
  code: "OFF102",
  title: "Redo from the target to now is not all there",
  problem: "The task stops with CDC-2001 (a sequence is missing) or CDC-2002 (a log is deleted or can't be opened).",
  remedy:
    "Restore the archived logs, choose an SCN after the gap, or snapshot the tables again: `cdcctl init resnapshot`.",
  grade: "refusal",

  run(_intent, { target, redo, facts }) {
    if (!target.pinned || redo === undefined || target.scn > facts.database.currentScn) return pass;
    if (!redo.known) return unknown(`the redo can't be seen: ${redo.why}`, redo.remedy);
    const { faults, firstAvailable, complete } = redo.value;
    if (!complete) {
      return fail({
        seen:
          faults.length === 0
            ? `redo from ${target.scn} on is not all there`
            : faults.map(({ code, message }) => `${code} ${message}`).join("; "),
        remedies: [
          ...restoreCommands(faults).map((command) => `Bring the logs back (RMAN):  ${command}`),
          firstAvailable === undefined
            ? "No later SCN works either: after the gap there is none from which all redo up to now is present."
            : `The nearest SCN that works:  ${firstAvailable}`,
          "If the logs can't be brought back, the changes in the gap are lost; snapshot the tables again:  " +
            "cdcctl init resnapshot",
        ],
        at: "spec.scn",
      });
    }
    if (!probeApplies(facts) || redo.value.probed) return pass;
    return facts.probes.known
      ? unknown("whether every log can be opened was not tried")
      : unknown(`whether every log can be opened: ${facts.probes.why}`, facts.probes.remedy);
  },
};
