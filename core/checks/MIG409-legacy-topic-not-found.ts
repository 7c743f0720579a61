import { type Check, fail, pass, unknown } from "./check.ts";
import { listed } from "./listed.ts";

/**
 * A topic is deleted only when the plan file names it, or the legacy connector's own template leads to it and it is
 * there.
 */
export const legacyTopicNotFound: Check<"Retirement"> = {
  code: "MIG409",
  title: "Of a captured table no legacy topic was found",
  problem: "If there is one by another name, it stays.",
  remedy: "Name it in `spec.verify.legacyTopics`, or delete it by hand.",
  grade: "advisory",

  run(_intent, { topics, withoutTopic }) {
    if (!topics.known)
      return unknown(`which topics the legacy connector has can't be told: ${topics.why}`, topics.remedy);
    if (withoutTopic.length === 0) return pass;
    return fail({
      seen: `no topic of the legacy connector was found for ${listed(withoutTopic.map(({ fullName }) => fullName))}`,
      at: "spec.verify.legacyTopics",
    });
  },
};
