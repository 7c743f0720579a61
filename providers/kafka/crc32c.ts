const POLYNOMIAL = 0x82f63b78;

/**
 * Sixteen tables of 256: the effect of a byte on the checksum if zero to fifteen bytes follow it ("slicing by 16";
 * Intel, 2006).
 */
const TABLES = tables();

function tables(): Int32Array {
  const all = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? POLYNOMIAL ^ (rest >>> 1) : rest >>> 1;
    all[byte] = rest;
  }
  for (let at = 256; at < all.length; at++) {
    const before = all[at - 256] as number;
    all[at] = (all[before & 0xff] as number) ^ (before >>> 8);
  }
  return all;
}

/** Whether this machine is little-endian: then four bytes are read as one number. Other machines go byte by byte. */
const LOWEST_FIRST = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

/** CRC-32C (Castagnoli) as record batches carry it; node:zlib has only the other CRC-32. */
export function crc32c(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  const start = LOWEST_FIRST ? Math.min(-byteOffset & 7, length) : length;
  const words = (length - start) >>> 3;
  const moves = words > 2 * LEFT;
  const sixteens = moves ? 0 : words >>> 1;
  const done = start + (moves ? 8 * words : 16 * sixteens);
  let crc = byByte(bytes.subarray(0, start), -1);
  if (moves) crc = byMoving(new BigInt64Array(buffer, byteOffset + start, words), crc);
  else if (sixteens > 0) crc = bySixteen(new Int32Array(buffer, byteOffset + start, 4 * sixteens), crc);
  return (byByte(bytes.subarray(done), crc) ^ -1) >>> 0;
}

// Every index is within its array; `as number` asserts this at no cost.

function byByte(bytes: Uint8Array, before: number): number {
  let crc = before;
  for (let at = 0; at < bytes.length; at++)
    crc = (TABLES[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return crc;
}

function bySixteen(words: Int32Array, before: number): number {
  const T = TABLES;
  let crc = before;
  for (let i = 0; i < words.length; i += 4) {
    const a = crc ^ (words[i] as number);
    const b = words[i + 1] as number;
    const c = words[i + 2] as number;
    const d = words[i + 3] as number;
    crc =
      (T[3840 + (a & 0xff)] as number) ^
      (T[3584 + ((a >>> 8) & 0xff)] as number) ^
      (T[3328 + ((a >>> 16) & 0xff)] as number) ^
      (T[3072 + (a >>> 24)] as number) ^
      (T[2816 + (b & 0xff)] as number) ^
      (T[2560 + ((b >>> 8) & 0xff)] as number) ^
      (T[2304 + ((b >>> 16) & 0xff)] as number) ^
      (T[2048 + (b >>> 24)] as number) ^
      (T[1792 + (c & 0xff)] as number) ^
      (T[1536 + ((c >>> 8) & 0xff)] as number) ^
      (T[1280 + ((c >>> 16) & 0xff)] as number) ^
      (T[1024 + (c >>> 24)] as number) ^
      (T[768 + (d & 0xff)] as number) ^
      (T[512 + ((d >>> 8) & 0xff)] as number) ^
      (T[256 + ((d >>> 16) & 0xff)] as number) ^
      (T[d >>> 24] as number);
  }
  return crc;
}

/** Number of words that are not moved. */
const LEFT = 5276;
const left = new BigInt64Array(LEFT);
/** Number of words moved at once, after those that were moved last. */
const BLOCK = 8192;
const moved = new BigInt64Array(LEFT + BLOCK);

/**
 * A word of eight bytes has the same effect on the checksum as three that are so many words after it, because
 * x^(64 * 5275) + x^(64 * 4508) + x^(64 * 2751) + 1 is a multiple of the polynomial. So words are moved to the end of a
 * message, by XOR alone, in half the time (Russell, "Chorba: A novel CRC32 implementation", arXiv:2412.16398).
 *
 * @param words more than `LEFT`
 */
function byMoving(words: BigInt64Array, before: number): number {
  // Constants of a module become variables when it is bundled, which makes the loop slower.
  const near = 767;
  const far = 2524;
  const farthest = 5275;
  const to = moved;
  const count = words.length - LEFT;
  to.fill(0n);
  to[farthest - 1] = (words[0] as bigint) ^ BigInt(before >>> 0);
  for (let start = 1, size = 0; start < count; start += size) {
    size = Math.min(BLOCK, count - start);
    for (let i = 0; i < size; i++)
      to[farthest + i] =
        (words[start + i] as bigint) ^
        (to[farthest - near + i] as bigint) ^
        (to[farthest - far + i] as bigint) ^
        (to[i] as bigint);
    to.copyWithin(0, size, size + farthest);
  }
  left.set(words.subarray(count));
  for (const distance of [near, far, farthest])
    for (let i = 0; i < distance; i++) left[i] = (left[i] as bigint) ^ (to[farthest - distance + i] as bigint);
  return bySixteen(new Int32Array(left.buffer), 0);
}
