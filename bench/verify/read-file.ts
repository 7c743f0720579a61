import { open } from "node:fs/promises";
import { join } from "node:path";
import type { RecordsInPlace } from "../../core/ports/kafka.ts";
import { digitsOf } from "./data.ts";

const CHUNK = 1 << 20;
const HEAD = 16;
/** Longer than any record of the files. */
const LONGEST = 1 << 14;
/** No chunk holds more records. */
const MOST = CHUNK / 64;

/** With the ends of the headers, which no reader needs but the one who copies them. */
interface FileRecords extends RecordsInPlace {
  readonly bytes: Buffer;
  readonly headerEnds: Int32Array;
}

/**
 * Reads the records of a generated file as many times as there are passes, in batches that are valid until the next
 * one: what a fetch gives, from the page cache.
 */
export async function* recordsOf(
  folder: string,
  file: string,
  partition: number,
  passes: number,
): AsyncIterable<FileRecords> {
  const handle = await open(join(folder, file), "r");
  // One chunk is read while the other is processed, as with a fetch.
  let [chunk, ahead] = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)];
  const list = () => new Int32Array(MOST);
  const [keyStarts, keyEnds, valueStarts, valueEnds] = [list(), list(), list(), list()];
  const [headerStarts, headerEnds] = [list(), list()];
  const offsetDeltas = Int32Array.from({ length: MOST }, (_, at) => at);
  let offset = 0;
  try {
    for (let pass = 0; pass < passes; pass++) {
      const digits = Buffer.from(digitsOf(pass));
      let reading = handle.read(chunk, LONGEST, CHUNK - LONGEST, 0);
      let begin = LONGEST;
      for (let at = 0; ; ) {
        const { bytesRead } = await reading;
        if (bytesRead === 0) break;
        at += bytesRead;
        reading = handle.read(ahead, LONGEST, CHUNK - LONGEST, at);
        const end = LONGEST + bytesRead;
        const view = new DataView(chunk.buffer);
        let count = 0;
        let next = begin;
        for (; next + HEAD <= end; count++) {
          const key = next + HEAD;
          const value = key + view.getUint32(next, true);
          const headers = value + view.getUint32(next + 4, true);
          const after = headers + view.getUint16(next + 14, true);
          if (after > end) break;
          if (pass > 0) {
            patch(chunk, key + view.getUint16(next + 8, true), digits);
            patch(chunk, value + view.getUint16(next + 10, true), digits);
            const second = view.getUint16(next + 12, true);
            if (second > 0) patch(chunk, value + second, digits);
          }
          keyStarts[count] = key;
          keyEnds[count] = valueStarts[count] = value;
          valueEnds[count] = headerStarts[count] = headers;
          headerEnds[count] = after;
          next = after;
        }
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
        begin = LONGEST - (end - next);
        chunk.copy(ahead, begin, next, end);
        [chunk, ahead] = [ahead, chunk];
      }
    }
  } finally {
    await handle.close();
  }
}

function patch(chunk: Buffer, at: number, digits: Buffer): void {
  chunk[at] = digits[0] as number;
  chunk[at + 1] = digits[1] as number;
  chunk[at + 2] = digits[2] as number;
}
