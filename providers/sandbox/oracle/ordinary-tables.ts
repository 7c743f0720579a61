import type { TableRow } from "./world.ts";

/**
 * Two tables that are changed all the time, one that is changed now and then, and two at rest, without modifications in
 * the last day.
 */
export function ordinaryTables(timeOf: (scn: bigint) => number): TableRow[] {
  const columns = [
    { name: "ID", dataType: "NUMBER", nullable: false },
    { name: "NOTE", dataType: "VARCHAR2", nullable: true },
  ];
  const table = (owner: string, name: string, rowScn: bigint): TableRow => ({
    owner,
    name,
    pdb: "ORCLPDB1",
    columns,
    lastDdl: Date.UTC(2026, 0, 15, 9, 30),
    rowScn,
  });
  const busy = (row: TableRow, inserts: bigint, at: bigint): TableRow => ({
    ...row,
    modifications: [
      { partition: null, subpartition: null, inserts, updates: 40n, deletes: 3n, at: timeOf(at), truncated: false },
    ],
  });
  return [
    busy(table("SALES", "ORDERS", 2_044_990n), 1204n, 2_044_000n),
    busy(table("SALES", "LINES", 2_044_992n), 5310n, 2_044_000n),
    busy(table("SALES", "CUSTOMERS", 2_012_345n), 7n, 2_013_000n),
    table("SALES", "Price List", 1_400_211n),
    table("HR", "EMPLOYEES", 1_400_350n),
  ];
}
