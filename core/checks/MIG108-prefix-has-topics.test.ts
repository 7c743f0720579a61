import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { NEW_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { prefixHasTopics } from "./MIG108-prefix-has-topics.ts";

const check = suite("MIG108 topics of the prefix");

check("passes where none begins with the prefix and a dot", () => {
  assert.is(effectOf(prefixHasTopics, cutover()), "none");
  assert.is(
    effectOf(prefixHasTopics, cutover({ topics: known(["orders", "orders2.cdc.ops", "my.orders.x"]) })),
    "none",
  );
});

check("passes where only the ops topic is there, by whatever name", () => {
  assert.is(effectOf(prefixHasTopics, cutover({ topics: known(["orders.cdc.ops"]) })), "none");
  const own = { settings: { opsTopic: "orders.operations" } };
  assert.is(effectOf(prefixHasTopics, cutover({ ...own, topics: known(["orders.operations"]) })), "none");
  assert.is(effectOf(prefixHasTopics, cutover({ ...own, topics: known(["orders.cdc.ops"]) })), "blocks");
});

check("blocks until it is accepted, and names them", () => {
  const on = cutover({ topics: known([...NEW_TOPICS, "other"]) });
  assert.is(effectOf(prefixHasTopics, on), "blocks");
  assert.is(effectOf(prefixHasTopics, on, intent({ accept: ["MIG108"] })), "accepted");
  assert.match(
    saidBy(prefixHasTopics, on),
    "2 topics begin with orders. already: orders.ORCLPDB1.SALES.LINES and orders.ORCLPDB1.SALES.ORDERS",
  );
});

check("names ten of very many", () => {
  const topics = known(Array.from({ length: 500 }, (_, i) => `orders.T${i}`));
  assert.match(saidBy(prefixHasTopics, cutover({ topics })), "and 490 more");
});

check("never passes while topics can't be seen", () => {
  const on = cutover({ topics: unseen() });
  assert.is(effectOf(prefixHasTopics, on), "blocks");
  assert.match(saidBy(prefixHasTopics, on), "Describe on the topics");
  assert.not.match(saidBy(prefixHasTopics, on), "delete");
});

check.run();
