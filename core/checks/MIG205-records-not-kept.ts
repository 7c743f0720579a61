import type { TopicSeen } from "../facts/ops/topic.ts";
import { printDuration } from "../values/duration.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { sentences } from "./listed.ts";

/**
 * A topic that forgets is looked at first: what it has forgotten counts as never delivered.
 *
 * Rule: specification, "Start, verification and rollback"; reference: connector settings, "What a cutover verification
 * compares".
 */
export const recordsNotKept: Check<"Verification"> = {
  code: "MIG205",
  title: "A topic does not keep every record",
  problem:
    "A key whose records are deleted counts as not delivered; on a compacted topic one whose only record is " +
    "above the check SCN is inconclusive, and so is one that the table lost and whose deletion may be gone from " +
    "the new topic.",
  remedy:
    "Verify before the retention is over, or raise retention.ms and retention.bytes; give a compacted topic a " +
    "later check SCN.",
  grade: "advisory",

  run(_intent, { captured, tables, facts: { read } }) {
    if (!captured.known) return pass;
    if (!read.known) return unknown(`the topics can't be seen: ${read.why}`, read.remedy ?? TO_KNOW.topics);
    const names = new Set(
      tables.flatMap((table) => (table.ok ? [table.verified.topic, table.verified.legacyTopic ?? []].flat() : [])),
    );
    const looks = [...names].flatMap((name) => {
      const seen = Object.hasOwn(read.value, name) ? read.value[name] : undefined;
      return seen === undefined || seen === "missing" ? [] : [keeping(seen)];
    });
    const told = looks.flatMap(({ forgets }) => forgets);
    if (told.length > 0) return fail({ seen: sentences(told) });
    const [hidden] = looks.flatMap(({ unseen }) => unseen);
    return hidden === undefined ? pass : unknown(hidden.why, hidden.remedy);
  },
};

interface Keeping {
  readonly forgets: readonly string[];
  readonly unseen: readonly { readonly why: string; readonly remedy: string | undefined }[];
}

function keeping({ name, cleanupPolicy, retentionMillis, retentionBytes }: TopicSeen): Keeping {
  const hidden = (why: string, remedy: string | undefined): Keeping => ({
    forgets: [],
    unseen: [{ why: `whether ${name} keeps every record can't be told: ${why}`, remedy }],
  });
  if (!cleanupPolicy.known) return hidden(cleanupPolicy.why, cleanupPolicy.remedy);
  const policies = cleanupPolicy.value.split(",").map((policy) => policy.trim());
  const compacted = policies.includes("compact") ? [`${name} is compacted: it keeps the last record of a key`] : [];
  if (!policies.includes("delete")) return { forgets: compacted, unseen: [] };
  const deleted =
    retentionMillis.known && retentionMillis.value >= 0n
      ? [`${name} deletes records after ${printDuration(Number(retentionMillis.value))} (retention.ms)`]
      : [];
  const cut =
    retentionBytes.known && retentionBytes.value >= 0n
      ? [`${name} deletes its oldest records beyond about ${retentionBytes.value} bytes a partition (retention.bytes)`]
      : [];
  const forgets = [...compacted, ...deleted, ...cut];
  const unseen = [retentionMillis, retentionBytes].find((one) => !one.known);
  return unseen === undefined || unseen.known || forgets.length > 0
    ? { forgets, unseen: [] }
    : hidden(unseen.why, unseen.remedy);
}
