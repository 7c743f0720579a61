import type { ResnapshotIntent } from "../../../schemas/generated/plan.ts";
import { grouped } from "../../values/lists.ts";
import { nearest } from "../../values/nearest.ts";
import { parseTableName, type TableName } from "../../values/table-name.ts";
import type { CapturedTable } from "./tables.ts";

/** The captured table that a name written by the operator refers to. */
export type NamedTable =
  | { readonly written: string; readonly found: true; readonly table: CapturedTable }
  | { readonly written: string; readonly found: false; readonly why: "no name" | "not captured" | "ambiguous" };

/**
 * Finds each name among the captured tables: by the connector's own spelling first, then part by part, where an
 * unquoted part also matches its upper-case form. A name that matches several is ambiguous.
 *
 * Stricter than `core/facts/tables/finder.ts`: a signal names a table by its whole name, without quotes, and the
 * connector reads that.
 */
export function namedTables(names: readonly string[], captured: readonly CapturedTable[]): readonly NamedTable[] {
  const byName = grouped(captured, ({ fullName }) => fullName);
  return names.map((written): NamedTable => {
    const name = parseTableName(written);
    if (name === undefined) return { written, found: false, why: "no name" };
    const spellings = new Set([
      written,
      name.parts.map((part) => part.name).join("."),
      name.parts.map((part) => (part.quoted ? part.name : part.name.toUpperCase())).join("."),
    ]);
    const fitting = new Set([...spellings].flatMap((spelling) => byName.get(spelling) ?? []));
    const [table] = fitting;
    if (table === undefined) return { written, found: false, why: "not captured" };
    // The connector could not distinguish them in a signal, whatever the quotes here.
    if (fitting.size > 1) return { written, found: false, why: "ambiguous" };
    return partsAgree(name, table) ? { written, found: true, table } : { written, found: false, why: "not captured" };
  });
}

/** Quotes decide where a name with dots is split: `A."B.C"` is not the table C of `A.B`. */
function partsAgree({ parts }: TableName, { container, owner, name }: CapturedTable): boolean {
  const whole = [container, owner, name].slice(-parts.length);
  return parts.length > 3 || parts.every((part, i) => !part.quoted || part.name === whole[i]);
}

/** The captured tables that an intent does not name. */
export function unlistedTables(
  { tables }: Pick<ResnapshotIntent, "tables">,
  captured: readonly CapturedTable[],
): readonly CapturedTable[] {
  const named = new Set(namedTables(tables, captured).flatMap((one) => (one.found ? [one.table] : [])));
  return captured.filter((table) => !named.has(table));
}

/** The most suggestions; more do not help. */
const MOST_NEAR = 3;

/**
 * The captured tables that a name probably refers to: the same name with a missing or wrong container or owner,
 * otherwise the most similar one. At most three.
 */
export function nearTables(written: string, names: readonly string[]): readonly string[] {
  const parts = (parseTableName(written)?.parts ?? []).map(({ name }) => name.toUpperCase());
  const table = parts.at(-1);
  if (table === undefined) return [];
  const byEnd = (end: string) => names.filter((name) => name.toUpperCase().endsWith(`.${end}`)).slice(0, MOST_NEAR);
  const without = byEnd(parts.join("."));
  if (without.length > 0) return without;
  const elsewhere = byEnd(table);
  if (elsewhere.length > 0) return elsewhere;
  const meant = nearest(written, names);
  return meant === undefined ? [] : [meant];
}
