import { Refusal, UsageError } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { fullNameOf } from "../../facts/tables/captured-tables.ts";
import { tableFinder } from "../../facts/tables/finder.ts";
import type { TableLayout } from "../../facts/tables/layout.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { parseTableName } from "../../values/table-name.ts";
import type { TableWanted } from "./request.ts";

/** A table found by the name that an operator gave. */
export interface FoundTable {
  readonly layout: TableLayout;
  /** As the connector names it: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. */
  readonly fullName: string;
  /** Whether the table is in a PDB that the connector names. */
  readonly inPdb: boolean;
}

/**
 * Finds tables by name, by the same rule as a plan. A table that a plan decided on is found by its exact spelling only.
 *
 * @param pdbs `cdc.database.pdbs`; empty for a database without containers
 * @returns in the order of the names
 * @throws UsageError for an invalid name, a name that matches several tables, or a table listed twice; Refusal VER104
 * if not found
 */
export async function findTables(
  oracle: OraclePort,
  wanted: readonly Pick<TableWanted, "name" | "decided">[],
  pdbs: readonly string[],
  database: DatabaseSeen,
): Promise<readonly FoundTable[]> {
  for (const { name, decided } of wanted)
    if (!decided && parseTableName(name) === undefined)
      throw new UsageError(`--table ${name} is not a valid table name`, "Write OWNER.TABLE or PDB.OWNER.TABLE.");
  const { tables } = await oracle.dictionary(pdbs);
  const named = tables.map((table) => ({ ...table, fullName: fullNameOf(table, pdbs) }));
  const find = tableFinder(named);
  const found = new Map<string, FoundTable>();
  for (const { name, decided } of wanted) {
    const fits = decided ? named.filter(({ fullName }) => fullName === name) : find(name);
    const [table, ...others] = fits;
    if (others.length > 0)
      throw new UsageError(
        `${name} matches several tables: ${fits.map(({ fullName }) => fullName).join(" and ")}`,
        'Write PDB.OWNER.TABLE. Put lower-case names in double quotes: SALES."orders".',
      );
    const layout = table && (await oracle.layout(table));
    if (table === undefined || layout === undefined)
      throw new Refusal(
        "VER104",
        `table ${name} not found in ${(pdbs.length > 0 ? pdbs : [database.connectedTo]).join(", ")}, ` +
          "or not visible to this login",
        [
          "Check the name. Put lower-case names in double quotes.",
          "GRANT SELECT ANY TABLE, SELECT ANY DICTIONARY to the login.",
        ],
      );
    if (found.has(table.fullName))
      throw new UsageError(`${name} is ${table.fullName}, which is already listed`, "List each table once.");
    found.set(table.fullName, { layout, fullName: table.fullName, inPdb: pdbs.length > 0 });
  }
  return [...found.values()];
}
