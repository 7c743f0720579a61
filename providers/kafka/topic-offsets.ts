import type { OffsetRange } from "../../core/ports/kafka.ts";
import { type BrokerCluster, readAt, retrying } from "./broker-cluster.ts";
import type { BrokerConnection } from "./broker-connection.ts";
import type { Metadata, TopicMetadata } from "./metadata-request.ts";

const EARLIEST = "-2";
const LATEST = "-1";

/**
 * Where a partition ends: at its high watermark, the offset that is written next, whether or not transactions before it
 * are open; or at its last stable offset, before the first transaction that is open.
 */
type EndOf = "everything" | "what is committed";
const ISOLATION: Readonly<Record<EndOf, 0 | 1>> = { everything: 0, "what is committed": 1 };

/** Returns the range of every partition, from the first offset that is still available. */
export function partitionRanges(
  cluster: BrokerCluster,
  name: string,
  endOf: EndOf = "everything",
): Promise<readonly OffsetRange[]> {
  const doing = `read the offsets of ${name}`;
  return retrying(doing, async () => {
    const { topic, metadata } = await cluster.topic(name);
    const asked = await atLeaders(cluster, metadata, topic, async (session, partitions) => {
      const offsets = (timestamp: string) =>
        readAt(cluster, session, doing, async () => {
          const answer = await session.broker.listOffsets({
            isolationLevel: ISOLATION[endOf],
            topics: [{ topic: name, partitions: partitions.map((partition) => ({ partition, timestamp })) }],
          });
          return new Map(
            answer.responses.flatMap((one) => one.partitions).map((one) => [one.partition, BigInt(one.offset)]),
          );
        });
      const [starts, ends] = [await offsets(EARLIEST), await offsets(LATEST)];
      return partitions.map((partition) => ({
        partition,
        from: starts.get(partition) ?? 0n,
        to: ends.get(partition) ?? 0n,
      }));
    });
    return asked.flat().toSorted((a, b) => a.partition - b.partition);
  });
}

/** Asks every leader for its own partitions, all leaders at once. */
export function atLeaders<T>(
  cluster: BrokerCluster,
  metadata: Metadata,
  topic: TopicMetadata,
  ask: (session: BrokerConnection, partitions: readonly number[]) => Promise<T>,
): Promise<T[]> {
  const leaders = [...new Set(topic.partitions.map((partition) => partition.leader))];
  return Promise.all(
    leaders.map(async (leader) => {
      const indexes = topic.partitions.filter((one) => one.leader === leader).map((one) => one.index);
      const session = await cluster.leader(metadata, topic.name, indexes[0] ?? 0);
      return ask(session, indexes);
    }),
  );
}
