// Generated from verification-result.schema.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";

/**
 * What a worker says of one unit of reading, or of one slot that it joined: a line of canonical JSON each, which `migrate verify --finish` adds up.
 */
export interface VerificationResult {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "VerificationResult";
  readonly formatVersion: number;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  readonly digest: Digest;
  /**
   * Digest of the job.
   */
  readonly job: Digest;
  /**
   * Attempts before this one.
   */
  readonly attempt: number;
  /**
   * Bytes that the worker's process took at most.
   */
  readonly memory: number;
  readonly unit?: UnitResult | undefined;
  readonly rules?: GatheredRules | undefined;
  readonly slot?: SlotResult | undefined;
}
/**
 * Result of a unit of reading.
 */
export interface UnitResult {
  readonly name: string;
  /**
   * What it read.
   */
  readonly read: SideRead;
  /**
   * Legacy records of a topic that both write to.
   */
  readonly legacyRead?: SideRead | undefined;
  /**
   * The last truncate of each topic.
   */
  readonly truncates: Truncates;
  /**
   * The table can't be read as of the check SCN: no other attempt could.
   */
  readonly unreachable?: {
    readonly code: string;
    readonly message: string;
  } | undefined;
  /**
   * Why wanted records are gone: no other attempt would find them.
   */
  readonly notRead?: string | undefined;
}
/**
 * What each slot of a table is joined by, from all units together.
 */
export interface GatheredRules {
  /**
   * Number of the table, from 0.
   */
  readonly table: number;
  /**
   * Whether it was read to its end, else no slot is joined.
   */
  readonly isRead: boolean;
  /**
   * The last truncate of each topic.
   */
  readonly truncates: Truncates;
}
export interface SlotResult {
  readonly number: number;
  /**
   * What the join found.
   */
  readonly verdict: Verdict;
}
/**
 * Number of keys (rows, if rows are counted), and sums of hashes that do not depend on the order of reading.
 */
export interface SideSeen {
  /**
   * Keys, or rows.
   */
  readonly keys: number;
  /**
   * MurmurHash3_x86_128 of each key, added modulo 2^128.
   */
  readonly keyHash: bigint;
  /**
   * The same of key and row, where values were compared.
   */
  readonly rowHash: bigint;
}
/**
 * What was read of one side, by one unit or by all (`mergedReads`).
 */
export interface SideRead {
  /**
   * Rows, or records, unreadable ones included.
   */
  readonly count: number;
  /**
   * Records of other tables in the topic.
   */
  readonly foreign: number;
  /**
   * Bytes of their keys and values; 0 for rows.
   */
  readonly bytes: number;
  /**
   * Those of the overlap, in a topic of both.
   */
  readonly repeated?: number | undefined;
  /**
   * Rows or records that could not be read or compared: with one, the table does not pass.
   */
  readonly unreadable: number;
  /**
   * How many of these have no known key, and may be of any key.
   */
  readonly withoutKey: number;
  /**
   * Tombstones without their delete, which compaction removed, assumed to be the table's: `decideTombstones` decides.
   */
  readonly tableUnknown: number;
  /**
   * The reasons with their counts: the first ones in alphabetical order.
   */
  readonly reasons: readonly UnreadableReason[];
}
/**
 * The last truncate of a table at or below the check SCN, on each topic. A truncate removes all earlier rows.
 */
export interface Truncates {
  readonly newTopic?: Place | undefined;
  readonly legacyTopic?: Place | undefined;
}
/**
 * Result of joining one hash partition, or several (`merged`). A plain value.
 */
export interface Verdict {
  readonly table: SideSeen;
  readonly topics: SideSeen;
  /**
   * Keys that the new connector delivered and the table has: compared value by value.
   */
  readonly compared: number;
  /**
   * Keys of the table that only the legacy connector delivered: present, values not compared.
   */
  readonly byLegacy: number;
  /**
   * Values that could not be compared because the topic holds the placeholder, by the column's index in the shape.
   */
  readonly unavailable: readonly number[];
  /**
   * Values assumed to be the column's default because the record is older than the column, likewise.
   */
  readonly byDefault: readonly number[];
  readonly failures: {
    /**
     * The table has it, neither topic.
     */
    readonly "in-neither-topic": number;
    /**
     * The table has it; the new connector delivered its deletion last.
     */
    readonly "deleted-in-topic": number;
    /**
     * Both have it, with other values.
     */
    readonly "values-differ": number;
    /**
     * Only the new topic still holds it.
     */
    readonly "still-in-topic": number;
    /**
     * Only the legacy topic holds it, after the table lost it.
     */
    readonly "only-in-legacy-topic": number;
    /**
     * Only the legacy topic has a record of it, with other values. Left out where there is none.
     */
    readonly "stale-in-legacy-topic": number;
    /**
     * The topics do not hold a row of a table without a key as often as the table.
     */
    readonly "count-differs": number;
  };
  readonly doubts: {
    /**
     * What is left of it on a compacted topic lies above the check SCN.
     */
    readonly "only-above-check-scn": number;
    /**
     * A snapshot read it later.
     */
    readonly "snapshot-after-check-scn": number;
    /**
     * The table has it twice.
     */
    readonly "key-not-unique": number;
    /**
     * Two partitions of a topic hold it at the same SCN, and say different things.
     */
    readonly "partitions-disagree": number;
    /**
     * Only the legacy topic holds it, after the table lost it; the new topic, which forgets, may have held its deletion.
     */
    readonly "delete-not-kept": number;
    /**
     * Only the legacy topic holds it, after the table lost it; the legacy connector delivered no truncates. Left out where there is none.
     */
    readonly "truncate-skipped": number;
    /**
     * A legacy record says the SCN of its change, and whether it was committed by the check SCN is unknown.
     */
    readonly "commit-unknown": number;
    /**
     * A legacy record of it could not be read, and the new connector delivered none. Left out in evidence that was written before this doubt.
     */
    readonly "legacy-unreadable": number;
    /**
     * The last record is older than a column that has a value now: its default, or one that was not delivered.
     */
    readonly "column-added": number;
    /**
     * Rows of a table without a key that both connectors may have delivered can't be told apart.
     */
    readonly overlap: number;
  };
  /**
   * The smallest keys that failed, so that every division of the work names the same ones.
   *
   * @maxItems 100
   */
  readonly firstFailures: readonly KeyFailure[];
  /**
   * The smallest keys in doubt.
   *
   * @maxItems 100
   */
  readonly firstDoubts: readonly KeyDoubt[];
}
/**
 * The first such record.
 */
export interface RecordPlace {
  readonly partition: number;
  readonly offset: bigint;
}
export interface UnreadableReason {
  readonly why: string;
  readonly count: number;
  /**
   * The first of them by place; none for a row.
   */
  readonly place?: RecordPlace | undefined;
  /**
   * A legacy record's canonical key, in hexadecimal, if known.
   */
  readonly key?: string | undefined;
}
/**
 * Position of a record, for ordering and for output.
 */
export interface Place {
  readonly scn: bigint;
  readonly partition: number;
  readonly offset: bigint;
}
/**
 * A record and its topic.
 */
export interface DecidedBy {
  readonly topic: "new" | "legacy";
  /**
   * SCN; left out if the record cannot be read.
   */
  readonly scn?: bigint | undefined;
  readonly partition: number;
  readonly offset: bigint;
}
export interface KeyFailure {
  /**
   * In canonical form; the row for a table without a key.
   */
  readonly key: Uint8Array;
  /**
   * Columns that differ, by their index in the shape.
   */
  readonly columns: readonly number[];
  /**
   * The record that decided, if any.
   */
  readonly place?: DecidedBy | undefined;
  /**
   * Canonical rows, where the operator asks for values.
   */
  readonly tableRow?: Uint8Array | undefined;
  readonly topicRow?: Uint8Array | undefined;
  /**
   * What is wrong.
   */
  readonly reason:
    | "in-neither-topic"
    | "deleted-in-topic"
    | "values-differ"
    | "still-in-topic"
    | "only-in-legacy-topic"
    | "stale-in-legacy-topic"
    | "count-differs";
}
export interface KeyDoubt {
  /**
   * In canonical form; the row for a table without a key.
   */
  readonly key: Uint8Array;
  /**
   * Columns that differ, by their index in the shape.
   */
  readonly columns: readonly number[];
  /**
   * The record that decided, if any.
   */
  readonly place?: DecidedBy | undefined;
  /**
   * Canonical rows, where the operator asks for values.
   */
  readonly tableRow?: Uint8Array | undefined;
  readonly topicRow?: Uint8Array | undefined;
  /**
   * What is in doubt.
   */
  readonly reason:
    | "only-above-check-scn"
    | "snapshot-after-check-scn"
    | "key-not-unique"
    | "partitions-disagree"
    | "delete-not-kept"
    | "truncate-skipped"
    | "commit-unknown"
    | "legacy-unreadable"
    | "column-added"
    | "overlap";
}
