import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, resultOf, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { created, NEW_TOPICS, other } from "../kinds/migration/testing/story.ts";
import { known, STOPPED, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  newNameTaken,
  offsetsOfEarlierConnector,
  prefixHasTopics,
  prefixShared,
  recordsOfEarlierConnector,
} from "./cutover-names.ts";

const MIG105 = suite("MIG105 a new name that is taken");

MIG105("passes where the workers have no connector of the name", () => {
  assert.is(effectOf(newNameTaken, cutover()), "none");
});

MIG105("refuses an existing one, whatever its state", () => {
  for (const next of [created(), created({ status: STOPPED })])
    assert.is(effectOf(newNameTaken, cutover({ next }), intent({ accept: ["MIG105"] })), "blocks");
  const result = resultOf(newNameTaken, cutover({ next: created({ status: STOPPED }) }));
  assert.match(result, /already have a connector [^:]*: a sh\.oso\.connect\..*, STOPPED/);
  assert.match(result, "spec.phase: rollback");
  const without = cutover({ next: created({ connectorClass: undefined }) });
  assert.match(
    resultOf(newNameTaken, without),
    "already have a connector orders-cdc: a connector without a class, RUNNING",
  );
});

MIG105("offers no rollback for the legacy connector's own name", () => {
  const same = intent({ to: { name: "orders-legacy" } });
  const result = resultOf(newNameTaken, cutover({ next: created({ name: "orders-legacy" }) }, same), same);
  assert.match(result, "spec.to.name");
  assert.not.match(result, "rollback");
});

const MIG107 = suite("MIG107 offsets of an earlier connector");

MIG107("are searched for by apply where the connector can be created STOPPED", () => {
  for (const version of ["3.7.0", "4.1.0", "7.7.1-ccs"]) {
    const on = cutover({ worker: { version } });
    assert.is(verdictOf(offsetsOfEarlierConnector, on), "unknown");
    assert.is(effectOf(offsetsOfEarlierConnector, on), "warns");
    assert.match(resultOf(offsetsOfEarlierConnector, on), "checks before it runs");
  }
});

MIG107("cannot be searched for on older workers: blocks until it is accepted", () => {
  for (const version of ["3.6.2", "7.6.1-ccs"]) {
    const on = cutover({ worker: { version } });
    assert.is(effectOf(offsetsOfEarlierConnector, on), "blocks");
    assert.is(effectOf(offsetsOfEarlierConnector, on, intent({ accept: ["MIG107"] })), "accepted");
  }
});

MIG107("accepted where they can be searched for means that the new connector resumes from them", () => {
  const accepting = intent({ accept: ["MIG107"] });
  assert.is(effectOf(offsetsOfEarlierConnector, cutover({}, accepting), accepting), "warns");
  assert.match(
    resultOf(offsetsOfEarlierConnector, cutover({}, accepting), accepting),
    "lets it resume from any that exist",
  );
});

MIG107("leaves an existing connector to MIG105", () => {
  assert.is(effectOf(offsetsOfEarlierConnector, cutover({ next: created() })), "none");
});

const MIG108 = suite("MIG108 topics of the prefix");

MIG108("passes where none begins with the prefix and a dot", () => {
  assert.is(effectOf(prefixHasTopics, cutover()), "none");
  assert.is(
    effectOf(prefixHasTopics, cutover({ topics: known(["orders", "orders2.cdc.ops", "my.orders.x"]) })),
    "none",
  );
});

MIG108("passes where only the ops topic exists, whatever its name", () => {
  assert.is(effectOf(prefixHasTopics, cutover({ topics: known(["orders.cdc.ops"]) })), "none");
  const own = { settings: { opsTopic: "orders.operations" } };
  assert.is(effectOf(prefixHasTopics, cutover({ ...own, topics: known(["orders.operations"]) })), "none");
  assert.is(effectOf(prefixHasTopics, cutover({ ...own, topics: known(["orders.cdc.ops"]) })), "blocks");
});

MIG108("blocks until it is accepted, and names them", () => {
  const on = cutover({ topics: known([...NEW_TOPICS, "other"]) });
  assert.is(effectOf(prefixHasTopics, on), "blocks");
  assert.is(effectOf(prefixHasTopics, on, intent({ accept: ["MIG108"] })), "accepted");
  assert.match(
    resultOf(prefixHasTopics, on),
    "2 topics begin with orders. already: orders.ORCLPDB1.SALES.LINES and orders.ORCLPDB1.SALES.ORDERS",
  );
});

MIG108("counts the signals of an earlier connector that run again, wherever their topic is", () => {
  const signal = (type: string, offset: bigint) => ({ offset, id: `s${offset}`, type, tables: [] });
  const unread = [signal("snapshot", 3n), signal("log-state", 5n)];
  const signals = known({ end: 12n, unread }, "shared.signals");
  const again = "the task also handles again 2 signals that shared.signals holds for it, 1 of which starts a snapshot";
  assert.match(resultOf(prefixHasTopics, cutover({ signals })), new RegExp(`^${again}`));
  assert.match(resultOf(prefixHasTopics, cutover({ signals })), "Delete the signals");
  assert.is(effectOf(prefixHasTopics, cutover({ signals })), "blocks");
  assert.match(resultOf(prefixHasTopics, cutover({ signals, topics: known(NEW_TOPICS) })), again);
  assert.not.match(resultOf(prefixHasTopics, cutover({ topics: known(NEW_TOPICS) })), "signal");
});

MIG108("says where the old signals are unknown, and does not block for that alone", () => {
  const on = cutover({ signals: unseen(), topics: known(NEW_TOPICS) });
  assert.match(resultOf(prefixHasTopics, on), "which signals in a test the task handles again is unknown");
  assert.is(effectOf(prefixHasTopics, cutover({ signals: unseen() })), "none");
});

MIG108("passes where no signal was left, and for facts of a version that did not read them", () => {
  assert.is(effectOf(prefixHasTopics, cutover({ signals: known({ end: 12n, unread: [] }, "shared.signals") })), "none");
  const { facts, ...on } = cutover();
  const older = { ...facts, signals: undefined };
  assert.is(effectOf(prefixHasTopics, { ...on, facts: older }), "none");
  const { facts: more, ...and } = cutover({ topics: known(NEW_TOPICS) });
  assert.is(effectOf(prefixHasTopics, { ...and, facts: { ...more, signals: undefined } }), "blocks");
});

MIG108("names ten of very many", () => {
  const topics = known(Array.from({ length: 500 }, (_, i) => `orders.T${i}`));
  assert.match(resultOf(prefixHasTopics, cutover({ topics })), "and 490 more");
});

MIG108("never passes while topics are unknown", () => {
  const on = cutover({ topics: unseen() });
  assert.is(effectOf(prefixHasTopics, on), "blocks");
  assert.match(resultOf(prefixHasTopics, on), "Describe on the topics");
  assert.not.match(resultOf(prefixHasTopics, on), "delete");
});

const MIG109 = suite("MIG109 a prefix that another connector uses");

MIG109("passes where no other connector uses it", () => {
  const others = known([other("a", { prefix: "orders2" }), other("b")]);
  assert.is(effectOf(prefixShared, cutover({ others })), "none");
});

MIG109("blocks until it is accepted, and names the connectors", () => {
  const on = cutover({ others: known([other("a", { prefix: "orders" }), other("b", { prefix: " orders " })]) });
  assert.is(effectOf(prefixShared, on), "blocks");
  assert.is(effectOf(prefixShared, on, intent({ accept: ["MIG109"] })), "accepted");
  assert.match(resultOf(prefixShared, on), "a and b have the prefix orders as well");
});

MIG109("names a single connector", () => {
  const on = cutover({ others: known([other("a", { prefix: "orders" })]) });
  assert.match(resultOf(prefixShared, on), "a has the prefix orders as well");
});

MIG109("is unknown for a prefix that only the worker resolves", () => {
  const on = cutover({ others: known([other("a", { prefix: `$${"{file:/etc/x:prefix}"}` })]) });
  assert.is(verdictOf(prefixShared, on), "unknown");
  assert.is(effectOf(prefixShared, on), "blocks");
});

MIG109("never passes while the others are unknown", () => {
  assert.is(effectOf(prefixShared, cutover({ others: unseen() })), "blocks");
});

const MIG120 = suite("MIG120 journal or schema records of the prefix");

MIG120("refuses while a topic has records of the prefix, which accepting does not change", () => {
  const on = cutover({ leftRecords: known(["orders.cdc.txjournal"]) });
  assert.is(effectOf(recordsOfEarlierConnector, on, intent({ accept: ["MIG120"] })), "blocks");
  assert.match(resultOf(recordsOfEarlierConnector, on), "records of this prefix are left in orders.cdc.txjournal");
  assert.match(
    resultOf(recordsOfEarlierConnector, cutover({ leftRecords: known(["orders.cdc.txjournal", "orders.cdc.schema"]) })),
    "records of this prefix are left in orders.cdc.txjournal and orders.cdc.schema",
  );
});

MIG120("passes where none is left, and blocks unless accepted where the topics were not read", () => {
  assert.is(effectOf(recordsOfEarlierConnector, cutover({ leftRecords: known([]) })), "none");
  assert.is(effectOf(recordsOfEarlierConnector, cutover({ leftRecords: unseen() })), "blocks");
  assert.is(
    effectOf(recordsOfEarlierConnector, cutover({ leftRecords: unseen() }), intent({ accept: ["MIG120"] })),
    "accepted",
  );
});

MIG120("passes for facts of a version that did not look", () => {
  const { facts, ...on } = cutover();
  const older = { ...facts, leftRecords: undefined };
  assert.is(effectOf(recordsOfEarlierConnector, { ...on, facts: older }), "none");
});

MIG105.run();
MIG107.run();
MIG108.run();
MIG109.run();
MIG120.run();
