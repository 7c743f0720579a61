import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { settings, UNTOLD_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { legacyTopicMissing } from "./MIG206-legacy-topic-missing.ts";

const check = suite("MIG206 a named legacy topic that is not there");

const naming = (topic: string) =>
  intent({ phase: "verify", verify: { tables: ["SALES.ORDERS"], legacyTopics: { "SALES.ORDERS": topic } } });
const mistyped = naming("ORCLPDB1.SALES.ORDER");

check("passes where it is there, and where none is named", () => {
  assert.is(effectOf(legacyTopicMissing, verification()), "none");
  const none = intent({ phase: "verify", verify: { legacyTopics: {} } });
  assert.is(effectOf(legacyTopicMissing, verification({ read: unseen() }, none), none), "none");
});

check("refuses one that is not, with the one that was probably meant", () => {
  const on = verification({ seen: { "ORCLPDB1.SALES.ORDER": "missing" } }, mistyped);
  assert.is(effectOf(legacyTopicMissing, on, { ...mistyped, accept: ["MIG206"] }), "blocks");
  assert.match(saidBy(legacyTopicMissing, on, mistyped), "did you mean ORCLPDB1.SALES.ORDERS?");
});

check("never takes it for one that the new connector writes to, or may", () => {
  const near = naming("orders.ORCLPDB1.SALES.ORDER");
  const seen = { "orders.ORCLPDB1.SALES.ORDER": "missing" as const };
  const said = (parts: Parameters<typeof verification>[0] = {}) =>
    saidBy(legacyTopicMissing, verification({ seen, ...parts }, near), near);
  assert.match(said(), "did you mean ORCLPDB1.SALES.ORDERS?");
  const topics = known(["orders.ORCLPDB1.SALES.ORDERS", "orders2.ORCLPDB1.SALES.ORDER"]);
  assert.match(said({ topics }), "did you mean orders2.ORCLPDB1.SALES.ORDER?");
  const route = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };
  assert.not.match(said({ topics, settings: { config: { ...settings().config, ...route } } }), "did you mean");
  assert.not.match(said({ topics, settings: { ...UNTOLD_TOPICS } }), "did you mean");
});

check("one that was not looked at counts as missing, whatever it is called", () => {
  for (const name of ["ORCLPDB1.SALES.ORDER", "__proto__", "constructor"]) {
    const wanted = naming(name);
    assert.is(effectOf(legacyTopicMissing, verification({ topics: unseen() }, wanted), wanted), "blocks", name);
  }
});

check("never passes while topics can't be seen", () => {
  const on = verification({ read: unseen(), topics: known([]) });
  assert.is(verdictOf(legacyTopicMissing, on), "unknown");
  assert.is(effectOf(legacyTopicMissing, on), "blocks");
});

check.run();
