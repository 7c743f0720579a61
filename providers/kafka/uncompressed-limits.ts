import { showBytes } from "../../core/values/amounts.ts";

const MIB = 1024 * 1024;

/**
 * How much compressed records may grow, in bytes. A broker takes at most `message.max.bytes` (1 MiB by default) a
 * batch, compressed: 97 KB can stand for gigabytes.
 */
interface UncompressedLimits {
  readonly batch: number;
  readonly fetch: number;
}

const UNCOMPRESSED_LIMITS: UncompressedLimits = { batch: 64 * MIB, fetch: 256 * MIB };

/** A batch that would grow beyond what is left: refused before memory is found for it, or as soon as it shows. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** What the batches of one fetch may still grow to. */
export interface Allowance {
  /** Bytes that the next batch may have. */
  next(): number;
  take(bytes: number): void;
  /** The limit that `next` has come from, for people. */
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
