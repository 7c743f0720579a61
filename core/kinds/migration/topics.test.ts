// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CapturedTable } from "../../facts/tables/tables.ts";
import { CONFLUENT_TOPICS } from "../../legacy/confluent/topics.ts";
import { known } from "../offset-change/testing/build-facts.ts";
import { goingBack, intent, retirement } from "./testing/build-readings.ts";
import { dictionary, LEGACY_CONFIG, REDO_TOPIC, settings, table } from "./testing/story.ts";
import { keptRecords, legacyTopics, newTopics, type TopicsOf } from "./topics.ts";

const lobTopics = (
  config: Readonly<Record<string, string>>,
  tables: readonly CapturedTable[],
  there: readonly string[],
) => CONFLUENT_TOPICS.lobTopics?.({ name: "orders-legacy", config, offsets: [] }, tables, there);
const topics = suite("topics of the legacy connector");

const captured = (name: string, container = "ORCLPDB1"): CapturedTable => ({
  container,
  owner: "SALES",
  name,
  fullName: `${container}.SALES.${name}`,
});
const TABLES = [captured("ORDERS"), captured("LINES")];
const nothingNamed = intent({ verify: { legacyTopics: {} } });
const found = (
  there: readonly string[],
  config: Readonly<Record<string, string>> = {},
  wanted = nothingNamed,
  tables: readonly CapturedTable[] = TABLES,
) =>
  legacyTopics(wanted, { config: { ...LEGACY_CONFIG, ...config }, offsets: [] }, tables, there).map(
    ({ topic }) => topic,
  );

topics("are those of its tables, with the SID before the PDB or not, if they exist", () => {
  const there = ["ORCLPDB1.SALES.LINES", "ORCLCDB.ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.OTHER"];
  assert.equal(found(there), ["ORCLCDB.ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"]);
});

topics("have _ where Kafka does not allow a character of a name", () => {
  const owned = (owner: string, name: string) => ({ ...captured(name), owner, fullName: `ORCLPDB1.${owner}.${name}` });
  const tables = [owned("C##MYUSER", "EMP"), owned("HR", "T$1"), owned("HR", "MY TABLE")];
  const there = ["ORCLPDB1.C__MYUSER.EMP", "ORCLPDB1.HR.T_1", "ORCLPDB1.HR.MY_TABLE"];
  assert.equal(found(there, {}, nothingNamed, tables), there);
  const lobs = { ...LEGACY_CONFIG, "lob.topic.name.template": "${fullyQualifiedTableName}.${columnName}" };
  assert.equal(lobTopics(lobs, tables, ["ORCLPDB1.C__MYUSER.EMP.NOTE", "ORCLPDB1.C__OTHER.EMP.NOTE"]), [
    "ORCLPDB1.C__MYUSER.EMP.NOTE",
  ]);
});

topics("are found whatever the case in which the settings have PDB, SID and service", () => {
  const small = { "oracle.sid": "orclcdb", "oracle.pdb.name": "orclpdb1" };
  const there = ["ORCLPDB1.SALES.LINES", "orclpdb1.SALES.ORDERS", "orders-legacy-ORCLCDB-redo-log"];
  assert.equal(found(there, small).sort(), [...there].sort());
});

topics("are never those of the root's tables, nor of another PDB's", () => {
  assert.equal(found(["ORCLCDB.SALES.ORDERS"]), []);
  assert.equal(found(["ORCLPDB1.SALES.ORDERS"], {}, nothingNamed, [captured("ORDERS", "PDB2")]), []);
});

topics("follow its own template", () => {
  const template = { "table.topic.name.template": "x-${connectorName}-${databaseName}-${schemaName}-${tableName}" };
  assert.equal(found(["x-orders-legacy-ORCLPDB1-SALES-ORDERS", "ORCLPDB1.SALES.ORDERS"], template), [
    "x-orders-legacy-ORCLPDB1-SALES-ORDERS",
  ]);
});

topics("are only the redo log topic with a blank template", () => {
  for (const blank of ["", "  "])
    assert.equal(found(["ORCLPDB1.SALES.ORDERS", REDO_TOPIC], { "table.topic.name.template": blank }), [REDO_TOPIC]);
});

topics("follow templates with spaces around them, which the connector ignores", () => {
  assert.equal(found(["t-ORDERS"], { "table.topic.name.template": " t-${tableName} " }), ["t-ORDERS"]);
  assert.equal(found(["my.redo"], { "redo.log.topic.name": " my.redo " }), ["my.redo"]);
});

topics("in a database without containers use its SID, or its service", () => {
  const plain = { "oracle.pdb.name": "" };
  assert.equal(found(["ORCLCDB.SALES.ORDERS"], plain), ["ORCLCDB.SALES.ORDERS"]);
  const service = { ...plain, "oracle.sid": "", "srcdb.service.name": "orcl.example.com" };
  assert.equal(found(["orcl.example.com.SALES.ORDERS"], service), ["orcl.example.com.SALES.ORDERS"]);
});

topics("include the redo log topic by its default name or its own, and none without the connector's name", () => {
  assert.equal(found(["orders-legacy-ORCLCDB-redo-log", "other-ORCLPDB1-redo-log"]), [
    "orders-legacy-ORCLCDB-redo-log",
  ]);
  assert.equal(found(["redo-ORCLCDB"], { "redo.log.topic.name": "redo-${databaseName}" }), []);
  assert.equal(found(["my.redo"], { "redo.log.topic.name": "my.redo" }), ["my.redo"]);
});

topics("are the topic that the plan file names rather than the template's", () => {
  const wanted = intent({ verify: { legacyTopics: { "SALES.ORDERS": "named" } } });
  assert.equal(found(["named", "ORCLPDB1.SALES.ORDERS"], {}, wanted), ["named"]);
  assert.equal(found(["ORCLPDB1.SALES.ORDERS"], {}, wanted), [], "one that is not there is not guessed at");
});

topics("named for a name of several tables hold the changes of none, so that none counts as verified by them", () => {
  const wanted = intent({ verify: { legacyTopics: { "SALES.ORDERS": "named" } } });
  const tables = [captured("ORDERS"), captured("ORDERS", "PDB2")];
  const named = legacyTopics(wanted, { config: LEGACY_CONFIG, offsets: [] }, tables, ["named"]);
  assert.equal(
    named.map(({ topic, table }) => [topic, table]),
    [["named", undefined]],
  );
});

topics("include the licence topic only on request", () => {
  assert.equal(found(["_confluent-command"]), []);
  const wanted = intent({ verify: { legacyTopics: {} }, deleteLicenceTopic: true });
  assert.equal(found(["_confluent-command"], {}, wanted), ["_confluent-command"]);
  assert.equal(found(["licences"], { "confluent.topic": "licences" }, wanted), ["licences"]);
});

topics("are listed once, whatever leads to them", () => {
  const template = { "table.topic.name.template": "all-tables" };
  assert.equal(found(["all-tables"], template), ["all-tables"]);
});

topics("treat names of template variables neither as patterns nor as members of every object", () => {
  const template = { "table.topic.name.template": "${constructor}.${toString}.${tableName}" };
  assert.equal(found(["${constructor}.${toString}.ORDERS"], template), ["${constructor}.${toString}.ORDERS"]);
});

topics.run();

const lobs = suite("topics of LOB columns");

for (const [name, template, topic] of [
  ["the table", "lob.${fullyQualifiedTableName}.${columnName}", "lob.ORCLPDB1.SALES.ORDERS.NOTE"],
  ["the table behind the SID", "lob.${fullyQualifiedTableName}", "lob.ORCLCDB.ORCLPDB1.SALES.ORDERS"],
  ["the database", "${databaseName}-${tableName}-lob", "ORCLPDB1-ORDERS-lob"],
  ["the schema", "${schemaName}-${tableName}-lob", "SALES-ORDERS-lob"],
  ["the connector", "${connectorName}-lob", "orders-legacy-lob"],
  ["no variable", "all-lobs", "all-lobs"],
  ["spaces around it", " lob-${tableName} ", "lob-ORDERS"],
] as const)
  lobs(`are found by a template with ${name}`, () => {
    const config = { ...LEGACY_CONFIG, "lob.topic.name.template": template };
    assert.equal(lobTopics(config, TABLES, [topic, `${topic}-2`, "z"]), [
      topic,
      ...(template.includes("columnName") ? [`${topic}-2`] : []),
    ]);
  });

lobs("are none without a template", () => {
  for (const config of [LEGACY_CONFIG, { ...LEGACY_CONFIG, "lob.topic.name.template": "  " }])
    assert.equal(lobTopics(config, TABLES, ["", "  ", "ORCLPDB1.SALES.ORDERS"]), undefined);
});

lobs("can't be told from a template with a reference that only the worker resolves", () => {
  for (const template of ["${file:/etc/x:lobs}", "${tableName}-${file:/etc/x:lobs}"])
    assert.is(
      lobTopics({ ...LEGACY_CONFIG, "lob.topic.name.template": template }, TABLES, []),
      `lob.topic.name.template is ${template}`,
    );
});

lobs.run();

const own = suite("topics of the new connector");

function isNewIn(of: TopicsOf, tables: readonly CapturedTable[]): (topic: string) => boolean {
  const named = newTopics({ verify: undefined }, of, tables);
  if (!named.known) throw new Error(named.why);
  return named.has;
}

own("are those of its tables, and below PREFIX.cdc.; not all that begin with the prefix", () => {
  const isNew = isNewIn({ settings: settings(), database: { name: "ORCLCDB" } }, TABLES);
  for (const topic of ["orders.ORCLPDB1.SALES.ORDERS", "orders.cdc.ops", "orders.cdc.signals", "orders.cdc.heartbeat"])
    assert.ok(isNew(topic), topic);
  for (const topic of ["orders.eu.cdc.ops", "orders.ORCLPDB1.SALES.OTHER", "orders", "orders2.cdc.ops"])
    assert.not(isNew(topic), topic);
});

own("are those of its PDB in the case of its setting, too", () => {
  const tables = { ...settings().tables, pdbs: ["orclpdb1"] };
  const isNew = isNewIn({ settings: settings({ tables }), database: { name: "ORCLCDB" } }, TABLES);
  for (const topic of ["orders.ORCLPDB1.SALES.ORDERS", "orders.orclpdb1.SALES.ORDERS"]) assert.ok(isNew(topic), topic);
});

own("are those of a table in its own PDB, not in another that is captured too", () => {
  const tables = { ...settings().tables, pdbs: ["ORCLPDB1", "PDB2"] };
  const isNew = isNewIn({ settings: settings({ tables }), database: { name: "ORCLCDB" } }, TABLES);
  assert.equal(
    ["ORCLPDB1", "PDB2"].map((pdb) => isNew(`orders.${pdb}.SALES.ORDERS`)),
    [true, false],
  );
});

own("a rollback deletes none that the legacy connector wrote a delivered table or its LOBs to", () => {
  const wanted = intent({ phase: "rollback", deleteTopics: true, verify: { legacyTopics: {} } });
  const config = { ...LEGACY_CONFIG, "table.topic.name.template": "orders.${fullyQualifiedTableName}" };
  const lob = { "lob.topic.name.template": "orders.cdc.lob.${tableName}" };
  const there = ["orders.ORCLPDB1.SALES.ORDERS", "orders.cdc.lob.ORDERS", "orders.cdc.txjournal"];
  const only = dictionary(table("LINES"));
  const { newTopics } = goingBack(
    { topics: known(there), legacy: { config: { ...config, ...lob } }, dictionary: known(only) },
    wanted,
  );
  assert.equal(newTopics.known && newTopics.value, ["orders.cdc.txjournal"]);
});

own("a rollback spares what the legacy connector may write to, whatever the plan file names as its topics", () => {
  const config = { ...LEGACY_CONFIG, "table.topic.name.template": "orders.${fullyQualifiedTableName}" };
  const there = [
    "orders.ORCLPDB1.SALES.LINES",
    "orders.ORCLPDB1.SALES.ORDERS",
    "orders.cdc.beats",
    "orders.cdc.txjournal",
  ];
  const verify = { legacyTopics: { "SALES.ORDERS": "elsewhere", "SALES.LINES": "elsewhere" } };
  const wanted = intent({ phase: "rollback", deleteTopics: true, verify });
  const parts = { topics: known(there), dictionary: known(dictionary(table("LINES"), table("ORDERS"))) };
  for (const more of [{}, { "heartbeat.topic.name": "orders.cdc.beats" }]) {
    const { newTopics } = goingBack({ ...parts, legacy: { config: { ...config, ...more }, offsets: [] } }, wanted);
    const kept = "heartbeat.topic.name" in more ? [] : ["orders.cdc.beats"];
    assert.equal(newTopics.known && newTopics.value, [...kept, "orders.cdc.txjournal"]);
  }
});

own("are those that its settings name", () => {
  const config = {
    "cdc.ops.topic": "${prefix}-ops",
    "cdc.signals.topic": "${prefix}-signals",
    "cdc.txjournal.topic": "${prefix}-journal",
    "cdc.heartbeat.topic": "beats",
    "cdc.schema.topic": " layouts ",
    "cdc.topic.template": "${prefix}_${table}",
  };
  const isNew = isNewIn({ settings: settings({ config, opsTopic: "ops" }), database: { name: "X" } }, TABLES);
  for (const topic of ["orders-ops", "orders-signals", "orders-journal", "beats", "layouts", "orders_LINES", "ops"])
    assert.ok(isNew(topic), topic);
});

own("what it keeps is in its journal and schema topics, by their settings or below PREFIX.cdc.", () => {
  const kept = (config: Readonly<Record<string, string>>) =>
    keptRecords({ config, prefix: "orders" }).map(({ topic, of }) => [topic, of]);
  assert.equal(kept({}), [
    ["orders.cdc.txjournal", "journal"],
    ["orders.cdc.schema", "schema"],
  ]);
  assert.equal(kept({ "cdc.txjournal.topic": "${prefix}-journal", "cdc.schema.topic": "layouts" }), [
    ["orders-journal", "journal"],
    ["layouts", "schema"],
  ]);
});

own("a topic that the plan file names as new is kept by a retirement, and no rollback deletes it", () => {
  const verify = { topics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS" }, legacyTopics: {} };
  const { topics: deleted, spared } = retirement({}, intent({ phase: "retire", verify }));
  assert.ok(deleted.known && deleted.value.every(({ topic }) => topic !== "ORCLPDB1.SALES.ORDERS"));
  assert.equal(
    spared.map(({ topic }) => topic),
    ["ORCLPDB1.SALES.ORDERS"],
  );
  const { newTopics } = goingBack(
    { topics: known(["routed", "orders.ORCLPDB1.SALES.LINES"]) },
    intent({ phase: "rollback", deleteTopics: true, verify: { topics: { "SALES.ORDERS": "routed" } } }),
  );
  assert.equal(newTopics.known && newTopics.value, ["orders.ORCLPDB1.SALES.LINES"]);
});

own(
  "a rollback deletes no topic of another connector, none that the legacy one wrote to, and not the ops topic",
  () => {
    const wanted = intent({
      phase: "rollback",
      deleteTopics: true,
      verify: { legacyTopics: { "SALES.LINES": "orders.ORCLPDB1.SALES.LINES" } },
    });
    const there = known([
      "orders.ORCLPDB1.SALES.ORDERS",
      "orders.ORCLPDB1.SALES.LINES",
      "orders.cdc.ops",
      "orders.cdc.txjournal",
      "orders.eu.T",
    ]);
    const { newTopics } = goingBack({ topics: there }, wanted);
    assert.equal(newTopics.known && newTopics.value, ["orders.ORCLPDB1.SALES.ORDERS", "orders.cdc.txjournal"]);
  },
);

own("a retirement deletes none of them, if prefix and template give the same names", () => {
  const config = { ...settings().config, "cdc.topic.template": "${prefix}.${schema}.${table}" };
  const { topics: deleted, spared } = retirement({ settings: { prefix: "ORCLPDB1", config } });
  assert.equal(deleted.known && deleted.value.map(({ topic }) => topic), [REDO_TOPIC]);
  assert.is(spared.length, 2);
});

own.run();
