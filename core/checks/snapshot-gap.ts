import type { ResnapshotIntent } from "../document/intent.ts";
import type { Gap } from "../facts/redo/redo.ts";
import { bringBack } from "../facts/redo/redo.ts";
import { showCount } from "../values/amounts.ts";
import type { Advice } from "../values/remedy.ts";
import { type Check, fail, pass } from "./check.ts";
import type { ResnapshotReading } from "./readings.ts";

/**
 * Redo is missing up to its end, so there is no SCN to move to.
 *
 * Rule: specification, `resnapshot`, 1.
 */
export const noScnAfterGap: Check<unknown, Pick<ResnapshotReading, "gap" | "redo">> = {
  code: "SNP905",
  title: "No usable SCN follows the gap",
  problem: "Redo is missing up to now. Wherever the offset moved, the task would stop again.",
  remedy: "Restore the archived logs, or wait for the next log switch.",
  grade: "refusal",

  run(_intent, { gap, redo }) {
    if (gap === undefined || gap.to !== undefined) return pass;
    const nowhere = redo?.known === true && redo.value.faults.some(({ reason }) => reason === "no archive destination");
    const why = nowhere ? "without it no redo can be found" : "no SCN after it has all redo up to now";
    return fail(`${gap.code} ${gap.message}; ${why}`, {
      remedies: nowhere
        ? [
            "Make the connector's archive destination usable (V$ARCHIVE_DEST_STATUS), or correct " +
              "cdc.archive.destination; then plan again.",
          ]
        : [
            ...gapRemedies(gap),
            "Or switch logs (ALTER SYSTEM ARCHIVE LOG CURRENT), so that complete redo begins, and plan again.",
          ],
    });
  },
};

/**
 * A plan file always has one. Under `admin` a reason is required only when the offset moves; a missing one is then a
 * refusal, not a usage error.
 *
 * Rule: specification, `resnapshot`, options; reference: wire formats, "Where the specification differs".
 */
export const noReason: Check<Pick<ResnapshotIntent, "metadata" | "origin">, Pick<ResnapshotReading, "way">> = {
  code: "SNP908",
  title: "No reason is given for moving the offset",
  problem: "The ops topic records why an offset was moved, and no change is made without a record.",
  remedy: "Pass `--reason TEXT` (`metadata.reason` in a plan file).",
  grade: "refusal",

  run({ metadata, origin }, { way }) {
    if (way !== "past the gap" || metadata.reason.trim() !== "") return pass;
    return fail("redo is missing, so the offset would move past the gap, and no reason is given", {
      remedies: [{ text: "Give a reason", setting: origin.by === "admin" ? "--reason TEXT" : "metadata.reason" }],
      at: "metadata.reason",
    });
  },
};

/** The most RMAN commands shown; a gap of many pieces has as many commands, and the plan lists them all. */
const MOST = 6;

/**
 * The remedies that come first whenever changes would be skipped: purged redo is not lost while a backup has it
 * (reference: Oracle).
 */
export function gapRemedies({ restore }: Pick<Gap, "restore">): readonly Advice[] {
  const shown = bringBack(restore.slice(0, MOST));
  return restore.length > MOST
    ? [...shown, `… and ${showCount(restore.length - MOST)} more commands like these`]
    : shown;
}
