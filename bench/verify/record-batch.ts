import { crc32c } from "../../providers/kafka/crc32c.ts";

const HEADER = 61;
const CHECKED_FROM = 21;

export interface WrittenRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  /** Headers as a record batch encodes them, their number first; none if left out. */
  readonly headers?: Uint8Array;
}

const NO_HEADERS = Uint8Array.of(0);

/**
 * Writes record batches of message format 2 directly into bytes, since two gigabytes of records must be encoded before
 * anything is measured.
 */
export interface BatchWriter {
  readonly count: number;
  /** @returns false if the record does not fit, and was not added */
  add(record: WrittenRecord): boolean;
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
    add({ key, value, headers = NO_HEADERS }) {
      const length = 2 + digits(count) + counts(key) + counts(value) + headers.length;
      if (at + digits(length) + length > size) return false;
      varint(length);
      bytes[at++] = 0; // attributes
      bytes[at++] = 0; // milliseconds after the batch's time
      varint(count++);
      counted(key);
      counted(value);
      bytes.set(headers, at);
      at += headers.length;
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
