import type { Check } from "./check.ts";
import { problemOf } from "./takeover-problem.ts";

/**
 * Rule: specification, "Takeover rules", 2: the stored SCN is at or below every undelivered commit, as long as mining
 * sessions begin at the oldest open transaction.
 */
export const startAboveOpenTransactions: Check<"Cutover"> = {
  code: "MIG117",
  title: "The start may lie above open transactions",
  problem:
    "What a transaction changed before the start would be lost if it was open when the legacy connector stopped.",
  remedy:
    "Have the legacy connector run once with use.transaction.begin.for.mining.session=true and " +
    "record.buffer.mode=connector. Or accept it: `spec.accept: [MIG117]`.",
  grade: "acceptable",

  run(_intent, { takeover }) {
    const verdict = problemOf(takeover, ["LEG010"]);
    const isUnproven = takeover.problems.some(({ code, unproven }) => code === "LEG010" && unproven === true);
    return verdict.verdict === "fail" && isUnproven ? { ...verdict, verdict: "unknown" } : verdict;
  },
};
