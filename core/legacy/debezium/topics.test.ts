// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { redactConfiguration } from "../../redaction/redact.ts";
import type { LegacyOf } from "../position.ts";
import { DEBEZIUM_POSITION } from "./position.ts";
import { DEBEZIUM_TOPICS } from "./topics.ts";

const topics = suite("topics of Debezium");

const table = (owner: string, name: string, container = "PDB1") => ({
  ...{ container, owner, name },
  fullName: `${container}.${owner}.${name}`,
});
const connector = (config: Readonly<Record<string, string>> = {}, version?: string): LegacyOf => ({
  name: "inventory-debezium",
  config: {
    ...{ "topic.prefix": "inventory", "database.pdb.name": "pdb1", "database.user": "c##dbz" },
    ...{ "table.include.list": "INV.ITEMS,INV\\.MY\\$TABLE #1", ...config },
  },
  offsets: [],
  version,
});
const { ofTable, mayWriteTo, leftOver = () => [] } = DEBEZIUM_TOPICS;

topics("of tables are prefix, schema and table without a PDB, with _ for what Kafka does not allow", () => {
  assert.equal(ofTable(connector(), table("INV", "ITEMS")), ["inventory.INV.ITEMS"]);
  assert.equal(ofTable(connector(), table("INV", "MY$TABLE #1")), ["inventory.INV.MY_TABLE__1"]);
  const open = connector({ "table.include.list": "C##X.*", "topic.delimiter": "-" });
  assert.equal(ofTable(open, table("C##X", "A")), ["inventory-C__X-A"]);
  assert.equal(ofTable(connector(), table("INV", "OTHER")), [], "it is not in the list");
});

topics("take the prefix that the version reads", () => {
  const both = { "database.server.name": "old" };
  const named = (version: string | undefined, config = {}) =>
    ofTable(connector({ ...both, ...config }, version), table("INV", "ITEMS"));
  assert.equal(
    ["1.9.7", "2.7.3", undefined].flatMap((version) => named(version)),
    [...["old.INV.ITEMS", "inventory.INV.ITEMS", "inventory.INV.ITEMS"]],
  );
  assert.equal(named(undefined, { "topic.prefix": " " }), ["old.INV.ITEMS"]);
  const may = (version?: string) => mayWriteTo(connector(both, version))("old.INV.ITEMS");
  assert.equal([may("1.9.7"), may("2.7.3"), may()], [true, false, true], "either, while the version is not known");
});

topics(
  "can be any after a transformation, another strategy or a reference: none is guessed, and each may be its own",
  () => {
    for (const config of [
      { transforms: "r", "transforms.r.type": "io.debezium.transforms.ByLogicalTableRouter" },
      { "topic.naming.strategy": "io.debezium.schema.DefaultTopicNamingStrategy" },
      { "topic.prefix": "${file:/etc/x:prefix}" },
    ]) {
      assert.equal(ofTable(connector(config), table("INV", "ITEMS")), [], JSON.stringify(config));
      assert.ok(mayWriteTo(connector(config))("anything"), JSON.stringify(config));
    }
  },
);

topics("whose names a plan's facts do not show can be any as well: no rollback deletes them", () => {
  for (const config of [
    { "table.include.list": "INV.ÜBER,INV.ITEMS" },
    { "schema.include.list": "INV,'x'" },
    { "topic.prefix": "a b" },
    { "topic.delimiter": "${file:/etc/x:delimiter}" },
  ]) {
    const seen = connector(redactConfiguration(connector(config).config));
    assert.ok(mayWriteTo(seen)("inventory.INV.ITEMS"), JSON.stringify(seen.config));
  }
  const [flushed, ...more] = leftOver(connector(redactConfiguration({ "database.user": "proxy[app]" })), []);
  assert.match(flushed ?? "", /^the grants of its login: /);
  assert.equal(more, []);
});

topics("that it may write to are those of its lists and its own, and no other below its prefix", () => {
  const config = {
    ...{ "schema.history.internal.kafka.topic": "ddl.inventory", "notification.sink.topic.name": "told" },
    "heartbeat.interval.ms": "1000",
  };
  const may = mayWriteTo(connector(config));
  const own = ["inventory", "ddl.inventory", "__debezium-heartbeat.inventory", "inventory.transaction"];
  for (const topic of [...own, "inventory-signal", "told", "inventory.INV.ITEMS", "inventory.INV.MY_TABLE__1"])
    assert.ok(may(topic), topic);
  for (const topic of [
    "inventory.INV.OTHER",
    "inventory.cdc.txjournal",
    "inventory2.INV.ITEMS",
    "orders",
    "inventory.",
  ])
    assert.not(may(topic), topic);
});

topics("of its own follow its settings", () => {
  const named = {
    ...{ "topic.delimiter": "_", "topic.heartbeat.prefix": "beat", "topic.transaction": "tx" },
    "signal.kafka.topic": "asked",
  };
  const may = mayWriteTo(connector(named));
  for (const topic of ["beat_inventory", "inventory_tx", "asked", "inventory_INV_ITEMS"]) assert.ok(may(topic), topic);
  assert.not(may("inventory-signal"));
  const old = { "topic.prefix": "", "database.server.name": "shop", "database.history.kafka.topic": "ddl.shop" };
  for (const topic of ["shop", "ddl.shop", "__debezium-heartbeat.shop", "shop.transaction"])
    assert.ok(mayWriteTo(connector(old, "1.9.7"))(topic), topic);
});

topics("without a list are those of every table", () => {
  assert.ok(mayWriteTo(connector({ "table.include.list": "" }))("inventory.cdc.txjournal"));
});

topics("of tables in its lists are the delivered ones: its offset names none", () => {
  const tables = [table("INV", "ITEMS"), table("INV", "ITEMS", "PDB2"), table("inv", "items"), table("INV", "OTHER")];
  const found = DEBEZIUM_POSITION.deliveredTables(connector(), [], [], { containers: [], answering: [], tables });
  assert.equal(
    found.map(({ name }) => name),
    ["PDB1.INV.ITEMS", "PDB1.inv.items"],
  );
});

topics("and objects that are left over are listed: only topics that exist, names in SQL quoted", () => {
  const there = ["inventory", "inventory.transaction", "inventory.INV.ITEMS"];
  assert.equal(leftOver(connector(), there), [
    "the topic inventory (schema changes): delete it once nothing reads it",
    "the topic inventory.transaction (transaction metadata): delete it once nothing reads it",
    'the flush table: DROP TABLE "C##DBZ"."LOG_MINING_FLUSH";',
    "the grants of c##dbz: revoke those that nothing else needs (LOGMINING, SELECT ANY TABLE, FLASHBACK ANY TABLE, " +
      "LOCK ANY TABLE, CREATE TABLE)",
  ]);
  const hostile = leftOver(connector({ "log.mining.flush.table.name": 'X"; DROP TABLE T; --' }), []);
  assert.is(hostile[0], 'the flush table: DROP TABLE "C##DBZ"."X""; DROP TABLE T; --";');
  for (const config of [{ "database.user": "${file:/x:u}" }, { "log.mining.read.only": "true" }])
    assert.not(leftOver(connector(config), []).some((line) => line.includes("DROP TABLE")));
});

topics.run();
