import type { Column, RecordFormat } from "../../schemas/generated/verification-job.ts";
import type { ByteSink } from "../values/byte-sink.ts";
import { UNUSUAL } from "../values/json-walk.ts";
import type { ByteWork } from "./byte-work.ts";
import { NULL } from "./canonical-row.ts";
import { envelopeReader } from "./schema-envelope.ts";
import { structReader } from "./struct-reader.ts";

/** The fast reader does not recognise the form; the strict parser must read it first. */
export const UNUSUAL_FORM = "not in the form that Connect's JSON converter writes";

/**
 * Reads a record's key and writes it in canonical form. A key is a struct of the key columns or, in legacy records, the
 * plain value of the only one (reference: wire formats).
 *
 * @returns why it cannot be read; undefined if it was
 */
export function keyReader(
  columns: readonly Column[],
  format: RecordFormat,
  work: ByteWork,
): (bytes: Uint8Array, start: number, end: number, sink: ByteSink) => string | undefined {
  const envelope = envelopeReader(work);
  const struct = structReader(columns, format, work);
  return (bytes, from, to, sink) => {
    const payload = envelope(bytes, from, to);
    if (payload === undefined) return UNUSUAL_FORM;
    const { schema, start, end } = payload;
    const after =
      bytes[start] === 0x7b
        ? struct.read(bytes, start, end, schema, sink)
        : struct.readPlain(bytes, start, end, schema, sink);
    if (after === UNUSUAL || after !== end) return UNUSUAL_FORM;
    const problem = struct.problem();
    if (problem !== undefined) return problem;
    if (struct.unavailable()) return "a key column holds the unavailable placeholder";
    return columns.length === 1 && sink.bytes[sink.length - 1] === NULL && sink.length === 1
      ? "a key without a value"
      : undefined;
  };
}
