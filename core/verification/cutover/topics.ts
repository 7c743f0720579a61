import type { TopicSeen } from "../../../schemas/generated/facts.ts";
import { Refusal } from "../../errors.ts";
import type { KafkaPort, OffsetRange } from "../../ports/kafka.ts";
import { showBytes } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import type { Extent } from "../engine/manifest.ts";

/** A topic to be read by a verification. */
export interface TopicToRead {
  readonly topic: string;
  readonly compacted: boolean;
  readonly extents: readonly OffsetRange[];
  /** Remarks for a reader of the result. */
  readonly remarks: readonly string[];
}

/**
 * Inspects a topic: what it retains, and what there is to read now.
 *
 * @param named whether the operator named it; it must then exist. A table that never changed has no new topic
 * @param left extents of an interrupted run, which take precedence over the current ones
 * @throws Refusal VER105 if a named topic does not exist
 */
export async function topicToRead(
  kafka: KafkaPort,
  topic: string,
  named: boolean,
  left: readonly Extent[] | undefined,
): Promise<TopicToRead> {
  const seen = await kafka.topic(topic);
  if (seen === undefined) {
    if (named)
      throw new Refusal("VER105", `topic ${topic} does not exist on ${kafka.brokers}`, [
        "Check its name, and the brokers (--bootstrap-servers).",
      ]);
    return {
      topic,
      compacted: false,
      extents: [],
      remarks: [`there is no topic ${topic}: the new connector has delivered nothing of this table`],
    };
  }
  const extents = await kafka.extents(topic);
  const extentOf = new Map((left ?? []).map((one) => [one.partition, one]));
  return {
    topic,
    compacted: !seen.cleanupPolicy.known || seen.cleanupPolicy.value.includes("compact"),
    extents: extents.map((now) => extentOf.get(now.partition) ?? now),
    remarks: [...keeping(seen), ...cutOff(topic, extents)],
  };
}

/** Remarks on records that the topic may have removed. */
function keeping({ name, cleanupPolicy, retentionMillis, retentionBytes }: TopicSeen): readonly string[] {
  if (!cleanupPolicy.known)
    return [`cleanup.policy of ${name} can't be seen (${cleanupPolicy.why}): it is taken for compacted`];
  const policies = cleanupPolicy.value.split(",").map((policy) => policy.trim());
  const remarks: string[] = [];
  if (policies.includes("delete")) {
    if (!retentionMillis.known) remarks.push(`retention.ms of ${name} can't be seen: older records may be gone`);
    else if (retentionMillis.value >= 0n)
      remarks.push(
        `${name} keeps records for ${printDuration(Number(retentionMillis.value))} (cleanup.policy ` +
          `${cleanupPolicy.value}): a key whose records are older is not found in it`,
      );
    if (!retentionBytes.known) remarks.push(`retention.bytes of ${name} can't be seen: older records may be gone`);
    else if (retentionBytes.value >= 0n)
      remarks.push(
        `${name} keeps about ${showBytes(retentionBytes.value)} a partition (retention.bytes, cleanup.policy ` +
          `${cleanupPolicy.value}): a key whose records are older is not found in it`,
      );
  }
  if (policies.includes("compact"))
    remarks.push(`${name} is compacted: what a key was before its last record may be gone`);
  return remarks;
}

/** Remark on records removed by retention. A compacted topic may also lack its first offsets. */
function cutOff(topic: string, extents: readonly Extent[]): readonly string[] {
  const cut = extents.filter(({ from }) => from > 0n);
  if (cut.length === 0) return [];
  const places = cut.map(({ partition, from }) => `partition ${partition} at offset ${from}`);
  return [
    `${topic} no longer has its first records: it begins in ` +
      `${places.slice(0, 8).join(", ")}${cut.length > 8 ? ", …" : ""}`,
  ];
}
