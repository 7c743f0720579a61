import { isObject, type Json, jsonIn } from "../values/json.ts";
import { beginsWith, endOfValue, memberName, UNUSUAL } from "../values/json-walk.ts";
import type { ByteWork } from "./byte-work.ts";
import type { FieldSchema } from "./record-encodings.ts";

/**
 * A record's schema: for a struct its fields by name, each (`before`, `after`) with its own fields; for a plain value
 * its type.
 */
export interface RecordSchema extends FieldSchema {
  readonly fields: ReadonlyMap<string, RecordSchema>;
}

/** Position of the payload, and its schema; `schema` is undefined for a record without one. */
interface Payload {
  schema: RecordSchema | undefined;
  start: number;
  end: number;
}

/** Number of schemas that are kept: after a schema change, old and new ones alternate for a while. */
const KEPT = 4;

const SCHEMA = memberName("schema");
const PAYLOAD = memberName("payload");
const OPEN = 0x7b;
const CLOSE = 0x7d;

interface SchemaKept {
  readonly prefix: Uint8Array;
  readonly schema: RecordSchema | undefined;
}

/**
 * Finds the payload of JSON with or without the envelope `{"schema":…,"payload":…}` of Connect's converter. A schema is
 * parsed once: a record that begins with the same bytes has the same schema. The result is valid until the next record.
 */
export function envelopeReader(
  work: ByteWork,
): (bytes: Uint8Array, start: number, end: number) => Readonly<Payload> | undefined {
  const seen: SchemaKept[] = [];
  const payload: Payload = { schema: undefined, start: 0, end: 0 };

  function known(bytes: Uint8Array, start: number, end: number): SchemaKept | undefined {
    for (let at = 0; at < seen.length; at++) {
      const one = seen[at] as SchemaKept;
      const { length } = one.prefix;
      if (end - start <= length || !work.same(bytes.subarray(start, start + length), one.prefix)) continue;
      if (at > 0) {
        seen.splice(at, 1);
        seen.unshift(one);
      }
      return one;
    }
    return undefined;
  }

  function at(schema: RecordSchema | undefined, start: number, end: number): Payload {
    payload.schema = schema;
    payload.start = start;
    payload.end = end;
    return payload;
  }

  return (bytes, start, end) => {
    if (bytes[start] !== OPEN || !beginsWith(bytes, start + 1, end, SCHEMA)) return at(undefined, start, end);
    let one = known(bytes, start, end);
    if (one === undefined) {
      const found = findSchema(bytes.subarray(start, end));
      if (found === undefined) return undefined;
      if (found === "none") return at(undefined, start, end);
      seen.unshift(found);
      if (seen.length > KEPT) seen.pop();
      one = found;
    }
    const { length } = one.prefix;
    return bytes[end - 1] === CLOSE && end - 1 > start + length ? at(one.schema, start + length, end - 1) : undefined;
  };
}

/** @returns `none` for an object with a member `schema` that is not an envelope; undefined if it is unusual */
function findSchema(bytes: Uint8Array): SchemaKept | "none" | undefined {
  const start = 1 + SCHEMA.length;
  const end = endOfValue(bytes, start, bytes.length);
  if (end === UNUSUAL) return undefined;
  if (bytes[end] !== 0x2c || !beginsWith(bytes, end + 1, bytes.length, PAYLOAD)) return "none";
  const prefix = end + 1 + PAYLOAD.length;
  if (endOfValue(bytes, prefix, bytes.length) !== bytes.length - 1) return "none";
  const json = jsonIn(bytes.subarray(start, end));
  if (json === undefined) return undefined;
  if (json === null) return { prefix: bytes.slice(0, prefix), schema: undefined };
  return isObject(json) ? { prefix: bytes.slice(0, prefix), schema: schemaOf(json) } : "none";
}

function schemaOf(json: { readonly [name: string]: Json }): RecordSchema {
  const parameters = isObject(json["parameters"]) ? json["parameters"] : {};
  const scale = typeof parameters["scale"] === "string" ? /^-?\d{1,4}$/.exec(parameters["scale"]) : null;
  const fields = new Map<string, RecordSchema>();
  for (const field of Array.isArray(json["fields"]) ? json["fields"] : [])
    if (isObject(field) && typeof field["field"] === "string") fields.set(field["field"], schemaOf(field));
  return {
    type: typeof json["type"] === "string" ? json["type"] : "",
    name: typeof json["name"] === "string" ? json["name"] : undefined,
    scale: scale === null ? undefined : Number(scale[0]),
    fields,
  };
}
