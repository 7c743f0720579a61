import { type Check, fail, pass } from "./check.ts";

/**
 * Rule: specification, `resnapshot`, 1.
 */
export const noScnAfterGap: Check<"Resnapshot"> = {
  code: "SNP905",
  title: "There is no SCN after the gap",
  problem: "Redo is gone up to now: wherever the offset moved, the task would stop again.",
  remedy: "Restore the archived logs, or wait for the next log switch.",
  grade: "refusal",

  run(_intent, { gap }) {
    if (gap === undefined || gap.to !== undefined) return pass;
    return fail({
      seen: `${gap.code} ${gap.message}; after it there is no SCN from which all redo up to now is present`,
      remedies: [
        ...gap.restore.map((command) => `Bring the logs back (RMAN):  ${command}`),
        "Or wait for the next log switch, and plan again.",
      ],
    });
  },
};
