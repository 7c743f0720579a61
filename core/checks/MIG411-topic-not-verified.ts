import { type Check, fail, pass, unknown } from "./check.ts";
import { sentences } from "./listed.ts";

/**
 * What is deleted can't be brought back, and a name in the plan file may be a slip of the pen: any topic of the brokers
 * has one. That a topic is a table's, the verification saw in its records. A topic that the legacy connector's own
 * template leads to needs nobody's word.
 */
export const topicNotVerified: Check<"Retirement"> = {
  code: "MIG411",
  title: "A topic that is named as a table's is not the one that was verified",
  problem: "It may be anybody's, and all that is in it would be deleted.",
  remedy:
    "Correct `spec.verify.legacyTopics`, or verify again with it. Delete a topic of a table that is not captured " +
    "by hand.",
  grade: "refusal",

  run({ verify }, { topics, facts: { evidence } }) {
    if (!evidence.known) return pass;
    const named = new Set(Object.values(verify?.legacyTopics ?? {}));
    if (named.size === 0) return pass;
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedy);
    const { file, tables } = evidence.value;
    const strange = topics.value.flatMap(({ topic, table, what }) => {
      if (!named.has(topic)) return [];
      const verified = tables.find((one) => one.table === table?.fullName);
      if (verified?.legacyTopic === topic) return [];
      const instead =
        verified === undefined
          ? `${file} has no such table`
          : verified.legacyTopic === undefined
            ? `${file} was written without one`
            : `${file} has ${verified.legacyTopic}`;
      return [`${topic} would be deleted (${what}), and ${instead}`];
    });
    return strange.length === 0 ? pass : fail({ seen: sentences(strange), at: "spec.verify.legacyTopics" });
  },
};
