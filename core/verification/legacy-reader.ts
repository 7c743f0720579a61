import type { Scn } from "../values/scn.ts";
import type { ByteSink } from "./byte-sink.ts";
import { type ByteWork, wantedBytes } from "./byte-work.ts";
import { afterName, digitsAt } from "./change-envelope.ts";
import { beginsWith, endOfValue, memberName, UNUSUAL } from "./json-walk.ts";
import type { RecordFormat } from "./record-encodings.ts";
import { UNUSUAL_FORM } from "./record-key.ts";
import { scnOf } from "./record-scn.ts";
import { envelopeReader } from "./schema-envelope.ts";
import { structReader } from "./struct-reader.ts";
import type { Column } from "./table-shape.ts";

/**
 * Names of the fields that the legacy connector adds to a row (its settings `output.*`; the defaults are `scn`,
 * `op_type`, `I U D R T`).
 */
export interface LegacyFields {
  readonly scn: string;
  /**
   * Field of the commit SCN (`output.commit.scn.field`). Left out if records contain only the SCN of the change, which
   * is never higher than the commit SCN.
   */
  readonly commitScn?: string;
  readonly opType: string;
  readonly operations: Readonly<Record<string, LegacyOperation>>;
}

export type LegacyOperation = "insert" | "update" | "delete" | "read" | "truncate";

export const LEGACY_FIELDS: LegacyFields = {
  scn: "scn",
  opType: "op_type",
  operations: { I: "insert", U: "update", D: "delete", R: "read", T: "truncate" },
};

export interface ParsedLegacyRecord {
  operation: LegacyOperation;
  scn: Scn | undefined;
}

const encoder = new TextEncoder();

/**
 * Reads the value of a legacy record, a flat row with fields added by the connector: operation, SCN, and the requested
 * columns (the key columns if the record has no key, or all columns of a table without a key).
 *
 * @returns why it cannot be read; undefined if it was read
 */
export function legacyReader(
  columns: readonly Column[],
  format: RecordFormat,
  fields: LegacyFields,
  work: ByteWork,
): (
  bytes: Uint8Array,
  start: number,
  end: number,
  seen: ParsedLegacyRecord,
  row: ByteSink | undefined,
) => string | undefined {
  const envelope = envelopeReader(work);
  const struct = structReader(columns, format, work);
  const SCN = memberName(fields.scn);
  const COMMIT_SCN = fields.commitScn === undefined ? undefined : memberName(fields.commitScn);
  const OP_TYPE = memberName(fields.opType);
  const BEFORE_SCN = wantedBytes(new Uint8Array([0x2c, ...SCN]));
  const operations = Object.entries(fields.operations).map(([text, operation]) => ({
    bytes: encoder.encode(text),
    operation,
  }));
  /**
   * Length of the connector's own members in the last record. It is usually the same in the next record, so that
   * position is checked first. Only a duplicate member could hide before them, which no converter writes.
   */
  let tail = 0;
  let scn: Scn | undefined;
  let commitScn: Scn | undefined;
  let commitSeen = false;
  let opType: LegacyOperation | undefined;
  let opTypeSeen = false;

  function operationAt(bytes: Uint8Array, start: number, end: number): LegacyOperation | undefined {
    for (const one of operations)
      if (one.bytes.length === end - start && beginsWith(bytes, start, end, one.bytes)) return one.operation;
    return undefined;
  }

  /** Walks the members starting at `from`. @returns whether the record ends with them */
  function walk(bytes: Uint8Array, from: number, end: number): boolean {
    scn = commitScn = undefined;
    commitSeen = false;
    opType = undefined;
    opTypeSeen = false;
    for (let at = from; at < end; ) {
      const isScn = beginsWith(bytes, at, end, SCN);
      const isOpType = !isScn && beginsWith(bytes, at, end, OP_TYPE);
      const isCommit = COMMIT_SCN !== undefined && beginsWith(bytes, at, end, COMMIT_SCN);
      if ((isScn && scn !== undefined) || (isOpType && opTypeSeen) || (isCommit && commitSeen)) return false;
      at = isScn
        ? at + SCN.length
        : isOpType
          ? at + OP_TYPE.length
          : isCommit
            ? at + COMMIT_SCN.length
            : afterName(bytes, at, end);
      if (at === UNUSUAL) return false;
      if (isScn || isOpType || isCommit) {
        const close = digitsAt(bytes, at, end);
        const first = bytes[at] === 0x22 ? at + 1 : at;
        if (isScn && close !== UNUSUAL) scn = scnOf(bytes, first, close);
        if (isCommit) {
          commitSeen = true;
          if (close !== UNUSUAL) commitScn = scnOf(bytes, first, close);
        }
        if (isOpType) {
          opTypeSeen = true;
          if (close !== UNUSUAL && first > at) opType = operationAt(bytes, first, close);
        }
      }
      at = endOfValue(bytes, at, end);
      if (at === UNUSUAL || at >= end) return false;
      const next = bytes[at++];
      if (next === 0x7d) return at === end;
      if (next !== 0x2c) return false;
    }
    return false;
  }

  /**
   * The connector's own members follow the row, so the row is skipped by finding their first bytes. These cannot occur
   * inside a string, whose quotation marks are escaped; and a walk that starts in a nested object would not end at the
   * end of the record.
   */
  function walkTheEnd(bytes: Uint8Array, start: number, end: number): boolean {
    const likely = end - tail;
    const found =
      likely > start && beginsWith(bytes, likely, end, BEFORE_SCN.bytes)
        ? likely
        : work.indexOf(bytes, BEFORE_SCN, start, end);
    tail = end - found;
    const whole = found >= 0 && walk(bytes, found + 1, end);
    return whole && scn !== undefined && opTypeSeen && (COMMIT_SCN === undefined || commitSeen);
  }

  return (bytes, from, to, seen, row) => {
    const payload = envelope(bytes, from, to);
    if (payload === undefined) return UNUSUAL_FORM;
    const { schema, start, end } = payload;
    if (bytes[start] !== 0x7b) return UNUSUAL_FORM;
    if (!walkTheEnd(bytes, start, end) && !walk(bytes, start + 1, end)) return UNUSUAL_FORM;
    if (opType === undefined) return `no legacy record: its ${fields.opType} is none that is known`;
    seen.operation = opType;
    // A snapshot row counts at the SCN at which it was read: it has no transaction of its own to commit.
    if (COMMIT_SCN !== undefined && commitScn === undefined && opType !== "read")
      return "a record without a commit SCN";
    seen.scn = commitScn ?? scn;
    if (row === undefined || opType === "truncate") return undefined;
    if (struct.read(bytes, start, end, schema, row) === UNUSUAL) return UNUSUAL_FORM;
    const problem = struct.problem();
    if (problem !== undefined) return problem;
    return struct.unavailable() ? "a legacy row that holds the unavailable placeholder" : undefined;
  };
}
