import type { SpoolFile, SpoolFiles, SpoolWritten } from "../../ports/spool.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import { viewOf } from "../../values/bytes.ts";
import type { TupleSink } from "../tuple.ts";

/**
 * Output of one unit of reading (a range of the table, a partition of a topic). It has its own files, so that units
 * share nothing and the output of one can be kept or discarded independently.
 *
 * A file is a sequence of segments. A segment is the length of each hash partition's slice (u32, least significant byte
 * first), then the slices in that order, so that adjacent hash partitions are read at once.
 */
export interface Lane {
  readonly sink: TupleSink;
  /** Bytes of tuples buffered in memory. */
  waiting(): number;
  /**
   * Writes the buffered tuples as one segment. Further tuples may be buffered meanwhile, but not written: the caller
   * waits before the next call.
   */
  flush(): Promise<void>;
  files(): readonly LaneFile[];
  close(): Promise<void>;
}

/**
 * A buffer for each hash partition, twice a lane, kept for the lanes that are opened later: as garbage, they would add
 * tens of MiB before they are collected.
 */
export class LaneBuffers {
  private readonly spare: (readonly ByteSink[])[] = [];

  /** @param size of each in bytes, before it grows */
  take(partitions: number, size: number): readonly ByteSink[] {
    const kept = this.spare.pop();
    return kept?.length === partitions ? kept : Array.from({ length: partitions }, () => new ByteSink(size));
  }

  giveBack(sinks: readonly ByteSink[]): void {
    for (const one of sinks) one.clear();
    this.spare.push(sinks);
  }
}

export interface LaneFile {
  readonly name: string;
  readonly written: SpoolWritten;
  readonly segments: readonly Segment[];
}

interface Segment {
  /** Start of the first slice in the file. */
  readonly at: number;
  /** End of each hash partition's slice, relative to `at`. */
  readonly ends: Uint32Array;
}

/** The size stays below 2 GiB, which is still the limit of some file systems and backups. */
const LARGEST_FILE = 2 ** 31 - 1;

/** The size of a buffer before it grows, bytes. */
const LARGEST_AT_FIRST = 2 ** 16;

/** `new-0-200-300.1` of the unit `new-0[200,300)`. */
export const fileName = (unit: string, number: number): string =>
  `${unit.replaceAll(/[[,]/g, "-").replace(")", "")}.${number}`;

export async function openLane(
  spool: SpoolFiles,
  name: string,
  partitions: number,
  done: readonly LaneFile[],
  /** The last of `done`, open for appending; undefined if the next segment begins another file. */
  reopened: SpoolFile | undefined,
  segment: number,
  buffers: LaneBuffers,
): Promise<Lane> {
  const files: LaneFile[] = [...done];
  // The slices of a segment differ by a few tuples; a buffer that is too small grows.
  const size = Math.min(LARGEST_AT_FIRST, Math.ceil((segment / partitions) * 1.5));
  const sink: TupleSink = { buffers: buffers.take(partitions, size), truncates: new ByteSink(0) };
  /** Taken in turns with the sink's, so that a segment is written while the next one is buffered. */
  let spare = buffers.take(partitions, size);
  let open = reopened;
  let writing: Promise<void> = Promise.resolve();
  const waiting = (): number => {
    let bytes = 0;
    for (let at = 0; at < partitions; at++) bytes += (sink.buffers[at] as ByteSink).length;
    return bytes;
  };

  const write = async (full: readonly ByteSink[], bytes: number): Promise<void> => {
    const { pieces, ends } = segmentOf(full);
    const head = partitions * 4;
    let last = files.at(-1);
    if (open === undefined || last === undefined || last.written.bytes + head + bytes > LARGEST_FILE) {
      await open?.close();
      last = { name: fileName(name, files.length), written: { bytes: 0, checksum: 0 }, segments: [] };
      open = await spool.create(last.name);
      files.push(last);
    }
    await open.write(pieces);
    const segment: Segment = { at: last.written.bytes + head, ends };
    (last.segments as Segment[]).push(segment);
    files[files.length - 1] = { ...last, written: open.written() };
    for (const one of full) one.clear();
  };

  return {
    sink,
    waiting,
    async flush() {
      const bytes = waiting();
      if (bytes === 0) return;
      [sink.buffers, spare] = [spare, sink.buffers];
      writing = write(spare, bytes);
      await writing;
    },
    files: () => files,
    async close() {
      await writing.catch(() => undefined);
      buffers.giveBack(sink.buffers);
      buffers.giveBack(spare);
      await open?.close();
    },
  };
}

/** The bytes of a segment, and where each of its slices ends, counted from where the first begins. */
function segmentOf(slices: readonly ByteSink[]) {
  const header = new Uint8Array(slices.length * 4);
  const view = viewOf(header);
  const ends = new Uint32Array(slices.length);
  const pieces: Uint8Array[] = [header];
  let end = 0;
  for (let at = 0; at < slices.length; at++) {
    const slice = slices[at] as ByteSink;
    view.setUint32(at * 4, slice.length, true);
    end += slice.length;
    ends[at] = end;
    if (slice.length > 0) pieces.push(slice.view());
  }
  return { pieces, ends };
}

/** Finds the segments of a file that is known to be intact. */
export async function segmentsOf(
  spool: SpoolFiles,
  name: string,
  { bytes }: SpoolWritten,
  partitions: number,
): Promise<readonly Segment[]> {
  const segments: Segment[] = [];
  const header = new Uint8Array(partitions * 4);
  const view = viewOf(header);
  for (let position = 0; position < bytes; ) {
    await spool.read(name, { starts: [position], lengths: [header.length] }, header);
    const ends = new Uint32Array(partitions);
    let end = 0;
    for (let slice = 0; slice < partitions; slice++) {
      end += view.getUint32(slice * 4, true);
      ends[slice] = end;
    }
    segments.push({ at: position + header.length, ends });
    position += header.length + end;
  }
  return segments;
}
