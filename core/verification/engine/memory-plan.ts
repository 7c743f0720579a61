import type { Column, TableShape, ValueKind } from "../table-shape.ts";
import type { TableInputs } from "./inputs.ts";

/** How the work is divided so that it stays within the memory. What is found does not depend on it. */
export interface MemoryPlan {
  /** Hash partitions, a power of two. */
  readonly partitions: number;
  /** Bytes of tuples that a unit of reading may keep before it writes them. */
  readonly segment: number;
  /** Bytes of tuples that are joined at once, at most. */
  readonly join: number;
}

/**
 * Below it nothing could be promised: the runtime and what is on its way take most of it, whatever the share. Whoever
 * takes the setting refuses less.
 */
export const LEAST_MEMORY = 256 * 2 ** 20;
export const DEFAULT_MEMORY = 512 * 2 ** 20;

const FEWEST = 16;
const MOST = 1024;
/** So that neighbours can be put together until the memory is well used. */
const PARTITIONS_A_JOIN = 4;

/**
 * Bytes of tuples that are joined together where hash partitions are small: what a processor keeps at hand. With more,
 * it waits for the memory.
 */
export const AT_ONCE = 5 * 2 ** 20;

/** Of the memory: one share for tuples that are joined, one for those that wait to be written. */
const SHARE = 40;

/**
 * What is joined takes about as much again twice for the index, and what waits to be written as much again for how its
 * buffers grow; but each at its time. Most of the memory is the runtime's, which lets go of nothing at once, and that
 * of what is on its way from brokers and database.
 *
 * @param units that read at the same time @param expected bytes of all tuples
 */
export function memoryPlan(memory: number, units: number, expected: number): MemoryPlan {
  const share = Math.floor(memory / SHARE);
  let partitions = FEWEST;
  while (partitions < MOST && expected / partitions > share / PARTITIONS_A_JOIN) partitions *= 2;
  return { partitions, segment: Math.floor(share / Math.max(1, units)), join: share };
}

/** Canonical bytes of a usual value with its tag and length. */
const USUAL: Readonly<Record<ValueKind, number>> = {
  number: 9,
  "number-as-double": 12,
  "binary-float": 10,
  "binary-double": 14,
  datetime: 25,
  instant: 28,
  "day-interval": 14,
  "month-interval": 14,
  raw: 20,
  blob: 600,
  "padded-text": 12,
  text: 30,
  clob: 600,
};

/** What comes before the key in a tuple. */
const HEAD = 34;

/**
 * Bytes on disk, about: offsets count records, usual widths their values. Records that compaction took away, or of
 * another table, make it less.
 */
export function estimatedBytes({ shape, ranges, newTopic, legacyTopic }: TableInputs): number {
  const rows = rowsExpected(ranges) ?? recordsExpected(newTopic.partitions);
  const row = HEAD + width(shape, shape.columns);
  const legacyRow = shape.key.length === 0 ? row : HEAD + width(shape, []);
  return Math.ceil(
    rows * row +
      recordsExpected(newTopic.partitions) * row +
      (legacyTopic === undefined ? 0 : recordsExpected(legacyTopic.partitions) * legacyRow),
  );
}

function width({ key }: TableShape, columns: readonly Column[]): number {
  return [...key, ...columns].reduce((sum, { kind }) => sum + USUAL[kind], 0);
}

/** Undefined where one range does not say it. */
export function rowsExpected(ranges: TableInputs["ranges"]): number | undefined {
  let sum = 0;
  for (const { rows } of ranges) {
    if (rows === undefined) return undefined;
    sum += rows;
  }
  return sum;
}

export function recordsExpected(partitions: readonly { readonly from: bigint; readonly to: bigint }[]): number {
  return partitions.reduce((sum, { from, to }) => sum + Math.max(0, Number(to - from)), 0);
}
