/**
 * MurmurHash3 (Austin Appleby, public domain: https://github.com/aappleby/smhasher). It distributes keys over
 * partitions and sums up the keys and rows that were read; equality is never decided by it.
 */

/** MurmurHash3_x86_32 of the bytes from `start` (inclusive) to `end` (exclusive), seed 0: an unsigned 32-bit number. */
export function hash32(data: DataView, start: number, end: number): number {
  const length = end - start;
  const blocks = start + (length & ~3);
  let h = 0;
  for (let at = start; at < blocks; at += 4) {
    h ^= scramble32(data.getInt32(at, true));
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  const rest = length & 3;
  if (rest > 0) h ^= scramble32(tail(data, blocks, rest));
  return finish(h ^ length) >>> 0;
}

function scramble32(block: number): number {
  const k = Math.imul(block, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

/** One to four bytes, the first one lowest. */
function tail(data: DataView, at: number, count: number): number {
  // Read as one number together with the bytes before them, where there are enough.
  const first = at + count - 4;
  if (first >= 0) return data.getInt32(first, true) >>> (8 * (4 - count));
  let block = 0;
  for (let i = count - 1; i >= 0; i--) block = (block << 8) | data.getUint8(at + i);
  return block;
}

function finish(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** MurmurHash3_x86_128, into four unsigned 32-bit numbers. */
export function hash128(data: DataView, start: number, end: number, seed: number, into: Uint32Array): void {
  const length = end - start;
  const blocks = start + (length & ~15);
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  for (let block = start; block < blocks; block += 16) {
    h1 ^= mix(data.getInt32(block, true), C1, 15, C2);
    h1 = (Math.imul(((h1 << 19) | (h1 >>> 13)) + h2, 5) + 0x561ccd1b) | 0;
    h2 ^= mix(data.getInt32(block + 4, true), C2, 16, C3);
    h2 = (Math.imul(((h2 << 17) | (h2 >>> 15)) + h3, 5) + 0x0bcaa747) | 0;
    h3 ^= mix(data.getInt32(block + 8, true), C3, 17, C4);
    h3 = (Math.imul(((h3 << 15) | (h3 >>> 17)) + h4, 5) + 0x96cd1c35) | 0;
    h4 ^= mix(data.getInt32(block + 12, true), C4, 18, C1);
    h4 = (Math.imul(((h4 << 13) | (h4 >>> 19)) + h1, 5) + 0x32ac3b17) | 0;
  }
  const rest = length & 15;
  if (rest > 12) h4 ^= mix(tail(data, blocks + 12, rest - 12), C4, 18, C1);
  if (rest > 8) h3 ^= mix(tail(data, blocks + 8, Math.min(4, rest - 8)), C3, 17, C4);
  if (rest > 4) h2 ^= mix(tail(data, blocks + 4, Math.min(4, rest - 4)), C2, 16, C3);
  if (rest > 0) h1 ^= mix(tail(data, blocks, Math.min(4, rest)), C1, 15, C2);
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finish(h1);
  h2 = finish(h2);
  h3 = finish(h3);
  h4 = finish(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  into[0] = h1;
  into[1] = h2 + h1;
  into[2] = h3 + h1;
  into[3] = h4 + h1;
}

function mix(block: number, first: number, turn: number, second: number): number {
  const k = Math.imul(block, first);
  return Math.imul((k << turn) | (k >>> (32 - turn)), second);
}
