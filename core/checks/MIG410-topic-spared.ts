import { type Check, fail, pass } from "./check.ts";
import { listed } from "./listed.ts";

/**
 * A name can lead to a topic of the new connector: by a slip in the plan file, or because prefix and template of the
 * two make the same one. A transformation such as RegexRouter, often there so that consumers keep the names they know,
 * can lead the new connector to any of them.
 */
export const topicSpared: Check<"Retirement"> = {
  code: "MIG410",
  title: "A legacy topic is the new connector's too, or may be",
  problem: "It is not deleted: the new connector writes to it, or may.",
  remedy:
    "Correct `spec.verify.legacyTopics`, if it is named there. Delete by hand what the new connector does not " +
    "write to.",
  grade: "advisory",

  run(_intent, { spared, reroutings }) {
    if (spared.length === 0) return pass;
    const through = reroutings.map(({ name, type }) => `${name} (${type ?? "of no type"})`);
    const why =
      through.length === 0
        ? "the new connector writes there"
        : `the new connector may write there, its records go through ${listed(through)}`;
    return fail({
      seen:
        `${listed(spared.map(({ topic, what }) => `${topic} (${what})`))} ` +
        `${spared.length === 1 ? "stays" : "stay"}: ${why}`,
    });
  },
};
