import type { OffsetChangeIntent } from "../document/intent.ts";
import { idsNamed } from "../facts/offset/moved-offset.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { type Check, fail, pass } from "./check.ts";
import { few } from "./listed.ts";
import type { OffsetChangeReading } from "./readings.ts";

/**
 * An id that is not in the ledger can't be removed from it: it is mistyped, or was removed before. An id without its
 * container that matches several is not guessed.
 */
export const notInLedger: Check<Pick<OffsetChangeIntent, "forgetReleased">, Pick<OffsetChangeReading, "stored">> = {
  code: "OFF109",
  title: "An id to forget is not in the orphan release ledger",
  problem: "The intended transaction may still be in the ledger, and would stop the task with CDC-7001.",
  remedy: "Take the ids from `cdcctl admin offsets show`.",
  grade: "acceptable",

  run({ forgetReleased }, { stored }) {
    if (typeof forgetReleased === "string") return pass;
    const released = stored.state === "stored" ? stored.offset.released : [];
    const found = forgetReleased.map((id) => ({ id, ids: idsNamed(released, id) }));
    const strangers = found.filter(({ ids }) => ids.length === 0).map(({ id }) => id);
    const several = found.filter(({ ids }) => ids.length > 1);
    if (strangers.length === 0 && several.length === 0) return pass;
    return fail(
      [
        ...(strangers.length === 0
          ? []
          : [
              `not in the ledger: ${strangers.join(", ")}; it holds ` +
                `${released.length === 0 ? "nothing" : released.join(", ")}`,
            ]),
        ...several.map(({ id, ids }) => `${id} could be ${ids.join(" or ")}: add its container`),
      ].join("; "),
      {
        at: "spec.forgetReleased",
        // The ids were given for this change: without removing them, the task would stop with CDC-7001.
        firm: true,
      },
    );
  },
};

/**
 * A transaction that was released as an orphan and is mined again stops the task. Whether a transaction of the ledger
 * begins after the target cannot be determined: the ledger has only ids.
 *
 * Rule: specification, `offsets set`, rule 7, and "Connector error codes referenced" (CDC-7001).
 */
export const releasedMinedAgain: Check<
  Pick<OffsetChangeIntent, "position">,
  Pick<OffsetChangeReading, "move" | "after">
> = {
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
    return fail(
      `the orphan release ledger contains ${few(released)}: mined again from ` +
        `${move.to} onwards, ${released.length === 1 ? "it stops" : "any of them stops"} the task with CDC-7001`,
      { at: "spec.forgetReleased" },
    );
  },
};
