import { partitionOf } from "../../core/facts/ops/partition-of.ts";
import type { NewRecord, RecordPosition } from "../../core/ports/kafka.ts";
import type { BrokerCluster } from "./broker-cluster.ts";
import { BrokerRefused, isConnectionLost } from "./kafka-failure.ts";
import type { TopicMetadata } from "./metadata-request.ts";
import { produceFailure } from "./produce-errors.ts";
import { retrying } from "./retries.ts";

const ALL_IN_SYNC = -1;

/**
 * Writes records in one batch. It is sent again only after an answer that proves that it was not written
 * (`produce-errors.ts`); kafkajs repeats a request only in its producer, which is not used here. Once the request is
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
