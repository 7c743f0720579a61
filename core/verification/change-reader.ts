import type { Column, RecordFormat, TableShape } from "../../schemas/generated/verification-job.ts";
import type { ByteSink } from "../values/byte-sink.ts";
import type { Scn } from "../values/scn.ts";
import type { ByteWork } from "./byte-work.ts";
import { changeEnvelope, noParts } from "./change-envelope.ts";
import { isIncremental } from "./debezium/encodings.ts";
import { UNUSUAL_FORM } from "./record-key.ts";
import { scnOf } from "./record-scn.ts";
import { envelopeReader, type RecordSchema } from "./schema-envelope.ts";
import type { SourceOfTable } from "./source-of-table.ts";
import { structReader } from "./struct-reader.ts";

/** What a change event contains besides its rows. */
export interface ParsedChange {
  op: "c" | "u" | "d" | "r" | "t";
  /** `source.commit_scn`; of a snapshot row `source.scn`. */
  scn: Scn | undefined;
  /** Whether `after` holds the placeholder in a column. */
  inPart: boolean;
  /** Whether an incremental snapshot read the row, at an SCN that nobody knows. */
  incremental: boolean;
}

/** The operation of each single character code. An array, because an object with numeric names is searched by hash. */
const OPS: readonly (ParsedChange["op"] | undefined)[] = Array.from({ length: 0x80 }, (_, character) =>
  (["c", "u", "d", "r", "t"] as const).find((op) => op.charCodeAt(0) === character),
);

/** Result for a record of another table. */
export const OTHER_TABLE = Symbol("of another table");

/** Result for a record in a shared topic that does not name its table. */
export const TABLE_NOT_NAMED = "a record that does not say its table";

/** Undefined if the record was read; a text if it cannot be, and why. */
export type Reading = string | typeof OTHER_TABLE | undefined;

type ReadChange = (
  bytes: Uint8Array,
  start: number,
  end: number,
  /** Whether a header contained the SCN; `seen.scn` is then not read. */
  scnKnown: boolean,
  seen: ParsedChange,
  before: ByteSink,
  after: ByteSink,
) => Reading;

/**
 * Reads the value of a change event: `op`, the SCN at which it counts, and the rows that the table's shape needs:
 * `after`, and also `before` where rows are counted (a table without a key).
 *
 * @param ofTable undefined: every record is assumed to belong to the table
 */
export function changeReader(
  { key, columns }: TableShape,
  format: RecordFormat,
  work: ByteWork,
  ofTable: SourceOfTable | undefined,
): ReadChange {
  const envelope = envelopeReader(work);
  const isKey = new Set(key.map(({ name }) => name));
  // Counted rows are distinguished by all of their values.
  const younger = key.length === 0 ? undefined : ({ name }: Column) => !isKey.has(name);
  const rowAfter = structReader(columns, format, work, younger);
  const rowBefore = structReader(columns, format, work);
  const parts = noParts();
  const counted = key.length === 0;
  let schema: RecordSchema | undefined;
  let intoBefore: ByteSink;
  let intoAfter: ByteSink;
  const findParts = changeEnvelope(
    counted
      ? (bytes, start, end) => rowBefore.read(bytes, start, end, rowSchema(schema, "before"), intoBefore)
      : undefined,
    (bytes, start, end) => rowAfter.read(bytes, start, end, rowSchema(schema, "after"), intoAfter),
    work,
  );

  return (bytes, from, to, scnKnown, seen, before, after) => {
    const payload = envelope(bytes, from, to);
    if (payload === undefined) return UNUSUAL_FORM;
    schema = payload.schema;
    intoBefore = before;
    intoAfter = after;
    if (!findParts(bytes, payload.start, payload.end, parts, scnKnown)) return UNUSUAL_FORM;
    const op = OPS[parts.op];
    if (op === undefined) return "no change event: its op is none of c, u, d, r, t";
    if (ofTable !== undefined) {
      const own = ofTable(bytes, parts.source, parts.sourceEnd);
      if (own !== true) return own === false ? OTHER_TABLE : TABLE_NOT_NAMED;
    }
    seen.op = op;
    seen.incremental = op === "r" && isIncremental(bytes, parts.source, parts.sourceEnd);
    seen.scn = op === "r" ? scnOf(bytes, parts.scn, parts.scnEnd) : scnOf(bytes, parts.commitScn, parts.commitScnEnd);
    seen.inPart = false;
    if (op !== "d" && op !== "t") {
      if (!parts.after) return `op ${op} without a row in "after"`;
      const problem = rowAfter.problem();
      if (problem !== undefined) return problem;
      seen.inPart = rowAfter.unavailable();
    }
    if (counted && (op === "d" || op === "u")) {
      if (!parts.before) return `op ${op} without a row in "before", of a table without key`;
      const problem = rowBefore.problem();
      if (problem !== undefined) return problem;
      seen.inPart ||= rowBefore.unavailable();
    }
    return undefined;
  };
}

/** Where a record's schema does not declare the row, it declares none of its fields either. */
function rowSchema(schema: RecordSchema | undefined, row: "before" | "after"): RecordSchema | undefined {
  return schema === undefined ? undefined : (schema.fields.get(row) ?? UNDECLARED);
}

const UNDECLARED: RecordSchema = { type: "struct", name: undefined, scale: undefined, fields: new Map() };
