import { CallFailed } from "../errors.ts";
import type { KafkaPort, KafkaRecord, OffsetRange, RecordPosition, RecordsInPlace } from "../ports/kafka.ts";

/**
 * The topic's current extent, partition by partition: up to where the next record is written, even if a transaction is
 * open before that. The task would wait for its end as well.
 */
export async function journalRanges(kafka: KafkaPort, topic: string): Promise<readonly OffsetRange[]> {
  const [committed, ends] = await Promise.all([kafka.extents(topic), kafka.endOffsets(topic)]);
  return committed.map(({ partition, from, to }) => {
    const end = ends.find((one) => one.partition === partition)?.offset ?? to;
    return { partition, from, to: end > to ? end : to };
  });
}

/**
 * Every record of this range, batch by batch as they arrive, in order of offset; committed ones only.
 *
 * @throws CallFailed also if a transaction stays open before the end: the brokers answer, and hold back the rest
 */
export async function* recordBatches(
  kafka: KafkaPort,
  topic: string,
  range: OffsetRange,
): AsyncGenerator<RecordsInPlace> {
  try {
    yield* kafka.recordsInPlace(topic, range, true);
  } catch (failure) {
    if (!(failure instanceof CallFailed) || failure.kind !== "timeout") throw failure;
    const now = (await kafka.extents(topic)).find(({ partition }) => partition === range.partition);
    throw now === undefined || now.to >= range.to ? failure : heldBack(topic, now, failure);
  }
}

function heldBack(topic: string, { partition, to }: OffsetRange, cause: CallFailed): CallFailed {
  return new CallFailed("kafka", "unsupported", {
    message:
      `a transaction is open on ${topic}, partition ${partition}: ` +
      `what follows offset ${to} is hidden until it ends`,
    remedy: "Wait for its end: the task would wait as well. A producer that is gone is timed out by the brokers.",
    cause,
  });
}

/** Records between two requested ones that are no further apart are read too, which costs less than another request. */
const NEAR = 50n;

/**
 * Single records, in order of partition and offset; undefined for one that does not exist any more (compacted or
 * deleted).
 */
export async function* recordsAt<P extends RecordPosition>(
  kafka: KafkaPort,
  topic: string,
  wanted: readonly P[],
): AsyncGenerator<readonly [P, KafkaRecord | undefined]> {
  for (const near of neighbours(wanted)) {
    const [first, last] = [near[0], near.at(-1)];
    if (first === undefined || last === undefined) continue;
    const range = { partition: first.partition, from: first.offset, to: last.offset + 1n };
    let at = 0;
    for await (const records of withoutDeleted(kafka.records(topic, range)))
      for (const record of records)
        for (let one = near[at]; one !== undefined && one.offset <= record.offset; one = near[++at])
          yield [one, one.offset === record.offset ? record : undefined];
    for (let one = near[at]; one !== undefined; one = near[++at]) yield [one, undefined];
  }
}

function neighbours<P extends RecordPosition>(wanted: readonly P[]): readonly (readonly P[])[] {
  const groups: P[][] = [];
  let last: P | undefined;
  for (const one of [...wanted].sort(byPlace)) {
    const isNear = last !== undefined && last.partition === one.partition && one.offset - last.offset <= NEAR;
    if (isNear) groups.at(-1)?.push(one);
    else groups.push([one]);
    last = one;
  }
  return groups;
}

function byPlace(a: RecordPosition, b: RecordPosition): number {
  return a.partition - b.partition || (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0);
}

/** Ends if the requested records do not exist any more. */
async function* withoutDeleted(batches: AsyncIterable<readonly KafkaRecord[]>): AsyncGenerator<readonly KafkaRecord[]> {
  try {
    yield* batches;
  } catch (failure) {
    if (!(failure instanceof CallFailed) || failure.kind !== "missing") throw failure;
  }
}
