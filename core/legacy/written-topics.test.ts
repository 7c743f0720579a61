// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { legacyWrites } from "./confluent/topics.ts";
import { mayWriteTo } from "./other-writers.ts";
import { namedTopics } from "./written-topics.ts";

const writes = suite("topics that another legacy connector may write to");

const DATABASE = { "oracle.sid": "ORCLCDB", "oracle.pdb.name": "ORCLPDB1" };
const may = (topic: string, config: Readonly<Record<string, string>> = {}): boolean =>
  mayWriteTo({ prefix: undefined, writes: legacyWrites("other", { ...DATABASE, ...config }) })(topic);

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

const HASH = { "table.inclusion.regex": "ORCLPDB1[.]C##SALES[.](ORDERS|RETURNS)" };

writes("include those of names with characters that Kafka does not allow, which become _", () => {
  assert.ok(may("ORCLPDB1.C__SALES.ORDERS", HASH));
  assert.not(may("ORCLPDB1.C__SALES.LINES", HASH));
  assert.not(may("ORCLPDB1.CSALES.ORDERS", HASH));
  for (const pattern of [
    "ORCLPDB1[.]HR[.]T\\$1",
    "ORCLPDB1[.]HR[.]T[#$]1",
    "ORCLPDB1[.]HR[.]T\\W1",
    "ORCLPDB1[.]HR[.]T 1",
  ])
    assert.ok(may("ORCLPDB1.HR.T_1", { "table.inclusion.regex": pattern }), pattern);
  assert.not(may("ORCLPDB1.HR.T_1", { "table.inclusion.regex": "ORCLPDB1[.]HR[.]T[A-Z]1" }));
  assert.ok(may("x_ORDERS", { "table.topic.name.template": "x#${tableName}" }));
  assert.ok(may("lob.C__SALES.ORDERS", { ...HASH, "lob.topic.name.template": "lob.${schemaName}.${tableName}" }));
  assert.ok(may("a_b-ORCLCDB-redo-log", { "redo.log.topic.name": "a b-${databaseName}-redo-log" }));
});

writes("leave out a table only if every name that leads to its topic is excluded", () => {
  const but = (exclude: string) => may("ORCLPDB1.SALES.ORDER_ITEMS", { "table.exclusion.regex": exclude });
  assert.not(but(".*[.]SALES[.]ORDER.*"));
  assert.ok(but(".*[.]SALES[.]ORDER_ITEMS"), "ORDER#ITEMS is not excluded");
  assert.not(may("ORCLPDB1.SALES.ORDERS", { "table.exclusion.regex": ".*[.]SALES[.]ORDERS" }));
});

writes("take PDB, SID and service in any case", () => {
  const sales = { "table.inclusion.regex": "ORCLPDB1[.]SALES[.].*" };
  const small = { ...sales, "oracle.sid": "orclcdb", "oracle.pdb.name": "orclpdb1" };
  for (const topic of ["ORCLPDB1.SALES.ORDERS", "orclpdb1.SALES.ORDERS", "ORCLCDB.ORCLPDB1.SALES.ORDERS"])
    assert.ok(may(topic, small), topic);
  assert.ok(may("other-ORCLCDB-redo-log", small));
  assert.not(may("ORCLPDB1.CRM.CALLS", small));
  const service = { "oracle.sid": "", "oracle.pdb.name": "", "srcdb.service.name": "Orcl.Example" };
  assert.ok(may("ORCL.EXAMPLE.SALES.ORDERS", service));
});

writes("may be any where a reference names the database or the tables", () => {
  assert.ok(may("ORCLPDB2.SALES.ORDERS", { "oracle.pdb.name": "${file:/etc/x:pdb}" }));
  assert.ok(may("ORCLPDB1.SALES.ORDERS", { "table.inclusion.regex": "${file:/etc/x:tables}" }));
  assert.not(may("SALES", { "oracle.pdb.name": "${file:/etc/x:pdb}" }));
});

writes("of a new connector are those below its prefix", () => {
  const below = (prefix: string | undefined, topic: string) => mayWriteTo({ prefix, writes: undefined })(topic);
  assert.ok(below(" ORCLPDB1 ", "ORCLPDB1.SALES.ORDERS"));
  assert.ok(below("${file:/etc/x:prefix}", "ORCLPDB1.SALES.ORDERS"));
  for (const prefix of ["ORCL", "", undefined]) assert.not(below(prefix, "ORCLPDB1.SALES.ORDERS"));
});

writes(
  "of a new connector are also those that its settings name, and any where a transformation may route them",
  () => {
    const named = (topic: string, config: Readonly<Record<string, string>>): boolean =>
      mayWriteTo({ prefix: "crm", writes: undefined, ...namedTopics({ "cdc.topic.prefix": " crm ", ...config }) })(
        topic,
      );
    const settings = ["ops", "signals", "heartbeat", "ledger", "txjournal", "schema", "dlq"].map(
      (of) => `cdc.${of}.topic`,
    );
    for (const setting of settings) {
      assert.ok(named("shared", { [setting]: " shared " }), setting);
      assert.ok(named("x-crm", { [setting]: "x-${prefix}" }), setting);
      assert.ok(named("shared", { [setting]: "${file:/etc/x:topic}" }), setting);
      assert.not(named("others", { [setting]: "shared" }), setting);
    }
    const made = (topic: string, template: string) => named(topic, { "cdc.topic.template": template });
    assert.ok(made("all-tables", "all-tables"));
    assert.ok(made("ORCLPDB1.SALES.ORDERS", "${pdb}.${schema}.${table}"));
    assert.ok(made("SALES.ORDERS", "${pdb}.${schema}.${table}"), "a database without containers");
    assert.ok(made("a_b.ORDERS", "a b..${table}"));
    assert.ok(made("anything", "${a}${b}${c}${d}"));
    assert.ok(made("x".repeat(249), "${prefix}.${table}"), "a longer name is cut off");
    assert.not(made("ORCLPDB1.SALES.ORDERS", "${prefix}.${schema}.${table}"));
    assert.not(made("ORCLPDB1.SALES.ORDERS", "x.${schema}.${table}"));
    const route = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };
    assert.ok(named("anything", route));
  },
);

writes("of a connector of another kind are those that it names, and those below its prefix", () => {
  const named = (topic: string, config: Readonly<Record<string, string>>): boolean =>
    mayWriteTo({ prefix: undefined, writes: undefined, ...namedTopics(config) })(topic);
  assert.ok(named("ORCLPDB1.SALES.ORDERS", { "topic.prefix": "ORCLPDB1" }));
  assert.ok(named("ORCLPDB1.SALES.ORDERS", { "topic.prefix": "ORCLPDB1.SALES." }));
  assert.ok(named("C__X.SALES.ORDERS", { "database.server.name": "C##X" }));
  assert.ok(named("ORCLPDB1.SALES.ORDERS", { "kafka.topic": "ORCLPDB1.SALES.ORDERS" }));
  assert.not(named("ORCLPDB1.SALES.ORDERS", { "topic.prefix": "ORCLPDB2", "kafka.topic": "ORCLPDB1.SALES" }));
  assert.not(named("ORCLPDB1.SALES.ORDERS", { topics: "ORCLPDB1.SALES.ORDERS" }), "a sink reads it");
});

writes("contain no login of its configuration", () => {
  const config = { ...DATABASE, "oracle.username": "C##X", "oracle.password": "hunter2", "oracle.server": "db" };
  assert.not.match(JSON.stringify(legacyWrites("other", config)), /hunter2|C##X|"db"/);
});

writes.run();
