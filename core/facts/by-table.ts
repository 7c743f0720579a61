import type { TableSeen } from "./tables.ts";

/** A table's rows in a list of the dictionary, by its container, owner and name. */
export function byTable<T extends TableSeen>(rows: readonly T[]): (table: TableSeen) => readonly T[] {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const id = idOf(row);
    const same = found.get(id);
    if (same === undefined) found.set(id, [row]);
    else same.push(row);
  }
  return (table) => found.get(idOf(table)) ?? [];
}

/** No name of Oracle's holds a NUL. */
function idOf({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}
