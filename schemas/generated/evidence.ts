// Generated from evidence.schema.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";
import type { DoubtReason } from "../../schemas/generated/shared.ts";
import type { FailureReason } from "../../schemas/generated/shared.ts";
import type { Outcome } from "../../schemas/generated/shared.ts";

/**
 * What `migrate verify` proved: the evidence of a cutover verification, which `migrate verify --check-evidence` checks again offline.
 */
export interface Evidence {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "CutoverEvidence";
  /**
   * Version of this kind of document. In 1 the digest of the findings covers how many records were read as well; up to 2, any unreadable record made a table inconclusive.
   */
  readonly formatVersion: bigint;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  readonly digest: Digest;
  /**
   * SHA-256 over the canonical JSON of inputs, position (without the resume SCN), outcome and tables (without how many records were read: topics grow): the same for every run that was given the same and found the same.
   */
  readonly findings: Digest;
  /**
   * When, in UTC.
   */
  readonly writtenAt: string;
  /**
   * Version of the program that wrote it.
   */
  readonly cdcctl: string;
  readonly engine?: EngineUsed | undefined;
  /**
   * What the verification was given: names, addresses, options. Never a credential.
   */
  readonly inputs: {
    readonly [k: string]: string | boolean | readonly string[];
  };
  readonly position: PositionCheck;
  /**
   * Pass when every table passed.
   */
  readonly outcome: Outcome;
  readonly tables: readonly TableEvidence[];
}
/**
 * What carried out the verification, if not the process that wrote this. Not among the findings.
 */
export interface EngineUsed {
  readonly name: string;
  /**
   * The version that it reports.
   */
  readonly version: string;
  /**
   * Units of reading.
   */
  readonly units: bigint;
  /**
   * Attempts of units and slots together.
   */
  readonly attempts: bigint;
}
export interface PositionCheck {
  /**
   * The table as of it, the topics up to it.
   */
  readonly checkScn: bigint;
  /**
   * The stored offset's resume SCN when the topics were looked at; left out where it is not known.
   */
  readonly resumeScn?: bigint | undefined;
  /**
   * Whether the connector had passed the check SCN.
   */
  readonly passed: boolean;
}
/**
 * What the verification of one table found.
 */
export interface TableEvidence {
  /**
   * PDB.OWNER.TABLE, or OWNER.TABLE without containers.
   */
  readonly table: string;
  readonly outcome: Outcome;
  /**
   * Why it is not a pass.
   */
  readonly reasons: readonly string[];
  /**
   * What a reader has to know besides.
   */
  readonly remarks: readonly string[];
  /**
   * Empty in an audit.
   */
  readonly newTopic: string;
  /**
   * The legacy connector's topic, where there is one.
   */
  readonly legacyTopic?: string | undefined;
  /**
   * Columns of the key; none: rows are counted.
   */
  readonly key: readonly string[];
  /**
   * Columns that are compared.
   */
  readonly columns: readonly string[];
  /**
   * Columns that are not compared.
   */
  readonly leftOut: readonly LeftOutColumn[];
  readonly rows: SideCount;
  readonly newRecords: SideCount;
  readonly legacyRecords?: SideCount | undefined;
  readonly keys: KeyCounts;
  /**
   * Keys that failed, by what is wrong with them.
   */
  readonly failures: {
    /**
     * The table has it, neither topic.
     */
    readonly "in-neither-topic": bigint;
    /**
     * The table has it; the new connector delivered its deletion last.
     */
    readonly "deleted-in-topic": bigint;
    /**
     * Both have it, with other values.
     */
    readonly "values-differ": bigint;
    /**
     * Only the new topic still holds it.
     */
    readonly "still-in-topic": bigint;
    /**
     * Only the legacy topic holds it, after the table lost it.
     */
    readonly "only-in-legacy-topic": bigint;
    /**
     * Only the legacy topic has a record of it, with other values. Left out where there is none.
     */
    readonly "stale-in-legacy-topic"?: bigint | undefined;
    /**
     * The topics do not hold a row of a table without a key as often as the table.
     */
    readonly "count-differs": bigint;
  };
  readonly doubts: DoubtCounts;
  /**
   * Columns that the topic holds no value of for some keys (the placeholder): not compared there.
   */
  readonly unavailable: readonly UnavailableColumn[];
  readonly hashes: HashSums;
  /**
   * The keys that failed with the smallest canonical bytes, 100 at most.
   *
   * @maxItems 100
   */
  readonly firstFailures: readonly Failure[];
  /**
   * The same of those in doubt.
   *
   * @maxItems 100
   */
  readonly firstDoubts: readonly Doubt[];
  /**
   * Why rows or records could not be read: the first 20 reasons of a side.
   *
   * @maxItems 60
   */
  readonly unreadable: readonly UnreadableSeen[];
}
/**
 * A column, and why it is not compared.
 */
export interface LeftOutColumn {
  readonly column: string;
  readonly why: string;
}
/**
 * What was read of one side.
 */
export interface SideCount {
  /**
   * Rows or records, unreadable ones included.
   */
  readonly count: bigint;
  /**
   * Records of other tables in the topic.
   */
  readonly otherTables: bigint;
  /**
   * Rows or records that were not compared.
   */
  readonly unreadable: bigint;
  /**
   * How many of these have no known key, and may be of any key. Left out: all.
   */
  readonly withoutKey?: bigint | undefined;
}
/**
 * Keys (rows, where rows are counted), and what became of them.
 */
export interface KeyCounts {
  /**
   * That the table has.
   */
  readonly inTable: bigint;
  /**
   * That the topics hold.
   */
  readonly inTopics: bigint;
  /**
   * Compared value by value.
   */
  readonly compared: bigint;
  /**
   * That only the legacy connector delivered: present, values not compared.
   */
  readonly byLegacy: bigint;
}
export interface DoubtCounts {
  /**
   * What is left of it on a compacted topic lies above the check SCN.
   */
  readonly "only-above-check-scn": bigint;
  /**
   * A snapshot read it later.
   */
  readonly "snapshot-after-check-scn": bigint;
  /**
   * The table has it twice.
   */
  readonly "key-not-unique": bigint;
  /**
   * Two partitions of a topic hold it at the same SCN, and say different things.
   */
  readonly "partitions-disagree": bigint;
  /**
   * Only the legacy topic holds it, after the table lost it; the new topic, which forgets, may have held its deletion.
   */
  readonly "delete-not-kept": bigint;
  /**
   * Only the legacy topic holds it, after the table lost it; the legacy connector delivered no truncates. Left out where there is none.
   */
  readonly "truncate-skipped"?: bigint | undefined;
  /**
   * A legacy record says the SCN of its change, and whether it was committed by the check SCN is unknown.
   */
  readonly "commit-unknown": bigint;
  /**
   * A legacy record of it could not be read, and the new connector delivered none. Left out in evidence that was written before this doubt.
   */
  readonly "legacy-unreadable"?: bigint | undefined;
  /**
   * The last record is older than a column that has a value now: its default, or one that was not delivered.
   */
  readonly "column-added": bigint;
  /**
   * Rows of a table without a key that both connectors may have delivered can't be told apart.
   */
  readonly overlap: bigint;
}
/**
 * A column, and for how many keys.
 */
export interface UnavailableColumn {
  readonly column: string;
  readonly count: bigint;
}
/**
 * Sums modulo 2^128 of MurmurHash3_x86_128: they do not depend on the order.
 */
export interface HashSums {
  /**
   * Over each key of the table.
   */
  readonly tableKeys: string;
  /**
   * Over each key of the topics.
   */
  readonly topicKeys: string;
  /**
   * The same of compared keys.
   */
  readonly tableRows: string;
  /**
   * The same of the topics.
   */
  readonly topicRows: string;
}
/**
 * A key that failed.
 */
export interface Failure {
  /**
   * The key's columns with their canonical values. Of a table without key: the row, if values were requested.
   */
  readonly key?: {
    readonly [k: string]: string | null;
  } | undefined;
  /**
   * MurmurHash3_x86_128, where no key is.
   */
  readonly row?: string | undefined;
  /**
   * Columns whose values differ.
   */
  readonly columns: readonly string[];
  readonly record?: RecordPlaceSeen | undefined;
  /**
   * What is wrong with it.
   */
  readonly reason: FailureReason;
  /**
   * Shown if requested.
   */
  readonly tableValues?: {
    readonly [k: string]: string | null;
  } | undefined;
  /**
   * Shown if requested.
   */
  readonly topicValues?: {
    readonly [k: string]: string | null;
  } | undefined;
}
/**
 * The record that decided.
 */
export interface RecordPlaceSeen {
  readonly topic: string;
  /**
   * Partition of the topic.
   */
  readonly partition: bigint;
  /**
   * In the partition.
   */
  readonly offset: bigint;
  /**
   * SCN at which it counts, if it could be read.
   */
  readonly scn?: bigint | undefined;
}
/**
 * A key without a verdict.
 */
export interface Doubt {
  /**
   * The key's columns with their canonical values. Of a table without key: the row, if values were requested.
   */
  readonly key?: {
    readonly [k: string]: string | null;
  } | undefined;
  /**
   * MurmurHash3_x86_128, where no key is.
   */
  readonly row?: string | undefined;
  /**
   * Columns whose values differ.
   */
  readonly columns: readonly string[];
  readonly record?: RecordPlaceSeen | undefined;
  /**
   * What is in doubt.
   */
  readonly reason: DoubtReason;
}
/**
 * A reason, with how often and where first.
 */
export interface UnreadableSeen {
  /**
   * Where it was.
   */
  readonly side: "table" | "new topic" | "legacy topic";
  readonly why: string;
  readonly count: bigint;
  /**
   * That of the first such record.
   */
  readonly partition?: bigint | undefined;
  /**
   * Offset of the first such record.
   */
  readonly offset?: bigint | undefined;
  /**
   * Key of the first such record, if it is a legacy one whose key could be read.
   */
  readonly key?: {
    readonly [k: string]: string | null;
  } | undefined;
}
