import { TooLarge } from "./uncompressed-limits.ts";

const MAGIC = 0x184d2204;
/** A frame that decoders skip: its magic number ends with any digit. */
const SKIPPABLE = 0x184d2a50;
const HAS_BLOCK_CHECKSUMS = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_CONTENT_CHECKSUM = 0x04;
const HAS_DICTIONARY = 0x01;
const STORED = 0x80000000;
const SHORTEST_MATCH = 4;

interface Block {
  readonly start: number;
  readonly end: number;
  readonly stored: boolean;
}

/**
 * Decompresses LZ4 frames (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). Its checksums are not
 * compared: a record batch has one over all of its bytes.
 *
 * @param limit maximum bytes of the result
 * @throws TooLarge before memory is allocated for more
 * @throws RangeError for bytes that are not LZ4
 */
export function decompressLz4(bytes: Buffer, limit: number): Buffer {
  const blocks = [...blocksOf(bytes)];
  let size = 0;
  for (const block of blocks) {
    size += block.stored ? block.end - block.start : sizeOf(bytes, block);
    if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
  }
  const out = Buffer.allocUnsafe(size);
  let at = 0;
  for (const block of blocks)
    at = block.stored ? at + bytes.copy(out, at, block.start, block.end) : decompressBlock(bytes, block, out, at);
  return out;
}

function* blocksOf(bytes: Buffer): Generator<Block> {
  for (let at = 0; at < bytes.length; ) {
    const magic = bytes.readUInt32LE(at);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      at += 8 + bytes.readUInt32LE(at + 4);
      continue;
    }
    if (magic !== MAGIC) throw new RangeError("no LZ4 frame");
    const flags = bytes.readUInt8(at + 4);
    if (flags >> 6 !== 1) throw new RangeError(`version ${flags >> 6} of LZ4 frames is not known`);
    if (flags & HAS_DICTIONARY) throw new RangeError("an LZ4 frame with a dictionary");
    // Magic number, flags, block size, content size, checksum of the header.
    at += 4 + 2 + (flags & HAS_CONTENT_SIZE ? 8 : 0) + 1;
    for (let head = bytes.readUInt32LE(at); head !== 0; head = bytes.readUInt32LE(at)) {
      const start = at + 4;
      const end = start + (head & ~STORED);
      if (end > bytes.length) throw new RangeError("an LZ4 block is cut off");
      yield { start, end, stored: (head & STORED) !== 0 };
      at = end + (flags & HAS_BLOCK_CHECKSUMS ? 4 : 0);
    }
    at += 4 + (flags & HAS_CONTENT_CHECKSUM ? 4 : 0);
  }
}

/** Returns the decompressed size of a block: its sequences are read, but not executed. */
function sizeOf(bytes: Buffer, { start, end }: Block): number {
  let size = 0;
  for (let at = start; at < end; ) {
    const token = bytes[at++] as number;
    let length = token >> 4;
    if (length === 15)
      for (let more = 255; more === 255; length += more) {
        if (at >= end) throw cutOff();
        more = bytes[at++] as number;
      }
    at += length;
    size += length;
    if (at === end) return size;
    at += 2;
    length = token & 15;
    if (length === 15)
      for (let more = 255; more === 255; length += more) {
        if (at >= end) throw cutOff();
        more = bytes[at++] as number;
      }
    if (at > end) throw cutOff();
    size += length + SHORTEST_MATCH;
  }
  throw cutOff();
}

/** @param out of the size that `sizeOf` returned for all blocks @returns where the next block goes */
function decompressBlock(bytes: Buffer, { start, end }: Block, out: Buffer, from: number): number {
  let to = from;
  for (let at = start; at < end; ) {
    const token = bytes[at++] as number;
    let length = token >> 4;
    if (length === 15) for (let more = 255; more === 255; length += more) more = bytes[at++] as number;
    if (length > 16) bytes.copy(out, to, at, at + length);
    else for (let i = 0; i < length; i++) out[to + i] = bytes[at + i] as number;
    at += length;
    to += length;
    if (at >= end) return to;
    const distance = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    at += 2;
    if (distance === 0 || distance > to) throw new RangeError("an LZ4 match before the beginning");
    length = token & 15;
    if (length === 15) for (let more = 255; more === 255; length += more) more = bytes[at++] as number;
    length += SHORTEST_MATCH;
    if (distance >= length && length > 16) out.copyWithin(to, to - distance, to - distance + length);
    // The source may overlap with what was just written.
    else for (let i = 0; i < length; i++) out[to + i] = out[to - distance + i] as number;
    to += length;
  }
  return to;
}

function cutOff(): RangeError {
  return new RangeError("an LZ4 block is cut off");
}
