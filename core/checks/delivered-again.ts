import type { OffsetChangeIntent } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";
import type { OffsetChangeReading } from "./readings.ts";

/**
 * A task without its last commit recognises nothing as delivered: wanted only behind the target of a move back, and
 * never without a trace of who decided it.
 *
 * Rule: reference: connector rules, "Offset fields on a move" (`last_commit_*`).
 */
export const deliverAgainRefused: Check<
  Pick<OffsetChangeIntent, "deliverAgain" | "metadata" | "position">,
  Pick<OffsetChangeReading, "move">
> = {
  code: "OFF116",
  title: "Only a move back with a ticket delivers again",
  problem: "Without the last commit, the task delivers every commit from the target onwards once more.",
  remedy: "Set `metadata.ticket`, and move back; otherwise remove `spec.deliverAgain`.",
  grade: "refusal",

  run({ deliverAgain, metadata }, { move }) {
    if (deliverAgain !== true) return pass;
    if (metadata.ticket === undefined)
      return fail("deliverAgain repeats what consumers already have, but metadata.ticket is not set", {
        at: "spec.deliverAgain",
      });
    if (move === undefined || move.direction === "backward") return pass;
    return fail(
      `deliverAgain applies only to a move back, but ${move.to} is ` +
        (move.from === undefined
          ? "a first offset"
          : move.to === move.from
            ? "the stored SCN"
            : "ahead of the stored SCN"),
      { remedies: ["Remove spec.deliverAgain, or give an earlier position."], at: "spec.deliverAgain" },
    );
  },
};

/**
 * What was stored since a record is in the offset that can't be read: acknowledged commits, journaled transactions.
 *
 * Rule: reference: connector rules, "What a stored offset must hold", "Journal and generations".
 */
export const recordedPosition: Check<unknown, Pick<OffsetChangeReading, "replacement">> = {
  code: "OFF117",
  title: "A recorded offset replaces one that can't be read",
  problem: "What was acknowledged since that record is unknown: it is delivered again.",
  remedy: "Make sure that consumers can take records twice, and compare the raw fields in the plan.",
  grade: "advisory",

  run(_intent, { replacement }) {
    if (replacement === undefined) return pass;
    const { run, at, offset } = replacement;
    return fail(
      `the offset that ${run === undefined ? "a run" : `run ${run}`} stored at ${at} is written back. What was ` +
        `acknowledged since then is unknown: commits from ${offset.resumeScn} onwards that were delivered since are ` +
        "delivered again, and a transaction that was journaled then, and is no longer, without its first part",
    );
  },
};
