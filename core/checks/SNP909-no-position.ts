import { type Check, fail, pass } from "./check.ts";

/**
 * Whether redo is gone is asked from the stored resume SCN on. One that has no place in the database is refused by
 * OFF101 or OFF106.
 *
 * Rule: specification, `resnapshot`.
 */
export const noPosition: Check<"Resnapshot"> = {
  code: "SNP909",
  title: "There is no stored position to go by",
  problem: "Without a stored offset the connector takes its first snapshot itself.",
  remedy: "Start the connector, or show the offset: `cdcctl admin offsets show`.",
  grade: "refusal",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state !== "none") return pass;
    return fail({
      seen: `${connector.name} has no stored offset: whether redo is gone can't be asked`,
      remedies: ["Start the connector: with cdc.snapshot.mode=initial it snapshots every captured table by itself."],
    });
  },
};
