import { TooLarge } from "./uncompressed-limits.ts";

const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER = 16;

/**
 * Decompresses snappy (https://github.com/google/snappy/blob/main/format_description.txt): a bare block, as librdkafka
 * writes it, or the frames of xerial's snappy-java, as the Java client does.
 *
 * @param limit maximum bytes of the result
 * @throws TooLarge before memory is allocated for more
 * @throws RangeError for bytes that are not snappy
 */
export function decompressSnappy(bytes: Buffer, limit: number): Buffer {
  const blocks = bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC) ? xerialBlocks(bytes) : [bytes];
  const sizes = blocks.map(sizeOf);
  const size = sizes.reduce((sum, one) => sum + one.size, 0);
  if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
  const out = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, { size: blockSize, start }] of sizes.entries()) {
    decompressBlock(blocks[index] as Buffer, start, out.subarray(at, at + blockSize));
    at += blockSize;
  }
  return out;
}

function xerialBlocks(bytes: Buffer): readonly Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = XERIAL_HEADER; at < bytes.length; ) {
    const length = bytes.readInt32BE(at);
    if (length <= 0 || length > bytes.length - at - 4) throw new RangeError(`a snappy block of ${length} bytes`);
    blocks.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return blocks;
}

/** Returns the decompressed size that a block states at its beginning, as a variable-length integer of 32 bits. */
function sizeOf(block: Buffer): { readonly size: number; readonly start: number } {
  let size = 0;
  for (let at = 0; at < 5; at++) {
    const byte = block.readUInt8(at);
    size += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { size, start: at + 1 };
  }
  throw new RangeError("a snappy block without a length");
}

/** @param out of exactly the size that the block states */
function decompressBlock(block: Buffer, start: number, out: Buffer): void {
  let to = 0;
  for (let at = start; at < block.length; ) {
    const tag = block[at++] as number;
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    if (kind === 0) {
      if (length > 60) {
        const bytes = length - 60;
        length = block.readUIntLE(at, bytes) + 1;
        at += bytes;
      }
      if (length > block.length - at || length > out.length - to) throw damaged();
      if (length > 16) block.copy(out, to, at, at + length);
      else for (let i = 0; i < length; i++) out[to + i] = block[at + i] as number;
      at += length;
    } else {
      let distance: number;
      if (kind === 1) {
        length = ((tag >> 2) & 7) + 4;
        distance = block.readUInt8(at) | ((tag >> 5) << 8);
        at += 1;
      } else {
        distance = kind === 2 ? block.readUInt16LE(at) : block.readUInt32LE(at);
        at += kind === 2 ? 2 : 4;
      }
      if (distance === 0 || distance > to || length > out.length - to) throw damaged();
      // The source may overlap with what was just written.
      for (let i = 0; i < length; i++) out[to + i] = out[to - distance + i] as number;
    }
    to += length;
  }
  if (to !== out.length) throw damaged();
}

function damaged(): RangeError {
  return new RangeError("a damaged snappy block");
}
