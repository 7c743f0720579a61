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
 * Integers of 64 bits as bytes. Compilers make `setBigUint64` and `getBigUint64` plain instructions; `BigInt(number)`
 * and `Number(bigint)` are calls, and cost more than everything else that is done to an SCN or an offset.
 */
const scratch = new Uint8Array(8);
const view = new DataView(scratch.buffer);

/** @param value an integer, not negative, that a double holds exactly */
export function bigintOf(value: number): bigint {
  view.setUint32(0, value, true);
  view.setUint32(4, Math.floor(value / 0x100000000), true);
  return view.getBigUint64(0, true);
}

/** Writes the lower 64 bits, the least significant byte first. */
export function write64(bytes: Uint8Array, at: number, value: bigint): void {
  view.setBigUint64(0, value, true);
  for (let i = 0; i < 8; i++) bytes[at + i] = scratch[i] as number;
}
