import type { Check } from "./check.ts";
import { problemOf } from "./takeover-problem.ts";

/** After a RESETLOGS the legacy connector has nowhere to go back to. */
export const legacyOtherIncarnation: Check<"Return"> = {
  code: "MIG304",
  title: "The legacy position is of another database or incarnation",
  problem: "The legacy connector would go on from an SCN that means nothing in this database.",
  remedy: "Go on with the new connector; check cdc.database.* of it, if it is another database.",
  grade: "refusal",

  run(_intent, { takeover }) {
    return problemOf(takeover, ["LEG006", "LEG007"]);
  },
};
