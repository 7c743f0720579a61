import type { Check } from "./check.ts";
import { redoProblemOf } from "./takeover-problem.ts";

/**
 * From the lowest SCN of the legacy connector on, as the new connector's task would find it.
 *
 * Rule: specification, "Takeover rules", 3; reference: Oracle, "Is the redo from an SCN to now all present?".
 */
export const redoNotAllThere: Check<"Cutover"> = {
  code: "MIG112",
  title: "Redo from the start to now is not all there",
  problem: "The new connector's task would stop with CDC-2001 or CDC-2002, and the legacy one is stopped by then.",
  remedy: "Bring the archived logs back, or leave out the partition of a quiet table that pins the start.",
  grade: "refusal",

  run(_intent, { takeover }) {
    return redoProblemOf(takeover);
  },
};
