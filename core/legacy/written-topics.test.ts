// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { legacyWrites, mayWriteTo } from "./written-topics.ts";

const writes = suite("topics that another legacy connector may write to");

const DATABASE = { "oracle.sid": "ORCLCDB", "oracle.pdb.name": "ORCLPDB1" };
const may = (topic: string, config: Readonly<Record<string, string>> = {}): boolean =>
  mayWriteTo(legacyWrites("other", { ...DATABASE, ...config }), topic);

writes("are those of what it captures, with the SID before the PDB or not", () => {
  const sales = { "table.inclusion.regex": "ORCLPDB1[.]SALES[.].*" };
  assert.ok(may("ORCLPDB1.SALES.ORDERS", sales));
  assert.ok(may("ORCLCDB.ORCLPDB1.SALES.ORDERS", { ...sales, "table.topic.name.template": "" }) === false);
  assert.ok(may("ORCLCDB.ORCLPDB1.SALES.ORDERS", sales));
  assert.not(may("ORCLPDB1.CRM.CALLS", sales));
  assert.not(may("ORCLPDB2.SALES.ORDERS", sales));
  assert.not(may("ORCLPDB1.SALES.ORDERS", { ...sales, "table.exclusion.regex": ".*[.]ORDERS" }));
  assert.ok(may("ORCLPDB1.SALES.ORDERS"), "whatever no setting says");
  assert.ok(
    may("ORCLPDB1.SALES.ORDERS", { "table.inclusion.regex": "(" }),
    "whatever a pattern means that nobody can read",
  );
});

writes("include one whose name does not show the table, or that a reference stands for", () => {
  const crm = { "table.inclusion.regex": "ORCLPDB1[.]CRM[.].*" };
  assert.ok(may("all-tables", { ...crm, "table.topic.name.template": "all-tables" }));
  assert.ok(may("ORDERS", { ...crm, "table.topic.name.template": "${tableName}" }));
  assert.ok(may("ORDERS", { ...crm, "table.topic.name.template": "${file:/etc/x:topic}" }));
  assert.ok(
    may("anything", {
      ...crm,
      transforms: "route",
      "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
    }),
  );
  assert.not(may("ORDERS", { ...crm, "table.topic.name.template": "${schemaName}-${tableName}" }));
});

writes("include its redo log topic, with or without the connector's name, and those of LOB columns", () => {
  assert.not(may("orders-legacy-ORCLCDB-redo-log"));
  assert.ok(may("other-ORCLCDB-redo-log"));
  assert.ok(may("redo", { "redo.log.topic.name": "redo" }));
  assert.ok(may("redo", { "redo.log.topic.name": "${file:/etc/x:redo}" }));
  assert.ok(may("lob.SALES.ORDERS", { "lob.topic.name.template": "lob.${schemaName}.${tableName}" }));
});

writes("contain no login of its configuration", () => {
  const config = { ...DATABASE, "oracle.username": "C##X", "oracle.password": "hunter2", "oracle.server": "db" };
  assert.not.match(JSON.stringify(legacyWrites("other", config)), /hunter2|C##X|"db"/);
});

writes.run();
