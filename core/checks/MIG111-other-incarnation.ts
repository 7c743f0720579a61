import type { Check } from "./check.ts";
import { problemOf } from "./takeover-problem.ts";

/**
 * The legacy offsets hold no identity of their database: what can be told is told by the SCNs.
 *
 * Rule: specification, "Takeover rules", 3; legacy properties, "Stored offsets".
 */
export const otherIncarnation: Check<"Cutover"> = {
  code: "MIG111",
  title: "The position is of another database or incarnation",
  problem: "Its SCNs mean nothing in the database that the new connector mines: changes would be lost unnoticed.",
  remedy: "Check cdc.database.* of the new connector; after a RESETLOGS start it with a snapshot, without a takeover.",
  grade: "refusal",

  run(_intent, { takeover }) {
    return problemOf(takeover, ["LEG006", "LEG007"]);
  },
};
