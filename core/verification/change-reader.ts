import type { Scn } from "../values/scn.ts";
import type { ByteSink } from "./byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { changeEnvelope, noParts } from "./change-envelope.ts";
import type { RecordFormat } from "./record-encodings.ts";
import { UNUSUAL_FORM } from "./record-key.ts";
import { scnOf } from "./record-scn.ts";
import { envelopeReader, type SchemaSeen } from "./schema-envelope.ts";
import type { SourceOfTable } from "./source-of-table.ts";
import { structReader } from "./struct-reader.ts";
import type { Column, TableShape } from "./table-shape.ts";

/** What a change event of the connector says, besides its rows. */
export interface ChangeSeen {
  op: "c" | "u" | "d" | "r" | "t";
  /** `source.commit_scn`; of a snapshot row `source.scn`. */
  scn: Scn | undefined;
  /** Whether `after` holds the placeholder in a column. */
  inPart: boolean;
}

/** By its only character. A list, for an object with such numbers as names is looked through by their hashes. */
const OPS: readonly (ChangeSeen["op"] | undefined)[] = Array.from({ length: 0x80 }, (_, character) =>
  (["c", "u", "d", "r", "t"] as const).find((op) => op.charCodeAt(0) === character),
);

/** What is said of a record that is another table's. */
export const OTHER_TABLE = Symbol("of another table");

/** Of a record in a topic of several tables. */
export const NOT_SAID = "a record that does not say its table";

/** Undefined: it was read. A text: why it can't be. */
export type Reading = string | typeof OTHER_TABLE | undefined;

type ReadChange = (
  bytes: Uint8Array,
  /** A header said the SCN; `seen.scn` is not looked for then. */
  scnKnown: boolean,
  seen: ChangeSeen,
  before: ByteSink,
  after: ByteSink,
) => Reading;

/**
 * Reads the value of a change event: `op`, the SCN it counts at, and the rows that the table's shape needs: `after`,
 * and `before` where rows are counted (a table without key).
 *
 * @param ofTable undefined: every record is taken to be of the table
 */
export function changeReader(
  { key, columns }: TableShape,
  format: RecordFormat,
  work: ByteWork,
  ofTable: SourceOfTable | undefined,
): ReadChange {
  const envelope = envelopeReader(work);
  const isKey = new Set(key.map(({ name }) => name));
  // Rows that are counted are told apart by all of their values.
  const younger = key.length === 0 ? undefined : ({ name }: Column) => !isKey.has(name);
  const rowAfter = structReader(columns, format, work, younger);
  const rowBefore = structReader(columns, format, work);
  const parts = noParts();
  const counted = key.length === 0;
  let schema: SchemaSeen | undefined;
  let intoBefore: ByteSink;
  let intoAfter: ByteSink;
  const findParts = changeEnvelope(
    counted
      ? (bytes, start, end) => rowBefore.read(bytes, start, end, rowSchema(schema, "before"), intoBefore)
      : undefined,
    (bytes, start, end) => rowAfter.read(bytes, start, end, rowSchema(schema, "after"), intoAfter),
    work,
  );

  return (bytes, scnKnown, seen, before, after) => {
    const payload = envelope(bytes);
    if (payload === undefined) return UNUSUAL_FORM;
    schema = payload.schema;
    intoBefore = before;
    intoAfter = after;
    if (!findParts(bytes, payload.start, payload.end, parts, scnKnown)) return UNUSUAL_FORM;
    const op = OPS[parts.op];
    if (op === undefined) return "no change event: its op is none of c, u, d, r, t";
    if (ofTable !== undefined) {
      const own = ofTable(bytes, parts.source, parts.sourceEnd);
      if (own !== true) return own === false ? OTHER_TABLE : NOT_SAID;
    }
    seen.op = op;
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

/** Of a record with a schema that does not declare the row, no field is declared either. */
function rowSchema(schema: SchemaSeen | undefined, row: "before" | "after"): SchemaSeen | undefined {
  return schema === undefined ? undefined : (schema.fields.get(row) ?? UNDECLARED);
}

const UNDECLARED: SchemaSeen = { type: "struct", name: undefined, scale: undefined, fields: new Map() };
