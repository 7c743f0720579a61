import { open } from "node:fs/promises";
import { join } from "node:path";
import type { TopicRecord } from "../../core/verification/record-reader.ts";
import { digitsOf } from "./data.ts";

const CHUNK = 1 << 20;
const HEAD = 16;
/** Longer than any record of the files. */
const LONGEST = 1 << 14;
const NO_HEADERS = {};

/**
 * The records of a generated file, with this many passes, in batches that are valid until the next one: like a fetch,
 * from the page cache.
 */
export async function* recordsOf(
  folder: string,
  file: string,
  partition: number,
  passes: number,
): AsyncIterable<readonly TopicRecord[]> {
  const handle = await open(join(folder, file), "r");
  // One is read while the other is processed, as with a fetch.
  let [chunk, ahead] = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)];
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
        const batch: TopicRecord[] = [];
        let next = begin;
        while (next + HEAD <= end) {
          const key = next + HEAD;
          const value = key + chunk.readUInt32LE(next);
          const header = value + chunk.readUInt32LE(next + 4);
          const after = header + chunk.readUInt16LE(next + 14);
          if (after > end) break;
          if (pass > 0) {
            patch(chunk, key + chunk.readUInt16LE(next + 8), digits);
            patch(chunk, value + chunk.readUInt16LE(next + 10), digits);
            const second = chunk.readUInt16LE(next + 12);
            if (second > 0) patch(chunk, value + second, digits);
          }
          batch.push({
            partition,
            offset: BigInt(offset++),
            key: chunk.subarray(key, value),
            value: chunk.subarray(value, header),
            headers: after > header ? { "cdc.commit_scn": chunk.subarray(header, after) } : NO_HEADERS,
          });
          next = after;
        }
        yield batch;
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
