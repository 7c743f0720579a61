import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Translation } from "../../../schemas/generated/shared.ts";
import { DEBEZIUM_CLASS } from "../../legacy/connector-class.ts";
import { cutoverFacts } from "../migration/testing/build-facts.ts";
import { cutover, intent } from "../migration/testing/build-readings.ts";
import { dictionary, ORDERS, other, settings, table } from "../migration/testing/story.ts";
import { known, unseen } from "../offset-change/testing/build-facts.ts";
import { readCutover } from "./reading.ts";

const reading = suite("what the facts of a cutover mean");

reading("topics below the prefix are in the way, not the ops topic, nor those that only begin like it", () => {
  const topics = known(["orders.cdc.txjournal", "orders.ORCLPDB1.SALES.A", "orders.cdc.ops", "orders", "orders2.x"]);
  const { prefixTopics } = cutover({ topics });
  assert.equal(prefixTopics.known && prefixTopics.value, ["orders.ORCLPDB1.SALES.A", "orders.cdc.txjournal"]);
  assert.not.ok(cutover({ topics: unseen() }).prefixTopics.known);
});

reading("topics that are kept are not in the way, those of somebody else are", () => {
  const config = { "connector.class": DEBEZIUM_CLASS, "topic.prefix": "shop", "table.include.list": "SALES\\..*" };
  const legacy = {
    connectorClass: DEBEZIUM_CLASS,
    config,
    offsets: [{ partition: { server: "shop" }, offset: { scn: "2169287" } }],
  };
  const topics = known(["shop.SALES.LINES", "shop.HR.EMP"]);
  for (const [choice, inTheWay] of [
    ["keep", ["shop.HR.EMP"]],
    ["new", ["shop.HR.EMP", "shop.SALES.LINES"]],
  ] as const) {
    const { prefixTopics } = cutover(
      { legacy, topics, settings: { prefix: "shop" } },
      intent({ to: { topics: choice } }),
    );
    assert.equal(prefixTopics.known && prefixTopics.value, inTheWay);
  }
});

reading("other connectors with the prefix share its journal, also if spaces are around it", () => {
  const others = known([
    other("a", { prefix: "orders" }),
    other("b", { prefix: " orders " }),
    other("c", { prefix: "orders2" }),
    other("d"),
  ]);
  const { prefixUsers } = cutover({ others });
  assert.equal(prefixUsers.known && prefixUsers.value.map(({ name }) => name), ["a", "b"]);
});

reading("what is accepted is a manual property or a check; anything else is accepted in vain", () => {
  const facts = cutoverFacts();
  const manual = (name: string): Translation["properties"][number] => ({
    name,
    fate: "manual",
    value: "v",
    instruction: "Decide.",
  });
  const seen = {
    ...facts,
    translation: { ...facts.translation, properties: [...facts.translation.properties, manual("a"), manual("b")] },
  };
  const accept = ["a", "MIG108", "oracle.server", "typo", "XMIG108", "MIG1088", "mig108"];
  const { open, acceptedInVain } = readCutover(intent({ accept }), seen);
  assert.equal(
    open.map(({ name }) => name),
    ["b"],
  );
  assert.equal(acceptedInVain, ["oracle.server", "typo", "XMIG108", "MIG1088", "mig108"]);
});

reading("tables that were delivered and would not be captured are known by the dictionary", () => {
  const delivered = cutover({ settings: { tables: { ...settings().tables, include: "ORCLPDB1[.]SALES[.]LINES" } } });
  assert.equal(delivered.notCaptured.known && delivered.notCaptured.tables.map(({ fullName }) => fullName), [ORDERS]);
  assert.equal(delivered.captured.known && delivered.captured.tables.length, 1);
});

reading("the captured tables are those of the settings, which the plan file has to name all", () => {
  const stated = intent({ capturedTables: ["SALES.ORDERS"] });
  const { captured } = cutover({ dictionary: known(dictionary(table("ORDERS"))) }, stated);
  assert.equal(captured.known && captured.tables.map(({ fullName }) => fullName), [ORDERS]);
  assert.not.ok(cutover({}, stated).captured.known, "its settings capture LINES too");
  const all = cutover({ dictionary: known(dictionary(table("ORDERS"), table("X", "HR"))) }).captured;
  assert.equal(all.known && all.tables.map(({ fullName }) => fullName), [ORDERS]);
});

reading("the captured tables are unknown in facts of a version that did not record the dictionary", () => {
  const { dictionary: _, ...facts } = cutoverFacts();
  const { captured } = readCutover(intent(), facts);
  assert.equal(captured, {
    known: false,
    why: "an earlier version of cdcctl recorded these facts",
    remedies: ["Record them again."],
  });
});

reading("workers create a connector STOPPED from 3.7 on; of an unknown version it is tried", () => {
  for (const [version, able] of [
    ["3.6.2", false],
    ["3.7.0", true],
    ["4.0.0", true],
    ["2.8.1", false],
    ["unknown", true],
  ] as const) {
    const { worker } = cutoverFacts();
    assert.is(
      readCutover(intent(), { ...cutoverFacts(), worker: { ...worker, version } }).createdStopped,
      able,
      version,
    );
  }
});

reading.run();
