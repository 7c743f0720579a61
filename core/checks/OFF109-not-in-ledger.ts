import { idsNamed } from "../facts/offset/stored-offset.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * An id that is not in the ledger can't be taken out of it: a slip of the pen, or somebody was here before. One without
 * its container that could be several of them is not guessed.
 */
export const notInLedger: Check<"OffsetChange"> = {
  code: "OFF109",
  title: "An id to forget is not in the orphan release ledger",
  problem: "The transaction that was meant may still be in the ledger, and would stop the task with CDC-7001.",
  remedy: "Take the ids from `cdcctl admin offsets show`.",
  grade: "acceptable",

  run({ forgetReleased }, { stored }) {
    if (typeof forgetReleased === "string") return pass;
    const released = stored.state === "stored" ? stored.offset.released : [];
    const found = forgetReleased.map((id) => ({ id, ids: idsNamed(released, id) }));
    const strangers = found.filter(({ ids }) => ids.length === 0).map(({ id }) => id);
    const several = found.filter(({ ids }) => ids.length > 1);
    if (strangers.length === 0 && several.length === 0) return pass;
    return fail({
      seen: [
        ...(strangers.length === 0
          ? []
          : [
              `not in the ledger: ${strangers.join(", ")}; it holds ` +
                `${released.length === 0 ? "nothing" : released.join(", ")}`,
            ]),
        ...several.map(({ id, ids }) => `${id} could be ${ids.join(" or ")}: give it with its container`),
      ].join("; "),
      at: "spec.forgetReleased",
      // The ids were typed for this very change: moved without them, the task would stop with CDC-7001.
      firm: true,
    });
  },
};
