// Generated from evidence.schema.json by npm run types. Edit the schema, not this file.

/**
 * What `migrate verify` proved: the evidence of a cutover verification, which `migrate verify --check-evidence` checks again offline.
 */
export interface Evidence {
  /**
   * The version of the document's format.
   */
  apiVersion: "cdcctl/v1";
  /**
   * What the document is.
   */
  kind: "CutoverEvidence";
  /**
   * Of this kind of document. In 1 the digest of the findings covers how many records were read as well.
   */
  formatVersion: bigint;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  digest: string;
  /**
   * SHA-256 over the canonical JSON of inputs, position (without the resume SCN), outcome and tables (without how many records were read: topics grow): the same for every run that was given the same and found the same.
   */
  findings: string;
  /**
   * When, in UTC.
   */
  writtenAt: string;
  /**
   * Version of the program that wrote it.
   */
  cdcctl: string;
  engine?: EngineUsed;
  /**
   * What the verification was given: names, addresses, options. Never a credential.
   */
  inputs: {
    [k: string]: string | boolean | string[] | undefined;
  };
  position: PositionCheck;
  /**
   * Of all tables: pass when every one passed.
   */
  outcome: "pass" | "fail" | "inconclusive";
  /**
   * The tables, by name.
   */
  tables: TableEvidence[];
}
/**
 * What carried out the verification, if not the process that wrote this. Not among the findings.
 */
export interface EngineUsed {
  /**
   * What drove the workers.
   */
  name: string;
  /**
   * The version that it reports.
   */
  version: string;
  /**
   * Units of reading.
   */
  units: bigint;
  /**
   * Attempts that units and slots took together.
   */
  attempts: bigint;
}
/**
 * The connector's position.
 */
export interface PositionCheck {
  /**
   * The table was read as of it, and the topics up to it.
   */
  checkScn: bigint;
  /**
   * The stored offset's resume SCN when the topics were looked at; left out where it is not known.
   */
  resumeScn?: bigint;
  /**
   * Whether the connector had passed the check SCN.
   */
  passed: boolean;
}
/**
 * What the verification of one table found.
 */
export interface TableEvidence {
  /**
   * PDB.OWNER.TABLE, or OWNER.TABLE without containers.
   */
  table: string;
  /**
   * The outcome.
   */
  outcome: "pass" | "fail" | "inconclusive";
  /**
   * Why it is not a pass.
   */
  reasons: string[];
  /**
   * What a reader has to know besides.
   */
  remarks: string[];
  /**
   * The new connector's topic.
   */
  newTopic: string;
  /**
   * The legacy connector's topic; left out where there is none.
   */
  legacyTopic?: string;
  /**
   * Columns of the key; none: rows are counted.
   */
  key: string[];
  /**
   * Columns that are compared.
   */
  columns: string[];
  /**
   * Columns that are not compared.
   */
  leftOut: LeftOutColumn[];
  rows: SideCount;
  newRecords: SideCount;
  legacyRecords?: SideCount;
  keys: KeyCounts;
  failures: FailureCounts;
  doubts: DoubtCounts;
  /**
   * Columns that the topic holds no value of for some keys (the placeholder): not compared there.
   */
  unavailable: UnavailableColumn[];
  hashes: HashSums;
  /**
   * The keys that failed with the smallest canonical bytes, 100 at most.
   *
   * @maxItems 100
   */
  firstFailures: Failure[];
  /**
   * The same of those in doubt.
   *
   * @maxItems 100
   */
  firstDoubts: Doubt[];
  /**
   * Why rows or records could not be read: the first 20 reasons of a side.
   *
   * @maxItems 60
   */
  unreadable: UnreadableSeen[];
}
/**
 * A column, and why it is not compared.
 */
export interface LeftOutColumn {
  /**
   * Its name.
   */
  column: string;
  /**
   * The reason.
   */
  why: string;
}
/**
 * What was read of one side.
 */
export interface SideCount {
  /**
   * Rows or records, those that could not be read among them.
   */
  count: bigint;
  /**
   * Records of other tables in the same topic.
   */
  otherTables: bigint;
  /**
   * Rows or records that could not be read or compared.
   */
  unreadable: bigint;
}
/**
 * Keys (rows, where rows are counted), and what became of them.
 */
export interface KeyCounts {
  /**
   * That the table has.
   */
  inTable: bigint;
  /**
   * That the topics hold.
   */
  inTopics: bigint;
  /**
   * Compared value by value.
   */
  compared: bigint;
  /**
   * That only the legacy connector delivered: present, values not compared.
   */
  byLegacy: bigint;
}
/**
 * Keys that failed, by what is wrong with them.
 */
export interface FailureCounts {
  /**
   * The table has it; neither topic does.
   */
  "in-neither-topic": bigint;
  /**
   * The table has it; the new connector delivered its deletion last.
   */
  "deleted-in-topic": bigint;
  /**
   * Both have it, with other values.
   */
  "values-differ": bigint;
  /**
   * The new topic holds a row that the table lost.
   */
  "still-in-topic": bigint;
  /**
   * Only the legacy topic holds it, after the table lost it.
   */
  "only-in-legacy-topic": bigint;
  /**
   * Of a table without key: the topics do not hold the row as often as the table.
   */
  "count-differs": bigint;
}
/**
 * Keys without a verdict, by reason.
 */
export interface DoubtCounts {
  /**
   * What is left of it on a compacted topic lies above the check SCN.
   */
  "only-above-check-scn": bigint;
  /**
   * The snapshot read it after the check SCN.
   */
  "snapshot-after-check-scn": bigint;
  /**
   * The table has it twice.
   */
  "key-not-unique": bigint;
  /**
   * Two partitions of a topic hold it at the same SCN, and say different things.
   */
  "partitions-disagree": bigint;
  /**
   * Only the legacy topic holds it, after the table lost it; the new topic, which forgets, may have held its deletion.
   */
  "delete-not-kept": bigint;
  /**
   * A legacy record says the SCN of its change, and whether it was committed by the check SCN is unknown.
   */
  "commit-unknown": bigint;
  /**
   * The last record is older than a column that has a value now: its default, or one that was not delivered.
   */
  "column-added": bigint;
  /**
   * Of a table without key: rows that both connectors may have delivered can't be told apart.
   */
  overlap: bigint;
}
/**
 * A column, and for how many keys.
 */
export interface UnavailableColumn {
  /**
   * Its name.
   */
  column: string;
  /**
   * Keys.
   */
  count: bigint;
}
/**
 * Sums modulo 2^128 of MurmurHash3_x86_128: they do not depend on the order.
 */
export interface HashSums {
  /**
   * Of each key of the table.
   */
  tableKeys: string;
  /**
   * Of each key of the topics.
   */
  topicKeys: string;
  /**
   * Of key and row of the table, of the keys compared.
   */
  tableRows: string;
  /**
   * The same of the topics.
   */
  topicRows: string;
}
/**
 * A key that failed.
 */
export interface Failure {
  /**
   * The key's columns with their canonical values. Of a table without key: the row, if values were requested.
   */
  key?: {
    [k: string]: string | null | undefined;
  };
  /**
   * MurmurHash3_x86_128 of the row, of a table without key.
   */
  row?: string;
  /**
   * What is wrong with it.
   */
  reason:
    | "in-neither-topic"
    | "deleted-in-topic"
    | "values-differ"
    | "still-in-topic"
    | "only-in-legacy-topic"
    | "count-differs";
  /**
   * Columns whose values differ.
   */
  columns: string[];
  record?: RecordPlaceSeen;
  /**
   * Canonical values by column, if requested; null is NULL.
   */
  tableValues?: {
    [k: string]: string | null | undefined;
  };
  /**
   * Canonical values by column, if requested; null is NULL.
   */
  topicValues?: {
    [k: string]: string | null | undefined;
  };
}
/**
 * The record that decided.
 */
export interface RecordPlaceSeen {
  /**
   * Name of the topic.
   */
  topic: string;
  /**
   * Of the topic.
   */
  partition: bigint;
  /**
   * In the partition.
   */
  offset: bigint;
  /**
   * SCN at which it counts.
   */
  scn: bigint;
}
/**
 * A key without a verdict.
 */
export interface Doubt {
  /**
   * The key's columns with their canonical values. Of a table without key: the row, if values were requested.
   */
  key?: {
    [k: string]: string | null | undefined;
  };
  /**
   * MurmurHash3_x86_128 of the row, of a table without key.
   */
  row?: string;
  /**
   * Why there is no verdict.
   */
  reason:
    | "only-above-check-scn"
    | "snapshot-after-check-scn"
    | "key-not-unique"
    | "partitions-disagree"
    | "delete-not-kept"
    | "commit-unknown"
    | "column-added"
    | "overlap";
  /**
   * Columns whose values differ.
   */
  columns: string[];
  record?: RecordPlaceSeen;
}
/**
 * A reason, with how often and where first.
 */
export interface UnreadableSeen {
  /**
   * Where it was.
   */
  side: "table" | "new topic" | "legacy topic";
  /**
   * The reason.
   */
  why: string;
  /**
   * How often.
   */
  count: bigint;
  /**
   * Of the first such record.
   */
  partition?: bigint;
  /**
   * Of the first such record.
   */
  offset?: bigint;
}
