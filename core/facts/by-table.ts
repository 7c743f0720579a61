import { grouped } from "../values/grouped.ts";
import type { TableSeen } from "./tables.ts";

/** A table's rows in a list of the dictionary, by its container, owner and name. */
export function byTable<T extends TableSeen>(rows: readonly T[]): (table: TableSeen) => readonly T[] {
  const found = grouped(rows, idOf);
  return (table) => found.get(idOf(table)) ?? [];
}

/** No name of Oracle's holds a NUL. */
function idOf({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}
