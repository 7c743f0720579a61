import { ByteSink } from "../../core/values/byte-sink.ts";
import { ByteReader } from "../../core/values/bytes.ts";
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
export function decompressSnappy(bytes: Buffer, limit: number): Uint8Array {
  const isFramed = bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC);
  const blocks = (isFramed ? xerialBlocks(bytes) : [bytes]).map((block) => {
    const reader = new ByteReader(block);
    return { reader, size: reader.uvarint() };
  });
  const size = blocks.reduce((sum, one) => sum + one.size, 0);
  if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
  const out = new ByteSink(size);
  for (const block of blocks) decompressBlock(block.reader, out, out.length + block.size);
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
function decompressBlock(reader: ByteReader, out: ByteSink, end: number): void {
  while (reader.left > 0) {
    const tag = reader.uint8();
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    if (kind === 0) {
      if (length > 60) length = reader.little(length - 60) + 1;
      const from = reader.pass(length);
      if (length > end - out.length) throw damaged();
      out.copy(reader.bytes, from, from + length);
    } else {
      if (kind === 1) length = ((tag >> 2) & 7) + 4;
      const distance = kind === 1 ? reader.uint8() | ((tag >> 5) << 8) : reader.little(kind === 2 ? 2 : 4);
      if (length > end - out.length) throw damaged();
      out.repeat(distance, length);
    }
  }
  if (out.length !== end) throw damaged();
}

function damaged(): RangeError {
  return new RangeError("a damaged snappy block");
}
