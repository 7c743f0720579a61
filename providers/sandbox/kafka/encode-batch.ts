import { gzipSync } from "node:zlib";
import { crc32c } from "../../kafka/crc32c.ts";
import { WireWriter } from "../../kafka/wire.ts";

export interface NewRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers?: Readonly<Record<string, Uint8Array>>;
  /** Milliseconds since the epoch; default: now. */
  readonly timestamp?: bigint;
}

export interface BatchAttributes {
  /** `true` compresses with gzip; any other codec is given by its number and its function. */
  readonly compression?: { readonly type: number; readonly compress: (bytes: Uint8Array) => Uint8Array };
  readonly producerId?: bigint;
  readonly producerEpoch?: number;
  readonly baseSequence?: number;
  readonly transactional?: boolean;
  readonly control?: boolean;
}

export const GZIP = { type: 1, compress: (bytes: Uint8Array): Uint8Array => gzipSync(bytes) };

/** One record batch of message format 2 with base offset 0, as a producer sends it. */
export function encodeBatch(records: readonly NewRecord[], attributes: BatchAttributes = {}): Buffer {
  const times = records.map((record) => record.timestamp ?? BigInt(Date.now()));
  const first = times[0] ?? -1n;
  let last = first;
  for (const time of times) if (time > last) last = time;
  const body = new WireWriter();
  for (const [index, record] of records.entries()) {
    const encoded = encodeRecord(record, index, (times[index] ?? first) - first);
    body.varint(encoded.length).bytes(encoded);
  }
  const plain = body.toBuffer();
  const flags =
    (attributes.compression?.type ?? 0) | (attributes.transactional ? 0x10 : 0) | (attributes.control ? 0x20 : 0);
  const checked = new WireWriter()
    .int16(flags)
    .int32(records.length - 1)
    .int64(first)
    .int64(last)
    .int64(attributes.producerId ?? -1n)
    .int16(attributes.producerEpoch ?? -1)
    .int32(attributes.baseSequence ?? -1)
    .int32(records.length)
    .bytes(attributes.compression?.compress(plain) ?? plain)
    .toBuffer();
  const rest = new WireWriter().int32(0).int8(2).int32(crc32c(checked)).bytes(checked).toBuffer();
  return new WireWriter().int64(0n).int32(rest.length).bytes(rest).toBuffer();
}

const ATTRIBUTES_AT = 21;
const MAX_TIMESTAMP_AT = 35;
const LOG_APPEND_TIME = 0x08;

/** The batch as a broker stores it if it sets the timestamps: one time for all records, in place of the latest. */
export function withLogAppendTime(batch: Uint8Array, time: bigint): Buffer {
  const bytes = Buffer.from(batch);
  bytes.writeInt16BE(bytes.readInt16BE(ATTRIBUTES_AT) | LOG_APPEND_TIME, ATTRIBUTES_AT);
  bytes.writeBigInt64BE(time, MAX_TIMESTAMP_AT);
  bytes.writeUInt32BE(crc32c(bytes.subarray(ATTRIBUTES_AT)), ATTRIBUTES_AT - 4);
  return bytes;
}

/** The batch with which a broker ends a transaction. */
export function encodeMarker(producerId: bigint, producerEpoch: number, outcome: "abort" | "commit"): Buffer {
  const key = new WireWriter()
    .int16(0)
    .int16(outcome === "abort" ? 0 : 1)
    .toBuffer();
  const value = new WireWriter().int16(0).int32(0).toBuffer();
  return encodeBatch([{ key, value }], { producerId, producerEpoch, transactional: true, control: true });
}

function encodeRecord(record: NewRecord, offsetDelta: number, timestampDelta: bigint): Buffer {
  const writer = new WireWriter().int8(0).varlong(timestampDelta).varint(offsetDelta);
  writeNullable(writer, record.key);
  writeNullable(writer, record.value);
  const headers = Object.entries(record.headers ?? {});
  writer.varint(headers.length);
  for (const [name, value] of headers) {
    writeNullable(writer, Buffer.from(name, "utf8"));
    writeNullable(writer, value);
  }
  return writer.toBuffer();
}

function writeNullable(writer: WireWriter, value: Uint8Array | null): void {
  if (value === null) writer.varint(-1);
  else writer.varint(value.length).bytes(value);
}
