import type { Spool, SpoolFile, SpoolWritten } from "../../ports/spool.ts";
import { type Json, parseJson, printJson } from "../../values/json.ts";
import { ByteSink } from "../byte-sink.ts";
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
  const checksumOf = (sink: ByteSink, bytes: number): number => hash32(sink.bytes, 0, bytes);
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
    note: async (entry) => {
      notesSeen.push(printJson(entry, 0));
    },
    create: async (file) => {
      const sink = new ByteSink();
      files.set(file, sink);
      return opened(sink);
    },
    goOn: async (file, written) => {
      if (!holds(file, written)) return undefined;
      const sink = files.get(file) as ByteSink;
      sink.length = written.bytes;
      return opened(sink);
    },
    holds: async (file, written) => holds(file, written),
    async read(file, at, into) {
      this.largestRead = Math.max(this.largestRead, into.length);
      const sink = files.get(file);
      if (sink === undefined || sink.length < at + into.length) throw new Error(`${file} is too short`);
      into.set(sink.bytes.subarray(at, at + into.length));
    },
    clear: async () => {
      files.clear();
      notesSeen.length = 0;
    },
    close: async () => undefined,
  };
}
