/**
 * What a platform does on bytes faster than plain JavaScript. Handed in, so that core stays pure; `sameBytes` and
 * `indexOfBytes` serve where nothing better is at hand.
 */
export interface ByteWork {
  /** 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /** Whether two runs of bytes are the same, whole. */
  same(a: Uint8Array, b: Uint8Array): boolean;
  /** Where `wanted` begins in `bytes`, at `from` or later; -1 for nowhere. */
  indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number;
}

/** Where `wanted` (not empty) begins in `bytes`, at `from` or later; -1 for nowhere. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const first = wanted[0] as number;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.length > bytes.length) return -1;
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return at;
  }
  return -1;
}

/** Whether two runs of bytes are the same, whole. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Order of bytes, unsigned, the shorter first: negative, 0 or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * Compilers make plain instructions of an array's elements; `BigInt(number)`, `Number(bigint)` and a view's methods for
 * 64 bits are calls, and cost more than everything else that is done to an SCN or an offset.
 */
const whole = new BigUint64Array(1);
const halves = new Uint32Array(whole.buffer);
/** Which half comes first is the processor's choice. */
const [LOW, HIGH] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** @param value an integer, not negative, that a double holds exactly */
export function bigintOf(value: number): bigint {
  halves[LOW] = value;
  halves[HIGH] = value / 0x100000000;
  return whole[0] as bigint;
}

/** Writes the lower 64 bits, the least significant byte first. */
export function write64(data: DataView, at: number, value: bigint): void {
  whole[0] = value;
  data.setUint32(at, halves[LOW] as number, true);
  data.setUint32(at + 4, halves[HIGH] as number, true);
}

/** What bytes lie in, for words of it: what is at `at` in the bytes is at `base + at` in `data`. */
interface Memory {
  data: DataView;
  base: number;
}

let lastBytes: Uint8Array | undefined;
let lastBuffer: ArrayBufferLike = new ArrayBuffer(0);
const memory: Memory = { data: new DataView(lastBuffer), base: 0 };

/**
 * Good until the next call. To ask bytes for their buffer is a call that costs as much as reading a column: it is asked
 * once a record, and records that came together lie in the same one.
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

/** What at most nine decimal digits stand for. An integer of 32 bits holds it, with which a processor is fast. */
export function integerAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = (Math.imul(value, 10) + (bytes[at] as number) - 0x30) | 0;
  return value;
}
