import type { TopicRecord } from "../../core/verification/record-reader.ts";
import { crc32c } from "../../providers/kafka/crc32c.ts";

const HEADER = 61;
const CHECKED_FROM = 21;

/**
 * Writes record batches of message format 2 directly into bytes, since two gigabytes of records must be encoded before
 * anything is measured.
 */
export interface BatchWriter {
  readonly count: number;
  /** @returns false if the record does not fit, and was not added */
  add(record: TopicRecord): boolean;
  /** The batch, valid until the next record is added. The writer is empty again. */
  take(timestamp: bigint): Buffer;
}

export function batchWriter(size: number): BatchWriter {
  const bytes = Buffer.alloc(size);
  let at = HEADER;
  let count = 0;

  const varint = (value: number): void => {
    let rest = value < 0 ? -value * 2 - 1 : value * 2;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 0x80;
    bytes[at++] = rest;
  };
  const counted = (part: Uint8Array | null): void => {
    varint(part === null ? -1 : part.length);
    if (part === null) return;
    bytes.set(part, at);
    at += part.length;
  };

  return {
    get count() {
      return count;
    },
    add({ key, value, headers }) {
      const named = Object.entries(headers).map(([name, header]) => [Buffer.from(name), header] as const);
      const headerBytes = named.reduce((sum, [name, header]) => sum + counts(name) + counts(header), 0);
      const length = 2 + digits(count) + counts(key) + counts(value) + digits(named.length) + headerBytes;
      if (at + digits(length) + length > size) return false;
      varint(length);
      bytes[at++] = 0; // attributes
      bytes[at++] = 0; // milliseconds after the batch's time
      varint(count++);
      counted(key);
      counted(value);
      varint(named.length);
      for (const [name, header] of named) {
        counted(name);
        counted(header);
      }
      return true;
    },
    take(timestamp) {
      bytes.writeBigInt64BE(0n, 0);
      bytes.writeInt32BE(at - 12, 8);
      bytes.writeInt32BE(0, 12);
      bytes.writeInt8(2, 16);
      bytes.writeInt16BE(0, 21);
      bytes.writeInt32BE(count - 1, 23);
      bytes.writeBigInt64BE(timestamp, 27);
      bytes.writeBigInt64BE(timestamp, 35);
      bytes.writeBigInt64BE(-1n, 43); // no producer id, epoch, sequence
      bytes.writeInt16BE(-1, 51);
      bytes.writeInt32BE(-1, 53);
      bytes.writeInt32BE(count, 57);
      bytes.writeUInt32BE(crc32c(bytes.subarray(CHECKED_FROM, at)), 17);
      const batch = bytes.subarray(0, at);
      at = HEADER;
      count = 0;
      return batch;
    },
  };
}

/** Bytes of a variable-length integer. */
function digits(value: number): number {
  let count = 1;
  for (let rest = value * 2; rest > 0x7f; rest = Math.floor(rest / 128)) count += 1;
  return count;
}

function counts(part: Uint8Array | null): number {
  return part === null ? 1 : digits(part.length) + part.length;
}
