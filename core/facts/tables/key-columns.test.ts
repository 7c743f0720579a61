import { suite } from "uvu";
import * as assert from "uvu/assert";
import { keyColumnNames, keyColumnsIn } from "./key-columns.ts";

const keys = suite("cdc.key.columns");

const ORDERS = { container: "ORCLPDB1", owner: "SALES", name: "Orders" };

keys("names columns of a table, in capitals, with or without its PDB", () => {
  assert.equal(keyColumnsIn("sales.orders: id , line;HR.X:A")(ORDERS), ["ID", "LINE"]);
  assert.equal(keyColumnsIn("ORCLPDB1.SALES.ORDERS:ID")(ORDERS), ["ID"]);
  assert.is(keyColumnsIn("ORCLPDB2.SALES.ORDERS:ID")(ORDERS), undefined);
});

keys("prefers the name with the PDB, and the first of two", () => {
  assert.equal(keyColumnsIn("SALES.ORDERS:A;ORCLPDB1.SALES.ORDERS:B;ORCLPDB1.SALES.ORDERS:C")(ORDERS), ["B"]);
});

keys("of an empty or invalid setting has no columns", () => {
  for (const setting of [undefined, "", ";", "SALES.ORDERS", "SALES.ORDERS:", ":ID", "SALES.ORDERS: , "])
    assert.is(keyColumnsIn(setting)(ORDERS), undefined, setting);
});

keys("lists columns once, of whatever table", () => {
  assert.equal(keyColumnNames("A.B:x,y;C.D:Y, z;E"), ["X", "Y", "Z"]);
  assert.equal(keyColumnNames(undefined), []);
});

keys.run();
