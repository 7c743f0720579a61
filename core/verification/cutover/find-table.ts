import { Refusal, UsageError } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database.ts";
import type { TableLayout } from "../../facts/table-layout.ts";
import type { OraclePort } from "../../ports.ts";
import { parseTableName } from "../../values/table-name.ts";

/** A table that was found by the name an operator wrote. */
export interface FoundTable {
  readonly layout: TableLayout;
  /** As the connector names it: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. */
  readonly fullName: string;
  /** Whether it is in a PDB that the connector names. */
  readonly inPdb: boolean;
}

/**
 * Finds a table by its name: as it is written, else, where it is not quoted, in capitals.
 *
 * @param pdbs `cdc.database.pdbs`; none: the database without containers
 * @throws UsageError for what is no name, or is one in several PDBs; Refusal VER104 where there is none
 */
export async function findTable(
  oracle: OraclePort,
  text: string,
  pdbs: readonly string[],
  database: DatabaseSeen,
): Promise<FoundTable> {
  const parsed = parseTableName(text);
  const parts = parsed?.parts ?? [];
  const [owner, name] = parts.slice(-2);
  if (parsed === undefined || owner === undefined || name === undefined || parts.length > 3)
    throw new UsageError(`--table ${text} is no name of a table`, "Write OWNER.TABLE, or PDB.OWNER.TABLE.");
  const pdb = parts.length === 3 ? parts[0] : undefined;
  const containers =
    pdb !== undefined
      ? [pdb.name.toUpperCase()]
      : pdbs.length > 0
        ? pdbs.map((one) => one.toUpperCase())
        : [database.connectedTo];
  const found: TableLayout[] = [];
  for (const container of new Set(containers)) {
    const exact = await oracle.layout({ container, owner: owner.name, name: name.name });
    const layout =
      exact ??
      (owner.quoted && name.quoted
        ? undefined
        : await oracle.layout({
            container,
            owner: owner.quoted ? owner.name : owner.name.toUpperCase(),
            name: name.quoted ? name.name : name.name.toUpperCase(),
          }));
    if (layout !== undefined) found.push(layout);
  }
  const [layout] = found;
  if (layout === undefined)
    throw new Refusal("VER104", `${text} is no table that this login sees in ${containers.join(", ")}`, [
      "Check the name; a name in lower case is written in double quotes.",
      "GRANT SELECT ANY TABLE, SELECT ANY DICTIONARY to the login.",
    ]);
  if (found.length > 1)
    throw new UsageError(
      `${text} is a table of ${found.map(({ container }) => container).join(" and of ")}`,
      "Write PDB.OWNER.TABLE.",
    );
  const inPdb = pdbs.length > 0;
  return { layout, inPdb, fullName: `${inPdb ? `${layout.container}.` : ""}${layout.owner}.${layout.name}` };
}
