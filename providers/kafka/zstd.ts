import { ByteReader } from "../../core/values/bytes.ts";
import { TooLarge } from "./uncompressed-limits.ts";

const MAGIC = 0xfd2fb528;
/** A frame that decoders skip: its magic number ends with any digit. */
const SKIPPABLE = 0x184d2a50;
/** Maximum decompressed bytes of a compressed block (RFC 8878, 3.1.1.2.4). */
const LARGEST_BLOCK = 128 * 1024;

interface Frame {
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
  const frames: Frame[] = [];
  let size = 0;
  for (const frame of framesOf(bytes)) {
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

function* framesOf(bytes: Buffer): Generator<Frame> {
  const reader = new ByteReader(bytes);
  while (reader.left > 0) {
    const start = reader.at;
    const magic = reader.little(4);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      reader.pass(reader.little(4));
      continue;
    }
    if (magic !== MAGIC) throw new RangeError("no zstd frame");
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
