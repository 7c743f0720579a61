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
  const start = LOWEST_FIRST ? Math.min(-byteOffset & 3, length) : length;
  const sixteens = (length - start) >>> 4;
  let crc = byByte(bytes.subarray(0, start), -1);
  if (sixteens > 0) crc = bySixteen(new Int32Array(buffer, byteOffset + start, 4 * sixteens), crc);
  return (byByte(bytes.subarray(start + 16 * sixteens), crc) ^ -1) >>> 0;
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
  for (let at = 0; at < words.length; at += 4) {
    const a = crc ^ (words[at] as number);
    const b = words[at + 1] as number;
    const c = words[at + 2] as number;
    const d = words[at + 3] as number;
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
