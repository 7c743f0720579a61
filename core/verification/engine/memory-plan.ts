import type { Column, TableShape, ValueKind } from "../../../schemas/generated/verification-job.ts";
import { TABLE_HEAD, TOPIC_HEAD } from "../tuple.ts";
import type { TableInputs } from "./inputs.ts";

/** Division of the work that keeps it within the memory limit. The result does not depend on it. */
export interface MemoryPlan {
  readonly partitions: number;
  /** Bytes of tuples that a unit of reading may buffer before it writes them. */
  readonly segment: number;
  /** Maximum bytes of tuples in a join. */
  readonly join: number;
}

/**
 * Least memory that can be guaranteed: the runtime and data in flight take most of it. Callers reject a smaller
 * setting.
 */
export const LEAST_MEMORY = 256 * 2 ** 20;
export const DEFAULT_MEMORY = 512 * 2 ** 20;

const FEWEST = 16;
const MOST = 1024;
/** Hash partitions per join, so that adjacent ones can be combined to use the memory well. */
const PARTITIONS_A_JOIN = 4;

/** Bytes of tuples that are joined together if hash partitions are small: what fits into a processor's cache. */
export const AT_ONCE = 5 * 2 ** 20;

/** Bytes that a unit buffers: what stays in a processor's cache. It is more if slices would be too small to read. */
const SEGMENT = 2 ** 20;
const SMALLEST_SLICE = 4096;

/** Divides the memory: one share each for tuples being joined, being written, and waiting to be written. */
const SHARE = 60;

/**
 * Plans the use of memory. The index of a join takes about twice the size of its tuples, and growing buffers double
 * what waits to be written, but not at the same time. Most of the memory is taken by the runtime, which frees nothing
 * immediately, and by data in flight from brokers and database.
 *
 * @param units number of units that read concurrently @param expected bytes of all tuples
 */
export function memoryPlan(memory: number, units: number, expected: number): MemoryPlan {
  const share = Math.floor(memory / SHARE);
  let partitions = FEWEST;
  while (partitions < MOST && expected / partitions > share / PARTITIONS_A_JOIN) partitions *= 2;
  const segment = Math.min(share / Math.max(1, units), Math.max(SEGMENT, partitions * SMALLEST_SLICE));
  return { partitions, segment: Math.floor(segment), join: share };
}

/** Canonical bytes of a typical value with its length. */
const USUAL: Readonly<Record<ValueKind, number>> = {
  number: 8,
  "number-as-double": 11,
  "binary-float": 9,
  "binary-double": 13,
  datetime: 11,
  instant: 13,
  "day-interval": 13,
  "month-interval": 13,
  raw: 19,
  blob: 600,
  "padded-text": 11,
  text: 29,
  clob: 600,
};

/**
 * Estimates the bytes on disk from the number of offsets and typical widths of values. Records that were compacted, or
 * that belong to another table, make it less.
 */
export function estimatedBytes({ shape, rows: { expected }, newTopic, legacyTopic }: TableInputs): number {
  const rows = expected ?? recordsExpected(newTopic.partitions);
  const row = width(shape, shape.columns);
  const legacyRow = shape.key.length === 0 || legacyTopic?.own !== undefined ? row : width(shape, []);
  return Math.ceil(
    rows * (TABLE_HEAD + row) +
      recordsExpected(newTopic.partitions) * (TOPIC_HEAD + row) +
      (legacyTopic === undefined || legacyTopic.topic === newTopic.topic
        ? 0
        : recordsExpected(legacyTopic.partitions) * (TOPIC_HEAD + legacyRow)),
  );
}

function width({ key }: TableShape, columns: readonly Column[]): number {
  return [...key, ...columns].reduce((sum, { kind }) => sum + USUAL[kind], 0);
}

export function recordsExpected(partitions: readonly { readonly from: bigint; readonly to: bigint }[]): number {
  return partitions.reduce((sum, { from, to }) => sum + Math.max(0, Number(to - from)), 0);
}
