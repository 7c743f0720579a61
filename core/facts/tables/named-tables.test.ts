import { suite } from "uvu";
import * as assert from "uvu/assert";
import { namedTables, nearTables, unlistedTables } from "./named-tables.ts";
import type { CapturedTable } from "./tables.ts";

const tables = suite("the tables that an operator lists");

const inPdb = (container: string, owner: string, name: string): CapturedTable => ({
  container,
  owner,
  name,
  fullName: `${container}.${owner}.${name}`,
});

const ORDERS = inPdb("PDB1", "SALES", "ORDERS");
const MIXED = inPdb("PDB1", "SALES", "Orders");
const LINES = inPdb("PDB1", "SALES", "LINES");
const DOTS = inPdb("PDB1", "SALES", "v1.2 $#,x");

/** The whole name of what was found, or why nothing was. */
const meant = (written: string, captured: readonly CapturedTable[]) => {
  const [one] = namedTables([written], captured);
  return one?.found ? one.table.fullName : one?.why;
};

tables("are found in the connector's own spelling, in lower case, and part by part in quotes", () => {
  for (const written of [
    "PDB1.SALES.LINES",
    "pdb1.sales.lines",
    "Pdb1.Sales.Lines",
    'pdb1."SALES".lines',
    " PDB1 . SALES.LINES ",
  ])
    assert.is(meant(written, [ORDERS, LINES]), "PDB1.SALES.LINES", written);
});

tables("with dots, spaces, commas, $ and # are found in the connector's spelling, and in quotes", () => {
  for (const written of ["PDB1.SALES.v1.2 $#,x", 'pdb1.sales."v1.2 $#,x"'])
    assert.is(meant(written, [ORDERS, DOTS]), DOTS.fullName, written);
  assert.is(meant("pdb1.SALES.v1.2 $#,x", [DOTS]), "not captured");
  assert.is(meant('pdb1.sales."V1.2 $#,X"', [DOTS]), "not captured");
});

tables("whose names differ only in case are distinguished by quotes", () => {
  const both = [ORDERS, MIXED];
  assert.is(meant('PDB1.SALES."Orders"', both), MIXED.fullName);
  assert.is(meant("PDB1.SALES.ORDERS", both), ORDERS.fullName);
  assert.is(meant("pdb1.sales.orders", both), ORDERS.fullName);
  assert.is(meant("PDB1.SALES.Orders", both), "ambiguous");
  for (const written of ["PDB1.SALES.Orders", 'PDB1."SALES".Orders', "PDB1 . SALES . Orders"])
    assert.is(meant(written, [MIXED]), MIXED.fullName, written);
  assert.is(meant('PDB1.SALES."orders"', both), "not captured");
});

tables("that share one full name are ambiguous, also in quotes, since a signal could not distinguish them", () => {
  const twins = [inPdb("PDB1", "A", "B.C"), inPdb("PDB1", "A.B", "C")];
  for (const written of ["PDB1.A.B.C", 'PDB1.A."B.C"', 'PDB1."A.B".C']) assert.is(meant(written, twins), "ambiguous");
});

tables("are divided as the quotes say", () => {
  const [dotted] = [inPdb("PDB1", "A.B", "C")];
  assert.is(meant("PDB1.A.B.C", [dotted]), "PDB1.A.B.C");
  assert.is(meant('PDB1."A.B".C', [dotted]), "PDB1.A.B.C");
  assert.is(meant('PDB1.A.B."C"', [dotted]), "PDB1.A.B.C");
  assert.is(meant('PDB1.A."B.C"', [dotted]), "not captured");
});

tables("have a message for an invalid name", () => {
  assert.is(meant("ORDERS", [ORDERS]), "no name");
  assert.is(meant("PDB1.SALES.NONE", [ORDERS]), "not captured");
  assert.is(meant("SALES.ORDERS", [ORDERS]), "not captured");
});

tables("without containers are named OWNER.TABLE", () => {
  const table: CapturedTable = { container: "ORCL", owner: "SALES", name: "ORDERS", fullName: "SALES.ORDERS" };
  for (const written of ["SALES.ORDERS", 'sales."ORDERS"']) assert.is(meant(written, [table]), "SALES.ORDERS");
  assert.is(meant("ORCL.SALES.ORDERS", [table]), "not captured");
});

tables("leave the others unlisted, however often one is listed", () => {
  assert.equal(
    unlistedTables({ tables: ["pdb1.sales.orders", "PDB1.SALES.ORDERS", "PDB1.SALES.NONE"] }, [ORDERS, LINES, MIXED]),
    [LINES, MIXED],
  );
});

tables.run();

const near = suite("suggestions for a name that is not captured");

const CAPTURED = ["PDB1.SALES.ORDERS", "PDB1.SALES.LINES", "PDB1.HR.STAFF", "PDB2.HR.STAFF", "PDB1.OLD_SALES.LINES"];
const FOUR = ["P1.A.T", "P2.A.T", "P3.B.T", "P4.B.T"];

for (const [name, written, names, expected] of [
  ["are the tables of that name with a container", "sales.orders", CAPTURED, ["PDB1.SALES.ORDERS"]],
  ["are only those of the owner, if it has the table", "SALES.LINES", CAPTURED, ["PDB1.SALES.LINES"]],
  ["are whole parts of names, not ends of them", "PDB1.X.ALES", CAPTURED, []],
  ["are the tables of that name with another container or owner", "PDB9.HR.staff", CAPTURED, CAPTURED.slice(2, 4)],
  ["are three at most", "X.T", FOUR, FOUR.slice(0, 3)],
  ["are the most similar name otherwise", "PDB1.SALES.ORDRES", CAPTURED, ["PDB1.SALES.ORDERS"]],
  ["are none if nothing is similar", "A.B", CAPTURED, []],
  ["are none for what is no name", "", CAPTURED, []],
] as const)
  near(name, () => {
    assert.equal(nearTables(written, names), expected);
  });

near.run();
