import { type Check, fail, pass } from "./check.ts";
import { waysBack } from "./ways-back.ts";

/**
 * Redo is missing up to its end: there is nothing to move to.
 *
 * Rule: specification, `resnapshot`, 1.
 */
export const noScnAfterGap: Check<"Resnapshot"> = {
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
