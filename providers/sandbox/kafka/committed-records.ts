import type { KafkaRecord } from "../../../core/ports/kafka.ts";
import type { RecordBatch } from "../../kafka/record-batch.ts";
import { recordObjects, recordPlaces } from "../../kafka/record-places.ts";
import { WireReader } from "../../kafka/wire.ts";
import type { PartitionLog } from "./partition-log.ts";

const UNCOMPRESSED = 0;

/**
 * The records of a partition as a `read_committed` consumer sees them now: up to the last stable offset, without those
 * of aborted transactions. Everything that writes into a sandbox writes uncompressed batches, or this fails.
 */
export function committedRecords(log: PartitionLog, partition: number): readonly KafkaRecord[] {
  const stable = log.stable;
  const batches = log.batches().filter(({ baseOffset }) => baseOffset < stable);
  const aborted = abortedBatches(batches);
  return batches
    .filter((batch) => !batch.control && !aborted.has(batch))
    .flatMap((batch) => recordsIn(batch, partition));
}

function recordsIn(batch: RecordBatch, partition: number): readonly KafkaRecord[] {
  if (batch.compression !== UNCOMPRESSED)
    throw new RangeError(`the sandbox's connector does not read compressed records (offset ${batch.baseOffset})`);
  return recordObjects(recordPlaces(batch.payload, batch.count), batch, partition);
}

/** A transaction's batches lie between its begin and its marker, and a producer has one transaction at a time. */
function abortedBatches(batches: readonly RecordBatch[]): ReadonlySet<RecordBatch> {
  const open = new Map<bigint, RecordBatch[]>();
  const aborted = new Set<RecordBatch>();
  for (const batch of batches) {
    if (!batch.transactional) continue;
    const own = open.get(batch.producerId) ?? [];
    if (!batch.control) open.set(batch.producerId, [...own, batch]);
    else {
      if (isAbort(batch)) for (const one of own) aborted.add(one);
      open.delete(batch.producerId);
    }
  }
  return aborted;
}

/** The key of a control record: its version, then its type, 0 for an abort. */
function isAbort(marker: RecordBatch): boolean {
  const [key] = recordsIn(marker, 0).map((record) => record.key);
  return key !== null && key !== undefined && new WireReader(Buffer.from(key).subarray(2)).int16() === 0;
}
