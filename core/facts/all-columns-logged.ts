import { quoted } from "../values/identifier.ts";

/** Logs all columns of a table, run in its own PDB. Names are to the letter: a table may be called ORDER. */
export function allColumnsLogged(owner: string, table: string): string {
  return `ALTER TABLE ${quoted(owner)}.${quoted(table)} ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;`;
}
