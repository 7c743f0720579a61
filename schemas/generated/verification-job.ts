// Generated from verification-job.schema.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";

export type LegacyOperation = "insert" | "update" | "delete" | "read" | "truncate";
/**
 * What its values are.
 */
export type ValueKind =
  | "number"
  | "number-as-double"
  | "binary-float"
  | "binary-double"
  | "datetime"
  | "instant"
  | "day-interval"
  | "month-interval"
  | "raw"
  | "blob"
  | "padded-text"
  | "text"
  | "clob";

/**
 * A verification that is carried out elsewhere, as `migrate verify --job-dir` plans it and `migrate verify-worker` reads it: canonical JSON, without a login. It holds values of the key where a table is divided by it.
 */
export interface VerificationJob {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "VerificationJob";
  readonly formatVersion: number;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  readonly digest: Digest;
  /**
   * Version of the program that planned it.
   */
  readonly cdcctl: string;
  /**
   * Version of the frames to and from a worker.
   */
  readonly protocol: number;
  /**
   * Version of what a worker makes of rows and records: a worker of another one refuses.
   */
  readonly engine: number;
  /**
   * The context that a worker's own contexts file has its logins in.
   */
  readonly context: string;
  readonly connector: string;
  /**
   * The Kafka cluster: a worker that is led to another one refuses.
   */
  readonly clusterId: string;
  /**
   * What the verification was given: names, addresses, options. A worker whose context leads to other brokers or another database refuses.
   */
  readonly inputs: {
    readonly [k: string]: string | boolean | readonly string[];
  };
  readonly position: {
    /**
     * The table is read as of it.
     */
    readonly checkScn: bigint;
    /**
     * The stored resume SCN when the job was planned.
     */
    readonly resumeScn: bigint;
  };
  /**
   * Hash partitions of all tables: a unit's result goes to the one behind them.
   */
  readonly slots: number;
  /**
   * Units of tables read at one time.
   */
  readonly databaseSessions: number;
  /**
   * Bytes of tuples that a unit sends together.
   */
  readonly segment: number;
  /**
   * Bytes joined in memory; more is joined in parts.
   */
  readonly join: number;
  /**
   * Offsets that a unit of a topic reads.
   */
  readonly recordsAUnit: number;
  /**
   * Units of reading, those of tables first.
   */
  readonly units: readonly JobUnit[];
  /**
   * The tables, in their order.
   *
   * Items: A table: what is read of it, and what its evidence says besides.
   */
  readonly tables: readonly JobTable[];
}
export interface JobUnit {
  readonly unit: string;
  /**
   * Number of its table, from 0.
   */
  readonly table: number;
  /**
   * What it reads.
   */
  readonly side: "table" | "new" | "legacy";
}
/**
 * A column that is compared.
 */
export interface Column {
  readonly name: string;
  readonly kind: ValueKind;
  /**
   * Decimal digits of a NUMBER, or fractional digits of a second; undefined if the type has none.
   */
  readonly precision?: number | undefined;
  /**
   * Digits after a NUMBER's decimal point, unless it is floating.
   */
  readonly scale?: number | undefined;
  /**
   * Its default if that is a literal, as Oracle's text of the value: besides NULL, the value that a record older than the column stands for.
   */
  readonly byDefault?: string | undefined;
}
/**
 * The compared columns of a table: its key and its columns, each with the kind of its values.
 */
export interface TableShape {
  /**
   * Columns of the key, in its order; empty for a table without a key, which is compared as a multiset of rows.
   */
  readonly key: readonly Column[];
  /**
   * Columns that are compared, including the key's. Columns that are left out are not listed.
   */
  readonly columns: readonly Column[];
}
/**
 * A column as `CDB_TAB_COLS` describes it.
 */
export interface DictionaryColumn {
  readonly name: string;
  /**
   * `NUMBER`, `TIMESTAMP(6) WITH TIME ZONE`.
   */
  readonly dataType: string;
  readonly precision?: number | undefined;
  /**
   * Digits after the point.
   */
  readonly scale?: number | undefined;
}
/**
 * A part of a table, by its key in key order. Values are Oracle's text of the key's columns, as `OraclePort.ranges` gave them.
 */
export interface KeyRange {
  /**
   * Exclusive; undefined: from the first key.
   */
  readonly after?: readonly string[] | undefined;
  /**
   * Inclusive; undefined: to the last key.
   */
  readonly upTo?: readonly string[] | undefined;
}
/**
 * What is read of a table.
 */
export interface TableRead {
  /**
   * A table in the dictionary, by its exact name.
   */
  readonly table: {
    readonly container: string;
    readonly owner: string;
    readonly name: string;
  };
  /**
   * In the order in which their values are wanted.
   */
  readonly columns: readonly DictionaryColumn[];
  /**
   * Columns of the key, in its order; none: the rows have no order, and there is one range.
   */
  readonly key: readonly DictionaryColumn[];
  /**
   * As of which SCN.
   */
  readonly scn: bigint;
}
/**
 * How the table is read.
 */
export interface RowsJob {
  readonly read: TableRead;
  /**
   * Undefined for the whole table.
   */
  readonly ranges: readonly (KeyRange | undefined)[];
  /**
   * Approximate number of rows of one range.
   */
  readonly each?: number | undefined;
  /**
   * Rows per query.
   */
  readonly batch: number;
}
/**
 * Settings of the connector and its converter that the JSON alone does not show.
 */
export interface RecordFormat {
  /**
   * `cdc.decimal.mode`. With `double` a NUMBER of more than 15 digits has lost digits.
   */
  readonly decimals: "precise" | "string" | "double";
  /**
   * `cdc.temporal.mode`: with adaptive the unit follows from the column; iso_string is ISO 8601 text; otherwise only a schema contains the unit.
   */
  readonly temporals: "adaptive" | "iso" | "by-schema";
  /**
   * `cdc.unavailable.placeholder`.
   */
  readonly placeholder: string;
  readonly debezium?: DebeziumFormat | undefined;
}
/**
 * What else the JSON of Debezium's records does not show.
 */
export interface DebeziumFormat {
  /**
   * `time.precision.mode`.
   */
  readonly times: "adaptive" | "connect" | "microseconds" | "nanoseconds" | "isostring";
  /**
   * `binary.handling.mode`.
   */
  readonly binaries: "base64" | "hex";
  /**
   * `lob.enabled`: otherwise LOB columns have no value.
   */
  readonly lobs: boolean;
}
/**
 * What is read of a partition.
 */
export interface OffsetRange {
  readonly partition: number;
  /**
   * Offset of the first record, inclusive.
   */
  readonly from: bigint;
  /**
   * Where it ends, exclusive; pinned when the job was planned.
   */
  readonly to: bigint;
}
/**
 * A topic, and how its records are read.
 */
export interface TopicJob {
  readonly topic: string;
  /**
   * Whether older records of a key may be gone.
   */
  readonly compacted: boolean;
  readonly extents: readonly OffsetRange[];
  readonly format: RecordFormat;
  readonly own?: OwnTable | undefined;
  readonly fields?: LegacyFields | undefined;
  /**
   * Whether flat rows are compared, as an audit does.
   */
  readonly wholeRows?: boolean | undefined;
  /**
   * The last commit that its connector delivered.
   */
  readonly lastDelivered?: bigint | undefined;
  /**
   * Whether its connector delivers no truncates.
   */
  readonly skipsTruncates?: boolean | undefined;
  /**
   * Whether all up to the check SCN was committed by then.
   */
  readonly commitsKnown?: boolean | undefined;
  /**
   * How a legacy record names its table; undefined if it does not. For a new connector's topic `own` decides which records are read.
   */
  readonly membership?: Membership | undefined;
}
/**
 * Everything that the verification of one table reads, as plain values. A thread or another machine creates the same inputs from it with its own ports.
 */
export interface TableJob {
  readonly table: string;
  readonly shape: TableShape;
  readonly checkScn: bigint;
  /**
   * Start SCN of the new connector, where it is known.
   */
  readonly startScn?: bigint | undefined;
  readonly rows: RowsJob;
  readonly newTopic: TopicJob;
  readonly legacyTopic?: TopicJob | undefined;
}
/**
 * What to read of a table, and what else its evidence contains. Plain values, so that one process can read the table and another write the evidence.
 */
export interface JobTable {
  /**
   * `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers.
   */
  readonly table: string;
  readonly newTopic: string;
  readonly legacyTopic?: string | undefined;
  /**
   * Undefined if the compared columns are unknown.
   */
  readonly shape?: TableShape | undefined;
  /**
   * Columns left out.
   */
  readonly leftOut: readonly LeftOut[];
  /**
   * Remarks for a reader of the result.
   */
  readonly remarks: readonly string[];
  /**
   * Last remarks on a table that was read.
   */
  readonly closing: readonly string[];
  /**
   * Why a column's default is not compared, by column name.
   */
  readonly otherDefaults: {
    readonly [k: string]: string;
  };
  /**
   * Whether the new topic may hold other tables too.
   */
  readonly newTopicIsShared: boolean;
  /**
   * Whether the legacy configuration was given.
   */
  readonly legacyConfigIsKnown: boolean;
  /**
   * Undefined if it is not read, for the reason `notRead`.
   */
  readonly job?: TableJob | undefined;
  /**
   * Why it is not read; left out where it is.
   */
  readonly notRead?: string | undefined;
  /**
   * Hash partitions: a power of two, or 0.
   */
  readonly slots: number;
  /**
   * Its first slot's number among all tables'.
   */
  readonly firstSlot: number;
}
/**
 * Names of the fields that the legacy connector adds to a row (its settings `output.*`; the defaults are `scn`, `op_type`, `I U D R T`).
 */
export interface LegacyFields {
  /**
   * The SCN of the change.
   */
  readonly scn: string;
  /**
   * Field of the commit SCN (`output.commit.scn.field`). Left out if records contain only the SCN of the change, which is never higher than the commit SCN.
   */
  readonly commitScn?: string | undefined;
  readonly opType: string;
  /**
   * Operations by what is written for them.
   */
  readonly operations: {
    readonly [k: string]: LegacyOperation;
  };
}
/**
 * How a record is assigned to a table, and by which member (`settings/shared-topic.ts`).
 */
export interface Membership {
  readonly by: "legacy name" | "legacy name, seldom another";
  /**
   * A table in the dictionary, by its exact name.
   */
  readonly table: {
    readonly container: string;
    readonly owner: string;
    readonly name: string;
  };
  /**
   * Whether the table is in a PDB that the connector names.
   */
  readonly inPdb: boolean;
  /**
   * As of the topic.
   */
  readonly compacted: boolean;
  /**
   * `output.table.name.field`; undefined for its default.
   */
  readonly field?: string | undefined;
}
/**
 * The table whose records of a new connector's topic count. Records of other tables prove nothing about it.
 */
export interface OwnTable {
  /**
   * A table in the dictionary, by its exact name.
   */
  readonly table: {
    readonly container: string;
    readonly owner: string;
    readonly name: string;
  };
  /**
   * Whether it is in a PDB, which its records then name too.
   */
  readonly inPdb: boolean;
  /**
   * `source.connector` of the records that count; of any if undefined. A legacy topic with it holds change events.
   */
  readonly connector?: "oracle" | "oracle-cdc" | undefined;
}
/**
 * A column that is not compared, and why.
 */
export interface LeftOut {
  readonly column: string;
  readonly why: "lob-skipped" | "excluded" | "not-captured" | "virtual" | "ignored";
}
