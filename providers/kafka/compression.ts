import { gunzipSync } from "node:zlib";

/** The compression types of a record batch, by their number in its attributes. */
const CODECS: Readonly<Record<number, () => Promise<(bytes: Buffer) => Uint8Array>>> = {
  0: async () => (bytes) => bytes,
  1: async () => (bytes) => gunzipSync(bytes),
  2: async () => {
    const { uncompress } = (await import("snappyjs")).default;
    return (bytes) => unsnappy(bytes, uncompress);
  },
  3: async () => {
    const lz4 = (await import("lz4js")).default;
    return (bytes) => lz4.decompress(bytes);
  },
  4: async () => {
    const zstd = await import("fzstd");
    return (bytes) => zstd.decompress(bytes);
  },
};

/** @returns what undoes a compression type (0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd); undefined for one that nobody knows yet */
export async function decompressorOf(type: number): Promise<((bytes: Buffer) => Uint8Array) | undefined> {
  return CODECS[type]?.();
}

const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER = 16;

/** The Java client frames snappy blocks the way xerial's snappy-java does; librdkafka writes one bare block. */
function unsnappy(bytes: Buffer, uncompress: (block: Uint8Array) => Uint8Array): Uint8Array {
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return uncompress(bytes);
  const blocks: Uint8Array[] = [];
  for (let at = XERIAL_HEADER; at < bytes.length; ) {
    const length = bytes.readInt32BE(at);
    blocks.push(uncompress(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return Buffer.concat(blocks);
}
