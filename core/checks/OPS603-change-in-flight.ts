import type { ConnectorKind } from "../document/intent.ts";
import { ageOf, beganAt } from "../facts/ops/ops-event.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

const ADMIN_WAITS_MILLIS = 15 * 60_000;

/**
 * An `applying` without its outcome: somebody else changes this offset right now, or was cut off in the middle. What
 * came first is decided by the log, and its age by the workers' and the brokers' clocks: the clock of another machine,
 * or of this one, may be wrong.
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
    const clusterNow = facts.opsHistory.known ? facts.opsHistory.value.clusterNow : undefined;
    const age = ageOf(open.event, clusterNow);
    const began = beganAt(open.event);
    const who = operator === "" ? "somebody" : operator;
    const what = new_resume_scn === "none" ? "to delete the stored offset" : `a change to ${new_resume_scn}`;
    const when = age === undefined ? "" : ` ${printDuration(age)} ago`;
    return fail({
      seen:
        `${who} began ${what}${when} (${began}${run === undefined ? "" : `, run ${run}`}) and its outcome is not ` +
        `recorded${age === undefined ? `; how long ago is unknown: ${whyUnknown(began, clusterNow)}` : ""}`,
      // One whose age can't be told counts as just begun.
      firm: age === undefined || age < ADMIN_WAITS_MILLIS,
    });
  },
};

function whyUnknown(began: Instant, clusterNow: Instant | undefined): string {
  if (clusterNow === undefined) return "the workers do not tell the time";
  return `that is ${printDuration(millisBetween(clusterNow, began))} after the workers' time, ${clusterNow}`;
}
