import type { ResnapshotIntent } from "../document/intent.ts";
import type { Observed } from "../facts/observed.ts";
import type { Gap, Way } from "../facts/redo/gap.ts";
import { bringBack, type RedoExamination } from "../facts/redo/redo.ts";
import { showCount } from "../values/amounts.ts";
import type { Advice } from "../values/remedy.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * Redo is missing up to its end: there is nothing to move to.
 *
 * Rule: specification, `resnapshot`, 1.
 */
export const noScnAfterGap: Check<
  unknown,
  { readonly gap: Gap | undefined; readonly redo: Observed<RedoExamination> | undefined }
> = {
  code: "SNP905",
  title: "There is no SCN after the gap",
  problem: "Redo is gone up to now: wherever the offset moved, the task would stop again.",
  remedy: "Restore the archived logs, or wait for the next log switch.",
  grade: "refusal",

  run(_intent, { gap, redo }) {
    if (gap === undefined || gap.to !== undefined) return pass;
    const nowhere = redo?.known === true && redo.value.faults.some(({ reason }) => reason === "no archive destination");
    return fail({
      seen:
        `${gap.code} ${gap.message}; ` +
        `${nowhere ? "without it no redo can be looked for" : "after it there is no SCN from which all redo up to now is present"}`,
      remedies: nowhere
        ? [
            "Make the connector's archive destination usable (V$ARCHIVE_DEST_STATUS), or correct " +
              "cdc.archive.destination; then plan again.",
          ]
        : [
            ...waysBack(gap),
            "Or make a log switch (ALTER SYSTEM ARCHIVE LOG CURRENT), so that sound redo begins, and plan again.",
          ],
    });
  },
};

/**
 * A plan file always has one. Under `admin` it is needed only where the offset moves, and then its absence is a
 * refusal, not a slip of the pen.
 *
 * Rule: specification, `resnapshot`, options; reference: wire formats, "Where the specification differs".
 */
export const noReason: Check<Pick<ResnapshotIntent, "metadata" | "origin">, { readonly way: Way }> = {
  code: "SNP908",
  title: "No reason is given for moving the offset",
  problem: "The ops topic records why an offset was moved, and no change is made without a record.",
  remedy: "Give one: `--reason TEXT` (`metadata.reason`).",
  grade: "refusal",

  run({ metadata, origin }, { way }) {
    if (way !== "past the gap" || metadata.reason.trim() !== "") return pass;
    return fail({
      seen: "redo is gone, so the offset would move past the gap, and no reason is given",
      remedies: [
        origin.by === "admin"
          ? { text: "Say why", setting: "--reason TEXT" }
          : { text: "Say why", setting: "metadata.reason" },
      ],
      at: "metadata.reason",
    });
  },
};

/** A gap of many pieces has as many commands; the plan itself lists them all. */
const MOST = 6;

/** What comes first wherever changes would be skipped: purged is not lost while a backup has it (reference: Oracle). */
export function waysBack({ restore }: Pick<Gap, "restore">): readonly Advice[] {
  const shown = bringBack(restore.slice(0, MOST));
  return restore.length > MOST
    ? [...shown, `… and ${showCount(restore.length - MOST)} more commands like these`]
    : shown;
}
