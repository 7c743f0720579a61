import { ByteSink } from "../../core/values/byte-sink.ts";
import { ByteReader } from "../../core/values/bytes.ts";
import { TooLarge } from "./uncompressed-limits.ts";

const LZ4_MAGIC = 0x184d2204;
/** A frame of LZ4 or zstd that decoders skip: its magic number ends with any digit. */
const SKIPPABLE = 0x184d2a50;
const HAS_BLOCK_CHECKSUMS = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_CONTENT_CHECKSUM = 0x04;
const HAS_DICTIONARY = 0x01;
const STORED = 0x80000000;
const SHORTEST_MATCH = 4;

/**
 * Decompresses LZ4 frames (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). Its checksums are not
 * compared: a record batch has one over all of its bytes.
 *
 * @param limit maximum bytes of the result
 * @throws TooLarge before memory is allocated for more
 * @throws RangeError for bytes that are not LZ4
 */
export function decompressLz4(bytes: Buffer, limit: number): Uint8Array {
  const out = new ByteSink(Math.min(limit, 4 * bytes.length));
  const expect = (length: number): void => {
    if (length > limit - out.length) throw new TooLarge(`more than ${limit} bytes`);
  };
  for (const { block, stored } of lz4Blocks(bytes)) {
    if (!stored) decompressLz4Block(block, out, expect);
    else {
      expect(block.length);
      out.copy(block, 0, block.length);
    }
  }
  return out.view();
}

function* lz4Blocks(bytes: Buffer) {
  const reader = new ByteReader(bytes);
  while (reader.left > 0) {
    const magic = reader.little(4);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      reader.pass(reader.little(4));
      continue;
    }
    if (magic !== LZ4_MAGIC) throw new RangeError("no LZ4 frame");
    const flags = reader.uint8();
    if (flags >> 6 !== 1) throw new RangeError(`version ${flags >> 6} of LZ4 frames is not known`);
    if (flags & HAS_DICTIONARY) throw new RangeError("an LZ4 frame with a dictionary");
    // Block size, content size, checksum of the header.
    reader.pass(1 + (flags & HAS_CONTENT_SIZE ? 8 : 0) + 1);
    for (let head = reader.little(4); head !== 0; head = reader.little(4)) {
      yield { block: reader.take(head & ~STORED), stored: (head & STORED) !== 0 };
      reader.pass(flags & HAS_BLOCK_CHECKSUMS ? 4 : 0);
    }
    reader.pass(flags & HAS_CONTENT_CHECKSUM ? 4 : 0);
  }
}

/** @param expect throws if this many more bytes are too many */
function decompressLz4Block(block: Uint8Array, out: ByteSink, expect: (length: number) => void): void {
  const reader = new ByteReader(block);
  /** @param least from the token; the largest is continued in the next bytes */
  const lengthFrom = (least: number): number => {
    let length = least;
    if (least === 15) for (let more = 255; more === 255; length += more) more = reader.uint8();
    return length;
  };
  for (;;) {
    const token = reader.uint8();
    const literals = lengthFrom(token >> 4);
    expect(literals);
    const from = reader.pass(literals);
    out.copy(block, from, from + literals);
    if (reader.left === 0) return;
    const distance = reader.little(2);
    const length = lengthFrom(token & 15) + SHORTEST_MATCH;
    expect(length);
    out.repeat(distance, length);
  }
}

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
export function decompressSnappy(bytes: Buffer, limit: number): Uint8Array {
  const isFramed = bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC);
  const blocks = (isFramed ? xerialBlocks(bytes) : [bytes]).map((block) => {
    const reader = new ByteReader(block);
    return { reader, size: reader.uvarint() };
  });
  const size = blocks.reduce((sum, one) => sum + one.size, 0);
  if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
  const out = new ByteSink(size);
  for (const block of blocks) decompressSnappyBlock(block.reader, out, out.length + block.size);
  return out.view();
}

function xerialBlocks(bytes: Buffer): readonly Buffer[] {
  const reader = new ByteReader(bytes);
  reader.pass(XERIAL_HEADER);
  const blocks: Buffer[] = [];
  while (reader.left > 0) blocks.push(reader.take(reader.int32()));
  return blocks;
}

/** @param end what the block states its size to be, from where `out` ends */
function decompressSnappyBlock(reader: ByteReader, out: ByteSink, end: number): void {
  while (reader.left > 0) {
    const tag = reader.uint8();
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    if (kind === 0) {
      if (length > 60) length = reader.little(length - 60) + 1;
      const from = reader.pass(length);
      if (length > end - out.length) throw damagedSnappy();
      out.copy(reader.bytes, from, from + length);
    } else {
      if (kind === 1) length = ((tag >> 2) & 7) + 4;
      const distance = kind === 1 ? reader.uint8() | ((tag >> 5) << 8) : reader.little(kind === 2 ? 2 : 4);
      if (length > end - out.length) throw damagedSnappy();
      out.repeat(distance, length);
    }
  }
  if (out.length !== end) throw damagedSnappy();
}

function damagedSnappy(): RangeError {
  return new RangeError("a damaged snappy block");
}

const ZSTD_MAGIC = 0xfd2fb528;
/** Maximum decompressed bytes of a compressed block (RFC 8878, 3.1.1.2.4). */
const LARGEST_BLOCK = 128 * 1024;

interface ZstdFrame {
  readonly bytes: Buffer;
  /** The size that its header states; undefined if it states none. */
  readonly size: number | undefined;
  /** Upper limit of the decompressed size of its blocks. */
  readonly bound: number;
}

/**
 * Decompresses zstd frames (RFC 8878). Their sizes are read from the headers of frames and blocks before anything is
 * decompressed.
 *
 * @param decompress of one frame into a buffer that is large enough for it
 * @param limit maximum bytes of the result
 * @returns the content of the frames; for a frame that does not state its size, followed by less than a block of other
 * bytes
 * @throws TooLarge before memory is allocated for more
 * @throws RangeError for bytes that are not zstd
 */
export function decompressZstd(
  bytes: Buffer,
  limit: number,
  decompress: (frame: Uint8Array, into: Uint8Array) => Uint8Array,
): Buffer {
  const frames: ZstdFrame[] = [];
  let size = 0;
  for (const frame of zstdFrames(bytes)) {
    size += frame.size ?? frame.bound;
    if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
    frames.push(frame);
  }
  if (frames.slice(0, -1).some((frame) => frame.size === undefined))
    throw new RangeError("several zstd frames, of which one does not say its size");
  const out = Buffer.alloc(size);
  let at = 0;
  for (const frame of frames) {
    const end = at + (frame.size ?? frame.bound);
    decompress(frame.bytes, out.subarray(at, end));
    at = end;
  }
  return out;
}

function* zstdFrames(bytes: Buffer): Generator<ZstdFrame> {
  const reader = new ByteReader(bytes);
  while (reader.left > 0) {
    const start = reader.at;
    const magic = reader.little(4);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      reader.pass(reader.little(4));
      continue;
    }
    if (magic !== ZSTD_MAGIC) throw new RangeError("no zstd frame");
    const flags = reader.uint8();
    const single = (flags >> 5) & 1;
    const descriptor = single === 0 ? reader.uint8() : undefined;
    const window = descriptor === undefined ? Infinity : 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
    reader.pass([0, 1, 2, 4][flags & 3] as number);
    const sizeBytes = flags >> 6 === 0 ? single : 1 << (flags >> 6);
    // Two bytes store the size minus 256.
    const size = sizeBytes === 0 ? undefined : reader.little(sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    let bound = 0;
    for (let last = false; !last; ) {
      const head = reader.little(3);
      const [type, length] = [(head >> 1) & 3, head >> 3];
      last = (head & 1) === 1;
      if (type === 3) throw new RangeError("a zstd block of no known type");
      bound += type === 2 ? Math.min(LARGEST_BLOCK, window) : length;
      reader.pass(type === 1 ? 1 : length);
    }
    if (size !== undefined && size > bound) throw new RangeError("a zstd frame holds less than it says");
    reader.pass(flags & 4 ? 4 : 0);
    yield { bytes: bytes.subarray(start, reader.at), size, bound };
  }
}
