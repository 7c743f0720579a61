import { parseTableName } from "../values/table-name.ts";
import type { CapturedTable } from "./captured-tables.ts";

/** The tables that a written name fits. */
export type TableFinder = (written: string) => readonly CapturedTable[];

/**
 * Finds tables by names as a plan file or `--table` has them: `OWNER.TABLE`, which fits one in each container, or `PDB.OWNER.TABLE`. A part without
 * quotes also stands for its upper-case form. A name that fits several tables is for the caller to refuse.
 */
export function tableFinder(tables: readonly CapturedTable[]): TableFinder {
  const byName = new Map<string, CapturedTable[]>();
  const byFullName = new Map<string, CapturedTable[]>();
  for (const table of tables) {
    add(byName, table.name.toUpperCase(), table);
    add(byFullName, table.fullName, table);
  }
  return (written) => {
    // As the connector spells it, dots inside of names included.
    const spelled = byFullName.get(written) ?? [];
    const parts = parseTableName(written)?.parts ?? [];
    const last = parts.at(-1);
    if (last === undefined || parts.length > 3) return spelled;
    const named = (byName.get(last.name.toUpperCase()) ?? []).filter(({ container, owner, name }) => {
      const whole = [container, owner, name].slice(-parts.length);
      return parts.every(
        (part, at) => part.name === whole[at] || (!part.quoted && part.name.toUpperCase() === whole[at]),
      );
    });
    return [...new Set([...spelled, ...named])];
  };
}

function add(to: Map<string, CapturedTable[]>, key: string, table: CapturedTable): void {
  const same = to.get(key);
  if (same === undefined) to.set(key, [table]);
  else same.push(table);
}
