import type { LegacyFields, OwnTable, RecordFormat, TableShape } from "../../schemas/generated/verification-job.ts";
import type { RecordsInPlace } from "../ports/kafka.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { parseJson, printJson } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";
import type { ByteWork } from "./byte-work.ts";
import { changeReader, OTHER_TABLE, type ParsedChange, type Reading } from "./change-reader.ts";
import { LEGACY_FIELDS, legacyReader, type ParsedLegacyRecord } from "./legacy-reader.ts";
import { findHeaders, noHeaders } from "./record-headers.ts";
import { keyReader } from "./record-key.ts";
import { scnOfHeader } from "./record-scn.ts";
import { sourceOfTable } from "./source-of-table.ts";
import {
  appendTuple,
  beginTuple,
  bufferFor,
  type Event,
  endTuple,
  GONE,
  hashOfKey,
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
  UNREADABLE,
} from "./tuple.ts";

/**
 * Appends the tuples of one record (none, one, or two if rows are counted). The records of a partition are read in the
 * order of their offsets; those of several partitions may alternate. All units of a topic share one reader, because
 * JavaScript engines compile functions that exist only once to faster code.
 *
 * @param nth of the records
 * @param soFar what is known of the record's partition, which the reader keeps up to date
 * @returns why the record cannot be read, with which the table does not pass, or that it belongs to another table;
 * nothing is appended then
 */
export type RecordReader = (records: RecordsInPlace, nth: number, into: TupleSink, soFar: PartitionSoFar) => Reading;

/** The record from which a tombstone without headers takes its SCN. */
export interface PartitionSoFar {
  last: LastRead;
  /** The same of the legacy connector's records, if both write to the topic. */
  legacy?: PartitionSoFar;
}

/** SCN of the last record that was read; undefined if unknown, or if no record was read. */
export type LastRead = Scn | typeof OTHERS | undefined;

/** The last record belonged to another table, and so does a tombstone that follows it. */
export const OTHERS = "of another table";

/**
 * The key and value of one record, each in the bytes that it is read from. A start is negative for null. The object is
 * reused.
 */
interface RecordParts {
  keyBytes: Uint8Array;
  keyStart: number;
  keyEnd: number;
  valueBytes: Uint8Array;
  valueStart: number;
  valueEnd: number;
  headerBytes: Uint8Array;
  headerStart: number;
  readonly place: { scn: Scn; partition: number; baseOffset: bigint; offsetDelta: number };
  soFar: PartitionSoFar;
}

type ReadParts = (record: RecordParts, into: TupleSink) => Reading;

/**
 * Reads change events. A tombstone does not name its table. It follows its delete, so that it belongs to the table of
 * the record before it, unless compaction has removed the delete; its headers show that the new connector wrote it.
 *
 * @param own undefined: every record is assumed to belong to the table
 * @param source the side of the connector whose records they are
 */
export function changeRecordReader(
  shape: TableShape,
  format: RecordFormat,
  work: ByteWork,
  own?: OwnTable & { readonly compacted: boolean },
  source: typeof NEW_TOPIC | typeof LEGACY_TOPIC = NEW_TOPIC,
): RecordReader {
  const readKey = keyReader(shape.key, format, work);
  const readChange = changeReader(shape, format, work, own && sourceOfTable(own, work));
  const followsDelete = own?.compacted !== true;
  const isLegacy = source === LEGACY_TOPIC;
  const sharesTopic = own?.connector === "oracle-cdc";
  const counted = shape.key.length === 0;
  const key = new ByteSink();
  const earlier = new ByteSink();
  const row = new ByteSink();
  const none = new ByteSink(0);
  const headers = noHeaders();
  const seen: ParsedChange = { op: "c", scn: undefined, inPart: false, incremental: false };

  function read(record: RecordParts, into: TupleSink): Reading {
    key.clear();
    earlier.clear();
    row.clear();
    const { valueBytes, valueStart, valueEnd, headerBytes } = record;
    findHeaders(headerBytes, record.headerStart, headers);
    const commitScn = scnOfHeader(headerBytes, headers.commitScn, headers.commitScnEnd);
    if (valueStart < 0) {
      const { last } = record.soFar;
      if (last === OTHERS && (followsDelete || (sharesTopic && commitScn === undefined))) return OTHER_TABLE;
      if (isLegacy && commitScn !== undefined) return OTHER_TABLE;
      // Keyed by ROWID (cdc.key.missing): the delete before it has identified the deleted row.
      if (counted) return undefined;
      const scn = commitScn ?? (last === OTHERS ? undefined : last);
      if (scn === undefined) return "a tombstone without an SCN";
      return problemOfKey(record) ?? append(record, into, source, GONE, scn, key);
    }
    const keyProblem = counted ? undefined : problemOfKey(record);
    // The row is written where its tuple will be.
    const inPlace = !counted && keyProblem === undefined;
    const hash = hashOfKey(key);
    const sink = inPlace ? bufferFor(into, hash) : row;
    const start = inPlace ? beginTuple(sink, source, hash, key) : 0;
    const scnKnown = commitScn !== undefined && !headers.snapshot;
    const problem = readChange(valueBytes, valueStart, valueEnd, scnKnown, seen, earlier, sink);
    const { op, inPart } = seen;
    const scn =
      op === "r" ? (scnOfHeader(headerBytes, headers.scn, headers.scnEnd) ?? seen.scn) : (commitScn ?? seen.scn);
    const whole = problem === undefined && scn !== undefined && op !== "d" && op !== "t" && !(op === "r" && inPart);
    if (inPlace && whole) {
      const { place } = record;
      place.scn = record.soFar.last = scn;
      // The SCN of a legacy snapshot is known, unless it was taken while changes were delivered.
      const ofSnapshot = op === "r" && (!isLegacy || seen.incremental);
      endTuple(sink, start, source, inPart ? ROW_IN_PART : ofSnapshot ? SNAPSHOT : ROW, place);
      return undefined;
    }
    if (inPlace) sink.length = start;
    if (problem === OTHER_TABLE) record.soFar.last = OTHERS;
    if (problem !== undefined) return problem;
    if (scn === undefined) return op === "r" ? "a snapshot row without an SCN" : "a record without a commit SCN";
    if (op === "t") return append(record, into, source, TRUNCATE, scn, none);
    if (counted && isLegacy && seen.incremental) return "a row of an incremental snapshot, of a table without key";
    if (counted) return appendCounted(record, into, scn);
    if (keyProblem !== undefined) return keyProblem;
    return op === "d"
      ? append(record, into, source, GONE, scn, key)
      : "a snapshot row that holds the unavailable placeholder";
  }

  function problemOfKey({ keyBytes, keyStart, keyEnd }: RecordParts): string | undefined {
    return keyStart < 0 ? "a record without a key" : readKey(keyBytes, keyStart, keyEnd, key);
  }

  function appendCounted(record: RecordParts, into: TupleSink, scn: Scn): string | undefined {
    if (seen.inPart) return "a row in part, of a table without key";
    if (seen.op === "d" || seen.op === "u") append(record, into, source, ONE_LESS, scn, earlier);
    if (seen.op !== "d") append(record, into, source, ONE_MORE, scn, row);
    return undefined;
  }

  return strictWhereUnusual(read);
}

/** @param wholeRows whether each record's row is compared, not only its key */
export function legacyRecordReader(
  shape: TableShape,
  format: RecordFormat,
  work: ByteWork,
  fields: LegacyFields = LEGACY_FIELDS,
  wholeRows = false,
): RecordReader {
  const counted = shape.key.length === 0;
  const readKey = keyReader(shape.key, format, work);
  // If the record has no key, the key's columns are in its row.
  const readValue = legacyReader(counted ? shape.columns : shape.key, format, fields, work);
  const readRow = wholeRows && !counted ? legacyReader(shape.columns, format, fields, work) : undefined;
  const key = new ByteSink();
  const row = new ByteSink();
  const none = new ByteSink(0);
  const seen: ParsedLegacyRecord = { operation: "insert", scn: undefined };

  function read(record: RecordParts, into: TupleSink): Reading {
    key.clear();
    row.clear();
    const { keyBytes, keyStart, keyEnd, valueBytes, valueStart, valueEnd } = record;
    if (valueStart < 0) {
      const { last } = record.soFar;
      if (last === OTHERS) return OTHER_TABLE;
      if (counted || keyStart < 0) return "a tombstone without a key";
      if (last === undefined) return "a tombstone without an SCN";
      return readKey(keyBytes, keyStart, keyEnd, key) ?? append(record, into, LEGACY_TOPIC, GONE, last, key);
    }
    const inRow = counted || keyStart < 0;
    const problem = readValue(valueBytes, valueStart, valueEnd, seen, inRow ? row : undefined);
    if (problem !== undefined) return problem;
    const { operation, scn } = seen;
    if (scn === undefined) return "a record without an SCN";
    if (operation === "truncate") return append(record, into, LEGACY_TOPIC, TRUNCATE, scn, none);
    if (counted) {
      if (operation === "update") return "an update without the row before it, of a table without key";
      return append(record, into, LEGACY_TOPIC, operation === "delete" ? ONE_LESS : ONE_MORE, scn, row);
    }
    if (keyStart >= 0) {
      const keyProblem = readKey(keyBytes, keyStart, keyEnd, key);
      if (keyProblem !== undefined) return keyProblem;
    }
    const keyOf = keyStart < 0 ? row : key;
    if (operation === "delete") return append(record, into, LEGACY_TOPIC, GONE, scn, keyOf);
    if (readRow === undefined) return append(record, into, LEGACY_TOPIC, ROW, scn, keyOf);
    const hash = hashOfKey(keyOf);
    const sink = bufferFor(into, hash);
    const start = beginTuple(sink, LEGACY_TOPIC, hash, keyOf);
    const rowProblem = readRow(valueBytes, valueStart, valueEnd, seen, sink);
    if (rowProblem !== undefined) {
      sink.length = start;
      return rowProblem;
    }
    record.place.scn = record.soFar.last = scn;
    endTuple(sink, start, LEGACY_TOPIC, ROW, record.place);
    return undefined;
  }

  return strictWhereUnusual(read);
}

function append(
  { place, soFar }: RecordParts,
  into: TupleSink,
  source: Source,
  event: Event,
  scn: Scn,
  keyOf: ByteSink,
): undefined {
  place.scn = soFar.last = scn;
  appendTuple(into, source, event, keyOf, place);
}

/**
 * Appends a tuple of a legacy record's key only, so that a record that cannot be read leaves no other key in doubt.
 *
 * @returns the key in canonical form, until the next call; undefined if it cannot be read either
 */
export type UnreadableReader = (records: RecordsInPlace, nth: number, into: TupleSink) => Uint8Array | undefined;

/** Reads keys of the legacy records whose value cannot be read. */
export function unreadableReader(shape: TableShape, format: RecordFormat, work: ByteWork): UnreadableReader {
  const readKey = keyReader(shape.key, format, work);
  const key = new ByteSink();
  return ({ bytes, keyStarts, keyEnds, partition, baseOffset, offsetDeltas }, nth, into) => {
    const start = keyStarts[nth] as number;
    if (shape.key.length === 0 || start < 0) return undefined;
    const json = normalisedJson(bytes.subarray(start, keyEnds[nth]));
    key.clear();
    if (typeof json === "string" || readKey(json, 0, json.length, key) !== undefined) return undefined;
    const offsetDelta = offsetDeltas[nth] as number;
    appendTuple(into, LEGACY_TOPIC, UNREADABLE, key, { scn: 0n, partition, baseOffset, offsetDelta });
    return key.view();
  };
}

/**
 * Retries records that the fast reader cannot read: the strict parser reads them and writes the form that the fast
 * reader expects. The same rules then apply, however a record was written.
 */
function strictWhereUnusual(read: ReadParts): RecordReader {
  const none = new Uint8Array();
  const record: RecordParts = {
    keyBytes: none,
    keyStart: -1,
    keyEnd: 0,
    valueBytes: none,
    valueStart: -1,
    valueEnd: 0,
    headerBytes: none,
    headerStart: 0,
    place: { scn: 0n, partition: 0, baseOffset: 0n, offsetDelta: 0 },
    soFar: { last: undefined },
  };

  /** @returns why it cannot be read */
  function rewrite(): string | undefined {
    const { keyBytes, keyStart, keyEnd, valueBytes, valueStart, valueEnd } = record;
    if (keyStart >= 0) {
      const key = normalisedJson(keyBytes.subarray(keyStart, keyEnd));
      if (typeof key === "string") return key;
      record.keyBytes = key;
      record.keyStart = 0;
      record.keyEnd = key.length;
    }
    if (valueStart >= 0) {
      const value = normalisedJson(valueBytes.subarray(valueStart, valueEnd));
      if (typeof value === "string") return value;
      record.valueBytes = value;
      record.valueStart = 0;
      record.valueEnd = value.length;
    }
    return undefined;
  }

  return (records, nth, into, soFar) => {
    const { bytes } = records;
    // Storing a reference to a young object costs more than comparing it.
    if (record.keyBytes !== bytes) record.keyBytes = bytes;
    if (record.valueBytes !== bytes) record.valueBytes = bytes;
    if (record.headerBytes !== bytes) record.headerBytes = bytes;
    if (record.soFar !== soFar) record.soFar = soFar;
    record.keyStart = records.keyStarts[nth] as number;
    record.keyEnd = records.keyEnds[nth] as number;
    record.valueStart = records.valueStarts[nth] as number;
    record.valueEnd = records.valueEnds[nth] as number;
    record.headerStart = records.headerStarts[nth] as number;
    const { place } = record;
    place.partition = records.partition;
    place.baseOffset = records.baseOffset;
    place.offsetDelta = records.offsetDeltas[nth] as number;
    const once = read(record, into);
    if (typeof once !== "string") return once;
    const again = rewrite() ?? read(record, into);
    // The SCN of an unreadable record is unknown, so that a tombstone after it cannot take it.
    if (typeof again === "string") soFar.last = undefined;
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
