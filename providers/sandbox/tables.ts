import type { OracleWorld, TableRow } from "./oracle/world.ts";

/** A table of the schema that the connector captures, unchanged since its creation. */
export function captured({ scnTimes: { timeOf } }: OracleWorld, name: string): TableRow {
  return {
    owner: "SALES",
    name,
    pdb: "ORCLPDB1",
    columns: [{ name: "ID", dataType: "NUMBER", nullable: false }],
    lastDdl: timeOf(1_980_000n),
    rowScn: 1_980_040n,
  };
}

/** The same, changed up to an SCN. */
export function changed(world: OracleWorld, name: string, scn: bigint, inserts: bigint, deletes: bigint): TableRow {
  const at = world.scnTimes.timeOf(scn);
  return {
    ...captured(world, name),
    modifications: [{ partition: null, subpartition: null, inserts, updates: 40n, deletes, at, truncated: false }],
    rowScn: scn - 100n,
  };
}
