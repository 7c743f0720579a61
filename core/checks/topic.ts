import type { Observed } from "../facts/observed.ts";
import { partitionOf } from "../facts/ops/partition-of.ts";
import type { TopicSeen } from "../facts/ops/topic.ts";
import { ascending } from "../values/ascending.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { fail, pass, unknown, type Verdict } from "./check.ts";

/** A topic that is going to be written to: what it is called in words, and what was seen of it. */
export interface WantedTopic {
  /** `ops topic`, `signals topic` */
  readonly called: string;
  readonly name: string;
  readonly seen: Observed<TopicSeen | "missing">;
}

/** Whether the topic is there. */
export function isThere({ called, name, seen }: WantedTopic): Verdict {
  if (!seen.known) return unseen({ called, name }, seen);
  return seen.value === "missing" ? fail({ seen: `the brokers have no topic ${name}` }) : pass;
}

/** Whether this login may write to it. That it is missing, `isThere` says. */
export function mayBeWritten({ called, name, seen }: WantedTopic): Verdict {
  if (!seen.known) return unseen({ called, name }, seen);
  if (seen.value === "missing") return pass;
  const { mayWrite } = seen.value;
  if (!mayWrite.known)
    return unknown(`whether this login may write to ${name} can't be told: ${mayWrite.why}`, mayWrite.remedy);
  return mayWrite.value ? pass : fail({ seen: `this login may not write to ${name}` });
}

/**
 * Whether enough replicas are in sync for a record that is acknowledged by all of them: with fewer than
 * `min.insync.replicas` the broker refuses it. A topic that is missing or can't be seen is the matter of `isThere`,
 * which blocks.
 *
 * @param key of the record, which decides its partition; undefined while it can't be told: then every partition has to
 * take it
 */
export function hasReplicas({ name, seen }: WantedTopic, key: Uint8Array | undefined): Verdict {
  if (!seen.known || seen.value === "missing") return pass;
  const { inSyncReplicas, minInsyncReplicas: needed, partitions, replicas } = seen.value;
  const candidates = key === undefined ? inSyncReplicas.keys() : [partitionOf(key, Number(partitions))];
  const [worst] = [...candidates]
    .map((partition) => ({ partition, inSync: inSyncReplicas[partition] ?? 0n }))
    .sort(ascending(({ inSync }) => inSync));
  if (worst === undefined) return unknown(`the partitions of ${name} can't be seen`);
  const of = `partition ${worst.partition} of ${name} has ${worst.inSync} of ${replicas} replicas in sync`;
  if (!needed.known) return unknown(`${of}; how many it needs can't be told: ${needed.why}`, needed.remedy);
  if (worst.inSync >= needed.value) return pass;
  const seenOf = `${of}, and takes a record only with ${needed.value} (min.insync.replicas)`;
  // Kafka once refused every record of such a topic; later releases need no more replicas than there are.
  if (worst.inSync >= replicas)
    return unknown(`${seenOf}: whether the brokers go by that, or by the number of replicas, depends on their release`);
  return fail({ seen: seenOf });
}

/**
 * Whether a record that this machine dates is near enough to the brokers' clocks. They do not tell the time; the
 * workers do, and stand for them here. A topic that is missing or can't be seen is the matter of `isThere`.
 *
 * @param here this machine's time, and what the workers' clocks said at that moment
 */
export function isInTime(
  { name, seen }: WantedTopic,
  here: Observed<{ readonly clusterNow: Instant | undefined }>,
): Verdict {
  if (!seen.known || seen.value === "missing") return pass;
  const { timestamps } = seen.value;
  if (!timestamps.known)
    return unknown(
      `how far a record's time may be from the brokers' clocks in ${name} can't be told: ${timestamps.why}`,
      timestamps.remedy,
    );
  const { type, beforeMaxMillis, afterMaxMillis } = timestamps.value;
  const limits = [
    { side: "behind", word: "before", millis: beforeMaxMillis },
    { side: "ahead of", word: "after", millis: afterMaxMillis },
  ].flatMap(({ millis, ...limit }) => (millis === undefined ? [] : [{ ...limit, millis: Number(millis) }]));
  if (type !== "CreateTime" || limits.length === 0) return pass;
  const clusterNow = here.known ? here.value.clusterNow : undefined;
  if (!here.known || clusterNow === undefined) {
    const allowed = limits.map(({ word, millis }) => `${printDuration(millis)} ${word}`).join(" or ");
    return unknown(
      `${name} refuses a record dated more than ${allowed} the brokers' clocks; whether this machine's clock is ` +
        `that wrong can't be told: ${here.known ? "neither the brokers nor the workers tell the time" : here.why}`,
    );
  }
  const ahead = millisBetween(clusterNow, here.at);
  const broken = limits.find(({ side, millis }) => (side === "behind" ? -ahead : ahead) > millis);
  if (broken === undefined) return pass;
  return fail({
    seen:
      `this machine's clock is ${printDuration(Math.abs(ahead))} ${broken.side} the workers' clocks; ${name} ` +
      `refuses a record dated more than ${printDuration(broken.millis)} ${broken.word} the brokers' ` +
      `(message.timestamp.${broken.word}.max.ms)`,
    // Nothing comes of trying: the connector would be stopped for it.
    firm: true,
  });
}

function unseen(
  { called, name }: Pick<WantedTopic, "called" | "name">,
  { why, remedy }: Extract<WantedTopic["seen"], { known: false }>,
): Verdict {
  return unknown(`the ${called} ${name} can't be seen: ${why}`, remedy);
}
