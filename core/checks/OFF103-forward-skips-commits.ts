import { isOfFlags } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * A forward move skips every change committed between the stored resume SCN and the target, in every captured table.
 * The connector has no way to fetch them later, so the operator has to say that this is meant.
 *
 * Rule: specification, `offsets set`, rule 3.
 */
export const forwardSkipsCommits: Check<"OffsetChange"> = {
  code: "OFF103",
  title: "A forward move skips commits",
  problem:
    "Changes committed between the stored resume SCN and the target are never delivered, for any captured table.",
  remedy:
    "Set `spec.allowSkip: true` (`--allow-skip`) if they are not wanted. If redo is gone, snapshot the tables " +
    "again: `cdcctl init resnapshot`.",
  grade: "refusal",

  run({ allowSkip, origin }, { move }) {
    if (move?.direction !== "forward" || allowSkip) return pass;
    return fail({
      seen:
        `${move.to} is ${move.distance} SCNs ahead of the stored ${move.from}: every commit in between would be ` +
        "skipped, for all captured tables, and not delivered later",
      remedies: [
        `If that is what you want:   ${isOfFlags(origin) ? "--allow-skip" : "spec.allowSkip: true"}`,
        "If redo is gone:            cdcctl init resnapshot",
      ],
      at: "spec.allowSkip",
    });
  },
};
