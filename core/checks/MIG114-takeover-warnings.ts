import { type Check, fail, pass } from "./check.ts";

/**
 * What is worth a look before a takeover, and refuses nothing: partitions left out, transactions that began before the
 * start.
 */
export const takeoverWarnings: Check<"Cutover"> = {
  code: "MIG114",
  title: "Something about the takeover is worth a look",
  problem: "It need not be wrong, but nobody else tells whether it is.",
  remedy: "Look at each: a partition that is left out, an open transaction, a database of another form.",
  grade: "advisory",

  run(_intent, { takeover: { warnings } }) {
    return warnings.length === 0 ? pass : fail({ seen: warnings.join("; "), remedies: [] });
  },
};
