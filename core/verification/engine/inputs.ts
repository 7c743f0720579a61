import type { Scn } from "../../values/scn.ts";
import type { OracleValue } from "../canonical-values.ts";
import type { LegacyFields } from "../legacy-reader.ts";
import type { RecordFormat } from "../record-encodings.ts";
import type { TopicRecord } from "../record-reader.ts";
import type { OwnTable } from "../source-of-table.ts";
import type { TableShape } from "../table-shape.ts";

/**
 * Everything that one table's verification reads, as plain values and iterables: no port, so that any engine can bring
 * its own.
 */
export interface TableInputs {
  /** `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers: as the evidence names it. */
  readonly table: string;
  readonly shape: TableShape;
  readonly checkScn: Scn;
  /** `cdc.start.scn` of the new connector; undefined where it is not known. Only a table without key needs it. */
  readonly startScn: Scn | undefined;
  /** What the table is divided into. Together they hold every row once. */
  readonly ranges: readonly RangeInput[];
  readonly newTopic: TopicInput;
  readonly legacyTopic: LegacyTopicInput | undefined;
}

/** A range of the table's key, or the whole table. */
export interface RangeInput {
  /**
   * The same text for the same range of rows, whenever it is asked for: a range that was read before a kill is known by
   * it.
   */
  readonly name: string;
  /** About how many rows it has; undefined where nobody knows. For the estimate of disk and memory only. */
  readonly rows: number | undefined;
  /**
   * The rows AS OF the check SCN, in batches: values of the shape's columns, in its order. Called again after a kill,
   * or not at all.
   */
  read(): AsyncIterable<readonly (readonly OracleValue[])[]>;
}

export interface TopicInput {
  readonly topic: string;
  readonly format: RecordFormat;
  /** Whether `cleanup.policy` takes older records of a key away; where that is not known, true. */
  readonly compacted: boolean;
  readonly partitions: readonly PartitionInput[];
  /** Of a new connector's topic: the table whose records count. Left out: all do. */
  readonly own?: OwnTable;
  /** Where the topic holds records of other tables too: whether a record is of this one. */
  readonly isOfTable?: (record: TopicRecord) => boolean | undefined;
}

export interface LegacyTopicInput extends TopicInput {
  /** How the connector names the fields of its own; `LEGACY_FIELDS` when left out. */
  readonly fields?: LegacyFields;
  /** Whether whatever it holds up to the check SCN was committed by then; left out: yes. */
  readonly commitsKnown?: boolean;
}

/** One partition, as it stood when the verification began. */
export interface PartitionInput {
  readonly partition: number;
  /** Offset of the first record that there is. */
  readonly from: bigint;
  /** Last stable offset, exclusive. */
  readonly to: bigint;
  /**
   * Committed records from an offset (inclusive) to another one (exclusive; `to` when left out), in the order of their
   * offsets, in batches. Called again after a kill.
   */
  read(from: bigint, to?: bigint): AsyncIterable<readonly TopicRecord[]>;
}
