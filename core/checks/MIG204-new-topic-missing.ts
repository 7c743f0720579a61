import { type Check, fail, pass, unknown } from "./check.ts";
import { sentences } from "./listed.ts";

/** A connector creates a topic with the first change that it writes to it. */
export const newTopicMissing: Check<"Verification"> = {
  code: "MIG204",
  title: "A topic of the new connector is not there",
  problem:
    "It then counts as empty: right for a table that has not changed since the takeover, wrong for a mistaken name.",
  remedy: "Check cdc.topic.template and the prefix; accept it if the table has not changed since the takeover.",
  grade: "acceptable",

  run(_intent, { captured, tables, facts: { read } }) {
    // Which tables they are can't be told then, and another check says so.
    if (!captured.known) return pass;
    if (!read.known) return unknown(`the topics can't be seen: ${read.why}`, read.remedy);
    const missing = tables.flatMap((table) =>
      table.ok && read.value[table.verified.topic] === "missing" ? [table.verified] : [],
    );
    if (missing.length === 0) return pass;
    return fail({
      seen: sentences(missing.map(({ table, topic }) => `the brokers have no topic ${topic} for ${table}`)),
      at: "spec.verify.tables",
    });
  },
};
