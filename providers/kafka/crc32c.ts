const POLYNOMIAL = 0x82f63b78;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? POLYNOMIAL ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** CRC-32C (Castagnoli) as record batches carry it; node:zlib has only the other CRC-32. */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (TABLE[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}
