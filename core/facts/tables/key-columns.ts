import type { TableSeen } from "../../../schemas/generated/facts.ts";

/** The columns that `cdc.key.columns` names for a table, in upper case; undefined if it names none. */
type KeyColumnsOf = (table: TableSeen) => readonly string[] | undefined;

/** `SCHEMA.TABLE:COL1,COL2;PDB.SCHEMA.TABLE:COL`, matched upper-case; the name with the PDB takes precedence. */
export function keyColumnsIn(setting: string | undefined): KeyColumnsOf {
  const byName = new Map<string, readonly string[]>();
  for (const entry of (setting ?? "").split(";")) {
    const colon = entry.lastIndexOf(":");
    const name = entry.slice(0, Math.max(0, colon)).trim().toUpperCase();
    const names = entry
      .slice(colon + 1)
      .split(",")
      .map((one) => one.trim().toUpperCase())
      .filter((one) => one !== "");
    if (colon > 0 && names.length > 0 && !byName.has(name)) byName.set(name, names);
  }
  return ({ container, owner, name }) => {
    const short = `${owner}.${name}`.toUpperCase();
    return byName.get(`${container}.${short}`.toUpperCase()) ?? byName.get(short);
  };
}

/** Every column that it names, of whatever table, once. */
export function keyColumnNames(setting: string | undefined): readonly string[] {
  const names = (setting ?? "").split(";").flatMap((entry) => {
    const colon = entry.lastIndexOf(":");
    return colon > 0 ? entry.slice(colon + 1).split(",") : [];
  });
  return [...new Set(names.map((one) => one.trim().toUpperCase()).filter((one) => one !== ""))];
}
