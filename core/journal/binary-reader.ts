import type { Base64Bytes } from "../values/base64.ts";

/** A payload that the task cannot read, which stops it (CDC-4002). */
export class UnreadablePayload extends Error {
  override readonly name = "UnreadablePayload";
}

/** Big-endian, as Java writes it. */
export interface BinaryReader {
  readonly left: number;
  int8(): number;
  int32(): number;
  int64(): bigint;
  /** @returns where the skipped bytes begin */
  pass(length: number): number;
  /** An int32 length, -1 for null, and UTF-8. */
  text(): string | undefined;
  passText(): void;
}

const decoder = new TextDecoder();

/** Reads the bytes between two places, from the beginning. @throws UnreadablePayload beyond the end */
export function binaryReader(bytes: Base64Bytes, start = 0, end = bytes.length): BinaryReader {
  let at = start;
  const pass = (length: number): number => {
    if (length > end - at)
      throw new UnreadablePayload(
        `it ends after ${end - start} bytes, where ${length} more are needed at byte ${at - start}`,
      );
    at += length;
    return at - length;
  };
  const int32 = (): number => {
    const from = pass(4);
    return (bytes.at(from) << 24) | (bytes.at(from + 1) << 16) | (bytes.at(from + 2) << 8) | bytes.at(from + 3);
  };
  return {
    get left() {
      return end - at;
    },
    int8: () => (bytes.at(pass(1)) << 24) >> 24,
    int32,
    int64() {
      // Both halves or none: the message names where the number begins.
      pass(8);
      at -= 8;
      return (BigInt(int32()) << 32n) | BigInt(int32() >>> 0);
    },
    pass,
    text() {
      const length = int32();
      if (length < 0) return undefined;
      const from = pass(length);
      return decoder.decode(Uint8Array.from({ length }, (_, index) => bytes.at(from + index)));
    },
    passText: () => void pass(Math.max(0, int32())),
  };
}
