/** Bytes as numbers and text: read one after the other, or at a place, without copying. */

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Most bytes of a variable-length integer of 32 bits, and of 64. */
const [SHORT, LONG] = [5, 10] as const;

/**
 * Reads bytes from the first one on; every read advances. Numbers have the most significant byte first, as in Java and
 * in network protocols; variable-length ones have seven bits a byte, the least significant first. Throws a RangeError
 * beyond the end, or what a subclass has `ended` give.
 */
export class ByteReader<Bytes extends Uint8Array = Uint8Array> {
  at = 0;
  readonly bytes: Bytes;
  private readonly data: DataView;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
    this.data = viewOf(bytes);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Continues at this byte. */
  from(at: number): this {
    this.at = at;
    return this;
  }

  /** Skips bytes. @returns where they begin */
  pass(length: number): number {
    const from = this.at;
    if (length < 0 || length > this.bytes.length - from) throw this.ended(length);
    this.at = from + length;
    return from;
  }

  protected ended(wanted: number): Error {
    const needed = wanted < 0 ? `a length of ${wanted} is stated` : `${wanted} more are needed`;
    return new RangeError(`it ends after ${this.bytes.length} bytes, where ${needed} at byte ${this.at}`);
  }

  int8(): number {
    return this.data.getInt8(this.pass(1));
  }

  uint8(): number {
    return this.data.getUint8(this.pass(1));
  }

  int16(): number {
    return this.data.getInt16(this.pass(2));
  }

  uint16(): number {
    return this.data.getUint16(this.pass(2));
  }

  int32(): number {
    return this.data.getInt32(this.pass(4));
  }

  uint32(): number {
    return this.data.getUint32(this.pass(4));
  }

  int64(): bigint {
    return this.data.getBigInt64(this.pass(8));
  }

  /** A number of this many bytes, the least significant first; exact up to 2^53. */
  little(length: number): number {
    let value = 0;
    for (let count = 0; count < length; count++) value += this.uint8() * 2 ** (8 * count);
    return value;
  }

  /** Not copied. */
  take(length: number): Bytes {
    const from = this.pass(length);
    return this.bytes.subarray(from, from + length) as Bytes;
  }

  /** `length` bytes of UTF-8. */
  text(length: number): string {
    return decoder.decode(this.take(length));
  }

  /** Unsigned, of 32 bits. */
  uvarint(): number {
    let value = 0;
    for (let count = 0; count < SHORT; count++) {
      const byte = this.uint8();
      value |= (byte & 0x7f) << (7 * count);
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError("a variable-length integer of more than 32 bits");
  }

  /** Zig-zag, of 32 bits. */
  varint(): number {
    const value = this.uvarint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Zig-zag, of 64 bits. */
  varlong(): bigint {
    const from = this.at;
    let value = 0n;
    this.passVarlong();
    for (let at = this.at - 1; at >= from; at--) value = (value << 7n) | BigInt(this.data.getUint8(at) & 0x7f);
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  passVarlong(): void {
    for (let count = 0; count < LONG; count++) if (this.uint8() < 0x80) return;
    throw new RangeError("a variable-length integer of more than 64 bits");
  }
}

/** The memory of some bytes and no other. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** The memory that holds some bytes, for reading several at once: index `at` of the bytes is `base + at` in `data`. */
interface Memory {
  data: DataView;
  /** Words in this machine's byte order, without an incomplete word at the end. */
  words: Int32Array;
  base: number;
}

let lastBytes: Uint8Array | undefined;
let lastBuffer: ArrayBufferLike = new ArrayBuffer(0);
const memory: Memory = { data: new DataView(lastBuffer), words: new Int32Array(lastBuffer), base: 0 };

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
    memory.words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
  }
  memory.base = bytes.byteOffset;
  return memory;
}

/** Whether the bytes of `a` from `start` to `end` are those of `b` from `other`; four bytes at a time. */
export function sameWords(a: DataView, start: number, end: number, b: DataView, other: number): boolean {
  let left = start;
  let right = other;
  for (; left + 4 <= end; left += 4, right += 4) if (a.getInt32(left) !== b.getInt32(right)) return false;
  for (; left < end; left++, right++) if (a.getUint8(left) !== b.getUint8(right)) return false;
  return true;
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

// ---- 64 bits at a place, the least significant byte first, as tuples have them -----------------------------------

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
 * Writes the lower 64 bits of a sum.
 *
 * @param more not negative, below 2^32. Adding it as a bigint would create one
 */
export function write64(data: DataView, at: number, value: bigint, more = 0): void {
  whole[0] = value;
  const low = (halves[LOW] as number) + more;
  data.setUint32(at, low, true);
  data.setUint32(at + 4, (halves[HIGH] as number) + (low > 0xffffffff ? 1 : 0), true);
}

export function read64(data: DataView, at: number): bigint {
  return data.getBigUint64(at, true);
}

/** Compares two without creating bigints. */
export function compare64(a: DataView, at: number, b: DataView, other: number): number {
  const high = a.getUint32(at + 4, true) - b.getUint32(other + 4, true);
  return high !== 0 ? high : a.getUint32(at, true) - b.getUint32(other, true);
}
