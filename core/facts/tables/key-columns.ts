import type { TableSeen } from "../../../schemas/generated/shared.ts";

/** The columns that `cdc.key.columns` names for a table, in upper case; undefined if it names none. */
type KeyColumnsOf = (table: TableSeen) => readonly string[] | undefined;

/** `SCHEMA.TABLE:COL1,COL2;PDB.SCHEMA.TABLE:COL`, matched upper-case; the name with the PDB takes precedence. */
export function keyColumnsIn(setting: string | undefined): KeyColumnsOf {
  const byName = new Map<string, readonly string[]>();
  for (const [name, names] of entriesOf(setting)) if (names.length > 0 && !byName.has(name)) byName.set(name, names);
  return ({ container, owner, name }) => {
    const short = `${owner}.${name}`.toUpperCase();
    return byName.get(`${container}.${short}`.toUpperCase()) ?? byName.get(short);
  };
}

/** Every column that it names, of whatever table, once. */
export function keyColumnNames(setting: string | undefined): readonly string[] {
  return [...new Set(entriesOf(setting).flatMap(([, names]) => names))];
}

function entriesOf(setting = ""): readonly (readonly [table: string, columns: readonly string[]])[] {
  return setting.split(";").flatMap((entry) => {
    const colon = entry.lastIndexOf(":");
    if (colon <= 0) return [];
    const columns = entry
      .slice(colon + 1)
      .toUpperCase()
      .split(",");
    const names = columns.map((one) => one.trim()).filter((one) => one !== "");
    return [[entry.slice(0, colon).trim().toUpperCase(), names]];
  });
}
