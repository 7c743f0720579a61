import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CapturedTable, fullNameOf, tableFinder } from "./tables.ts";

const finder = suite("a table by the name that an operator wrote");

const inPdb = (container: string, owner: string, name: string): CapturedTable => {
  const table = { container, owner, name };
  return { ...table, fullName: fullNameOf(table, [container]) };
};

const ORDERS = inPdb("PDB1", "SALES", "ORDERS");
const MIXED = inPdb("PDB1", "SALES", "Orders");
const ELSEWHERE = inPdb("PDB2", "SALES", "ORDERS");
const DOTS = inPdb("PDB1", "SALES", "v1.2");

const found = (written: string, ...tables: readonly CapturedTable[]) =>
  tableFinder(tables)(written).map(({ fullName }) => fullName);

finder("is found with and without its container, case-insensitively if it is not quoted", () => {
  for (const written of ["PDB1.SALES.ORDERS", "sales.orders", 'pdb1."SALES".Orders', " SALES . ORDERS "])
    assert.equal(found(written, ORDERS, DOTS), ["PDB1.SALES.ORDERS"], written);
  assert.equal(found('SALES."orders"', ORDERS), []);
  assert.equal(found("PDB2.SALES.ORDERS", ORDERS), []);
});

finder("is every match: in each container, and in the case as written and in capitals", () => {
  assert.equal(found("SALES.ORDERS", ORDERS, ELSEWHERE), ["PDB1.SALES.ORDERS", "PDB2.SALES.ORDERS"]);
  assert.equal(found("SALES.Orders", ORDERS, MIXED), ["PDB1.SALES.ORDERS", "PDB1.SALES.Orders"]);
  assert.equal(found("SALES.ORDERS", ORDERS, MIXED), ["PDB1.SALES.ORDERS"]);
  assert.equal(found('SALES."Orders"', ORDERS, MIXED), ["PDB1.SALES.Orders"]);
});

finder("with dots in its name is found in the connector's spelling, and in quotes", () => {
  for (const written of ["PDB1.SALES.v1.2", 'SALES."v1.2"', 'PDB1.SALES."v1.2"'])
    assert.equal(found(written, ORDERS, DOTS), ["PDB1.SALES.v1.2"], written);
});

finder("is not found by an invalid name, or one with too many parts", () => {
  for (const written of ["", "ORDERS", "SALES.", "A.PDB1.SALES.ORDERS", 'SALES."ORDERS'])
    assert.equal(found(written, ORDERS), [], written);
});

finder.run();
