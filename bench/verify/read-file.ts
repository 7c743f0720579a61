import { open } from "node:fs/promises";
import { join } from "node:path";
import type { RecordsInPlace } from "../../core/ports/kafka.ts";
import { digitsOf, KEPT_EVERY, positionsOf } from "./data.ts";

const CHUNK = 1 << 20;
const HEAD = 16;
/** Longer than any record of the files. */
const LONGEST = 1 << 14;
/** No chunk holds more records. */
const MOST = CHUNK / 64;

/** Chunks that no reader uses: as garbage, they would count as the engine's memory. */
const spare: (readonly Buffer[])[] = [];

/** Records with the ends of the headers, which no reader needs but the one who copies them. */
interface FileRecords extends RecordsInPlace {
  readonly bytes: Buffer;
  readonly headerEnds: Int32Array;
}

/**
 * Reads the records of a generated file as if it were repeated, in batches that are valid until the next one: what a
 * fetch gives, from the page cache.
 *
 * @param from offset of the first record @param to offset after the last one
 */
export async function* recordsOf(
  folder: string,
  file: string,
  partition: number,
  from: number,
  to: number,
): AsyncIterable<FileRecords> {
  const { records, positions } = await positionsOf(folder, file);
  const handle = await open(join(folder, file), "r");
  // One chunk is read while the other is processed, as with a fetch.
  const chunks = spare.pop() ?? [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)];
  let [chunk, ahead] = chunks as [Buffer, Buffer];
  const placed = noRecords();
  const { offsetDeltas, keyStarts, keyEnds, valueStarts, valueEnds, headerStarts, headerEnds } = placed;
  let offset = from;
  let reading: ReturnType<typeof handle.read> | undefined;
  try {
    for (let pass = Math.floor(from / records); ; pass++) {
      const digits = Buffer.from(digitsOf(pass));
      const first = offset - pass * records;
      const kept = Math.floor(first / KEPT_EVERY);
      placed.skip = first - kept * KEPT_EVERY;
      let at = positions[kept] as number;
      reading = handle.read(chunk, LONGEST, CHUNK - LONGEST, at);
      let begin = LONGEST;
      for (;;) {
        const { bytesRead } = await reading;
        if (bytesRead === 0) break;
        at += bytesRead;
        reading = handle.read(ahead, LONGEST, CHUNK - LONGEST, at);
        const end = LONGEST + bytesRead;
        placeRecords(chunk, begin, end, to - offset, digits, placed);
        const { count, next } = placed;
        // All of them may have been before the first one wanted.
        if (count > 0)
          yield {
            partition,
            bytes: chunk,
            count,
            baseOffset: BigInt(offset),
            offsetDeltas,
            keyStarts,
            keyEnds,
            valueStarts,
            valueEnds,
            headerStarts,
            headerEnds,
          };
        offset += count;
        if (offset >= to) return;
        begin = LONGEST - (end - next);
        chunk.copy(ahead, begin, next, end);
        [chunk, ahead] = [ahead, chunk];
      }
    }
  } finally {
    await reading;
    await handle.close();
    spare.push([chunk, ahead]);
  }
}

/** All records of a generated file, as many times as there are passes. */
export async function* passesOf(
  folder: string,
  file: string,
  partition: number,
  passes: number,
): AsyncIterable<FileRecords> {
  const { records } = await positionsOf(folder, file);
  yield* recordsOf(folder, file, partition, 0, records * passes);
}

type Placed = ReturnType<typeof noRecords>;

/** Positions of the records of a chunk; the lists are reused. */
function noRecords() {
  const list = () => new Int32Array(MOST);
  return {
    /** Records that are still passed over, because they are before the first one wanted. */
    skip: 0,
    count: 0,
    /** Where the first record begins that the chunk does not hold completely. */
    next: 0,
    offsetDeltas: list().map((_, at) => at),
    keyStarts: list(),
    keyEnds: list(),
    valueStarts: list(),
    valueEnds: list(),
    headerStarts: list(),
    headerEnds: list(),
  };
}

/** Finds the records between two positions of a chunk, at most so many, and makes them those of a pass. */
function placeRecords(chunk: Buffer, begin: number, end: number, most: number, digits: Buffer, placed: Placed): void {
  const { keyStarts, keyEnds, valueStarts, valueEnds, headerStarts, headerEnds } = placed;
  const view = new DataView(chunk.buffer);
  let count = 0;
  let next = begin;
  while (next + HEAD <= end && count < most) {
    const head = next;
    const key = head + HEAD;
    const value = key + view.getUint32(head, true);
    const headers = value + view.getUint32(head + 4, true);
    const after = headers + view.getUint16(head + 14, true);
    if (after > end) break;
    next = after;
    if (placed.skip > 0) {
      placed.skip--;
      continue;
    }
    patch(chunk, key + view.getUint16(head + 8, true), digits);
    patch(chunk, value + view.getUint16(head + 10, true), digits);
    const second = view.getUint16(head + 12, true);
    if (second > 0) patch(chunk, value + second, digits);
    keyStarts[count] = key;
    keyEnds[count] = valueStarts[count] = value;
    valueEnds[count] = headerStarts[count] = headers;
    headerEnds[count] = after;
    count++;
  }
  placed.count = count;
  placed.next = next;
}

function patch(chunk: Buffer, at: number, digits: Buffer): void {
  chunk[at] = digits[0] as number;
  chunk[at + 1] = digits[1] as number;
  chunk[at + 2] = digits[2] as number;
}
