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

  run(_intent, { stored, facts: { database } }) {
    if (stored.state === "none")
      return fail({ seen: "no offset is stored: the connector's first start takes a snapshot itself" });
    if (stored.state !== "stored" || stored.offset.resumeScn <= database.currentScn) return pass;
    return fail({
      seen: `the stored resume SCN ${stored.offset.resumeScn} is above the database's current SCN ${database.currentScn}`,
    });
  },
};
