import { bytesToHex } from "@noble/hashes/utils.js";
import { type FieldSeen, fieldsOf } from "../canonical-row.ts";
import type { Column, ValueKind } from "../table-shape.ts";

const BYTES: readonly ValueKind[] = ["raw", "blob"];
const decoder = new TextDecoder();

/**
 * The values of a canonical row (or key) for people, by column: `null` is NULL. Bytes in hexadecimal; of a large value
 * its length and SHA-256.
 */
export function textsOf(row: Uint8Array, columns: readonly Column[]): Record<string, string | null> {
  const fields = fieldsOf(row);
  return Object.fromEntries(columns.map((column, at) => [column.name, textOf(fields[at], column.kind)]));
}

function textOf(field: FieldSeen | undefined, kind: ValueKind): string | null {
  switch (field?.is) {
    case "value":
      return BYTES.includes(kind) ? bytesToHex(field.bytes) : decoder.decode(field.bytes);
    case "large":
      return `${field.length} bytes, sha256:${bytesToHex(field.sha256)}`;
    case "unavailable":
    case "absent":
      return "(not in the record)";
    default:
      return null;
  }
}
