import { nearest } from "../../document/nearest.ts";
import { parseTableName } from "../../values/table-name.ts";

/** More than that help nobody to choose. */
const MOST = 3;

/**
 * Captured tables that a name was probably meant to be: the same name with its container or owner left out or mistaken,
 * otherwise the one that is nearest in its letters. At most three.
 */
export function nearTables(written: string, names: readonly string[]): readonly string[] {
  const parts = (parseTableName(written)?.parts ?? []).map(({ name }) => name.toUpperCase());
  const table = parts.at(-1);
  if (table === undefined) return [];
  const byEnd = (end: string) => names.filter((name) => name.toUpperCase().endsWith(`.${end}`)).slice(0, MOST);
  const without = byEnd(parts.join("."));
  if (without.length > 0) return without;
  const elsewhere = byEnd(table);
  if (elsewhere.length > 0) return elsewhere;
  const meant = nearest(written, names);
  return meant === undefined ? [] : [meant];
}
