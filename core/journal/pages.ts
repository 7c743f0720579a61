import { CallFailed } from "../errors.ts";
import type { KafkaPort, KafkaRecord, RecordPosition } from "../ports/kafka.ts";

/** How much of the topic is in memory at a time. */
const PAGE = { records: 100_000, bytes: 64 * 1024 * 1024, millis: 20_000 } as const;
/** A page of single records that are sought: what lies between them is read for nothing. */
const SMALL_PAGE = { records: 1_000, bytes: 16 * 1024 * 1024, millis: 20_000 } as const;
/** So many pages in a row without a record, and the brokers are taken not to answer. */
const PATIENCE = 3;

/**
 * Every record of a topic up to the given ends, page after page, in order of offset within a partition; committed ones only.
 *
 * @throws CallFailed also where no more comes before the ends
 */
export async function* recordPages(
  kafka: KafkaPort,
  topic: string,
  ends: readonly RecordPosition[],
): AsyncGenerator<readonly KafkaRecord[]> {
  const endOf = new Map(ends.map(({ partition, offset }) => [partition, offset]));
  const next = new Map<number, bigint>();
  for (let empty = 0; ; ) {
    const from = [...next].map(([partition, offset]) => ({ partition, offset }));
    const { records, reachedEnd } = await kafka.read(topic, { ...PAGE, from });
    for (const { partition, offset } of records) next.set(partition, offset + 1n);
    yield records.filter(({ partition, offset }) => offset < (endOf.get(partition) ?? 0n));
    if (reachedEnd || [...endOf].every(([partition, end]) => end === 0n || (next.get(partition) ?? 0n) >= end)) return;
    empty = records.length === 0 ? empty + 1 : 0;
    if (empty >= PATIENCE) throw noMore(topic);
  }
}

/**
 * Single records, each in turn, in order of their offsets within a partition; undefined for one that is there no more (compacted away).
 * Where they stand close to each other, they are read together.
 */
export async function* recordsAt<P extends RecordPosition>(
  kafka: KafkaPort,
  topic: string,
  wanted: readonly P[],
): AsyncGenerator<readonly [P, KafkaRecord | undefined]> {
  const partitions = [...new Set(wanted.map(({ partition }) => partition))].sort((a, b) => a - b);
  const all = (await kafka.endOffsets(topic)).map(({ partition }) => partition);
  for (const partition of partitions) {
    const queue = wanted
      .filter((one) => one.partition === partition)
      .sort((a, b) => (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0));
    for (let empty = 0, at = 0; ; ) {
      const sought = queue[at];
      if (sought === undefined) break;
      const from = all.map((one) => ({ partition: one, offset: one === partition ? sought.offset : BEYOND }));
      const { records, reachedEnd } = await kafka.read(topic, { ...SMALL_PAGE, from });
      for (const record of records) {
        for (let one = queue[at]; one !== undefined && one.offset <= record.offset; one = queue[++at])
          yield [one, one.offset === record.offset ? record : undefined];
      }
      if (reachedEnd) for (let one = queue[at]; one !== undefined; one = queue[++at]) yield [one, undefined];
      empty = records.length === 0 ? empty + 1 : 0;
      if (empty >= PATIENCE) throw noMore(topic);
    }
  }
}

/** Of the partitions that nothing is sought in, nothing is read. */
const BEYOND = 2n ** 63n - 1n;

/** Not a timeout of the brokers: they answer, and something on the topic holds the rest back. */
function noMore(topic: string): CallFailed {
  return new CallFailed({
    system: "kafka",
    kind: "unsupported",
    message: `no record of ${topic} came within ${(PATIENCE * PAGE.millis) / 1000} s, before its end`,
    remedy: "Is a transaction open on the topic? The task would wait for it as well.",
  });
}
