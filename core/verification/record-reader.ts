import { parseJson, printJson } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";
import { ByteSink } from "./byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { changeReader, OTHER_TABLE, type ParsedChange, type Reading } from "./change-reader.ts";
import { LEGACY_FIELDS, type LegacyFields, legacyReader, type ParsedLegacyRecord } from "./legacy-reader.ts";
import type { RecordFormat } from "./record-encodings.ts";
import { keyReader } from "./record-key.ts";
import { scnOfHeader } from "./record-scn.ts";
import { type OwnTable, sourceOfTable } from "./source-of-table.ts";
import type { TableShape } from "./table-shape.ts";
import {
  appendTuple,
  type Event,
  GONE,
  LEGACY_TOPIC,
  NEW_TOPIC,
  ONE_LESS,
  ONE_MORE,
  ROW,
  ROW_IN_PART,
  SNAPSHOT,
  type Source,
  TRUNCATE,
  type TupleSink,
} from "./tuple.ts";

/** The parts of a topic's record that are read. */
export interface TopicRecord {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
}

/** Reads the records of one partition in the order of their offsets. */
export interface RecordReader {
  /**
   * Appends the tuples of one record (none, one, or two if rows are counted).
   *
   * @returns why the record cannot be read, which makes the table inconclusive, or that it belongs to another table;
   * nothing is appended then
   */
  read(record: TopicRecord, into: TupleSink): Reading;
  /** The record from which a tombstone without headers takes its SCN; `before` of a reader that continues after it. */
  last(): LastRead;
}

/** SCN of the last record that was read; undefined if unknown, or if no record was read. */
export type LastRead = Scn | typeof OTHERS | undefined;

/** The last record belonged to another table, and so does a tombstone that follows it. */
const OTHERS = "of another table";

type Read = RecordReader["read"];

/**
 * Reads records of the new connector. A tombstone does not name its table. It follows its delete, so that it belongs to
 * the table of the record before it, unless compaction has removed the delete.
 *
 * @param before the record before the first one in its partition; undefined at the partition's beginning
 * @param own undefined: every record is assumed to belong to the table
 */
export function changeRecordReader(
  shape: TableShape,
  format: RecordFormat,
  work: ByteWork,
  before: LastRead,
  own?: OwnTable & { readonly compacted: boolean },
): RecordReader {
  const readKey = keyReader(shape.key, format, work);
  const readChange = changeReader(shape, format, work, own && sourceOfTable(own, work));
  const followsDelete = own?.compacted !== true;
  const counted = shape.key.length === 0;
  const key = new ByteSink();
  const earlier = new ByteSink();
  const row = new ByteSink();
  const none = new ByteSink(0);
  const seen: ParsedChange = { op: "c", scn: undefined, inPart: false };
  let last = before;

  function read(record: TopicRecord, into: TupleSink): Reading {
    key.clear();
    earlier.clear();
    row.clear();
    const { headers } = record;
    if (record.value === null) {
      if (last === OTHERS && followsDelete) return OTHER_TABLE;
      // Keyed by ROWID (cdc.key.missing): the delete before it has identified the deleted row.
      if (counted) return undefined;
      const scn = scnOfHeader(headers["cdc.commit_scn"]) ?? (last === OTHERS ? undefined : last);
      if (scn === undefined) return "a tombstone without an SCN";
      const problem = record.key === null ? "a record without a key" : readKey(record.key, key);
      return problem ?? append(record, into, NEW_TOPIC, GONE, scn, key, none);
    }
    const commitScn = scnOfHeader(headers["cdc.commit_scn"]);
    const scnKnown = commitScn !== undefined && headers["cdc.snapshot"] === undefined;
    const problem = readChange(record.value, scnKnown, seen, earlier, row);
    if (problem === OTHER_TABLE) last = OTHERS;
    if (problem !== undefined) return problem;
    const { op } = seen;
    const scn = op === "r" ? (scnOfHeader(headers["cdc.scn"]) ?? seen.scn) : (commitScn ?? seen.scn);
    if (scn === undefined) return op === "r" ? "a snapshot row without an SCN" : "a record without a commit SCN";
    if (op === "t") return append(record, into, NEW_TOPIC, TRUNCATE, scn, none, none);
    if (counted) return appendCounted(record, into, scn);
    if (record.key === null) return "a record without a key";
    const keyProblem = readKey(record.key, key);
    if (keyProblem !== undefined) return keyProblem;
    if (op === "d") return append(record, into, NEW_TOPIC, GONE, scn, key, none);
    if (op === "r" && seen.inPart) return "a snapshot row that holds the unavailable placeholder";
    const event = seen.inPart ? ROW_IN_PART : op === "r" ? SNAPSHOT : ROW;
    return append(record, into, NEW_TOPIC, event, scn, key, row);
  }

  function appendCounted(record: TopicRecord, into: TupleSink, scn: Scn): string | undefined {
    if (seen.inPart) return "a row in part, of a table without key";
    if (seen.op === "d" || seen.op === "u") append(record, into, NEW_TOPIC, ONE_LESS, scn, earlier, none);
    if (seen.op !== "d") append(record, into, NEW_TOPIC, ONE_MORE, scn, row, none);
    last = scn;
    return undefined;
  }

  return {
    read: strictWhereUnusual(read, () => {
      last = undefined;
    }),
    last: () => last,
  };

  function append(
    { partition, offset }: TopicRecord,
    into: TupleSink,
    source: Source,
    event: Event,
    scn: Scn,
    keyOf: ByteSink,
    rowOf: ByteSink,
  ): undefined {
    appendTuple(into, source, event, { scn, partition, offset }, keyOf, rowOf);
    last = scn;
  }
}

/** @param before as for `changeRecordReader` */
export function legacyRecordReader(
  shape: TableShape,
  format: RecordFormat,
  work: ByteWork,
  before: LastRead,
  fields: LegacyFields = LEGACY_FIELDS,
): RecordReader {
  const counted = shape.key.length === 0;
  const readKey = keyReader(shape.key, format, work);
  // If the record has no key, the key's columns are in its row.
  const readValue = legacyReader(counted ? shape.columns : shape.key, format, fields, work);
  const key = new ByteSink();
  const row = new ByteSink();
  const none = new ByteSink(0);
  const seen: ParsedLegacyRecord = { operation: "insert", scn: undefined };
  let last = before === OTHERS ? undefined : before;

  function read(record: TopicRecord, into: TupleSink): string | undefined {
    key.clear();
    row.clear();
    if (record.value === null) {
      if (counted || record.key === null) return "a tombstone without a key";
      if (last === undefined) return "a tombstone without an SCN";
      return readKey(record.key, key) ?? append(record, into, GONE, last, key);
    }
    const inRow = counted || record.key === null;
    const problem = readValue(record.value, seen, inRow ? row : undefined);
    if (problem !== undefined) return problem;
    const { operation, scn } = seen;
    if (scn === undefined) return "a record without an SCN";
    if (operation === "truncate") return append(record, into, TRUNCATE, scn, none);
    if (counted) {
      if (operation === "update") return "an update without the row before it, of a table without key";
      return append(record, into, operation === "delete" ? ONE_LESS : ONE_MORE, scn, row);
    }
    if (record.key !== null) {
      const keyProblem = readKey(record.key, key);
      if (keyProblem !== undefined) return keyProblem;
    }
    return append(record, into, operation === "delete" ? GONE : ROW, scn, record.key === null ? row : key);
  }

  return {
    read: strictWhereUnusual(read, () => {
      last = undefined;
    }),
    last: () => last,
  };

  function append(
    { partition, offset }: TopicRecord,
    into: TupleSink,
    event: Event,
    scn: Scn,
    keyOf: ByteSink,
  ): undefined {
    appendTuple(into, LEGACY_TOPIC, event, { scn, partition, offset }, keyOf, none);
    last = scn;
  }
}

/**
 * Retries records that the fast reader cannot read: the strict parser reads them and writes the form that the fast
 * reader expects. The same rules then apply, however a record was written.
 */
function strictWhereUnusual(read: Read, forget: () => void): Read {
  return (record, into) => {
    const once = read(record, into);
    if (typeof once !== "string") return once;
    const key = record.key === null ? null : normalisedJson(record.key);
    const value = record.value === null ? null : normalisedJson(record.value);
    const unreadable = typeof key === "string" ? key : typeof value === "string" ? value : undefined;
    const again =
      unreadable ?? read({ ...record, key: key as Uint8Array | null, value: value as Uint8Array | null }, into);
    // The SCN of an unreadable record is unknown, so that a tombstone after it cannot take it.
    if (typeof again === "string") forget();
    return again;
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Rewrites JSON in the form that the fast reader expects: no white space, no unnecessary escapes. The strict, lossless
 * parser rejects invalid JSON, invalid UTF-8 and duplicate members.
 *
 * @returns the JSON, or why it cannot be read
 */
export function normalisedJson(bytes: Uint8Array): Uint8Array | string {
  try {
    return encoder.encode(printJson(parseJson(decoder.decode(bytes)), 0));
  } catch {
    return "no JSON in UTF-8 (is it another converter's?)";
  }
}
