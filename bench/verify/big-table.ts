import type { OracleWorld, TableRow } from "../../providers/sandbox/oracle/world.ts";
import { rowOf } from "./data.ts";

export const NEW_TOPIC = "orders.ORCLPDB1.SALES.ORDERS";
export const LEGACY_TOPIC = "ORCLCDB.ORCLPDB1.SALES.ORDERS";
/** An SCN above everything in the generated topics. */
export const CHECK_SCN = 2_900_000n;
/** The new connector's start: between the legacy connector's records and its own. */
export const START_SCN = 2_200_000n;

/** The database with the generated table, at a moment after both connectors' records. */
export function withBigTable(world: OracleWorld, template: number, passes: number): void {
  world.currentScn = () => CHECK_SCN + 100_000n;
  world.tables = [ordersTable(template, passes)];
}

/** Its rows are in the order of their keys, since the pass is in the first digits. */
function ordersTable(template: number, passes: number): TableRow {
  const count = template * passes;
  return {
    owner: "SALES",
    name: "ORDERS",
    pdb: "ORCLPDB1",
    columns: [
      { name: "ID", dataType: "NUMBER", precision: 9n, scale: 0n, nullable: false },
      { name: "CUSTOMER_ID", dataType: "NUMBER", precision: 9n, scale: 0n, nullable: false },
      { name: "STATUS", dataType: "VARCHAR2", nullable: false },
      { name: "AMOUNT", dataType: "NUMBER", precision: 12n, scale: 2n, nullable: false },
      { name: "NAME", dataType: "VARCHAR2", nullable: false },
      { name: "NOTE", dataType: "VARCHAR2", nullable: true },
      { name: "CREATED", dataType: "DATE", nullable: false },
      { name: "UPDATED", dataType: "TIMESTAMP(6)", scale: 6n, nullable: false },
    ],
    primaryKey: { name: "ORDERS_PK", columns: ["ID"] },
    statistics: { rows: BigInt(count), rowBytes: 120n },
    generated: { key: [0], count, valuesAt: (at) => rowOf(Math.floor(at / template), at % template) },
  };
}
