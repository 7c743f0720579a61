import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy } from "../kinds/migration/testing/build-facts.ts";
import { topicSpared } from "./MIG410-topic-spared.ts";

const check = suite("MIG410 a legacy topic that is the new one");

check("passes where the names are different", () => {
  assert.is(effectOf(topicSpared, retirement()), "none");
});

check("warns that it stays: by a slip in the plan file nothing of the new connector is deleted", () => {
  const wanted = intent({
    phase: "retire",
    verify: { legacyTopics: { "SALES.ORDERS": "orders.ORCLPDB1.SALES.ORDERS", "SALES.LINES": "orders.cdc.ops" } },
  });
  const on = retirement({}, wanted);
  assert.is(effectOf(topicSpared, on, wanted), "warns");
  assert.match(
    saidBy(topicSpared, on, wanted),
    "orders.ORCLPDB1.SALES.ORDERS (changes of SALES.ORDERS) and orders.cdc.ops (changes of SALES.LINES) stay",
  );
  assert.ok(on.topics.known && on.topics.value.every(({ topic }) => !topic.startsWith("orders.")));
});

check.run();
