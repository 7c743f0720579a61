import type { Column, LegacyFields, LegacyOperation, RecordFormat } from "../../schemas/generated/verification-job.ts";
import type { ByteSink } from "../values/byte-sink.ts";
import { beginsWith, endOfValue, memberName, UNUSUAL } from "../values/json-walk.ts";
import type { Scn } from "../values/scn.ts";
import { type ByteWork, wantedBytes } from "./byte-work.ts";
import { type MemberOrder, memberOrder } from "./member-order.ts";
import { UNUSUAL_FORM } from "./record-key.ts";
import { scnOf } from "./record-scn.ts";
import { envelopeReader } from "./schema-envelope.ts";
import { structReader } from "./struct-reader.ts";

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

/** The connector's own members, by their place among the names. */
const SCN = 0;
const OP_TYPE = 1;
const COMMIT_SCN = 2;

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
  const names = [fields.scn, fields.opType, ...(fields.commitScn === undefined ? [] : [fields.commitScn])];
  const order = memberOrder(names);
  const orderAtEnd = memberOrder(names);
  const BEFORE_SCN = wantedBytes(new Uint8Array([0x2c, ...memberName(fields.scn)]));
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
  let opType: LegacyOperation | undefined;
  /** A bit for each of `names` that the last walk found. */
  let seen = 0;

  function operationAt(bytes: Uint8Array, start: number, end: number): LegacyOperation | undefined {
    for (const one of operations)
      if (one.bytes.length === end - start && beginsWith(bytes, start, end, one.bytes)) return one.operation;
    return undefined;
  }

  /**
   * Walks the members from the brace or comma at `from`, whose order is learned.
   *
   * @returns whether the record ends with them
   */
  function walk(order: MemberOrder, bytes: Uint8Array, from: number, end: number): boolean {
    scn = commitScn = undefined;
    opType = undefined;
    seen = 0;
    let position = from;
    for (let nth = 0; position < end; nth++) {
      const member = order.placeAt(bytes, position, end, nth);
      position = order.afterName();
      if (position === UNUSUAL) return false;
      const value = position;
      position = endOfValue(bytes, value, end);
      if (position === UNUSUAL || position >= end) return false;
      if (member >= 0) {
        if ((seen & (1 << member)) !== 0) return false;
        seen |= 1 << member;
        const quoted = bytes[value] === 0x22;
        const first = quoted ? value + 1 : value;
        const close = quoted ? position - 1 : position;
        if (member === SCN) scn = scnOf(bytes, first, close);
        else if (member === COMMIT_SCN) commitScn = scnOf(bytes, first, close);
        else if (member === OP_TYPE && quoted) opType = operationAt(bytes, first, close);
      }
      if (bytes[position] === 0x7d) return position + 1 === end;
      if (bytes[position] !== 0x2c) return false;
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
    const whole = found >= 0 && walk(orderAtEnd, bytes, found, end);
    return whole && scn !== undefined && seen === (1 << names.length) - 1;
  }

  return (bytes, from, to, parsed, row) => {
    const payload = envelope(bytes, from, to);
    if (payload === undefined) return UNUSUAL_FORM;
    const { schema, start, end } = payload;
    if (bytes[start] !== 0x7b) return UNUSUAL_FORM;
    if (!walkTheEnd(bytes, start, end) && !walk(order, bytes, start, end)) return UNUSUAL_FORM;
    if (opType === undefined) return `no legacy record: its ${fields.opType} is none that is known`;
    parsed.operation = opType;
    // A snapshot row counts at the SCN at which it was read: it has no transaction of its own to commit.
    if (fields.commitScn !== undefined && commitScn === undefined && opType !== "read")
      return "a record without a commit SCN";
    parsed.scn = commitScn ?? scn;
    if (row === undefined || opType === "truncate") return undefined;
    if (struct.read(bytes, start, end, schema, row) === UNUSUAL) return UNUSUAL_FORM;
    const problem = struct.problem();
    if (problem !== undefined) return problem;
    return struct.unavailable() ? "a legacy row that holds the unavailable placeholder" : undefined;
  };
}
