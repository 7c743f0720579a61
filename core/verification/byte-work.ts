/** Byte operations that a platform does faster than plain JavaScript. Passed in, so that core stays pure. */
export interface ByteWork {
  /** 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  same(a: Uint8Array, b: Uint8Array): boolean;
  /** Index of the wanted bytes in `bytes` between `from` and `to` (exclusive); -1 if not found. */
  indexOf(bytes: Uint8Array, wanted: Wanted, from: number, to: number): number;
}

export interface Wanted {
  readonly bytes: Uint8Array;
  /** The distance to the next possible position, by the byte below the last wanted one. */
  readonly steps: Int32Array;
}

/** @param bytes not empty */
export function wantedBytes(bytes: Uint8Array): Wanted {
  const last = bytes.length - 1;
  const steps = new Int32Array(256).fill(bytes.length);
  for (let at = 0; at < last; at++) steps[bytes[at] as number] = last - at;
  return { bytes, steps };
}

/** `ByteWork.indexOf`, stepping over most bytes: R. N. Horspool, "Practical fast searching in strings", 1980. */
export function indexOfBytes(bytes: Uint8Array, { bytes: wanted, steps }: Wanted, from: number, to: number): number {
  const last = wanted.length - 1;
  const lastByte = wanted[last];
  for (let end = from + last; end < to; ) {
    const byte = bytes[end] as number;
    if (byte === lastByte) {
      const at = end - last;
      let same = 0;
      while (same < last && bytes[at + same] === wanted[same]) same++;
      if (same === last) return at;
    }
    end += steps[byte] as number;
  }
  return -1;
}

/**
 * Value of at most nine decimal digits; -1 if one of the characters is not a digit. It fits into a 32-bit integer,
 * which is fast.
 */
export function integerAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit >>> 0 > 9) return -1;
    value = (Math.imul(value, 10) + digit) | 0;
  }
  return value;
}
