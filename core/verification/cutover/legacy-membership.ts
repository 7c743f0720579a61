import type { TableSeen } from "../../../schemas/generated/facts.ts";
import { indexOfBytes, type Wanted, wantedBytes } from "../byte-work.ts";
import type { IsOfTable } from "../engine/inputs.ts";
import { beginsWith } from "../json-walk.ts";
import { legacyOfTable } from "../settings/shared-topic.ts";

/** Longest member with a table's name, in bytes, that is kept. */
const LONGEST = 600;

/**
 * Tests whether the records of a legacy topic name the expected table, for when the legacy connector's configuration is
 * unknown. A tombstone names no table: it belongs to the table of the delete that it follows. Where compaction may have
 * removed that one, it counts as the table's as long as all other records do (`attributed`).
 *
 * Parsing a whole record for one member is slow. Once parsed, the bytes of that member are searched in later records.
 * They cannot match inside a string, where a quotation mark has a backslash before it.
 *
 * @param field `output.table.name.field` of the legacy connector
 */
export function isOfLegacyTable(table: TableSeen, inPdb: boolean, field = "table"): IsOfTable {
  const read = legacyOfTable(table, inPdb, false, field);
  let known: Wanted | undefined;
  // The rest of the record after the member usually has the same length as in the record before.
  let fromEnd = 0;
  return (bytes, start, end) => {
    if (start < 0) return true;
    if (known !== undefined) {
      const likely = end - fromEnd;
      if (likely >= start && beginsWith(bytes, likely, end, known.bytes)) return true;
      const at = indexOfBytes(bytes, known, start, end);
      if (at >= 0) {
        fromEnd = end - at;
        return true;
      }
    }
    const isOwn = read(bytes, start, end);
    if (isOwn !== true) return isOwn;
    const member = memberBytes(bytes.subarray(start, end), field);
    if (member !== undefined) known = wantedBytes(member);
    return true;
  };
}

const encoder = new TextEncoder();
const QUOTE = 0x22;

/** `"table":"ORCLCDB.ORCLPDB1.SALES.ORDERS"` as a record contains it; undefined if it is written in an unusual way. */
function memberBytes(value: Uint8Array, field: string): Uint8Array | undefined {
  const name = encoder.encode(`"${field}":"`);
  const start = indexOfBytes(value, wantedBytes(name), 0, value.length);
  if (start < 0) return undefined;
  const end = value.indexOf(QUOTE, start + name.length);
  if (end < 0 || end - start > LONGEST) return undefined;
  return value.slice(start, end + 1);
}
