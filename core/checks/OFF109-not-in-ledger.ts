import { type Check, fail, pass } from "./check.ts";

/** An id that is not in the ledger can't be taken out of it: a slip of the pen, or somebody was here before. */
export const notInLedger: Check<"OffsetChange"> = {
  code: "OFF109",
  title: "An id to forget is not in the orphan release ledger",
  problem: "The transaction that was meant may still be in the ledger, and would stop the task with CDC-7001.",
  remedy: "Take the ids from `cdcctl admin offsets show`.",
  grade: "acceptable",

  run({ forgetReleased }, { stored }) {
    if (typeof forgetReleased === "string") return pass;
    const released = stored.state === "stored" ? stored.offset.released : [];
    const strangers = forgetReleased.filter((id) => !released.includes(id));
    if (strangers.length === 0) return pass;
    return fail({
      seen: `not in the ledger: ${strangers.join(", ")}; it holds ${released.length === 0 ? "nothing" : released.join(", ")}`,
      at: "spec.forgetReleased",
    });
  },
};
