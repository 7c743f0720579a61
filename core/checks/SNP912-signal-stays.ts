import { type Check, fail, pass } from "./check.ts";

/** A rollback restores the offset; what the connector was asked to snapshot it snapshots all the same. */
export const signalStays: Check<"OffsetChange"> = {
  code: "SNP912",
  title: "A signal can't be taken back",
  problem: "The tables are snapshotted again, or were already: their rows are delivered once more as snapshot rows.",
  remedy: "None is needed: consumers that apply changes by key tolerate it.",
  grade: "advisory",

  run({ signalSent }) {
    if (signalSent === undefined) return pass;
    const { id, tables } = signalSent;
    return fail({
      seen:
        `the signal ${id} for ${tables.length === 1 ? tables[0] : `${tables.length} tables`} can't be taken back: ` +
        "the connector snapshots them, or has done so",
      remedies: [],
    });
  },
};
