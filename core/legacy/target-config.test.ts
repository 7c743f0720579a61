import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deliveredTables, readOffsets } from "./confluent/stored-offsets.ts";
import { CONNECTOR_CLASS } from "./connector-class.ts";
import { leftToDo, neverDelivered, notCapturedSentence, startingAt } from "./target-config.ts";
import { DATABASE, table } from "./testing/build-legacy.ts";

const target = suite("the configuration that a takeover starts");

const WHOLE = {
  "connector.class": CONNECTOR_CLASS,
  "cdc.topic.prefix": "orders",
  "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
  "cdc.database.host": "db.prod",
  "cdc.database.service": "ORCLCDB",
  "cdc.database.user": "C##CDC",
  "cdc.database.password": "hunter2",
  "cdc.stream.bootstrap.servers": "b:9092",
};
const LEGACY = { name: "orders-legacy", config: { "oracle.server": "db.prod" } };

const plugin = (className: string) => ({ className, type: "source", version: "1" });
const PLUGINS = [plugin(CONNECTOR_CLASS)];
const FORK = "com.example.cdc.OracleCdcSourceConnector";

target("uses the class that the operator names, and the workers' plugins", () => {
  const of = (config: Readonly<Record<string, string>>, newClass: string, on: typeof PLUGINS | undefined) =>
    leftToDo({ ...WHOLE, ...config }, LEGACY, newClass, on).join("\n");
  assert.is(of({ "connector.class": FORK }, FORK, [plugin(FORK)]), "");
  assert.match(of({}, FORK, [plugin(FORK)]), `the new connector's class is ${FORK}`);
  assert.match(of({}, CONNECTOR_CLASS, []), `The workers have no ${CONNECTOR_CLASS}`);
  assert.match(of({}, CONNECTOR_CLASS, [plugin(FORK)]), `--connector-class ${FORK}`);
  assert.match(of({ "connector.class": FORK }, FORK, []), "neither");
  assert.match(of({}, CONNECTOR_CLASS, undefined), "could not be checked");
});

target("starts at the SCN, every digit of it, and snapshots nothing", () => {
  const config = startingAt({ ...WHOLE, "cdc.start.scn": "5", "cdc.snapshot.mode": "initial" }, 9007199254740993n);
  assert.equal(config, { ...WHOLE, "cdc.start.scn": "9007199254740993", "cdc.snapshot.mode": "none" });
});

target("leaves nothing to do if it is complete", () => {
  assert.equal(leftToDo(WHOLE, LEGACY, CONNECTOR_CLASS, PLUGINS), []);
});

target("reports settings that are masked, missing, or the legacy connector's, and never a value", () => {
  const leftTo = (config: Readonly<Record<string, string>>) =>
    leftToDo(config, LEGACY, CONNECTOR_CLASS, PLUGINS).join("\n");
  assert.match(leftTo({ ...WHOLE, "cdc.database.password": "********" }), /cdc\.database\.password is masked/);
  assert.match(leftTo({ ...WHOLE, "cdc.tables.include": "" }), /cdc\.tables\.include is required, but not set/);
  assert.match(leftTo({ ...WHOLE, "connector.class": "x.Y" }), /connector\.class is x\.Y/);
  assert.match(leftTo({ ...WHOLE, "srcdb.server": "a", "output.table.name.field": "t" }), /^srcdb\.server, output\./m);
  assert.not.match(leftTo({ ...WHOLE, "cdc.topic.prefix": "********" }), "hunter2");
});

target("requires the brokers if neither spelling of the setting names them", () => {
  const leftTo = (config: Readonly<Record<string, string>>, legacy: Readonly<Record<string, string>> = {}) =>
    leftToDo(
      { ...WHOLE, "cdc.stream.bootstrap.servers": "", ...config },
      { ...LEGACY, config: legacy },
      CONNECTOR_CLASS,
      PLUGINS,
    );
  assert.match(leftTo({}).join(), /^cdc\.stream\.bootstrap\.servers is not set: name the brokers/);
  assert.match(
    leftTo({}, { "redo.log.consumer.bootstrap.servers": "b:9092" }).join(),
    /bootstrap\.servers is b:9092\.$/,
  );
  assert.equal(leftTo({ "cdc.kafka.bootstrap.servers": "b:9092" }), []);
});

target("names the properties that require a manual decision", () => {
  const legacy = { name: "orders-legacy", config: { "key.template": "x", "output.row.id.field": "r", name: "o" } };
  assert.match(
    leftToDo(WHOLE, legacy, CONNECTOR_CLASS, PLUGINS).join("\n"),
    /These properties of the legacy connector have .* key\.template, output\.row\.id\.field\.$/,
  );
});

target("tables that would no longer be captured are named", () => {
  const tables = { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: true };
  const missed = (selection: Partial<typeof tables>, leaveOut: readonly string[] = []) => {
    const wanted = { ...tables, ...selection };
    const offsets = [DATABASE, table("ORDERS", 2170000n), table("Lines", 2170000n)];
    return notCapturedSentence(
      deliveredTables({ name: "legacy", config: {}, offsets }, leaveOut, wanted.pdbs),
      wanted,
    ).join();
  };
  assert.is(missed({}), "");
  assert.match(
    missed({ include: "ORCLPDB1[.]SALES[.]ORDERS" }),
    /1 table that .* not capture: ORCLPDB1\.SALES\.Lines\.$/,
  );
  assert.match(missed({ include: "ORCLPDB1[.]SALES[.](ORDERS|LINES)" }), "Lines");
  assert.is(missed({ include: "ORCLPDB1[.]SALES[.](ORDERS|LINES)", caseSensitive: false }), "");
  assert.match(missed({ pdbs: ["ORCLPDB2"] }), /2 tables/);
  assert.is(missed({ include: "ORCLPDB1[.]SALES[.]ORDERS" }, ["ORCLPDB1.SALES.Lines"]), "");
  assert.match(missed({ include: "ORCLPDB1[.]SALES[.](" }), /is unknown/);
  assert.is(missed({ pdbs: [], include: "SALES[.].*" }), "", "a database without containers");
});

target("names captured tables that the legacy connector has never delivered", () => {
  const read = readOffsets(
    [DATABASE, table("ORDERS", 5n), { ...table("OLD", 5n), offset: { cscn: 3n } }],
    ["ORCLPDB1.SALES.OLD"],
  );
  if (!read.ok) throw new Error(read.problem.seen);
  const pdbs = ["ORCLPDB1"];
  const captured = (...names: readonly string[]) => ({
    known: true as const,
    tables: names.map((name) => ({ container: "ORCLPDB1", owner: "SALES", name, fullName: `ORCLPDB1.SALES.${name}` })),
  });
  assert.equal(neverDelivered(read.offsets, [], captured("ORDERS", "OLD"), { pdbs }), []);
  const [text = ""] = neverDelivered(read.offsets, [], captured("ORDERS", "LINES", "NEW"), { pdbs });
  assert.match(text, /captures 2 tables for which .* stored nothing: ORCLPDB1\.SALES\.LINES, ORCLPDB1\.SALES\.NEW\. /);
  const unknown = { known: false as const, why: "ORCLPDB1 is closed", remedies: [] };
  const listed = [{ name: "ORCLPDB1.SALES.NEW", mayBe: [{ container: "ORCLPDB1", owner: "SALES", name: "NEW" }] }];
  const byLists = neverDelivered({ partitions: [], unread: [] }, listed, captured("ORDERS", "NEW"), { pdbs }).join();
  assert.match(byLists, /captures 1 table for which .*: ORCLPDB1\.SALES\.ORDERS\./);
  assert.match(neverDelivered(read.offsets, [], unknown, { pdbs }).join(), /is unknown: ORCLPDB1 is closed/);
});

target.run();
