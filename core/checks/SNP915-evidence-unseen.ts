import { NOBODY_LOOKED } from "../facts/resnapshot-facts.ts";
import { type Check, pass, unknown } from "./check.ts";

/** What the database knows of tables that would lose changes is no proof, but all there is to decide by. */
export const evidenceUnseen: Check<"Resnapshot"> = {
  code: "SNP915",
  title: "What is known of the unlisted tables can't be seen",
  problem: "Whether they were changed in the gap has to be told without their last DDL and the modifications counted.",
  remedy: "Grant SELECT ANY DICTIONARY to the connector's user.",
  grade: "advisory",

  run(_intent, { way, unlisted, facts: { activity } }) {
    if (way !== "past the gap" || unlisted.length === 0 || activity.known || activity.why === NOBODY_LOOKED)
      return pass;
    return unknown(activity.why, activity.remedy);
  },
};
