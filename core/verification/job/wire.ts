import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { problemsOfJson, resolved, type Schema } from "../../document/schema.ts";
import { type Digest, digestOf } from "../../values/digest.ts";
import { canonicalJson, isObject, type Json, type JsonObject, parseJson, plainJson } from "../../values/json.ts";
import { presentName } from "../engine/unit-result.ts";

/**
 * Documents sent between processes: canonical JSON with a digest. SCNs and offsets are text, because not every program
 * reads integers beyond 2^53 exactly; bytes are hexadecimal text. The schema defines which text is which, so that one
 * definition serves writing, checking and reading.
 */

/** Prints a document with its digest on one line. */
export function printSealed(content: object): string {
  const json = plainJson(content, asText) as JsonObject;
  return canonicalJson({ ...json, digest: digestOf(json) });
}

/** Result of reading a document, or its problem. */
export type SealedRead<T> =
  | { readonly sound: true; readonly value: T; readonly digest: Digest }
  | { readonly sound: false; readonly problem: string };

/** Reads what `printSealed` wrote: its form by the schema, and its digest. */
export function readSealed<T>(text: string, schema: Schema): SealedRead<T> {
  let json: Json;
  try {
    json = parseJson(text);
  } catch (error) {
    return { sound: false, problem: `it is not JSON: ${(error as Error).message}` };
  }
  const [problem] = problemsOfJson(named(json), schema, "");
  if (problem !== undefined || !isObject(json)) return { sound: false, problem: problem?.message ?? "it is a list" };
  const { digest, ...content } = json;
  if (digestOf(content) !== digest)
    return { sound: false, problem: "its digest does not match: it was truncated or changed after it was written" };
  return { sound: true, value: decoded(named(content), schema, schema) as T, digest: digest as Digest };
}

function named(json: Json): Json {
  if (Array.isArray(json)) return json.map(named);
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([member, value]) => [presentName(member), named(value)]));
}

function asText(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? bytesToHex(value) : value;
}

/** Inverse of `plainJson` with `asText`, by the document's schema, which it matches. */
function decoded(json: Json, schema: Schema, root: Schema): unknown {
  if (schema.$ref === "#/$defs/integer") return BigInt(json as string);
  if (schema.$ref === "#/$defs/bytes") return hexToBytes(json as string);
  const { items, properties, additionalProperties } = resolved(schema, root);
  if (json === null) return undefined;
  if (typeof json === "bigint") return Number(json);
  if (Array.isArray(json)) return json.map((item: Json) => decoded(item, items ?? {}, root));
  if (!isObject(json)) return json;
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [name, decoded(member, properties?.[name] ?? others, root)]),
  );
}
