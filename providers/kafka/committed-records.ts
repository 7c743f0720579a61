import type { KafkaRecord } from "../../core/ports/kafka.ts";
import type { AbortedTransaction } from "./fetch-request.ts";
import { controlOf, type RecordBatch, recordBatches, recordsOf } from "./record-batch.ts";
import { type Allowance, allowanceOf } from "./uncompressed-limits.ts";

/** One batch of a fetch that holds records which count. */
interface CommittedBatch {
  /** Undefined where nothing in it counts: of an aborted transaction, or a marker. */
  readonly batch: RecordBatch | undefined;
  /** Where the next fetch starts: after the batch, whether or not anything in it counts. */
  readonly next: bigint;
}

/**
 * What a `read_committed` fetch returned, one batch at a time. The broker returns aborted records too and says which
 * transactions were aborted, by producer and first offset: each lasts until the producer's next abort marker.
 *
 * @param unchecked as `recordBatches` takes it
 * @param allowance for all batches together
 */
export async function* committedBatches(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
  unchecked = false,
  allowance: Allowance = allowanceOf(),
): AsyncGenerator<CommittedBatch> {
  const coming = aborted.toSorted((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const open = new Set<bigint>();
  let next = from;
  for (const batch of recordBatches(batches, unchecked)) {
    while (coming[0] !== undefined && coming[0].firstOffset <= batch.lastOffset) {
      open.add(coming[0].producerId);
      coming.shift();
    }
    if (batch.lastOffset >= next) next = batch.lastOffset + 1n;
    if (batch.control && (await controlOf(batch, allowance)) === "abort") open.delete(batch.producerId);
    const counts = !batch.control && !(batch.transactional && open.has(batch.producerId));
    yield { batch: counts ? batch : undefined, next };
  }
}

interface CommittedRecords {
  /** At or after `from`, in order; records of aborted transactions and control records left out. */
  readonly records: readonly KafkaRecord[];
  readonly next: bigint;
}

/** All of a fetch at once. */
export async function committedRecords(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
  partition: number,
): Promise<CommittedRecords> {
  const records: KafkaRecord[] = [];
  let end = from;
  const allowance = allowanceOf();
  for await (const { batch, next } of committedBatches(batches, aborted, from, false, allowance)) {
    end = next;
    if (batch === undefined) continue;
    for (const record of await recordsOf(batch, partition, allowance)) if (record.offset >= from) records.push(record);
  }
  return { records, next: end };
}
