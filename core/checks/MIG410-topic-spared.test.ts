import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_CONFIG, LINES, legacy, settings } from "../kinds/migration/testing/story.ts";
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

const ROUTE = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };

check("warns that all stay where a transformation may lead the new connector to any of them", () => {
  const on = retirement({ settings: { config: { ...settings().config, ...ROUTE } } });
  assert.is(effectOf(topicSpared, on), "warns");
  assert.match(
    saidBy(topicSpared, on),
    /stay: the new connector may write there, its records go through route \(.*RegexRouter\)/,
  );
  assert.ok(on.topics.known && on.topics.value.length === 0);
});

check(
  "looks for no topic by the template where a transformation of the legacy connector may have given it another: " +
    "only for one that is named",
  () => {
    const wanted = intent({ phase: "retire", verify: { legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS" } } });
    const on = retirement({ legacy: legacy({ config: { ...LEGACY_CONFIG, ...ROUTE } }) }, wanted);
    assert.is(effectOf(topicSpared, on, wanted), "none");
    assert.ok(on.topics.known && on.topics.value.every(({ table }) => table?.fullName !== LINES));
    assert.equal(
      on.withoutTopic.map(({ fullName }) => fullName),
      [LINES],
    );
  },
);

check.run();
