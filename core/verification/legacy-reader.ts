import type { Scn } from "../values/scn.ts";
import type { ByteSink } from "./byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { afterName, digitsAt } from "./change-envelope.ts";
import { beginsWith, endOfValue, memberName, UNUSUAL } from "./json-walk.ts";
import type { RecordFormat } from "./record-encodings.ts";
import { UNUSUAL_FORM } from "./record-key.ts";
import { scnOf } from "./record-scn.ts";
import { envelopeReader } from "./schema-envelope.ts";
import { structReader } from "./struct-reader.ts";
import type { Column } from "./table-shape.ts";

/** How the legacy connector names what it adds to a row (its settings `output.*`; the defaults are `scn`, `op_type`, `I U D R T`). */
export interface LegacyFields {
  readonly scn: string;
  readonly opType: string;
  readonly operations: Readonly<Record<string, LegacyOperation>>;
}

export type LegacyOperation = "insert" | "update" | "delete" | "read" | "truncate";

export const LEGACY_FIELDS: LegacyFields = {
  scn: "scn",
  opType: "op_type",
  operations: { I: "insert", U: "update", D: "delete", R: "read", T: "truncate" },
};

export interface LegacySeen {
  operation: LegacyOperation;
  scn: Scn | undefined;
}

const decoder = new TextDecoder();

/**
 * Reads the value of a legacy record, a flat row with fields of the connector's own: operation, SCN, and such columns as are asked for (those of a
 * key that the record has not, or all of a table without key).
 *
 * @returns why it can't be read
 */
export function legacyReader(
  columns: readonly Column[],
  format: RecordFormat,
  fields: LegacyFields,
  work: ByteWork,
): (bytes: Uint8Array, seen: LegacySeen, row: ByteSink | undefined) => string | undefined {
  const envelope = envelopeReader(work);
  const struct = structReader(columns, format, work);
  const SCN = memberName(fields.scn);
  const OP_TYPE = memberName(fields.opType);

  return (bytes, seen, row) => {
    const payload = envelope(bytes);
    if (payload === undefined) return UNUSUAL_FORM;
    const { schema, start, end } = payload;
    if (bytes[start] !== 0x7b) return UNUSUAL_FORM;
    let scn: Scn | undefined;
    let opType: string | undefined;
    let closed = false;
    for (let at = start + 1; at < end && !closed; ) {
      const isScn = beginsWith(bytes, at, end, SCN);
      const isOpType = !isScn && beginsWith(bytes, at, end, OP_TYPE);
      if ((isScn && scn !== undefined) || (isOpType && opType !== undefined)) return UNUSUAL_FORM;
      at = isScn ? at + SCN.length : isOpType ? at + OP_TYPE.length : afterName(bytes, at, end);
      if (at === UNUSUAL) return UNUSUAL_FORM;
      if (isScn || isOpType) {
        const close = digitsAt(bytes, at, end);
        const first = bytes[at] === 0x22 ? at + 1 : at;
        if (isScn && close !== UNUSUAL) scn = scnOf(bytes, first, close);
        if (isOpType && close !== UNUSUAL && first > at) opType = decoder.decode(bytes.subarray(first, close));
      }
      at = endOfValue(bytes, at, end);
      if (at === UNUSUAL || at >= end) return UNUSUAL_FORM;
      const next = bytes[at++];
      if (next === 0x7d) {
        if (at !== end) return UNUSUAL_FORM;
        closed = true;
      } else if (next !== 0x2c) return UNUSUAL_FORM;
    }
    if (!closed) return UNUSUAL_FORM;
    const operation = opType === undefined ? undefined : fields.operations[opType];
    if (operation === undefined) return `no legacy record: its ${fields.opType} is none that is known`;
    seen.operation = operation;
    seen.scn = scn;
    if (row === undefined || operation === "truncate") return undefined;
    if (struct.find(bytes, start, end) === UNUSUAL) return UNUSUAL_FORM;
    const problem = struct.write(bytes, schema, row);
    if (problem !== undefined) return problem;
    return struct.unavailable() ? "a legacy row that holds the unavailable placeholder" : undefined;
  };
}
