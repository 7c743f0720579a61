import type { TableSelection } from "./connector-facts.ts";
import type { Dictionary, TableSeen } from "./tables.ts";

/** A table that the connector captures. */
export interface CapturedTable extends TableSeen {
  /** As the connector names it, in signals and progress: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. Not quoted. */
  readonly fullName: string;
}

/** Unknown where a pattern has no exact meaning here, or a container does not show its tables: nobody guesses then. */
export type CapturedSet =
  | { readonly known: true; readonly tables: readonly CapturedTable[] }
  | { readonly known: false; readonly why: string; readonly remedies: readonly string[] };

/**
 * The tables that a connector captures, in order of their names: those of the dictionary whose whole name matches a pattern of
 * `cdc.tables.include` and none of `cdc.tables.exclude`.
 *
 * Rule: reference: connector settings.
 */
export function capturedTables(selection: TableSelection, dictionary: Dictionary): CapturedSet {
  const { include, exclude, pdbs } = selection;
  if (include === undefined) {
    return {
      known: false,
      why: "cdc.tables.include is not set",
      remedies: ["Give the whole configuration by --config."],
    };
  }
  const flags = selection.caseSensitive ? "" : "i";
  const any = (list: string | undefined) =>
    (list ?? "")
      .split(",")
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== "")
      .map((pattern) => new RegExp(`^(?:${pattern})$`, flags));
  const included = any(include);
  const excluded = any(exclude);
  const tables = dictionary.tables
    .map((table) => ({
      ...table,
      fullName: [...(pdbs.length === 0 ? [] : [table.container]), table.owner, table.name].join("."),
    }))
    .filter(({ fullName }) => included.some((p) => p.test(fullName)) && !excluded.some((p) => p.test(fullName)))
    .sort((a, b) => (a.fullName < b.fullName ? -1 : a.fullName > b.fullName ? 1 : 0));
  return { known: true, tables };
}
