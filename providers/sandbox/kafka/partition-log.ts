import { type RecordBatch, recordBatches } from "../../kafka/record-batch.ts";

interface Stored extends RecordBatch {
  /** The batch as it was produced, with its offset in the log filled in. */
  readonly bytes: Buffer;
}

interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
  readonly lastOffset: bigint;
}

export interface FetchedPart {
  readonly bytes: Buffer;
  readonly aborted: readonly { readonly producerId: bigint; readonly firstOffset: bigint }[];
}

/** The log of one partition: the batches as they were produced, with those of open and aborted transactions. */
export interface PartitionLog {
  readonly start: bigint;
  readonly end: bigint;
  /** Up to here a `read_committed` reader may read: the first offset of the oldest open transaction, else the end. */
  readonly stable: bigint;
  /**
   * @returns the offset of the batch's first record; for a batch that an idempotent producer repeats, its existing
   * offset.
   */
  append(batch: Buffer): bigint;
  /** Writes the marker that ends a producer's open transaction here. */
  endTransaction(producerId: bigint, marker: Buffer, outcome: "abort" | "commit"): void;
  fetch(from: bigint, maxBytes: number, committedOnly: boolean): FetchedPart;
  batches(): readonly Stored[];
  /** Removes batches in the middle, as compaction does: their offsets stay used. */
  drop(unwanted: (batch: RecordBatch) => boolean): void;
  /** Removes everything before an offset, as retention does. */
  deleteBefore(offset: bigint): void;
  /** The first offset whose record time is at or after `timestamp`; undefined without one. */
  offsetAt(timestamp: bigint): { readonly offset: bigint; readonly timestamp: bigint } | undefined;
}

export function partitionLog(firstOffset = 0n): PartitionLog {
  let stored: Stored[] = [];
  let end = firstOffset;
  let start = firstOffset;
  /** Producer to the first offset of its open transaction; the oldest transaction is the first entry. */
  const open = new Map<bigint, bigint>();
  const aborted: AbortedTransaction[] = [];

  const repeated = (batch: RecordBatch): Stored | undefined =>
    batch.producerId < 0n || batch.control || batch.baseSequence < 0
      ? undefined
      : stored.find(
          (one) =>
            one.producerId === batch.producerId &&
            one.producerEpoch === batch.producerEpoch &&
            one.baseSequence === batch.baseSequence,
        );

  const log: PartitionLog = {
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    get stable() {
      return open.values().next().value ?? end;
    },
    append(produced) {
      const bytes = Buffer.from(produced);
      const [incoming] = recordBatches(bytes);
      if (incoming === undefined) throw new RangeError("no whole record batch");
      const before = repeated(incoming);
      if (before !== undefined) return before.baseOffset;
      const baseOffset = end;
      bytes.writeBigInt64BE(baseOffset, 0);
      bytes.writeInt32BE(0, 12);
      const [batch] = recordBatches(bytes);
      if (batch === undefined) throw new RangeError("no whole record batch");
      stored.push({ ...batch, bytes });
      end = batch.lastOffset + 1n;
      if (batch.transactional && !batch.control && !open.has(batch.producerId)) open.set(batch.producerId, baseOffset);
      return baseOffset;
    },
    endTransaction(producerId, marker, outcome) {
      const first = open.get(producerId);
      const at = log.append(marker);
      open.delete(producerId);
      if (outcome === "abort" && first !== undefined) aborted.push({ producerId, firstOffset: first, lastOffset: at });
    },
    fetch(from, maxBytes, committedOnly) {
      const limit = committedOnly ? log.stable : end;
      const taken: Stored[] = [];
      let size = 0;
      for (const batch of stored) {
        if (batch.lastOffset < from) continue;
        if (batch.baseOffset >= limit || (taken.length > 0 && size + batch.bytes.length > maxBytes)) break;
        taken.push(batch);
        size += batch.bytes.length;
      }
      const upTo = taken.at(-1)?.lastOffset ?? from;
      return {
        bytes: Buffer.concat(taken.map((batch) => batch.bytes)),
        aborted: committedOnly
          ? aborted.filter((transaction) => transaction.lastOffset >= from && transaction.firstOffset <= upTo)
          : [],
      };
    },
    batches: () => stored,
    drop(unwanted) {
      stored = stored.filter((batch) => !unwanted(batch));
    },
    deleteBefore(offset) {
      start = offset;
      stored = stored.filter((batch) => batch.lastOffset >= offset);
    },
    offsetAt(timestamp) {
      const batch = stored.find((one) => one.maxTimestamp >= timestamp);
      return batch && { offset: batch.baseOffset, timestamp: batch.maxTimestamp };
    },
  };
  return log;
}
