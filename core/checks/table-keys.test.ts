import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, LINES, ORDERS, resultOf, unseen } from "../doctor/testing/build-preflight.ts";
import { keylessBySetting, keylessRowsMove, noKey } from "./table-keys.ts";

const TAB106 = suite("TAB106 tables without a key");

const KEYED = { ...LINES, by: "primary key" as const };
const linesUnkeyed = { keys: known([KEYED]) };
const settings = (missing: "fail" | "rowid" | "none", columns?: string) => ({
  settings: { keys: { missing, columns } },
});
const code = known([{ ...ORDERS, column: "CODE", dataType: "VARCHAR2", identity: false }]);

TAB106("passes with a primary key or a unique index on columns that are never null", () => {
  assert.match(resultOf(noKey), /^pass/);
  const keys = known([KEYED, { ...ORDERS, by: "unique index" as const }]);
  assert.match(resultOf(noKey, { keys }), /^pass/);
});

TAB106("fails for each table without one, where cdc.key.missing is fail", () => {
  const result = resultOf(noKey, linesUnkeyed);
  assert.match(result, "fail: 1 of 2 captured tables: no key, and cdc.key.missing is fail");
  assert.match(result, "ORCLPDB1.SALES.ORDERS");
});

TAB106("passes where the setting accepts such tables, which TAB107 warns of", () => {
  for (const missing of ["rowid", "none"] as const)
    assert.match(resultOf(noKey, { ...linesUnkeyed, ...settings(missing) }), /^pass: cdc.key.missing/);
});

TAB106("passes with columns of cdc.key.columns that exist, with the PDB or without", () => {
  for (const setting of ["sales.orders:code", " HR.X:A ; ORCLPDB1.SALES.ORDERS : CODE "])
    assert.match(resultOf(noKey, { ...linesUnkeyed, columns: code, ...settings("fail", setting) }), /^pass/, setting);
});

TAB106("fails for columns that do not exist, whatever the setting is", () => {
  const result = resultOf(noKey, { ...linesUnkeyed, columns: code, ...settings("none", "SALES.ORDERS:CODE,NO") });
  assert.match(result, "cdc.key.columns names NO, which it does not have");
});

TAB106("fails for columns that do not exist even where the table has a key, over which they take precedence", () => {
  const result = resultOf(noKey, { columns: code, ...settings("none", "SALES.ORDERS:CODE,NO") });
  assert.match(result, "fail: 1 of 2 captured tables: cdc.key.columns names columns that do not exist");
  assert.match(result, "cdc.key.columns names NO, which it does not have");
});

TAB106("names the missing key where some tables have none, and others wrong columns", () => {
  const said = resultOf(noKey, { keys: known([]), columns: code, ...settings("fail", "SALES.ORDERS:CODE,NO,NONE") });
  assert.match(said, "fail: 2 of 2 captured tables: no key, and cdc.key.missing is fail");
  assert.match(said, "ORCLPDB1.SALES.ORDERS | cdc.key.columns names NO, NONE, which it does not have");
});

TAB106("is unknown where keys or columns cannot be read", () => {
  for (const fact of ["keys", "columns"]) assert.match(resultOf(noKey, { [fact]: unseen() }), /^unknown/, fact);
});

const TAB107 = suite("TAB107 tables that cdc.key.missing applies to");

const ordersUnkeyed = { keys: known([{ ...LINES, by: "primary key" as const }]) };

TAB107("passes where every table has a key, and where TAB106 blocks", () => {
  assert.match(resultOf(keylessBySetting, settings("rowid")), /^pass/);
  assert.match(resultOf(keylessBySetting, { ...ordersUnkeyed, ...settings("fail") }), /^pass: .*TAB106/);
});

TAB107("warns of the effect on the records", () => {
  assert.is(keylessBySetting.grade, "advisory");
  assert.match(resultOf(keylessBySetting, { ...ordersUnkeyed, ...settings("rowid") }), /^fail: 1 of 2 .*ROWID/);
  assert.match(resultOf(keylessBySetting, { ...ordersUnkeyed, ...settings("none") }), /^fail: 1 of 2 .*no key/);
});

TAB107("leaves a table whose key columns do not exist to TAB106", () => {
  const parts = { ...ordersUnkeyed, columns: code, ...settings("rowid", "SALES.ORDERS:NO") };
  assert.match(resultOf(keylessBySetting, parts), /^pass/);
});

TAB107("is unknown where the keys cannot be read", () => {
  assert.match(resultOf(keylessBySetting, { keys: unseen() }), /^unknown/);
});

TAB106.run();
TAB107.run();

const TAB109 = suite("TAB109 rows of tables without a key that move");

TAB109("warns only of those that have neither a key nor row movement disabled", () => {
  const moving = known([ORDERS, LINES]);
  const keys = known([{ ...ORDERS, by: "primary key" as const }]);
  assert.is(
    resultOf(keylessRowsMove, { moving, keys }),
    "fail: 1 of 2 captured tables: no key, and ROW MOVEMENT enabled\n" +
      'ORCLPDB1.SALES.LINES | ALTER TABLE "SALES"."LINES" DISABLE ROW MOVEMENT;',
  );
  assert.match(resultOf(keylessRowsMove, { moving }), /^pass/);
  assert.match(resultOf(keylessRowsMove, { keys }), /^pass/);
});

TAB109("is unknown where it cannot be read", () => {
  assert.is(resultOf(keylessRowsMove, { moving: unseen("no grant") }), "unknown: no grant");
  assert.is(resultOf(keylessRowsMove, { keys: unseen("no grant") }), "unknown: no grant");
});

TAB109.run();
