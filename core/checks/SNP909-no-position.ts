import { type Check, fail, pass } from "./check.ts";

/**
 * Whether redo is gone is asked from the stored resume SCN on.
 *
 * Rule: specification, `resnapshot`.
 */
export const noPosition: Check<"Resnapshot"> = {
  code: "SNP909",
  title: "There is no stored position to go by",
  problem:
    "Without a stored offset the connector takes its first snapshot itself; with one above the database's SCN it belongs to another database.",
  remedy: "Start the connector, or look at the offset: `cdcctl admin offsets show`.",
  grade: "refusal",

  run(_intent, { stored, facts: { database, connector } }) {
    if (stored.state === "none")
      return fail({
        seen: `${connector.name} has no stored offset: whether redo is gone can't be asked`,
        remedies: ["Start the connector: with cdc.snapshot.mode=initial it snapshots every captured table by itself."],
      });
    if (stored.state !== "stored" || stored.offset.resumeScn <= database.currentScn) return pass;
    return fail({
      seen: `the stored resume SCN ${stored.offset.resumeScn} is above the current SCN of ${database.name}, which is ${database.currentScn}`,
      remedies: [
        "Check cdc.database.* of the connector: the offset was taken in another database, or in a later state.",
      ],
    });
  },
};
