import { type Check, fail, pass } from "./check.ts";

/**
 * Needed only where the offset moves.
 *
 * Rule: specification, `resnapshot`, options; reference: wire formats, "Where the specification differs".
 */
export const noReason: Check<"Resnapshot"> = {
  code: "SNP908",
  title: "No reason is given",
  problem: "The move of the offset is recorded in the ops topic, with why it was made.",
  remedy: "Give one: --reason TEXT.",
  grade: "refusal",

  run({ metadata }, { way }) {
    if (way !== "past the gap" || metadata.reason.trim() !== "") return pass;
    return fail({ seen: "redo is gone, so the offset moves, and that needs a reason" });
  },
};
