import { type Check, fail, pass } from "./check.ts";
import { sentences } from "./listed.ts";

/**
 * The legacy topic only says that a key was delivered once. Read as the new connector's, its records would stand for
 * what that one delivered.
 *
 * Rule: specification, "Record format differences": new topics always.
 */
export const topicOfBoth: Check<"Verification"> = {
  code: "MIG209",
  title: "A table's legacy topic is that of the new connector",
  problem: "Records of the one would be read as the other's, and the comparison would mean nothing.",
  remedy: "Correct `spec.verify.legacyTopics`.",
  grade: "refusal",

  run(_intent, { tables }) {
    const written = new Map(
      tables.flatMap((table) => (table.ok ? [[table.verified.topic, table.verified.table]] : [])),
    );
    const both = tables.flatMap((table) => {
      const { legacyTopic = undefined } = table.ok ? table.verified : {};
      const of = legacyTopic === undefined ? undefined : written.get(legacyTopic);
      return table.ok && of !== undefined
        ? [
            `${legacyTopic}, named as the legacy topic of ${table.verified.table}, is the new connector's topic ` +
              `of ${of}`,
          ]
        : [];
    });
    return both.length === 0 ? pass : fail({ seen: sentences(both), at: "spec.verify.legacyTopics" });
  },
};
