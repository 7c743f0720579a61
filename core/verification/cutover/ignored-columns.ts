import { tableFinder } from "../../facts/tables/tables.ts";
import type { FoundTable, IgnoredColumn } from "./request.ts";

/** Reads `COLUMN`, `OWNER.TABLE.COLUMN` or `PDB.OWNER.TABLE.COLUMN`, each part in double quotes or not. */
export function parseIgnoredColumn(text: string): IgnoredColumn {
  const [, table, column] = /^\s*(.*[^.\s])\s*\.\s*("[^"]+"|[^".]+?)\s*$/.exec(text) ?? [];
  return table === undefined || column === undefined ? { table: undefined, column: text.trim() } : { table, column };
}

export function printIgnoredColumn({ table, column }: IgnoredColumn): string {
  return table === undefined ? column : `${table}.${column}`;
}

/** The columns that the given names refer to. */
export interface IgnoredColumns {
  of(table: FoundTable): readonly string[];
  /** Names that match no column of any table. */
  readonly unknownColumns: readonly IgnoredColumn[];
}

/** Finds the named columns among those of the tables, by the same rule as for table names. */
export function ignoredColumns(named: readonly IgnoredColumn[], tables: readonly FoundTable[]): IgnoredColumns {
  const find = tableFinder(tables.map(({ layout, fullName }) => ({ ...layout, fullName })));
  const every = tables.map(({ fullName }) => fullName);
  const columnsOf = new Map(tables.map((table) => [table.fullName, table.layout.columns.map(({ name }) => name)]));
  const ignored = new Map<string, Set<string>>(every.map((fullName) => [fullName, new Set()]));
  const unknownColumns = named.filter(({ table, column }) => {
    const among = table === undefined ? every : find(table).map(({ fullName }) => fullName);
    const hits = among.flatMap((fullName) =>
      (columnsOf.get(fullName) ?? []).flatMap((name) => (isNamed(name, column) ? [[fullName, name] as const] : [])),
    );
    for (const [fullName, name] of hits) ignored.get(fullName)?.add(name);
    return hits.length === 0;
  });
  return { of: ({ fullName }) => [...(ignored.get(fullName) ?? [])], unknownColumns };
}

function isNamed(name: string, written: string): boolean {
  const quoted = /^"([^"]+)"$/.exec(written)?.[1];
  return quoted === undefined ? name === written || name === written.toUpperCase() : name === quoted;
}
