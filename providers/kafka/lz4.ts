import { ByteSink } from "../../core/values/byte-sink.ts";
import { ByteReader } from "../../core/values/bytes.ts";
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
  for (const { block, stored } of blocksOf(bytes)) {
    if (!stored) decompressBlock(block, out, expect);
    else {
      expect(block.length);
      out.copy(block, 0, block.length);
    }
  }
  return out.view();
}

function* blocksOf(bytes: Buffer) {
  const reader = new ByteReader(bytes);
  while (reader.left > 0) {
    const magic = reader.little(4);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      reader.pass(reader.little(4));
      continue;
    }
    if (magic !== MAGIC) throw new RangeError("no LZ4 frame");
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
function decompressBlock(block: Uint8Array, out: ByteSink, expect: (length: number) => void): void {
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
