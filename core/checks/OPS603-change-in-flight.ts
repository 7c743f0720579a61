import type { ConnectorKind } from "../document/intent.ts";
import { printDuration } from "../values/duration.ts";
import { millisBetween } from "../values/instant.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

const ADMIN_WAITS_MILLIS = 15 * 60_000;

/**
 * An `applying` without its outcome: somebody else changes this offset right now, or was cut off in the middle.
 *
 * Rule: architecture, "What apply promises", 6.
 */
export const changeInFlight: Check<ConnectorKind | "Return"> = {
  code: "OPS603",
  title: "Another change of this connector is in flight",
  problem: "Two changes at once: the later PATCH wins, and the record tells a wrong story.",
  remedy: "Ask its operator, or settle it: `cdcctl recover --from-ops --context CONTEXT --connector CONNECTOR`.",
  grade: "acceptable",

  run(_intent, { changes, changesOffset, facts }) {
    if (!changes.known && !changesOffset) return pass;
    if (!changes.known) return unknown(`the ops topic could not be read: ${changes.why}`, changes.remedy);
    const open = changes.value.findLast(({ outcome }) => outcome === "applying");
    if (open === undefined) return pass;
    const { operator, run, new_resume_scn } = open.event.details;
    const age = Math.max(0, millisBetween(open.event.at, facts.at));
    return fail({
      seen: `${operator === "" ? "somebody" : operator} began ${new_resume_scn === "none" ? "to delete the stored offset" : `a change to ${new_resume_scn}`} ${printDuration(age)} ago (${open.event.at}${run === undefined ? "" : `, run ${run}`}) and its outcome is not recorded`,
      firm: age < ADMIN_WAITS_MILLIS,
    });
  },
};
