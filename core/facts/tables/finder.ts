import { grouped } from "../../values/lists.ts";
import { parseTableName } from "../../values/table-name.ts";
import type { CapturedTable } from "./tables.ts";

type TableFinder = (written: string) => readonly CapturedTable[];

/**
 * Finds tables by the names in a plan file or `--table`: `OWNER.TABLE`, which matches one in each container, or
 * `PDB.OWNER.TABLE`. An unquoted part also matches its upper-case form. The caller has to refuse a name that matches
 * several tables.
 */
export function tableFinder(tables: readonly CapturedTable[]): TableFinder {
  const byName = grouped(tables, ({ name }) => name.toUpperCase());
  const byFullName = grouped(tables, ({ fullName }) => fullName);
  return (written) => {
    // Names are spelled as by the connector, with the dots inside of them.
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
