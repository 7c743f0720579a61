import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, ORDERS, resultOf, tableIn, unseen } from "../doctor/testing/build-preflight.ts";
import { columnsNotOfAvro, tablesNotOfAvro } from "./avro-names.ts";

const TAB110 = suite("TAB110 columns and Avro");
const TAB111 = suite("TAB111 tables and Avro");

const avro = { settings: ["value.converter"], fieldsAdjusted: false, schemasAdjusted: false };
const column = (name: string) => known([{ ...ORDERS, column: name, dataType: "NUMBER", identity: false }]);

TAB110("fails for names that are invalid in Avro, with the setting that adjusts them", () => {
  for (const name of ["UNIT PRICE", "STATUS$", "NO#", "1ST", "MENÜ"])
    assert.match(resultOf(columnsNotOfAvro, { settings: { avro }, columns: column(name) }), `ORDERS | ${name}`);
});

TAB110("counts the tables, names each column of them, and the settings whose converters refuse them", () => {
  const both = { ...avro, settings: ["key.converter", "value.converter"] };
  const columns = known(
    ["NO#", "ID", "UNIT PRICE"].map((name) => ({ ...ORDERS, column: name, dataType: "NUMBER", identity: false })),
  );
  assert.match(
    resultOf(columnsNotOfAvro, { settings: { avro: both }, columns }),
    /^fail: 1 of 2 captured tables: .* in Avro \(key\.converter, value\.converter\)\n.*ORDERS \| NO#, UNIT PRICE$/m,
  );
  assert.match(
    resultOf(tablesNotOfAvro, { settings: { avro: both }, tables: [tableIn("ORDER$", "SALES 2")] }),
    /\(key\.converter, value\.converter\)\n.* \| SALES 2, ORDER\$$/,
  );
});

TAB110("passes for other names, with adjusted ones, and without Avro", () => {
  assert.match(resultOf(columnsNotOfAvro, { settings: { avro }, columns: column("ORDER_ID_2") }), /^pass/);
  const adjusted = { avro: { ...avro, fieldsAdjusted: true } };
  assert.match(resultOf(columnsNotOfAvro, { settings: adjusted, columns: column("NO#") }), "pass: cdc.field.name");
  assert.match(
    resultOf(columnsNotOfAvro, { columns: column("NO#") }),
    "pass: this configuration has no Avro converter",
  );
  assert.is(resultOf(columnsNotOfAvro, { settings: { avro }, columns: unseen("no grant") }), "unknown: no grant");
});

TAB111("warns for owners, tables and prefixes", () => {
  const tables = [tableIn("ORDERS"), tableIn("ORDER$"), tableIn("LINES", "SALES 2")];
  assert.is(
    resultOf(tablesNotOfAvro, { settings: { avro }, tables }),
    "fail: 2 of 3 captured tables: names that are invalid in Avro (value.converter)\nORCLPDB1.SALES 2.LINES | SALES " +
      "2\nORCLPDB1.SALES.ORDER$ | ORDER$",
  );
  assert.match(resultOf(tablesNotOfAvro, { settings: { avro, prefix: "prod-1.orders" } }), "2 of 2 captured tables");
});

TAB111("passes for other names, with adjusted ones, and without Avro; unknown if the tables are", () => {
  const tables = [tableIn("ORDER$")];
  assert.match(resultOf(tablesNotOfAvro, { settings: { avro } }), "pass: every captured");
  const adjusted = { avro: { ...avro, schemasAdjusted: true } };
  assert.match(resultOf(tablesNotOfAvro, { settings: adjusted, tables }), "pass: cdc.schema.name");
  assert.match(resultOf(tablesNotOfAvro, { tables }), "pass: this configuration has no Avro converter");
  assert.is(resultOf(tablesNotOfAvro, { settings: { avro }, dictionary: unseen("no grant") }), "unknown: no grant");
});

TAB110.run();
TAB111.run();
