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

/** Whether the bytes of `a` from `start` to `end` are those of `b` from `other`; four bytes at a time. */
export function sameWords(a: DataView, start: number, end: number, b: DataView, other: number): boolean {
  let left = start;
  let right = other;
  for (; left + 4 <= end; left += 4, right += 4) if (a.getInt32(left) !== b.getInt32(right)) return false;
  for (; left < end; left++, right++) if (a.getUint8(left) !== b.getUint8(right)) return false;
  return true;
}

/** The memory of some bytes and no other. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Compares bytes as unsigned, a prefix before the longer sequence: negative, 0 or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * Access to typed array elements compiles to plain instructions. `BigInt(number)`, `Number(bigint)` and a view's 64-bit
 * methods are calls, and cost more than all other work on an SCN or an offset.
 */
const whole = new BigUint64Array(1);
const halves = new Uint32Array(whole.buffer);
/** Depends on the processor's byte order. */
const [LOW, HIGH] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** @param value an integer, not negative, that a double holds exactly */
export function bigintOf(value: number): bigint {
  halves[LOW] = value;
  halves[HIGH] = value / 0x100000000;
  return whole[0] as bigint;
}

/**
 * Writes the lower 64 bits of a sum, the least significant byte first.
 *
 * @param more not negative, below 2^32. Adding it as a bigint would create one
 */
export function write64(data: DataView, at: number, value: bigint, more = 0): void {
  whole[0] = value;
  const low = (halves[LOW] as number) + more;
  data.setUint32(at, low, true);
  data.setUint32(at + 4, (halves[HIGH] as number) + (low > 0xffffffff ? 1 : 0), true);
}

/** The memory that holds some bytes, for reading words: index `at` of the bytes is `base + at` in `data`. */
interface Memory {
  data: DataView;
  base: number;
}

let lastBytes: Uint8Array | undefined;
let lastBuffer: ArrayBufferLike = new ArrayBuffer(0);
const memory: Memory = { data: new DataView(lastBuffer), base: 0 };

/**
 * Returns the memory of `bytes`, valid until the next call. Accessing the buffer of a typed array costs as much as
 * reading a column. It is done once per record, and records that arrived together share a buffer.
 */
export function memoryOf(bytes: Uint8Array): Readonly<Memory> {
  if (bytes === lastBytes) return memory;
  lastBytes = bytes;
  const { buffer } = bytes;
  if (buffer !== lastBuffer) {
    lastBuffer = buffer;
    memory.data = new DataView(buffer);
  }
  memory.base = bytes.byteOffset;
  return memory;
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
