import { type Check, fail, pass } from "./check.ts";

/** A timestamp, or "the earliest available", has to become one SCN before anything can be planned. */
export const noSuchTarget: Check<"OffsetChange"> = {
  code: "OFF108",
  title: "The position does not lead to an SCN",
  problem: "There is nothing to move the offset to.",
  remedy: "Give the SCN itself: spec.scn.",
  grade: "refusal",

  run({ position }, { target }) {
    if (target.pinned) return pass;
    return fail({ seen: target.why, remedies: target.remedies, at: `spec.${position.to}` });
  },
};
