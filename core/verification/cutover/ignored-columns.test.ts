import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ignoredColumns, parseIgnoredColumn, printIgnoredColumn } from "./ignored-columns.ts";
import type { FoundTable } from "./request.ts";

const leaving = suite("columns that are not compared");

const table = (name: string, ...columns: readonly string[]): FoundTable =>
  ({
    fullName: `PDB1.SALES.${name}`,
    inPdb: true,
    layout: { container: "PDB1", owner: "SALES", name, columns: columns.map((column) => ({ name: column })) },
  }) as unknown as FoundTable;

const UPPER = table("ORDERS", "ID", "STATUS", "note");
const LOWER = table("orders", "ID", "STATUS");
const ODD = table("A.B", "ID", "C.D");
const TABLES = [UPPER, LOWER, ODD];

const leftOut = (...texts: readonly string[]) => {
  const ignored = ignoredColumns(texts.map(parseIgnoredColumn), TABLES);
  return TABLES.flatMap((one) => ignored.of(one).map((column) => `${one.layout.name}:${column}`));
};

leaving("a column without a table applies to every table that has it", () => {
  assert.equal(leftOut("status"), ["ORDERS:STATUS", "orders:STATUS"]);
  assert.equal(leftOut("NOTE"), []);
  assert.equal(leftOut('"note"'), ["ORDERS:note"]);
  assert.equal(leftOut('"status"'), []);
});

leaving("a table is read as --table and the plan file read it, in quotes exactly", () => {
  assert.equal(leftOut('SALES."orders".STATUS'), ["orders:STATUS"]);
  assert.equal(leftOut("sales.ORDERS.status"), ["ORDERS:STATUS"]);
  assert.equal(leftOut('PDB1."SALES"."ORDERS"."STATUS"'), ["ORDERS:STATUS"]);
  assert.equal(leftOut("PDB2.SALES.ORDERS.STATUS"), []);
});

leaving("dots inside quotes are part of a name", () => {
  assert.equal(leftOut('SALES."A.B"."C.D"'), ["A.B:C.D"]);
  assert.equal(leftOut("PDB1.SALES.A.B.ID"), ["A.B:ID"]);
});

leaving("a name that is not a column of any table is reported", () => {
  const { unknownColumns } = ignoredColumns(["STATUS", "SALES.ORDERS.STATE", "X.Y.ID"].map(parseIgnoredColumn), TABLES);
  assert.equal(unknownColumns.map(printIgnoredColumn), ["SALES.ORDERS.STATE", "X.Y.ID"]);
});

leaving("is printed as it was written", () => {
  for (const text of ["STATUS", 'SALES."orders".STATUS', '"C.D"', 'SALES."A.B"."C.D"'])
    assert.is(printIgnoredColumn(parseIgnoredColumn(text)), text);
});

leaving.run();
