import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { dictionary, table, UNTOLD_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { tableNotFound } from "./MIG201-table-not-found.ts";

const check = suite("MIG201 a table that is not found");

const naming = (...tables: readonly string[]) => intent({ phase: "verify", verify: { tables, legacyTopics: {} } });
const seen = (wanted: ReturnType<typeof intent>, ...tables: readonly ReturnType<typeof table>[]) =>
  verification({ dictionary: known(dictionary(...tables)) }, wanted);

check("passes with or without the container, in any case without quotes", () => {
  for (const name of ["SALES.ORDERS", "ORCLPDB1.SALES.ORDERS", "sales.orders", 'sales."ORDERS"']) {
    const wanted = naming(name);
    assert.is(effectOf(tableNotFound, verification({}, wanted), wanted), "none", name);
  }
});

check("refuses one that is not captured, with the one that was probably meant", () => {
  const wanted = naming("SALES.ORDER", "HR.EMPLOYEES");
  assert.is(effectOf(tableNotFound, verification({}, wanted), { ...wanted, accept: ["MIG201"] }), "blocks");
  assert.match(
    saidBy(tableNotFound, verification({}, wanted), wanted),
    /^SALES\.ORDER is no captured table; did you mean SALES\.ORDERS\?; HR\.EMPLOYEES is no captured table/,
  );
});

check("refuses a name that fits several, and one that stands there twice", () => {
  const wanted = naming("SALES.ORDERS");
  const two = seen(wanted, table("ORDERS"), table("orders"));
  assert.is(effectOf(tableNotFound, two, wanted), "none", "without quotes it is upper case before anything else");
  const both = naming("SALES.Orders");
  assert.match(
    saidBy(tableNotFound, seen(both, table("ORDERS"), table("Orders")), both),
    "SALES.Orders is the name of several: ORCLPDB1.SALES.ORDERS and ORCLPDB1.SALES.Orders",
  );
  const twice = naming("SALES.ORDERS", "ORCLPDB1.SALES.ORDERS");
  assert.match(
    saidBy(tableNotFound, verification({}, twice), twice),
    "ORCLPDB1.SALES.ORDERS is ORCLPDB1.SALES.ORDERS, which is named already",
  );
});

check("refuses a table whose topic can't be told", () => {
  const on = verification({ settings: UNTOLD_TOPICS });
  assert.is(effectOf(tableNotFound, on), "blocks");
  assert.match(saidBy(tableNotFound, on), "the topic of SALES.ORDERS can't be told: cdc.topic.template");
  assert.match(saidBy(tableNotFound, on), /region\}, which stands for nothing here/);
});

check("never passes while the captured tables can't be told", () => {
  for (const parts of [
    { dictionary: unseen("may not read CDB_TABLES", "GRANT SELECT ANY DICTIONARY TO C##CDC;") },
    { dictionary: known({ ...dictionary(table("ORDERS")), containers: [] }) },
    { settings: { tables: { pdbs: ["ORCLPDB1"], include: undefined, exclude: undefined, caseSensitive: true } } },
  ]) {
    assert.is(verdictOf(tableNotFound, verification(parts)), "unknown");
    assert.is(effectOf(tableNotFound, verification(parts)), "blocks");
  }
  assert.match(saidBy(tableNotFound, verification({ dictionary: unseen("no right", "GRANT IT;") })), "GRANT IT;");
});

check.run();
