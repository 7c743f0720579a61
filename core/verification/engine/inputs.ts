import type { OffsetRange, TableJob, TopicJob } from "../../../schemas/generated/verification-job.ts";
import type { RecordsInPlace } from "../../ports/kafka.ts";
import type { OracleValue } from "../../ports/oracle.ts";

/**
 * Everything that one table's verification reads, as plain values and iterables. It contains no ports, so that any
 * engine can supply its own. Only a table without a key needs the start SCN.
 */
export interface TableInputs extends Pick<TableJob, "table" | "shape" | "checkScn" | "startScn"> {
  readonly rows: RowsInput;
  readonly newTopic: TopicInput;
  readonly legacyTopic: LegacyTopicInput | undefined;
}

export interface RowsInput {
  /** Approximate number; undefined if unknown. Used to estimate disk and memory only. */
  readonly expected: number | undefined;
  /**
   * Divides the table into ranges that together contain every row once. It may take long, so the topics are read
   * meanwhile. An interrupted run is resumed with its own ranges, without another call.
   *
   * @returns stable names of the ranges
   * @throws the reason of `stop`, as soon as it is aborted
   */
  ranges(stop?: AbortSignal): Promise<readonly string[]>;
  /**
   * Reads the rows of a range AS OF the check SCN, in batches: values of the shape's columns, in that order. After a
   * kill it is called again, or not at all.
   */
  read(range: string): AsyncIterable<readonly (readonly OracleValue[])[]>;
}

/**
 * Whether the record with this value (from `start` to `end`; a negative `start` for null) belongs to the table;
 * undefined if it does not name its table.
 */
export type IsOfTable = (bytes: Uint8Array, start: number, end: number) => boolean | undefined;

/** `compacted` is true if unknown; `own` is left out if every record of a new connector's topic counts. */
export interface TopicInput extends Pick<TopicJob, "topic" | "format" | "compacted" | "own"> {
  readonly partitions: readonly PartitionInput[];
  /** Tests whether a record belongs to this table, if the topic also holds records of others. */
  readonly isOfTable?: IsOfTable;
}

/** Its records are change events if it has `own`. Left out, `fields` are `LEGACY_FIELDS`, `commitsKnown` is true. */
export interface LegacyTopicInput
  extends TopicInput,
    Pick<TopicJob, "fields" | "commitsKnown" | "skipsTruncates" | "lastDelivered" | "wholeRows"> {}

/** A partition with its extent at the start of the verification. */
export interface PartitionInput extends OffsetRange {
  /**
   * Reads committed records from an offset (inclusive) to another (exclusive; `to` if left out), in the order of their
   * offsets, in batches. Called again after a kill.
   */
  read(from: bigint, to?: bigint): AsyncIterable<RecordsInPlace>;
}
