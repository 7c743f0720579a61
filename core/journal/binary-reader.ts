/** A payload that the task can't read, which stops it (CDC-4002). */
export class UnreadablePayload extends Error {
  override readonly name = "UnreadablePayload";
}

/** Big-endian, as Java writes it. */
export interface BinaryReader {
  readonly left: number;
  int8(): number;
  int32(): number;
  int64(): bigint;
  take(length: number): Uint8Array;
  pass(length: number): void;
  /** An int32 length, -1 for null, and UTF-8. */
  text(): string | undefined;
  /** As `text`, of which nothing is wanted. */
  passText(): void;
}

const decoder = new TextDecoder();

/** Reads from the beginning on. @throws UnreadablePayload beyond the end */
export function binaryReader(bytes: Uint8Array): BinaryReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const advance = (length: number): number => {
    if (length > bytes.length - at)
      throw new UnreadablePayload(`it ends after ${bytes.length} bytes, where ${length} more are needed at byte ${at}`);
    at += length;
    return at - length;
  };
  const reader: BinaryReader = {
    get left() {
      return bytes.length - at;
    },
    int8: () => view.getInt8(advance(1)),
    int32: () => view.getInt32(advance(4)),
    int64: () => view.getBigInt64(advance(8)),
    take(length) {
      const start = advance(length);
      return bytes.subarray(start, start + length);
    },
    pass: (length) => void advance(length),
    passText: () => void advance(Math.max(0, reader.int32())),
    text() {
      const length = reader.int32();
      return length < 0 ? undefined : decoder.decode(reader.take(length));
    },
  };
  return reader;
}
