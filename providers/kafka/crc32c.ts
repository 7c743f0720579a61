const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256: what a byte does to the checksum when zero to seven bytes follow it ("slicing by 8", Intel, 2006). */
const TABLES = tables();

function tables(): Int32Array {
  const all = new Int32Array(8 * 256);
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

/** CRC-32C (Castagnoli) as record batches carry it; node:zlib has only the other CRC-32. */
export function crc32c(bytes: Uint8Array): number {
  const T = TABLES;
  const end = bytes.length - 7;
  let crc = -1;
  let i = 0;
  // Every index is within its array: `as number` says so, and costs nothing.
  for (; i < end; i += 8) {
    const four =
      crc ^
      ((bytes[i] as number) |
        ((bytes[i + 1] as number) << 8) |
        ((bytes[i + 2] as number) << 16) |
        ((bytes[i + 3] as number) << 24));
    crc =
      (T[1792 + (four & 0xff)] as number) ^
      (T[1536 + ((four >>> 8) & 0xff)] as number) ^
      (T[1280 + ((four >>> 16) & 0xff)] as number) ^
      (T[1024 + (four >>> 24)] as number) ^
      (T[768 + (bytes[i + 4] as number)] as number) ^
      (T[512 + (bytes[i + 5] as number)] as number) ^
      (T[256 + (bytes[i + 6] as number)] as number) ^
      (T[bytes[i + 7] as number] as number);
  }
  for (; i < bytes.length; i++) crc = (T[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}
