import type { ConnectorSeen, ResnapshotFacts, TopicSeen } from "../../schemas/generated/facts.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { settingsIn, type WithSettings } from "../facts/connector-facts.ts";
import type { Observed } from "../facts/observed.ts";
import { opsKey } from "../facts/ops/ops-event.ts";
import { partitionOf } from "../facts/ops/partition-of.ts";
import { READ_PARTITION } from "../facts/ops/signal.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { ascending } from "../values/lists.ts";
import type { Advice } from "../values/remedy.ts";
import { shellOption, shellWord } from "../values/shell-word.ts";
import { type Check, type CheckPage, fail, pass, unknown, unseen, type Verdict } from "./check.ts";
import type { ConnectorReading } from "./readings.ts";

/** No change is made without a record, and a topic is never created by accident. */
export const opsTopicMissing = topicCheck(opsTopic, isThere, {
  code: "OPS601",
  title: "The ops topic does not exist",
  problem: "The change could not be recorded, and no change is made without a record.",
  remedy: "Create the topic, or set cdc.ops.topic to the topic in use.",
  grade: "refusal",
});

const REPLICAS = {
  remedy:
    "Bring the missing brokers back and wait until their replicas are in sync, or lower min.insync.replicas of " +
    "the topic.",
  grade: "refusal",
  unknown: "advisory",
} as const;

const CLOCK = {
  remedy:
    "Correct this machine's clock, or raise message.timestamp.before.max.ms and message.timestamp.after.max.ms " +
    "of the topic.",
  grade: "acceptable",
  unknown: "advisory",
} as const;

/** Checked while planning, as far as the protocol shows. */
export const noRightToWrite = topicCheck(opsTopic, mayBeWritten, {
  code: "OPS602",
  title: "This login may not write to the ops topic",
  problem: "`apply` would stop the connector and then be unable to record the change.",
  remedy: "Allow WRITE on the ops topic for this login (kafka-acls).",
  grade: "refusal",
  unknown: "advisory",
});

/** Every event is acknowledged by all replicas in sync. */
export const tooFewReplicas = topicCheck(opsTopic, hasReplicas, {
  code: "OPS608",
  title: "Too few replicas of the ops topic are in sync",
  problem: "`apply` would stop the connector and then be unable to record the change (NOT_ENOUGH_REPLICAS).",
  ...REPLICAS,
});

/** A record is dated by the clock of the machine that writes it, unless its topic leaves that to the broker. */
export const clockTooFarOff = topicCheck(opsTopic, isInTime, {
  code: "OPS609",
  title: "This machine's clock is too far off for the ops topic",
  problem: "`apply` would stop the connector and then be unable to record the change (INVALID_TIMESTAMP).",
  ...CLOCK,
});

/**
 * A missing signals topic is created as the connector itself creates it. Brokers that create topics automatically would
 * give it their default number of partitions.
 *
 * Rule: reference: connector rules, "Signals and snapshots" (one partition, cleanup delete).
 */
export const signalsTopicMissing: Check<unknown, SignalReading> = {
  code: "SNP906",
  title: "The signals topic does not exist",
  problem: "The signal can only be written once the topic exists: with one partition, and cleanup.policy=delete.",
  remedy: "Create the topic, or set cdc.signals.topic to the topic in use.",
  grade: "refusal",

  run(_intent, reading) {
    const { facts } = reading;
    const there = isThere(signalsTopic(reading));
    if (there.verdict !== "fail") return there;
    const { signalsTopic: topic } = facts.connector;
    if (mayCreate(facts))
      return { ...there, seen: `${there.seen}: it is created, with one partition`, grade: "advisory" };
    const brokers = facts.brokers.known ? facts.brokers.value.address : "HOST:PORT";
    return {
      ...there,
      seen: `${there.seen}, and this login may not create it`,
      remedies: [createCommand(brokers, topic)],
    };
  },
};

/** Whether this login may create the signals topic; false while unknown. */
export function mayCreate({ signals }: Pick<ResnapshotFacts, "signals">): boolean {
  return signals?.known === true && signals.value.mayCreate === true;
}

export function createCommand(brokers: string, topic: string): Advice {
  return {
    text: "Create it",
    command:
      `kafka-topics.sh --bootstrap-server ${shellWord(brokers)} --create ${shellOption("--topic", topic)} ` +
      "--partitions 1 --config cleanup.policy=delete",
  };
}

/** Checked while planning, as far as the protocol shows. */
export const noRightToSignal = topicCheck(signalsTopic, mayBeWritten, {
  code: "SNP907",
  title: "This login may not write to the signals topic",
  problem: "`apply` would stop the connector and then be unable to write the signal.",
  remedy: "Allow WRITE on the signals topic for this login (kafka-acls), or use another login (--command-config).",
  grade: "refusal",
  unknown: "advisory",
});

/** A signal is acknowledged by all replicas in sync. */
export const tooFewReplicasForSignal = topicCheck(signalsTopic, hasReplicas, {
  code: "SNP917",
  title: "Too few replicas of the signals topic are in sync",
  problem:
    "The broker would refuse the signal (NOT_ENOUGH_REPLICAS); with a gap, only after the connector was stopped.",
  ...REPLICAS,
});

/** A record is dated by the clock of the machine that writes it, unless its topic leaves that to the broker. */
export const clockTooFarOffForSignal = topicCheck(signalsTopic, isInTime, {
  code: "SNP918",
  title: "This machine's clock is too far off for the signals topic",
  problem: "The broker would refuse the signal (INVALID_TIMESTAMP); with a gap, only after the connector was stopped.",
  ...CLOCK,
});

/** A topic that will be written to: its role in words, and what was observed of it. */
interface WantedTopic {
  /** `ops topic`, `signals topic` */
  readonly called: string;
  readonly name: string;
  readonly seen: Observed<TopicSeen | "missing">;
  /** The record's partition, of so many; undefined while unknown: then every partition has to accept it. */
  readonly partition: ((partitions: number) => number) | undefined;
  /** This machine's time, and the workers' time at that moment. */
  readonly here: Observed<{ readonly clusterNow?: Instant | undefined }>;
}

/** What decides about writing to the ops topic; nothing is written if the stored offset does not change. */
interface OpsReading extends Pick<ConnectorReading, "changesOffset" | "opsFormat"> {
  readonly facts: WithSettings<Pick<ConnectorSeen, "opsTopic" | "prefix">> &
    Pick<ConnectorFacts, "opsTopic" | "opsHistory">;
}

function opsTopic({ changesOffset, opsFormat, facts }: OpsReading): WantedTopic | undefined {
  if (!changesOffset) return undefined;
  const { opsTopic: name, prefix } = settingsIn(facts);
  const key = opsFormat === undefined ? undefined : opsKey(prefix, opsFormat);
  const partition = key === undefined ? undefined : (partitions: number) => partitionOf(key, partitions);
  return { called: "ops topic", name, seen: facts.opsTopic, partition, here: facts.opsHistory };
}

interface SignalReading {
  readonly facts: Pick<ResnapshotFacts, "signalsTopic" | "signals" | "connector" | "opsHistory" | "brokers">;
}

function signalsTopic({ facts: { signalsTopic: seen, connector, opsHistory } }: SignalReading): WantedTopic {
  const partition = () => READ_PARTITION;
  return { called: "signals topic", name: connector.signalsTopic, seen, partition, here: opsHistory };
}

/** Builds a check of a topic that is written to; it passes if there is none. */
function topicCheck<R>(
  topicOf: (reading: R) => WantedTopic | undefined,
  rule: (topic: WantedTopic) => Verdict,
  page: CheckPage,
): Check<unknown, R> {
  return {
    ...page,
    run(_intent, reading) {
      const topic = topicOf(reading);
      return topic === undefined ? pass : rule(topic);
    },
  };
}

function isThere({ called, name, seen }: WantedTopic): Verdict {
  if (!seen.known) return unseen(seen, `the ${called} ${name} could not be inspected`);
  return seen.value === "missing" ? fail(`the brokers have no topic ${name}`) : pass;
}

/** Checks that this login may write to the topic. `isThere` reports a missing topic. */
function mayBeWritten({ called, name, seen }: WantedTopic): Verdict {
  if (!seen.known) return unseen(seen, `the ${called} ${name} could not be inspected`);
  if (seen.value === "missing") return pass;
  const { mayWrite } = seen.value;
  if (!mayWrite.known) return unseen(mayWrite, `whether this login may write to ${name} is unknown`);
  return mayWrite.value ? pass : fail(`this login may not write to ${name}`);
}

/**
 * Checks that enough replicas are in sync for a record that all of them acknowledge: with fewer than
 * `min.insync.replicas` the broker refuses it. `isThere` blocks a topic that is missing or can't be inspected.
 */
function hasReplicas({ name, seen, partition: chosen }: WantedTopic): Verdict {
  if (!seen.known || seen.value === "missing") return pass;
  const { inSyncReplicas, minInsyncReplicas: needed, partitions, replicas } = seen.value;
  const candidates = chosen && partitions > 0n ? [chosen(Number(partitions))] : inSyncReplicas.keys();
  const [worst] = [...candidates]
    .map((partition) => ({ partition, inSync: inSyncReplicas[partition] ?? 0n }))
    .sort(ascending(({ inSync }) => inSync));
  if (worst === undefined) return unknown(`the partitions of ${name} could not be inspected`);
  const of = `partition ${worst.partition} of ${name} has ${worst.inSync} of ${replicas} replicas in sync`;
  if (!needed.known) return unseen(needed, `${of}; how many it needs is unknown`);
  if (worst.inSync >= needed.value) return pass;
  const seenOf = `${of}, and accepts a record only with ${needed.value} (min.insync.replicas)`;
  // Older Kafka releases refuse every record for such a topic; later ones need no more replicas than exist.
  if (worst.inSync >= replicas)
    return unknown(`${seenOf}: whether the brokers use that or the number of replicas depends on their release`);
  return fail(seenOf);
}

/**
 * Checks that a record dated by this machine is close enough to the brokers' clocks. Brokers do not report the time;
 * the workers do, and stand in for them here. `isThere` reports a topic that is missing or can't be inspected.
 */
function isInTime({ name, seen, here }: WantedTopic): Verdict {
  if (!seen.known || seen.value === "missing") return pass;
  const { timestamps } = seen.value;
  if (!timestamps.known)
    return unseen(timestamps, `how far a record's time may be from the brokers' clocks in ${name} is unknown`);
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
        `that wrong is unknown: ${here.known ? "neither the brokers nor the workers report the time" : here.why}`,
    );
  }
  const ahead = millisBetween(clusterNow, here.at);
  const broken = limits.find(({ side, millis }) => (side === "behind" ? -ahead : ahead) > millis);
  if (broken === undefined) return pass;
  return fail(
    `this machine's clock is ${printDuration(Math.abs(ahead))} ${broken.side} the workers' clocks; ${name} ` +
      `refuses a record dated more than ${printDuration(broken.millis)} ${broken.word} the brokers' ` +
      `(message.timestamp.${broken.word}.max.ms)`,
    { firm: true },
  );
}
