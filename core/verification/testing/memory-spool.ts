import type { Spool, SpoolFile, SpoolWritten } from "../../ports/spool.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import { type Json, parseJson, printJson } from "../../values/json.ts";
import { hash32 } from "../murmur3.ts";

/** A spool in memory that a test can inspect and damage. */
export interface MemorySpool extends Spool {
  readonly files: Map<string, ByteSink>;
  readonly notesSeen: string[];
  /** Maximum bytes returned by one `read`. */
  largestRead: number;
}

export function memorySpool(): MemorySpool {
  const files = new Map<string, ByteSink>();
  const notesSeen: string[] = [];
  const checksumOf = (sink: ByteSink, bytes: number): number => hash32(sink.data, 0, bytes);
  const holds = (file: string, { bytes, checksum }: SpoolWritten): boolean => {
    const sink = files.get(file);
    return sink !== undefined && sink.length >= bytes && checksumOf(sink, bytes) === checksum;
  };
  const opened = (sink: ByteSink): SpoolFile => ({
    write: async (parts) => {
      for (const part of parts) sink.copy(part, 0, part.length);
    },
    written: () => ({ bytes: sink.length, checksum: checksumOf(sink, sink.length) }),
    close: async () => undefined,
  });
  return {
    files,
    notesSeen,
    largestRead: 0,
    notes: async () => notesSeen.map((text): Json => parseJson(text)),
    note: async (entry) => void notesSeen.push(printJson(entry, 0)),
    create: async (file) => {
      const sink = new ByteSink();
      files.set(file, sink);
      return opened(sink);
    },
    goOn: async (file, written) => {
      const sink = files.get(file);
      if (sink === undefined || !holds(file, written)) return undefined;
      sink.length = written.bytes;
      return opened(sink);
    },
    holds: async (file, written) => holds(file, written),
    async read(file, { starts, lengths }, into) {
      const sink = files.get(file);
      let done = 0;
      for (let nth = 0; nth < starts.length; done += lengths[nth++] as number) {
        const end = (starts[nth] as number) + (lengths[nth] as number);
        if (sink === undefined || sink.length < end) throw new Error(`${file} is too short`);
        into.set(sink.bytes.subarray(starts[nth], end), done);
      }
      this.largestRead = Math.max(this.largestRead, done);
    },
    clear: async () => {
      files.clear();
      notesSeen.length = 0;
    },
    close: async () => undefined,
  };
}
