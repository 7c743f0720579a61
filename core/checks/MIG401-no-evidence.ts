import { type Check, pass, unknown } from "./check.ts";

/**
 * What is deleted does not come back: a proof that nothing is missing comes first.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const noEvidence: Check<"Retirement"> = {
  code: "MIG401",
  title: "There is no evidence, or it does not hold together",
  problem: "Nothing proves that the new connector has delivered everything: the legacy topics may be the only copy.",
  remedy: "Verify first (`phase: verify`), and name the file that it writes in `spec.evidence`.",
  grade: "refusal",

  run(_intent, { facts: { evidence } }) {
    if (evidence.known) return pass;
    return { ...unknown(evidence.why, evidence.remedy), at: "spec.evidence" };
  },
};
