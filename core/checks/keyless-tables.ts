import { byTable } from "../facts/by-table.ts";
import type { CapturedTable } from "../facts/captured-tables.ts";
import { keyColumnsIn } from "../facts/key-columns.ts";
import type { ColumnOfNote, KeyedTable } from "../facts/preflight.ts";
import type { PreflightReading } from "../facts/preflight-reading.ts";

/** What it takes to tell. */
export function keyFacts({ facts: { keys, columns } }: PreflightReading) {
  return { keys, columns };
}

/** A table that has no key, and what `cdc.key.columns` names in vain for it. */
export interface Keyless {
  readonly table: CapturedTable;
  readonly notThere: readonly string[];
}

/**
 * The captured tables without a key: no primary key, no unique index on NOT NULL columns, and no columns that `cdc.key.columns` names and that there
 * are.
 *
 * Rule: reference: Oracle, "Preflight rules".
 */
export function keylessTables(
  tables: readonly CapturedTable[],
  known: { readonly keys: readonly KeyedTable[]; readonly columns: readonly ColumnOfNote[] },
  setting: string | undefined,
): readonly Keyless[] {
  const keysOf = byTable(known.keys);
  const columnsOf = byTable(known.columns);
  const named = keyColumnsIn(setting);
  return tables.flatMap((table) => {
    if (keysOf(table).length > 0) return [];
    const wanted = named(table);
    const there = new Set(columnsOf(table).map(({ column }) => column.toUpperCase()));
    const notThere = (wanted ?? []).filter((name) => !there.has(name));
    return wanted !== undefined && notThere.length === 0 ? [] : [{ table, notThere }];
  });
}
