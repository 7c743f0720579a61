import type { KafkaRecord } from "../../core/ports/kafka.ts";
import type { AbortedTransaction } from "./fetch-request.ts";
import { controlOf, type RecordBatch, recordBatches, recordsOf } from "./record-batch.ts";
import { type Allowance, allowanceOf } from "./uncompressed-limits.ts";

interface CommittedBatch {
  /** Undefined if it has no committed records: it belongs to an aborted transaction, or is a marker. */
  readonly batch: RecordBatch | undefined;
  /** Where the next fetch starts: after the batch, with or without committed records. */
  readonly next: bigint;
}

/**
 * Yields the batches of a `read_committed` fetch. The broker returns aborted records too, and lists the aborted
 * transactions by producer and first offset: each lasts until the producer's next abort marker.
 *
 * @param allowance for all batches together
 */
export async function* committedBatches(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
  allowance: Allowance = allowanceOf(),
): AsyncGenerator<CommittedBatch> {
  const coming = aborted.toSorted((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const open = new Set<bigint>();
  let next = from;
  for (const batch of recordBatches(batches)) {
    while (coming[0] !== undefined && coming[0].firstOffset <= batch.lastOffset) {
      open.add(coming[0].producerId);
      coming.shift();
    }
    if (batch.lastOffset >= next) next = batch.lastOffset + 1n;
    if (batch.control && (await controlOf(batch, allowance)) === "abort") open.delete(batch.producerId);
    const committed = !batch.control && !(batch.transactional && open.has(batch.producerId));
    yield { batch: committed ? batch : undefined, next };
  }
}

interface CommittedRecords {
  /** Records at or after `from`, in order; without records of aborted transactions and control records. */
  readonly records: readonly KafkaRecord[];
  readonly next: bigint;
}

export async function committedRecords(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
  partition: number,
): Promise<CommittedRecords> {
  const records: KafkaRecord[] = [];
  let end = from;
  const allowance = allowanceOf();
  for await (const { batch, next } of committedBatches(batches, aborted, from, allowance)) {
    end = next;
    if (batch === undefined) continue;
    for (const record of await recordsOf(batch, partition, allowance)) if (record.offset >= from) records.push(record);
  }
  return { records, next: end };
}
