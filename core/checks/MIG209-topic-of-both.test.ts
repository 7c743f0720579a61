import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verification } from "../kinds/migration/testing/build-readings.ts";
import { settings } from "../kinds/migration/testing/story.ts";
import { topicOfBoth } from "./MIG209-topic-of-both.ts";

const check = suite("MIG209 a legacy topic that is the new one");

check("passes where they are different", () => {
  assert.is(effectOf(topicOfBoth, verification()), "none");
});

check("refuses a legacy topic that is the new connector's, of this table or another", () => {
  for (const topic of ["orders.ORCLPDB1.SALES.ORDERS", "orders.ORCLPDB1.SALES.LINES"]) {
    const wanted = intent({ phase: "verify", verify: { legacyTopics: { "SALES.ORDERS": topic } } });
    assert.is(effectOf(topicOfBoth, verification({}, wanted), wanted), "blocks");
    assert.match(saidBy(topicOfBoth, verification({}, wanted), wanted), `${topic}, named as the legacy topic`);
  }
});

check("refuses it too where prefix and template lead to the same name", () => {
  const config = { ...settings().config, "cdc.topic.template": `$${"{prefix}"}.$${"{schema}"}.$${"{table}"}` };
  const on = verification({ settings: { prefix: "ORCLPDB1", config } });
  assert.is(effectOf(topicOfBoth, on), "blocks");
});

check.run();
