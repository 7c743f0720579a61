import type { ColumnOfNote, KeyedTable } from "../facts/preflight.ts";
import type { PreflightReading } from "../facts/preflight-reading.ts";
import type { CapturedTable } from "../facts/tables/captured-tables.ts";
import { keyColumnsIn } from "../facts/tables/key-columns.ts";
import { byTable } from "../facts/tables/tables.ts";

/** What it takes to tell. */
export function keyFacts({ facts: { keys, columns } }: PreflightReading) {
  return { keys, columns };
}

/** A table without a usable key, and the columns that `cdc.key.columns` names and the table does not have. */
export interface Keyless {
  readonly table: CapturedTable;
  readonly notThere: readonly string[];
}

/**
 * The captured tables without a usable key: `cdc.key.columns` names columns that the table does not have, or names
 * none, and the table has neither a primary key nor a unique index on NOT NULL columns. The setting takes precedence
 * over the table's own key.
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
    const wanted = named(table);
    if (wanted === undefined) return keysOf(table).length > 0 ? [] : [{ table, notThere: [] }];
    const there = new Set(columnsOf(table).map(({ column }) => column.toUpperCase()));
    const notThere = wanted.filter((name) => !there.has(name));
    return notThere.length === 0 ? [] : [{ table, notThere }];
  });
}
