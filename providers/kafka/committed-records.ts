import type { KafkaRecord } from "../../core/ports/kafka.ts";
import type { AbortedTransaction } from "./fetch-request.ts";
import { controlOf, recordBatches, recordsOf } from "./record-batch.ts";

export interface CommittedRecords {
  /** At or after `from`, in order; records of aborted transactions and control records left out. */
  readonly records: readonly KafkaRecord[];
  /** Where the next fetch starts: after the last whole batch, whether or not anything in it counts. */
  readonly next: bigint;
}

/**
 * Decodes what a `read_committed` fetch returned, one batch at a time: compressed ones grow when they are read. The broker returns aborted
 * records too and says which transactions were aborted, by producer and first offset: each lasts until the producer's next abort marker.
 */
export async function* committedBatches(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
  partition: number,
): AsyncGenerator<CommittedRecords> {
  const coming = aborted.toSorted((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const open = new Set<bigint>();
  let next = from;
  for (const batch of recordBatches(batches)) {
    while (coming[0] !== undefined && coming[0].firstOffset <= batch.lastOffset) {
      open.add(coming[0].producerId);
      coming.shift();
    }
    if (batch.lastOffset >= next) next = batch.lastOffset + 1n;
    let records: readonly KafkaRecord[] = [];
    if (batch.control) {
      if ((await controlOf(batch)) === "abort") open.delete(batch.producerId);
    } else if (!(batch.transactional && open.has(batch.producerId))) {
      const all = await recordsOf(batch, partition);
      records = batch.baseOffset >= from ? all : all.filter(({ offset }) => offset >= from);
    }
    yield { records, next };
  }
}

/** All of a fetch at once. */
export async function committedRecords(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
  partition: number,
): Promise<CommittedRecords> {
  const records: KafkaRecord[] = [];
  let next = from;
  for await (const batch of committedBatches(batches, aborted, from, partition)) {
    for (const record of batch.records) records.push(record);
    next = batch.next;
  }
  return { records, next };
}
