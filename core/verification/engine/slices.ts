import type { SpoolFiles } from "../../ports/spool.ts";
import type { LaneFile } from "./lane.ts";

/** Files that the units of one side (table, new topic, legacy topic) wrote. */
export type SideFiles = readonly LaneFile[];

/** A range of adjacent hash partitions: `from` (inclusive) to `to` (exclusive). */
export interface PartitionRange {
  readonly from: number;
  readonly to: number;
}

/** Bytes of each hash partition. */
export function sizesOf(sides: readonly SideFiles[], partitions: number): Float64Array {
  const sizes = new Float64Array(partitions);
  for (const files of sides)
    for (const { segments } of files)
      for (const { ends } of segments)
        for (let at = 0; at < partitions; at++)
          sizes[at] = (sizes[at] as number) + (ends[at] as number) - (at === 0 ? 0 : (ends[at - 1] as number));
  return sizes;
}

/** Groups adjacent hash partitions as long as they fit; one that is too large gets its own range. */
export function fittingRanges(sizes: ArrayLike<number>, most: number): readonly PartitionRange[] {
  const ranges: PartitionRange[] = [];
  let from = 0;
  let sum = 0;
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at] as number;
    if (at > from && sum + size > most) {
      ranges.push({ from, to: at });
      from = at;
      sum = 0;
    }
    sum += size;
  }
  if (sizes.length > from) ranges.push({ from, to: sizes.length });
  return ranges;
}

/** @param sizes of each hash partition */
export function bytesIn(sizes: ArrayLike<number>, { from, to }: PartitionRange): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += sizes[at] as number;
  return sum;
}

/** Positions of a range's slices in each segment of a side, in the order in which they were written. */
export function* slicesOf(
  files: SideFiles,
  { from, to }: PartitionRange,
): Generator<{ readonly file: string; readonly at: number; readonly bytes: number }> {
  for (const { name, segments } of files)
    for (const { at, ends } of segments) {
      const start = from === 0 ? 0 : (ends[from - 1] as number);
      const bytes = (ends[to - 1] as number) - start;
      if (bytes > 0) yield { file: name, at: at + start, bytes };
    }
}

/**
 * Restricts a side's files to a range, as if there were no other hash partitions: those of the range are numbered from
 * 0.
 */
export function onlyRange(files: SideFiles, { from, to }: PartitionRange): SideFiles {
  return files.map(({ name, written, segments }) => ({
    name,
    written,
    segments: segments.map(({ at, ends }) => {
      const start = from === 0 ? 0 : (ends[from - 1] as number);
      return { at: at + start, ends: ends.slice(from, to).map((end) => end - start) };
    }),
  }));
}

/**
 * Reads the slices of a range into `into`, in order. All are requested at once, because most are short. @returns bytes
 * read
 */
export async function readSlices(
  spool: SpoolFiles,
  files: SideFiles,
  range: PartitionRange,
  into: Uint8Array,
): Promise<number> {
  let end = 0;
  const reading: Promise<void>[] = [];
  for (const { file, at, bytes } of slicesOf(files, range)) {
    reading.push(spool.read(file, at, into.subarray(end, end + bytes)));
    end += bytes;
  }
  await Promise.all(reading);
  return end;
}

export function bytesOf(files: SideFiles, range: PartitionRange): number {
  let sum = 0;
  for (const { bytes } of slicesOf(files, range)) sum += bytes;
  return sum;
}
