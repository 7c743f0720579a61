import { Refusal, UsageError } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { fullNameOf } from "../../facts/tables/captured-tables.ts";
import { tableFinder } from "../../facts/tables/finder.ts";
import type { TableLayout } from "../../facts/tables/layout.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { parseTableName } from "../../values/table-name.ts";
import type { TableWanted } from "./request.ts";

/** A table that was found by the name an operator wrote. */
export interface FoundTable {
  readonly layout: TableLayout;
  /** As the connector names it: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. */
  readonly fullName: string;
  /** Whether it is in a PDB that the connector names. */
  readonly inPdb: boolean;
}

/**
 * Finds tables by their names, in the same way as a plan does, so that both mean the same table; one that a plan
 * decided on by its own spelling alone.
 *
 * @param pdbs `cdc.database.pdbs`; none: the database without containers
 * @returns in the order of the names
 * @throws UsageError for what is no name, fits several tables, or is one that is named already; Refusal VER104 where
 * there is none
 */
export async function findTables(
  oracle: OraclePort,
  wanted: readonly Pick<TableWanted, "name" | "decided">[],
  pdbs: readonly string[],
  database: DatabaseSeen,
): Promise<readonly FoundTable[]> {
  for (const { name, decided } of wanted)
    if (!decided && parseTableName(name) === undefined)
      throw new UsageError(`--table ${name} is not a valid table name`, "Write OWNER.TABLE, or PDB.OWNER.TABLE.");
  const { tables } = await oracle.dictionary(pdbs);
  const named = tables.map((table) => ({ ...table, fullName: fullNameOf(table, pdbs) }));
  const find = tableFinder(named);
  const found = new Map<string, FoundTable>();
  for (const { name, decided } of wanted) {
    const fits = decided ? named.filter(({ fullName }) => fullName === name) : find(name);
    const [table, ...others] = fits;
    if (others.length > 0)
      throw new UsageError(
        `${name} is the name of several tables: ${fits.map(({ fullName }) => fullName).join(" and ")}`,
        'Write PDB.OWNER.TABLE; a name in lower case in double quotes: SALES."orders".',
      );
    const layout = table && (await oracle.layout(table));
    if (table === undefined || layout === undefined)
      throw new Refusal(
        "VER104",
        `${name} is no table that this login sees in ${(pdbs.length > 0 ? pdbs : [database.connectedTo]).join(", ")}`,
        [
          "Check the name; a name in lower case is written in double quotes.",
          "GRANT SELECT ANY TABLE, SELECT ANY DICTIONARY to the login.",
        ],
      );
    if (found.has(table.fullName))
      throw new UsageError(`${name} is ${table.fullName}, which is named already`, "Name each table once.");
    found.set(table.fullName, { layout, fullName: table.fullName, inPdb: pdbs.length > 0 });
  }
  return [...found.values()];
}
