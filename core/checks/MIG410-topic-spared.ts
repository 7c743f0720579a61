import { type Check, fail, pass } from "./check.ts";
import { listed } from "./listed.ts";

/** A name can lead to a topic of the new connector: by a slip in the plan file, or because prefix and template of the two make the same one. */
export const topicSpared: Check<"Retirement"> = {
  code: "MIG410",
  title: "A legacy topic is by its name the new connector's too",
  problem: "It is not deleted: the new connector writes to it.",
  remedy: "Correct `spec.verify.legacyTopics`, if it is named there.",
  grade: "advisory",

  run(_intent, { spared }) {
    if (spared.length === 0) return pass;
    return fail({
      seen: `${listed(spared.map(({ topic, what }) => `${topic} (${what})`))} ${spared.length === 1 ? "stays" : "stay"}: the new connector writes there`,
    });
  },
};
