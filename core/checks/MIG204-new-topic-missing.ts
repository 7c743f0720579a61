import { nearest } from "../document/nearest.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { sentences } from "./listed.ts";

/** A connector creates a topic with the first change that it writes to it. */
export const newTopicMissing: Check<"Verification"> = {
  code: "MIG204",
  title: "A topic of the new connector is not there",
  problem:
    "It then counts as empty: right for a table that has not changed since the takeover, wrong for a mistaken name.",
  remedy:
    "Check cdc.topic.template and the prefix. Where a transformation gives records another topic, name it in " +
    "`spec.verify.topics`. Accept it if the table has not changed since the takeover.",
  grade: "acceptable",

  run(_intent, { captured, tables, facts: { read, topics } }) {
    // Which tables they are can't be told then, and another check says so.
    if (!captured.known) return pass;
    if (!read.known) return unknown(`the topics can't be seen: ${read.why}`, read.remedy ?? TO_KNOW.topics);
    const missing = tables.flatMap((table) =>
      table.ok && read.value[table.verified.topic] === "missing" ? [{ ...table.verified, named: table.named }] : [],
    );
    if (missing.length === 0) return pass;
    const legacy = new Set(tables.flatMap((table) => (table.ok ? (table.verified.legacyTopic ?? []) : [])));
    const there = topics.known ? topics.value.filter((name) => !legacy.has(name)) : [];
    return fail({
      seen: sentences(
        missing.map(({ table, topic, named }) => {
          const meant = named ? nearest(topic, there) : undefined;
          return (
            `the brokers have no topic ${topic} for ` +
            `${table}${meant === undefined ? "" : `; did you mean ${meant}?`}`
          );
        }),
      ),
      at: missing.some(({ named }) => named) ? "spec.verify.topics" : "spec.verify.tables",
    });
  },
};
