import { type Check, fail, pass } from "./check.ts";
import { listed } from "./listed.ts";

/**
 * A literal secret of the legacy connector is masked when it is translated: whoever plans may not be meant to see it.
 */
export const secretsLacking: Check<"Cutover"> = {
  code: "MIG102",
  title: "Settings of the new connector are still masked",
  problem: "The connector would be created with ******** as its password, and fail after the legacy one was stopped.",
  remedy:
    "Put the values, or references to them, into the context's file for the connector, or into the file of --config.",
  grade: "refusal",

  run(_intent, { masked }) {
    if (masked.length === 0) return pass;
    return fail({
      seen:
        `of ${listed(masked, masked.length)} there is only the mask ********: ` +
        `${masked.length === 1 ? "its value is" : "their values are"} given nowhere`,
    });
  },
};
