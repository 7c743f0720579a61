import { type Check, fail, pass } from "./check.ts";

/**
 * A plan file always has one. Under `admin` it is needed only where the offset moves, and then its absence is a
 * refusal, not a slip of the pen.
 *
 * Rule: specification, `resnapshot`, options; reference: wire formats, "Where the specification differs".
 */
export const noReason: Check<"Resnapshot"> = {
  code: "SNP908",
  title: "No reason is given for moving the offset",
  problem: "The ops topic records why an offset was moved, and no change is made without a record.",
  remedy: "Give one: `--reason TEXT` (`metadata.reason`).",
  grade: "refusal",

  run({ metadata, origin }, { way }) {
    if (way !== "past the gap" || metadata.reason.trim() !== "") return pass;
    return fail({
      seen: "redo is gone, so the offset would move past the gap, and no reason is given",
      remedies: [origin.by === "admin" ? "Say why:  --reason TEXT" : "Say why:  metadata.reason"],
      at: "metadata.reason",
    });
  },
};
