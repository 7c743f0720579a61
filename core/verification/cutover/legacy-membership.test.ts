import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { IsOfTable } from "../engine/inputs.ts";
import { legacyOfTable } from "../settings/shared-topic.ts";

const membership = suite("the table in a legacy record");

const ORDERS = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" };
const ofTable = (inPdb: boolean, field?: string): IsOfTable =>
  legacyOfTable({ by: "legacy name, seldom another", table: ORDERS, inPdb, compacted: false, field });
const encoder = new TextEncoder();
/** A value with other bytes around it. */
const record = (value: string | null): Parameters<IsOfTable> => {
  const bytes = encoder.encode(`{"table":"${value ?? ""}"}`);
  return value === null ? [bytes, -1, 0] : [bytes, '{"table":"'.length, bytes.length - 2];
};
const row = (table: string, note = "") => record(JSON.stringify({ ID: 1, NOTE: note, table, scn: "7", op_type: "I" }));

membership("is read from the first record, and found in those that follow", () => {
  const says = ofTable(true);
  for (let i = 0; i < 3; i++) assert.is(says(...row("ORCLCDB.ORCLPDB1.SALES.ORDERS", `note ${i}`)), true);
  assert.is(says(...record(null)), true);
});

membership("of another table does not match, even when a text names the first", () => {
  const says = ofTable(true);
  assert.is(says(...row("ORCLCDB.ORCLPDB1.SALES.ORDERS")), true);
  const hostile = '"table":"ORCLCDB.ORCLPDB1.SALES.ORDERS"';
  assert.is(says(...row("ORCLCDB.ORCLPDB1.SALES.LINES", hostile)), false);
  assert.is(says(...row("ORCLCDB.ORCLPDB2.SALES.ORDERS")), false);
  assert.is(says(...row("ORDERS")), undefined, "whose ORDERS?");
});

membership("is read in the field that the legacy connector is configured to use", () => {
  const says = ofTable(false, "source_table");
  assert.is(says(...record('{"source_table":"SALES.ORDERS"}')), true);
  assert.is(says(...record('{"table":"SALES.ORDERS"}')), undefined);
});

membership("is unknown without valid JSON, or without the field", () => {
  const says = ofTable(true);
  for (const value of ["", "\u0000avro", "[]", "{}", '{"table":7}']) assert.is(says(...record(value)), undefined);
});

membership("is understood in an envelope with a schema, and in unusual spelling", () => {
  const says = ofTable(true);
  const payload = { ID: 1, table: "ORCLPDB1.SALES.ORDERS" };
  assert.is(says(...record(JSON.stringify({ schema: { type: "struct" }, payload }))), true);
  assert.is(says(...record('{ "table" : "ORCLPDB1.SALES.\\u004fRDERS" }')), true);
});

membership.run();
