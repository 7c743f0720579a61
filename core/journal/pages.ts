import { CallFailed } from "../errors.ts";
import type { KafkaPort, OffsetRange, RecordsInPlace } from "../ports/kafka.ts";

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
