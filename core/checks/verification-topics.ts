import type { TopicSeen } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import type { Observed } from "../facts/observed.ts";
import { showBytes } from "../values/amounts.ts";
import { printDuration } from "../values/duration.ts";
import { nearest, orMeant } from "../values/nearest.ts";
import { ACCESS_REMEDIES } from "./access-remedies.ts";
import { type Check, type CheckIn, fail, pass, unseen, type Verdict } from "./check.ts";
import { sentences } from "./listed.ts";
import type { VerificationReading } from "./readings.ts";

/** A connector creates a topic with the first change that it writes to it. */
export const newTopicMissing: CheckIn<VerificationReading, "captured" | "tables", "read" | "topics"> = {
  code: "MIG204",
  title: "A topic of the new connector does not exist",
  problem:
    "It then counts as empty: right for a table that has not changed since the takeover, wrong for a mistyped name.",
  remedy:
    "Check cdc.topic.template and the prefix. If a transformation routes records to another topic, name it in " +
    "`spec.verify.topics`. Accept it if the table has not changed since the takeover.",
  grade: "acceptable",

  run(_intent, { captured, tables, facts: { read, topics } }) {
    // The tables are unknown then, which another check reports.
    if (!captured.known) return pass;
    if (!read.known) return unseen(read, "the topics could not be inspected", ACCESS_REMEDIES.topics);
    const missing = tables.flatMap((table) =>
      table.ok && read.value[table.verified.topic] === "missing" ? [{ ...table.verified, named: table.named }] : [],
    );
    if (missing.length === 0) return pass;
    const legacy = new Set(tables.flatMap((table) => (table.ok ? (table.verified.legacyTopic ?? []) : [])));
    const there = topics.known ? topics.value.filter((name) => !legacy.has(name)) : [];
    return fail(
      sentences(
        missing.map(
          ({ table, topic, named }) =>
            `the brokers have no topic ${topic} for ${table}${named ? orMeant(nearest(topic, there)) : ""}`,
        ),
      ),
      { at: missing.some(({ named }) => named) ? "spec.verify.topics" : "spec.verify.tables" },
    );
  },
};

/**
 * A topic that deletes records is reported in advance: a deleted record counts as never delivered.
 *
 * Rule: specification, "Start, verification and rollback"; reference: connector settings, "What a cutover verification
 * compares".
 */
export const recordsNotKept: CheckIn<VerificationReading, "captured" | "tables", "read"> = {
  code: "MIG205",
  title: "A topic does not keep every record",
  problem:
    "A key whose records are deleted counts as not delivered; On a compacted topic a key whose only record is above " +
    "the check SCN is inconclusive, and so is a deleted key whose deletion may be gone from the new topic.",
  remedy:
    "Verify before the retention expires, or raise retention.ms and retention.bytes; use a later check SCN for a " +
    "compacted topic.",
  grade: "advisory",

  run(_intent, { captured, tables, facts: { read } }) {
    if (!captured.known) return pass;
    if (!read.known) return unseen(read, "the topics could not be inspected", ACCESS_REMEDIES.topics);
    const names = new Set(
      tables.flatMap((table) => (table.ok ? [table.verified.topic, table.verified.legacyTopic ?? []].flat() : [])),
    );
    const looks = [...names].flatMap((name) => {
      const seen = Object.hasOwn(read.value, name) ? read.value[name] : undefined;
      return seen === undefined || seen === "missing" ? [] : [keeping(seen)];
    });
    const told = looks.flatMap(({ forgets }) => forgets);
    if (told.length > 0) return fail(sentences(told));
    return looks.find(({ hidden }) => hidden !== undefined)?.hidden ?? pass;
  },
};

interface Keeping {
  readonly forgets: readonly string[];
  readonly hidden?: Verdict | undefined;
}

function keeping({ name, cleanupPolicy, retentionMillis, retentionBytes }: TopicSeen): Keeping {
  const hiddenBy = (facts: readonly Observed<unknown>[]): Verdict | undefined =>
    facts.flatMap((fact) => (fact.known ? [] : unseen(fact, `whether ${name} keeps every record is unknown`)))[0];
  if (!cleanupPolicy.known) return { forgets: [], hidden: hiddenBy([cleanupPolicy]) };
  const policies = cleanupPolicy.value.split(",").map((policy) => policy.trim());
  const deletes = policies.includes("delete");
  const forgets = [
    ...(policies.includes("compact") ? [`${name} is compacted: it keeps only the last record of a key`] : []),
    ...(deletes && retentionMillis.known && retentionMillis.value >= 0n
      ? [`${name} deletes records after ${printDuration(Number(retentionMillis.value))} (retention.ms)`]
      : []),
    ...(deletes && retentionBytes.known && retentionBytes.value >= 0n
      ? [
          `${name} deletes its oldest records beyond about ${showBytes(retentionBytes.value)} a partition ` +
            "(retention.bytes)",
        ]
      : []),
  ];
  return { forgets, hidden: deletes ? hiddenBy([retentionMillis, retentionBytes]) : undefined };
}

/**
 * A legacy topic is named manually. A topic that does not exist is probably mistyped, and every row that it delivered
 * would count as missing.
 */
export const legacyTopicMissing: LegacyTopicCheck = {
  code: "MIG206",
  title: "A legacy topic in the plan file does not exist",
  problem: "Every row that only the legacy connector delivered would count as missing.",
  remedy: "Correct `spec.verify.legacyTopics`.",
  grade: "refusal",

  run(_intent, { tables, facts, mayBeLegacy }) {
    const { read, topics, retired } = facts;
    const named = tables.flatMap((table) =>
      table.ok && table.verified.legacyTopic !== undefined
        ? [{ ...table.verified, topic: table.verified.legacyTopic, written: table.written }]
        : [],
    );
    if (named.length === 0) return pass;
    if (!read.known) return unseen(read, "the topics could not be inspected", ACCESS_REMEDIES.topics);
    const missing = named.filter(({ topic }) => !Object.hasOwn(read.value, topic) || read.value[topic] === "missing");
    if (missing.length === 0) return pass;
    const there = topics.known ? topics.value.filter(mayBeLegacy) : [];
    const by = new Map(retired.known ? retired.value.topics.map(({ topic, run }) => [topic, run] as const) : []);
    const gone = missing.filter(({ topic }) => by.has(topic));
    return fail(
      sentences(
        missing.map(({ table, topic }) => {
          if (by.has(topic))
            return `${topic}, the legacy topic of ${table}, was deleted by the retirement ${by.get(topic)}`;
          const meant = orMeant(nearest(topic, there));
          return `the brokers have no topic ${topic}, which is named as the legacy topic of ${table}${meant}`;
        }),
      ),
      {
        ...(gone.length === 0
          ? {}
          : {
              remedies: [
                {
                  text: "Remove from spec.verify.legacyTopics",
                  setting: gone.map(({ written, topic }) => `${written}: ${topic}`).join(", "),
                },
                "Expect each row that only the legacy connector had delivered to count as missing: its record is gone.",
                ...(gone.length === missing.length ? [] : ["Correct the others."]),
              ],
            }),
        at: "spec.verify.legacyTopics",
      },
    );
  },
};

type LegacyTopicCheck = CheckIn<VerificationReading, "tables" | "mayBeLegacy", "read" | "topics" | "retired">;

/**
 * The legacy topic only shows that a key was delivered once. Read as the new connector's, its records would count as
 * delivered by that connector.
 *
 * Rule: specification, "Record format differences": new topics always.
 */
export const topicOfBoth: Check<Pick<MigrationIntent, "to">, Pick<VerificationReading, "tables">> = {
  code: "MIG209",
  title: "A legacy topic is also the new connector's topic",
  problem: "Records of one connector would be read as the other's, and the comparison would mean nothing.",
  remedy: "Correct `spec.verify.legacyTopics`.",
  grade: "refusal",

  run({ to }, { tables }) {
    // The writer of a record is told by its source where both write into one topic.
    if (to.topics === "keep") return pass;
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
    return both.length === 0 ? pass : fail(sentences(both), { at: "spec.verify.legacyTopics" });
  },
};

/** A topic deleted by a retirement is not required when earlier evidence shows that nothing depends on it. */
export const legacyTopicRetired: Check<unknown, Pick<VerificationReading, "tables">> = {
  code: "MIG210",
  title: "A legacy topic is left out: a retirement has deleted it",
  problem: "The table is compared only with its new topic.",
  remedy: "Remove it from `spec.verify.legacyTopics`.",
  grade: "advisory",

  run(_intent, { tables }) {
    const retired = tables.flatMap((table) =>
      table.ok && table.retired !== undefined
        ? [{ ...table.verified, ...table.retired, read: table.verified.topic }]
        : [],
    );
    if (retired.length === 0) return pass;
    return fail(
      sentences(
        retired.map(
          ({ table, topic, run, read }) =>
            `${topic}, the legacy topic of ${table}, was deleted by the retirement ${run}; evidence shows that ` +
            `${read} held every key by itself`,
        ),
      ),
      { at: "spec.verify.legacyTopics" },
    );
  },
};
