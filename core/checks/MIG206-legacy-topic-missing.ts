import { nearest } from "../document/nearest.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { sentences } from "./listed.ts";

/**
 * A legacy topic is named by hand. One that is not there is probably mistyped, and every row that it delivered would
 * count as missing.
 */
export const legacyTopicMissing: Check<"Verification"> = {
  code: "MIG206",
  title: "A legacy topic that the plan file names is not there",
  problem: "Every row that only the legacy connector delivered would count as missing.",
  remedy: "Correct `spec.verify.legacyTopics`.",
  grade: "refusal",

  run(_intent, { captured, tables, facts, mayBeLegacy }) {
    const { read, topics, retired } = facts;
    if (!captured.known) return pass;
    const named = tables.flatMap((table) =>
      table.ok && table.verified.legacyTopic !== undefined
        ? [{ ...table.verified, topic: table.verified.legacyTopic, written: table.written }]
        : [],
    );
    if (named.length === 0) return pass;
    if (!read.known) return unknown(`the topics can't be seen: ${read.why}`, read.remedy ?? TO_KNOW.topics);
    const missing = named.filter(({ topic }) => !Object.hasOwn(read.value, topic) || read.value[topic] === "missing");
    if (missing.length === 0) return pass;
    const there = topics.known ? topics.value.filter(mayBeLegacy) : [];
    const by = new Map(retired.known ? retired.value.topics.map(({ topic, run }) => [topic, run] as const) : []);
    const gone = missing.filter(({ topic }) => by.has(topic));
    return fail({
      seen: sentences(
        missing.map(({ table, topic }) => {
          if (by.has(topic))
            return `${topic}, the legacy topic of ${table}, was deleted by the retirement ${by.get(topic)}`;
          const meant = nearest(topic, there);
          return (
            `the brokers have no topic ${topic}, which is named as the legacy topic of ` +
            `${table}${meant === undefined ? "" : `; did you mean ${meant}?`}`
          );
        }),
      ),
      ...(gone.length === 0
        ? {}
        : {
            remedies: [
              "Remove from spec.verify.legacyTopics:  " +
                `${gone.map(({ written, topic }) => `${written}: ${topic}`).join(", ")}`,
              "Each row that only the legacy connector had delivered then counts as missing: its record is gone.",
              ...(gone.length === missing.length ? [] : ["Correct the others."]),
            ],
          }),
      at: "spec.verify.legacyTopics",
    });
  },
};
