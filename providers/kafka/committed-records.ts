import type { AbortedTransaction } from "./fetch-request.ts";
import { type BatchRecord, controlOf, recordBatches, recordsOf } from "./record-batch.ts";

export interface CommittedRecords {
  /** At or after `from`, in order; records of aborted transactions and control records left out. */
  readonly records: readonly BatchRecord[];
  /** Where the next fetch starts: after the last whole batch, whether or not anything in it counts. */
  readonly next: bigint;
}

/**
 * Decodes what a `read_committed` fetch returned. The broker returns aborted records too and says which transactions were aborted,
 * by producer and first offset: each lasts until the producer's next abort marker.
 */
export async function committedRecords(
  batches: Buffer,
  aborted: readonly AbortedTransaction[],
  from: bigint,
): Promise<CommittedRecords> {
  const coming = aborted.toSorted((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const open = new Set<bigint>();
  const records: BatchRecord[] = [];
  let next = from;
  for (const batch of recordBatches(batches)) {
    while (coming[0] !== undefined && coming[0].firstOffset <= batch.lastOffset) {
      open.add(coming[0].producerId);
      coming.shift();
    }
    if (batch.lastOffset >= next) next = batch.lastOffset + 1n;
    if (batch.control) {
      if ((await controlOf(batch)) === "abort") open.delete(batch.producerId);
    } else if (!(batch.transactional && open.has(batch.producerId)))
      for (const record of await recordsOf(batch)) if (record.offset >= from) records.push(record);
  }
  return { records, next };
}
