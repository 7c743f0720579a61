import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { type Check, fail, pass } from "./check.ts";

/** Of a ledger of any length so many ids are named. */
const MOST_IDS = 10;

/**
 * A transaction that was released as an orphan and is mined again stops the task. Whether one of the ledger's begins
 * after the target can't be told: the ledger has ids only.
 *
 * Rule: specification, `offsets set`, rule 7, and "Connector error codes referenced" (CDC-7001).
 */
export const releasedMinedAgain: Check<"OffsetChange"> = {
  code: "OFF115",
  title: "Released orphans may be mined again",
  problem: "The task stops with CDC-7001 at a transaction of the orphan release ledger that it mines again.",
  remedy:
    "To have such a transaction delivered, remove it from the ledger: spec.forgetReleased (admin offsets set: " +
    "--forget-released).",
  grade: "advisory",

  run({ position }, { move, after }) {
    if (move?.direction !== "backward" || position.to === "restore" || after === undefined) return pass;
    const decoded = decodeOffset(after);
    const released = decoded.ok ? decoded.offset.released : [];
    if (released.length === 0) return pass;
    const named = released.slice(0, MOST_IDS).join(", ");
    return fail({
      seen:
        `the orphan release ledger keeps ${named}${released.length > MOST_IDS ? ", …" : ""}: mined again from ` +
        `${move.to} on, ${released.length === 1 ? "it stops" : "any of them stops"} the task with CDC-7001`,
      at: "spec.forgetReleased",
    });
  },
};
