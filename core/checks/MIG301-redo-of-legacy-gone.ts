import type { Check } from "./check.ts";
import { redoProblemOf } from "./takeover-problem.ts";

/**
 * The legacy connector mines from its lowest SCN on, which lies where it was stopped.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const redoOfLegacyGone: Check<"Return"> = {
  code: "MIG301",
  title: "Redo from where the legacy connector stopped is not all there",
  problem: "It would stop at the gap, or go on behind it, with the new connector deleted by then.",
  remedy: "Bring the archived logs back, or go on with the new connector.",
  grade: "acceptable",

  run(_intent, { takeover }) {
    const verdict = redoProblemOf(takeover);
    if (verdict.verdict === "pass") return verdict;
    // What a takeover could do instead, a connector that is resumed can't.
    const restores = (verdict.remedies ?? []).filter(
      (remedy) => verdict.verdict === "unknown" || remedy.startsWith("Bring"),
    );
    return {
      ...verdict,
      remedies: [...restores, "Or go on with the new connector: it has delivered what is missing."],
    };
  },
};
