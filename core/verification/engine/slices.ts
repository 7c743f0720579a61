import type { Slices, SpoolFiles } from "../../ports/spool.ts";
import type { Sides } from "../tuple.ts";
import type { LaneFile } from "./lane.ts";

export type SideFiles = readonly LaneFile[];

/** Where one side has the tuples of some hash partitions: by file, in the order in which they were written. */
export type SideSlices = readonly FileSlices[];

export interface FileSlices extends Slices {
  readonly file: string;
}

/** A range of adjacent hash partitions: `from` (inclusive) to `to` (exclusive). */
export interface PartitionRange {
  readonly from: number;
  readonly to: number;
}

export function sizesOf(sides: Sides<SideFiles>, partitions: number): Float64Array {
  const sizes = new Float64Array(partitions);
  for (const files of Object.values(sides))
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

export function slicesOf(files: SideFiles, { from, to }: PartitionRange): SideSlices {
  return files.map(({ name, segments }) => {
    const starts = new Float64Array(segments.length);
    const lengths = new Uint32Array(segments.length);
    for (const [nth, { at, ends }] of segments.entries()) {
      const start = from === 0 ? 0 : (ends[from - 1] as number);
      starts[nth] = at + start;
      lengths[nth] = (ends[to - 1] as number) - start;
    }
    return { file: name, starts, lengths };
  });
}

/** Reads slices into the beginning of `into`, in order. @returns bytes read */
export async function readSlices(spool: SpoolFiles, slices: SideSlices, into: Uint8Array): Promise<number> {
  let end = 0;
  for (const one of slices) {
    await spool.read(one.file, one, into.subarray(end));
    end += bytesOf([one]);
  }
  return end;
}

export function bytesOf(slices: SideSlices): number {
  let sum = 0;
  for (const { lengths } of slices) for (let nth = 0; nth < lengths.length; nth++) sum += lengths[nth] as number;
  return sum;
}
