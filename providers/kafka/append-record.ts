import { CallFailed } from "../../core/errors.ts";
import { partitionOf } from "../../core/facts/ops/partition-of.ts";
import type { NewRecord, RecordPosition } from "../../core/ports/kafka.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import { type BrokerCluster, Passing, retrying } from "./broker-cluster.ts";
import { errorName, failureKind, MOVED } from "./error-codes.ts";
import { BrokerRefused, brokerCode, isConnectionLost, translate } from "./kafka-failure.ts";
import type { TopicMetadata } from "./metadata-request.ts";

const ALL_IN_SYNC = -1;

/**
 * Writes records in one batch. It is sent again only after an answer that proves that it was not written
 * (`produceFailure`); kafkajs repeats a request only in its producer, which is not used here. Once the request is
 * sent, a broken connection is reported as `lost`, and silence or an ambiguous answer as `timeout`: the record may have
 * been written.
 *
 * @param timeoutMillis how long the broker waits for the in-sync replicas
 */
export function appendRecords(
  cluster: BrokerCluster,
  topic: string,
  records: readonly NewRecord[],
  timeoutMillis: number,
): Promise<RecordPosition> {
  return retrying(`write to ${topic}`, async () => {
    const found = await cluster.topic(topic);
    const { key = null, partition = partitionFor(key, found.topic) } = records[0] ?? {};
    const session = await cluster.leader(found.metadata, topic, partition);
    try {
      const answer = await session.broker.produce({
        acks: ALL_IN_SYNC,
        timeout: timeoutMillis,
        topicData: [{ topic, partitions: [{ partition, messages: records.map(asMessage) }] }],
      });
      const offset = answer.topics[0]?.partitions[0]?.baseOffset;
      if (offset === undefined) throw new BrokerRefused(-1);
      return { partition, offset: BigInt(offset) + BigInt(records.length - 1) };
    } catch (error) {
      if (isConnectionLost(error)) cluster.forget(session);
      throw produceFailure(error, topic, session.address);
    }
  });
}

function asMessage({ key, value }: NewRecord) {
  return { key: key === null ? null : Buffer.from(key), value: value === null ? null : Buffer.from(value) };
}

/**
 * The partition that the Java client chooses for a key, so that records of a key stay in one partition; without a key,
 * the first.
 */
function partitionFor(key: Uint8Array | null, { partitions }: TopicMetadata): number {
  return key === null ? 0 : partitionOf(key, partitions.length);
}

/** What to do after an error code in the answer to a Produce request with `acks=all`. @param topic its name */
type Remedies = Readonly<Record<number, (topic: string) => string>>;

const replicas = (topic: string) =>
  `bring the missing replicas of ${topic} back (kafka-topics --describe --topic ${shellWord(topic)} shows Isr), or ` +
  "lower its min.insync.replicas";

/**
 * The leader returns these codes only before it appends, so the record is not in the log and never will be.
 *
 * Sources: Kafka's protocol guide (https://kafka.apache.org/protocol#protocol_error_codes) states what each code means.
 * Which of them come only before the append follows from the broker: `KafkaApis.handleProduceRequest` (29, 31, 3),
 * `Partition.appendRecordsToLeader` (19) and `LogValidator` and `UnifiedLog.append` (2, 10, 18, 32, 44, 87) refuse
 * before anything is in the log. While the leader waits for the other replicas, `DelayedProduce.tryComplete` answers
 * with the result of `ReplicaManager.getPartitionOrError` or `Partition.checkEnoughReplicasReachOffset` for a record
 * that is already appended: 6 if it no longer leads the partition, 56 if its disk failed, 20, and 7 on a timeout. 3 may
 * also come from there, for a topic that was deleted: the record is gone with it.
 */
const NOT_WRITTEN: Remedies = {
  2: () => "Run the command again; if it fails again, something in the network alters the data.",
  3: (topic) => `Create the topic ${topic}, or name the right one in the connector's configuration.`,
  5: (topic) =>
    `Wait until ${topic} has a leader (kafka-topics --describe --unavailable-partitions), then run the command again.`,
  10: (topic) => `Raise max.message.bytes of ${topic}.`,
  18: (topic) => `Raise segment.bytes of ${topic}.`,
  19: replicas,
  29: (topic) => `Grant the login Write on the topic ${topic} (kafka-acls).`,
  31: () => "Grant the login the operation on the cluster (kafka-acls --cluster).",
  32: (topic) =>
    "Correct this machine's clock, which dates the record; or raise message.timestamp.before.max.ms and " +
    `message.timestamp.after.max.ms of ${topic}.`,
  44: () => "Ask the administrators of the brokers: a policy rejects the record.",
  87: (topic) =>
    `Check cleanup.policy of ${topic}, which must not be compact for a record without a key, and whether the ` +
    "brokers validate records against a schema.",
};

/** It returns these also, or only, after it has appended, while it waits for the other in-sync replicas. */
const PERHAPS_WRITTEN: Remedies = {
  6: () => "Run the command again: another broker leads the partition now.",
  7: (topic) =>
    `Check that the in-sync replicas of ${topic} keep up (kafka-topics --describe --topic ${shellWord(topic)}).`,
  20: replicas,
  56: () => "Check the disks and the log of the broker that leads the partition.",
};

/** A code that is in neither table proves nothing: the record may have been written. */
const otherwise = () => "See what the code means:  https://kafka.apache.org/protocol#protocol_error_codes";

/**
 * Returns the error to throw for a failed Produce request, inside `retrying`. The request may be sent again (`Passing`)
 * only if the record was certainly not written and new metadata helps. Otherwise a second answer, however definite,
 * would hide that the first one was ambiguous.
 *
 * @returns a `CallFailed`, or a `Passing` with one, of kind `timeout` or `lost` if the record may have been written
 */
function produceFailure(error: unknown, topic: string, address: string): CallFailed | Passing {
  const doing = `write to ${topic} at ${address}`;
  const code = brokerCode(error);
  if (code === undefined) return translate(error, doing);
  const notWritten = NOT_WRITTEN[code];
  const failure = new CallFailed("kafka", notWritten === undefined ? "timeout" : failureKind(code), {
    message: `could not ${doing}: ${errorName(code)}`,
    code: errorName(code),
    remedy: (notWritten ?? PERHAPS_WRITTEN[code] ?? otherwise)(topic),
    cause: error,
  });
  return notWritten !== undefined && MOVED.includes(code) ? new Passing(failure) : failure;
}
