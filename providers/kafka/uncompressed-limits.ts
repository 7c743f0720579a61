import { showBytes } from "../../core/values/amounts.ts";

const MIB = 1024 * 1024;

/**
 * How much compressed records may grow, in bytes. A broker accepts at most `message.max.bytes` (1 MiB by default) for a
 * compressed batch, but 97 KB can expand to gigabytes.
 */
interface UncompressedLimits {
  readonly batch: number;
  readonly fetch: number;
}

const UNCOMPRESSED_LIMITS: UncompressedLimits = { batch: 64 * MIB, fetch: 256 * MIB };

/**
 * Thrown for a batch that exceeds the remaining allowance: before memory is allocated for it, or as soon as this is
 * known.
 */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** The uncompressed bytes that remain for the batches of one fetch. */
export interface Allowance {
  /** Bytes that the next batch may have. */
  next(): number;
  take(bytes: number): void;
  /** Describes the limit that applies to `next`, for messages. */
  reason(): string;
}

export function allowanceOf({ batch, fetch }: UncompressedLimits = UNCOMPRESSED_LIMITS): Allowance {
  let left = fetch;
  return {
    next: () => Math.min(batch, left),
    take(bytes) {
      left -= bytes;
    },
    reason: () =>
      left < batch
        ? `the batches of one fetch together have more than ${showBytes(fetch)} uncompressed`
        : `it has more than ${showBytes(batch)} uncompressed`,
  };
}
