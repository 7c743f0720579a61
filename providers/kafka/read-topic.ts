import { CallFailed } from "../../core/errors.ts";
import type { KafkaRecord, OffsetRange, ReadBounds, TopicRead } from "../../core/ports/kafka.ts";
import { printDuration } from "../../core/values/duration.ts";
import { within } from "../within.ts";
import { type BrokerCluster, readAt, retrying } from "./broker-cluster.ts";
import { type Fetched, fetchBatches } from "./fetch-request.ts";
import { BrokerRefused } from "./kafka-failure.ts";
import { unreadable } from "./read-partition.ts";
import { committedRecords } from "./record-batch.ts";
import { atLeaders, partitionRanges } from "./topic-offsets.ts";

interface Progress extends OffsetRange {
  /** Where the read began. */
  readonly first: bigint;
  next: bigint;
  readonly records: KafkaRecord[];
}

/** How many records, and bytes of keys and values, may still be read; `full` once a record had to be left out. */
interface Room {
  left: number;
  bytes: number;
  full: boolean;
}

const MAX_WAIT_MILLIS = 500;
const MAX_PARTITION_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
/**
 * A broker answers within `MAX_WAIT_MILLIS` even if there is nothing to read. A broker that is silent for this long is
 * frozen, not slow.
 */
const FROZEN_MILLIS = 5_000;
/** Records are kept until all are read, so a read has a bound in bytes too. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

/**
 * Reads a topic without a consumer group. Records that an open transaction hides are waited for as long as the bounds
 * allow.
 *
 * @param bounds as in `KafkaPort.read`; for a tail, the record limit applies to each partition
 * @throws CallFailed `timeout` if the brokers have stopped answering
 */
export async function readTopic(cluster: BrokerCluster, topic: string, bounds: ReadBounds): Promise<TopicRead> {
  const deadline = Date.now() + bounds.millis;
  const ranges = await partitionRanges(cluster, topic);
  const partitions = ranges.map((range) => begin(range, bounds));
  const room: Room = {
    left: bounds.from === "tail" ? Number.POSITIVE_INFINITY : bounds.records,
    bytes: MAX_READ_BYTES,
    full: false,
  };

  const layout: Layout = {};
  let answeredAt: number | undefined;
  for (let round = 0; ; round++) {
    const unread = partitions.filter((one) => one.next < one.to);
    const millis = deadline - Date.now();
    if (unread.length === 0 || room.full || millis <= 0) break;
    // The first partition may use up an answer's bytes, so the partitions take turns.
    const turn = unread.map((_, i) => unread[(i + round) % unread.length]).filter((one) => one !== undefined);
    const fetching = fetchRound(cluster, topic, layout, turn, Math.min(MAX_WAIT_MILLIS, millis));
    const answers = await within(millis, fetching, () => undefined);
    const silent = answeredAt === undefined ? bounds.millis : Date.now() - answeredAt;
    if (answers !== undefined) answeredAt = Date.now();
    else if (answeredAt === undefined || silent >= FROZEN_MILLIS) throw frozen(cluster, topic, silent);
    for (const answer of answers ?? []) {
      const progress = partitions.find((one) => one.partition === answer.partition);
      if (progress !== undefined) await take(progress, answer, room, topic);
    }
  }

  const reachedEnd = partitions.every((one) => one.next >= one.to);
  return {
    records: partitions.flatMap((one) => one.records),
    whole: reachedEnd && partitions.every((one) => one.first <= one.from),
    reachedEnd,
    readTo: partitions.map(({ partition, next }) => ({ partition, offset: next })),
  };
}

function frozen({ brokers }: BrokerCluster, topic: string, millis: number): CallFailed {
  return new CallFailed("kafka", "timeout", {
    message: `could not read ${topic} at ${brokers}: no answer for ${printDuration(millis)}`,
    remedy: "Check whether the brokers or the network to them are hanging.",
  });
}

function begin(range: OffsetRange, { from, records }: ReadBounds): Progress {
  const wanted =
    from === "beginning"
      ? range.from
      : from === "tail"
        ? range.to - BigInt(records)
        : (from.find((position) => position.partition === range.partition)?.offset ?? range.from);
  const first = wanted < range.from ? range.from : wanted;
  return { ...range, first, next: first, records: [] };
}

/** The leaders of the partitions, until a request to one of them fails. */
interface Layout {
  found?: Awaited<ReturnType<BrokerCluster["topic"]>> | undefined;
}

function fetchRound(
  cluster: BrokerCluster,
  name: string,
  layout: Layout,
  wanted: readonly Progress[],
  maxWaitMillis: number,
): Promise<readonly Fetched[]> {
  const doing = `read ${name}`;
  const limits = { maxWaitMillis, maxBytes: MAX_BYTES, maxPartitionBytes: MAX_PARTITION_BYTES };
  return retrying(doing, async () => {
    const { topic, metadata } = layout.found ?? (await cluster.topic(name));
    // Kept only if this round succeeds.
    layout.found = undefined;
    const answers = await atLeaders(cluster, metadata, topic, async (session, led) => {
      const asked = wanted
        .filter((one) => led.includes(one.partition))
        .map((one) => ({ partition: one.partition, from: one.next }));
      return asked.length === 0
        ? []
        : readAt(cluster, session, doing, () => fetchBatches(session, name, asked, limits));
    });
    const found = answers.flat();
    const failed = found.find((one) => one.error !== 0);
    if (failed !== undefined) throw new BrokerRefused(failed.error);
    layout.found = { topic, metadata };
    return found;
  });
}

async function take(progress: Progress, answer: Fetched, room: Room, topic: string): Promise<void> {
  const { batches, aborted } = answer;
  const { records, next } = await committedRecords(batches, aborted, progress.next, progress.partition).catch(
    (error) => {
      throw unreadable(error, `${topic}, partition ${progress.partition}`);
    },
  );
  for (const record of records) {
    if (record.offset >= progress.to) break;
    if (room.left <= 0 || room.bytes <= 0) {
      room.full = true;
      progress.next = record.offset;
      return;
    }
    progress.records.push(record);
    room.left -= 1;
    room.bytes -= (record.key?.length ?? 0) + (record.value?.length ?? 0);
  }
  progress.next = next;
}
