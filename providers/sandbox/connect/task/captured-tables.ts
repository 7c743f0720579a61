import type { OracleWorld, TableRow } from "../../oracle/world.ts";

/** A captured table, by its name in the connector's events and offsets. */
export interface CapturedTable {
  /** `PDB.OWNER.NAME`, without the PDB in a database that has none. */
  readonly name: string;
  readonly row: TableRow;
}

/** The captured tables that exist, by name. Patterns are matched as in JavaScript. */
export function capturedTables(
  config: Readonly<Record<string, string>>,
  { tables }: OracleWorld,
): readonly CapturedTable[] {
  return tables
    .map((row) => ({ name: nameOf(row), row }))
    .filter(({ name }) => matches(config["cdc.tables.include"], name) && !matches(config["cdc.tables.exclude"], name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const nameOf = ({ pdb, owner, name }: Pick<TableRow, "pdb" | "owner" | "name">): string =>
  [...(pdb === null ? [] : [pdb]), owner, name].join(".");

function matches(patterns: string | undefined, name: string): boolean {
  return (patterns ?? "")
    .split(",")
    .map((pattern) => pattern.trim())
    .some((pattern) => pattern !== "" && new RegExp(`^(?:${pattern})$`, "i").test(name));
}
