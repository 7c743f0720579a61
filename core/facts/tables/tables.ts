import type { TableActivity, TableSeen } from "../../../schemas/generated/facts.ts";
import { grouped } from "../../values/lists.ts";
import type { Advice } from "../../values/remedy.ts";

/** When a table was last defined. */
export interface TableDdl extends Pick<TableActivity, keyof TableSeen | "lastDdl"> {}

/** A table that the connector captures. */
export interface CapturedTable extends TableSeen {
  /**
   * As the connector names it, in signals and progress: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. Not
   * quoted.
   */
  readonly fullName: string;
}

/**
 * Unknown if cdcctl can't evaluate a pattern exactly, or a container does not show its tables: nothing is guessed then.
 */
export type CapturedSet =
  | { readonly known: true; readonly tables: readonly CapturedTable[] }
  | { readonly known: false; readonly why: string; readonly remedies: readonly Advice[] };

/** A table's rows in a list of the dictionary, by its container, owner and name. */
export function byTable<T extends TableSeen>(rows: readonly T[]): (table: TableSeen) => readonly T[] {
  const found = grouped(rows, idOf);
  return (table) => found.get(idOf(table)) ?? [];
}

/** Oracle names never contain a NUL. */
function idOf({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}
