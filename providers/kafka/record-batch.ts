import type { KafkaRecord } from "../../core/ports/kafka.ts";
import { decompressorOf } from "./compression.ts";
import { crc32c } from "./crc32c.ts";
import type { AbortedTransaction } from "./fetch-request.ts";
import { type RecordPlaces, recordObjects, recordPlaces } from "./record-places.ts";
import { type Allowance, allowanceOf, TooLarge } from "./uncompressed-limits.ts";
import { WireReader } from "./wire.ts";

/**
 * Record batches of message format 2 (Kafka 0.11 and later; https://kafka.apache.org/documentation/#recordbatch), as a
 * fetch returns them: one after the other, the last possibly truncated.
 */
export interface RecordBatch {
  readonly baseOffset: bigint;
  /** Inclusive. Compaction may have removed the records themselves; the number remains. */
  readonly lastOffset: bigint;
  readonly compression: number;
  /** Every record carries the time the broker wrote the batch, not its own. */
  readonly logAppendTime: boolean;
  readonly transactional: boolean;
  readonly control: boolean;
  readonly baseTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly count: number;
  /** The records, compressed. */
  readonly payload: Buffer;
}

const LOG_OVERHEAD = 12;
const BATCH_HEADER = 61;
const CHECKSUM_AT = 17;
/** What the checksum covers begins here. */
const ATTRIBUTES_AT = 21;

/** The fetched bytes are not a record batch, are damaged, or use an unknown compression. */
export class UnreadableBatch extends Error {
  override readonly name = "UnreadableBatch";
}

/** @throws UnreadableBatch for message formats 0 and 1 and for a checksum that does not match */
export function* recordBatches(bytes: Buffer): Generator<RecordBatch> {
  for (let position = 0; position + LOG_OVERHEAD < bytes.length; ) {
    const length = bytes.readInt32BE(position + 8);
    const end = position + LOG_OVERHEAD + length;
    if (length > 4 && position + 17 <= bytes.length) {
      const magic = bytes.readInt8(position + 16);
      if (magic !== 2)
        throw new UnreadableBatch(`records of message format ${magic}; format 2 (Kafka 0.11) is the oldest known`);
    }
    if (end > bytes.length) return;
    if (length < BATCH_HEADER - LOG_OVERHEAD) throw new UnreadableBatch(`a record batch of ${length} bytes`);
    const batch = bytes.subarray(position, end);
    check(batch);
    yield readBatch(batch);
    position = end;
  }
}

/**
 * Verifies the checksum. It takes a sixth of the time of reading a journal, but is not skipped: the Java client, and so
 * the task, verifies it (`check.crcs`) and stops at a damaged batch, so a reader must not accept one.
 */
function check(bytes: Buffer): void {
  if (bytes.readUInt32BE(CHECKSUM_AT) !== crc32c(bytes.subarray(ATTRIBUTES_AT)))
    throw new UnreadableBatch(`the record batch at offset ${bytes.readBigInt64BE(0)} is damaged (checksum)`);
}

function readBatch(bytes: Buffer): RecordBatch {
  const reader = new WireReader(bytes);
  const baseOffset = reader.int64();
  const attributes = reader.from(ATTRIBUTES_AT).int16();
  return {
    baseOffset,
    lastOffset: baseOffset + BigInt(reader.int32()),
    compression: attributes & 0x07,
    logAppendTime: (attributes & 0x08) !== 0,
    transactional: (attributes & 0x10) !== 0,
    control: (attributes & 0x20) !== 0,
    baseTimestamp: reader.int64(),
    maxTimestamp: reader.int64(),
    producerId: reader.int64(),
    producerEpoch: reader.int16(),
    baseSequence: reader.int32(),
    count: reader.int32(),
    payload: reader.take(reader.left),
  };
}

/**
 * @param allowance of the fetch that returned the batch. Default: for this batch alone
 * @throws UnreadableBatch for an unknown compression, records that do not match their batch, and batches that exceed
 * the limits when decompressed
 */
export async function placesOf(batch: RecordBatch, allowance: Allowance = allowanceOf()): Promise<RecordPlaces> {
  const decompress = await decompressorOf(batch.compression);
  if (decompress === undefined) throw new UnreadableBatch(`compression type ${batch.compression} is not known`);
  try {
    const plain = decompress(batch.payload, allowance.next());
    if (plain !== batch.payload) allowance.take(plain.length);
    return recordPlaces(plain, batch.count);
  } catch (error) {
    if (error instanceof TooLarge)
      throw new UnreadableBatch(
        `the record batch at offset ${batch.baseOffset} (${batch.payload.length} bytes compressed) is not ` +
          `decompressed: ${allowance.reason()}`,
        { cause: error },
      );
    const why = error instanceof Error ? error.message : String(error);
    throw new UnreadableBatch(`the record batch at offset ${batch.baseOffset} can't be read: ${why}`, { cause: error });
  }
}

/** @param partition of the batch, which does not contain it @throws UnreadableBatch as `placesOf` */
export async function recordsOf(batch: RecordBatch, partition = 0, allowance?: Allowance): Promise<KafkaRecord[]> {
  return recordObjects(await placesOf(batch, allowance), batch, partition);
}

/** Returns how a transaction ended, from the key of a control batch's only record. */
export async function controlOf(batch: RecordBatch, allowance?: Allowance): Promise<"abort" | "commit" | "other"> {
  const [record] = await recordsOf(batch, 0, allowance);
  const key = record?.key;
  if (key === null || key === undefined || key.length < 4) return "other";
  const type = new WireReader(key.subarray(2)).int16();
  return type === 0 ? "abort" : type === 1 ? "commit" : "other";
}

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
