import type { LegacyFields, OwnTable, RecordFormat, TableShape } from "../../../schemas/generated/verification-job.ts";
import type { RecordsInPlace } from "../../ports/kafka.ts";
import type { OracleValue } from "../../ports/oracle.ts";
import type { Scn } from "../../values/scn.ts";

/**
 * Everything that one table's verification reads, as plain values and iterables. It contains no ports, so that any
 * engine can supply its own.
 */
export interface TableInputs {
  /** `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers: as in the evidence. */
  readonly table: string;
  readonly shape: TableShape;
  readonly checkScn: Scn;
  /** `cdc.start.scn` of the new connector; undefined if unknown. Only a table without a key needs it. */
  readonly startScn?: Scn | undefined;
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

export interface TopicInput {
  readonly topic: string;
  readonly format: RecordFormat;
  /** Whether `cleanup.policy` removes older records of a key; true if unknown. */
  readonly compacted: boolean;
  readonly partitions: readonly PartitionInput[];
  /** The table whose records count in a new connector's topic. Left out if all do. */
  readonly own?: OwnTable | undefined;
  /** Tests whether a record belongs to this table, if the topic also holds records of others. */
  readonly isOfTable?: IsOfTable;
}

export interface LegacyTopicInput extends TopicInput {
  /** Names of the fields that the connector adds; `LEGACY_FIELDS` if left out. */
  readonly fields?: LegacyFields | undefined;
  /** Whether all its records up to the check SCN are known to have been committed by then; true if left out. */
  readonly commitsKnown?: boolean | undefined;
}

/** A partition with its extent at the start of the verification. */
export interface PartitionInput {
  readonly partition: number;
  /** Offset of the first available record. */
  readonly from: bigint;
  /** Last stable offset, exclusive. */
  readonly to: bigint;
  /**
   * Reads committed records from an offset (inclusive) to another (exclusive; `to` if left out), in the order of their
   * offsets, in batches. Called again after a kill.
   */
  read(from: bigint, to?: bigint): AsyncIterable<RecordsInPlace>;
}
