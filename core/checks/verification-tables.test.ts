import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, resultOf, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { created, dictionary, table, UNTOLD_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, STOPPED, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { newConnectorMissing, nothingToVerify, strayTables, tableNotFound } from "./verification-tables.ts";

const MIG201 = suite("MIG201 a table that is not found");

const naming = (...tables: readonly string[]) => intent({ phase: "verify", verify: { tables, legacyTopics: {} } });
const seen = (wanted: ReturnType<typeof intent>, ...tables: readonly ReturnType<typeof table>[]) =>
  verification({ dictionary: known(dictionary(...tables)) }, wanted);

MIG201("passes with or without the container, in any case without quotes", () => {
  for (const name of ["SALES.ORDERS", "ORCLPDB1.SALES.ORDERS", "sales.orders", 'sales."ORDERS"']) {
    const wanted = naming(name);
    assert.is(effectOf(tableNotFound, verification({}, wanted), wanted), "none", name);
  }
});

MIG201("refuses one that is not captured, with a suggestion", () => {
  const wanted = naming("SALES.ORDER", "HR.EMPLOYEES");
  assert.is(effectOf(tableNotFound, verification({}, wanted), { ...wanted, accept: ["MIG201"] }), "blocks");
  assert.match(
    resultOf(tableNotFound, verification({}, wanted), wanted),
    /^SALES\.ORDER is not a captured table; did you mean SALES\.ORDERS\?; HR\.EMPLOYEES is not a captured table/,
  );
});

MIG201("refuses a name that matches several tables, and one that is given twice", () => {
  const wanted = naming("SALES.ORDERS");
  const two = seen(wanted, table("ORDERS"), table("orders"));
  assert.is(effectOf(tableNotFound, two, wanted), "none", "without quotes it is upper case before anything else");
  const both = naming("SALES.Orders");
  assert.match(
    resultOf(tableNotFound, seen(both, table("ORDERS"), table("Orders")), both),
    "SALES.Orders is the name of several: ORCLPDB1.SALES.ORDERS and ORCLPDB1.SALES.Orders",
  );
  const twice = naming("SALES.ORDERS", "ORCLPDB1.SALES.ORDERS");
  assert.match(
    resultOf(tableNotFound, verification({}, twice), twice),
    "ORCLPDB1.SALES.ORDERS is ORCLPDB1.SALES.ORDERS, which is already named",
  );
});

MIG201("refuses a table with an unknown topic", () => {
  const on = verification({ settings: UNTOLD_TOPICS });
  assert.is(effectOf(tableNotFound, on), "blocks");
  assert.match(resultOf(tableNotFound, on), "the topic of SALES.ORDERS is unknown: cdc.topic.template");
  assert.match(resultOf(tableNotFound, on), /region\}/);
});

MIG201("never passes while the captured tables are unknown", () => {
  for (const parts of [
    { dictionary: unseen("may not read CDB_TABLES", "GRANT SELECT ANY DICTIONARY TO C##CDC;") },
    { dictionary: known({ ...dictionary(table("ORDERS")), containers: [] }) },
    { settings: { tables: { pdbs: ["ORCLPDB1"], include: undefined, exclude: undefined, caseSensitive: true } } },
  ]) {
    assert.is(verdictOf(tableNotFound, verification(parts)), "unknown");
    assert.is(effectOf(tableNotFound, verification(parts)), "blocks");
  }
  assert.match(resultOf(tableNotFound, verification({ dictionary: unseen("no right", "GRANT IT;") })), "GRANT IT;");
});

const MIG202 = suite("MIG202 a new connector that does not exist");

MIG202("passes for an existing one, whatever its state", () => {
  assert.is(effectOf(newConnectorMissing, verification()), "none");
  assert.is(effectOf(newConnectorMissing, verification({ next: created({ status: STOPPED }) })), "none");
});

MIG202("refuses a missing one", () => {
  const on = verification({ next: null });
  assert.is(effectOf(newConnectorMissing, on, intent({ accept: ["MIG202"] })), "blocks");
  assert.match(resultOf(newConnectorMissing, on), "have no connector orders-cdc");
});

const MIG203 = suite("MIG203 a plan file without tables");

MIG203("passes where the plan file lists what is verified", () => {
  assert.is(effectOf(nothingToVerify, verification()), "none");
});

MIG203("refuses a plan file without tables, since comparing nothing would pass", () => {
  const wanted = intent({ phase: "verify", verify: null });
  assert.is(effectOf(nothingToVerify, verification({}, wanted), wanted), "blocks");
  assert.match(resultOf(nothingToVerify, verification({}, wanted), wanted), /^spec\.verify is missing/);
});

const MIG207 = suite("MIG207 tables that are not verified under that name");

MIG207("passes where every key is one of the tables", () => {
  assert.is(effectOf(strayTables, verification()), "none");
  const none = intent({ phase: "verify", verify: null });
  assert.is(effectOf(strayTables, verification({}, none), none), "none");
});

MIG207("refuses a key by another name, even of the same table", () => {
  const wanted = intent({
    phase: "verify",
    verify: {
      tables: ["SALES.ORDERS"],
      legacyTopics: { "ORCLPDB1.SALES.ORDERS": "x" },
      ignoreColumns: { "SALES.ORDER": ["A"] },
    },
  });
  assert.is(effectOf(strayTables, verification({}, wanted), wanted), "blocks");
  const result = resultOf(strayTables, verification({}, wanted), wanted);
  assert.match(result, "ORCLPDB1.SALES.ORDERS is not among spec.verify.tables");
  assert.match(result, "SALES.ORDER is not among spec.verify.tables; did you mean SALES.ORDERS?");
});

MIG207("names ten of many", () => {
  const topics = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`X.T${at}`, "x"]));
  const wanted = intent({ phase: "verify", verify: { topics } });
  assert.match(
    resultOf(strayTables, verification({}, wanted), wanted),
    /X\.T9 is not among spec\.verify\.tables; and 2 more/,
  );
});

MIG201.run();
MIG202.run();
MIG203.run();
MIG207.run();
