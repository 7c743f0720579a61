import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, LINES, ORDERS, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { noKey } from "./TAB106-no-key.ts";

const check = suite("TAB106 tables without a key");

const KEYED = { ...LINES, by: "primary key" as const };
const unkeyed = { keys: known([KEYED]) };
const settings = (missing: "fail" | "rowid" | "none", columns?: string) => ({
  settings: { keys: { missing, columns } },
});
const code = known([{ ...ORDERS, column: "CODE", dataType: "VARCHAR2", identity: false }]);

check("passes with a primary key or a unique index on columns that are never null", () => {
  assert.match(saidBy(noKey), /^pass/);
  const keys = known([KEYED, { ...ORDERS, by: "unique index" as const }]);
  assert.match(saidBy(noKey, { keys }), /^pass/);
});

check("fails for each table without, where cdc.key.missing is fail", () => {
  const said = saidBy(noKey, unkeyed);
  assert.match(said, "fail: 1 of 2 captured tables: no key, and cdc.key.missing is fail");
  assert.match(said, "ORCLPDB1.SALES.ORDERS");
});

check("passes where the setting takes such tables, which TAB107 warns of", () => {
  for (const missing of ["rowid", "none"] as const)
    assert.match(saidBy(noKey, { ...unkeyed, ...settings(missing) }), /^pass: cdc.key.missing/);
});

check("passes with columns of cdc.key.columns that are there, with the PDB or without", () => {
  for (const setting of ["sales.orders:code", " HR.X:A ; ORCLPDB1.SALES.ORDERS : CODE "])
    assert.match(saidBy(noKey, { ...unkeyed, columns: code, ...settings("fail", setting) }), /^pass/, setting);
});

check("fails for columns that are not there, whatever the setting says", () => {
  const said = saidBy(noKey, { ...unkeyed, columns: code, ...settings("none", "SALES.ORDERS:CODE,NO") });
  assert.match(said, "cdc.key.columns names NO, which it has not");
});

check(
  "fails for columns that are not there even where the table has a key of its own, over which they take precedence",
  () => {
    const said = saidBy(noKey, { columns: code, ...settings("none", "SALES.ORDERS:CODE,NO") });
    assert.match(said, "fail: 1 of 2 captured tables: cdc.key.columns names columns that do not exist");
    assert.match(said, "cdc.key.columns names NO, which it has not");
  },
);

check("is unknown where keys or columns can't be seen", () => {
  for (const fact of ["keys", "columns"]) assert.match(saidBy(noKey, { [fact]: unseen() }), /^unknown/, fact);
});

check.run();
