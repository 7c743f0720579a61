import { suite } from "uvu";
import * as assert from "uvu/assert";
import { saysLegacyTable } from "./legacy-membership.ts";

const membership = suite("The table that a legacy record says");

const ORDERS = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" };
const encoder = new TextEncoder();
const record = (value: string | null) => ({
  partition: 0,
  offset: 0n,
  key: null,
  value: value === null ? null : encoder.encode(value),
  headers: {},
});
const row = (table: string, note = "") => record(JSON.stringify({ ID: 1, NOTE: note, table, scn: "7", op_type: "I" }));

membership("is read of the first record, and found in those that follow", () => {
  const says = saysLegacyTable(ORDERS, true);
  for (let i = 0; i < 3; i++) assert.is(says(row("ORCLCDB.ORCLPDB1.SALES.ORDERS", `note ${i}`)), true);
  assert.is(says(record(null)), true);
});

membership("of another table is no answer, also when a text tells of the first", () => {
  const says = saysLegacyTable(ORDERS, true);
  assert.is(says(row("ORCLCDB.ORCLPDB1.SALES.ORDERS")), true);
  const hostile = '"table":"ORCLCDB.ORCLPDB1.SALES.ORDERS"';
  assert.is(says(row("ORCLCDB.ORCLPDB1.SALES.LINES", hostile)), undefined);
  assert.is(says(row("ORCLCDB.ORCLPDB2.SALES.ORDERS")), undefined);
});

membership("is read in the field that the legacy connector was told to use", () => {
  const says = saysLegacyTable(ORDERS, false, "source_table");
  assert.is(says(record('{"source_table":"SALES.ORDERS"}')), true);
  assert.is(says(record('{"table":"SALES.ORDERS"}')), undefined);
});

membership("is none in what is no JSON, or does not say it", () => {
  const says = saysLegacyTable(ORDERS, true);
  for (const value of ["", "\u0000avro", "[]", "{}", '{"table":7}']) assert.is(says(record(value)), undefined);
});

membership("is understood in an envelope with a schema, and in unusual spelling", () => {
  const says = saysLegacyTable(ORDERS, true);
  const payload = { ID: 1, table: "ORCLPDB1.SALES.ORDERS" };
  assert.is(says(record(JSON.stringify({ schema: { type: "struct" }, payload }))), true);
  assert.is(says(record('{ "table" : "ORCLPDB1.SALES.\\u004fRDERS" }')), true);
});

membership.run();
