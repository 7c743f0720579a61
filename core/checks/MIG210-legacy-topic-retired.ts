import { type Check, fail, pass } from "./check.ts";
import { sentences } from "./listed.ts";

/**
 * What a retirement has deleted is not asked for again, where evidence from before shows that nothing depends on it.
 */
export const legacyTopicRetired: Check<"Verification"> = {
  code: "MIG210",
  title: "A legacy topic is left out: a retirement has deleted it",
  problem: "The table is compared with its new topic alone.",
  remedy: "Remove it from `spec.verify.legacyTopics`.",
  grade: "advisory",

  run(_intent, { tables }) {
    const retired = tables.flatMap((table) =>
      table.ok && table.retired !== undefined
        ? [{ ...table.verified, ...table.retired, read: table.verified.topic }]
        : [],
    );
    if (retired.length === 0) return pass;
    return fail({
      seen: sentences(
        retired.map(
          ({ table, topic, run, read }) =>
            `${topic}, the legacy topic of ${table}, was deleted by the retirement ${run}; evidence shows that ` +
            `${read} alone held every key`,
        ),
      ),
      at: "spec.verify.legacyTopics",
    });
  },
};
