import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_TOPICS, ORDERS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { newTopicMissing } from "./MIG204-new-topic-missing.ts";

const check = suite("MIG204 a new topic that is not there");

const missing = verification({ seen: { "orders.ORCLPDB1.SALES.ORDERS": "missing" } });

check("passes where every topic is there", () => {
  assert.is(effectOf(newTopicMissing, verification()), "none");
});

check("blocks until it is accepted, and names topic and table", () => {
  assert.is(effectOf(newTopicMissing, missing), "blocks");
  assert.is(effectOf(newTopicMissing, missing, intent({ accept: ["MIG204"] })), "accepted");
  assert.match(saidBy(newTopicMissing, missing), `no topic orders.ORCLPDB1.SALES.ORDERS for ${ORDERS}`);
});

check("is not concerned by a legacy topic", () => {
  assert.is(effectOf(newTopicMissing, verification({ seen: { "ORCLPDB1.SALES.ORDERS": "missing" } })), "none");
});

check("says what was probably meant by one that the plan file names, and never a legacy one", () => {
  const naming = (topic: string) => intent({ phase: "verify", verify: { topics: { "SALES.ORDERS": topic } } });
  const said = (topic: string) =>
    saidBy(
      newTopicMissing,
      verification({ seen: { [topic]: "missing" }, topics: known([...LEGACY_TOPICS, "routed.orders"]) }, naming(topic)),
      naming(topic),
    );
  assert.match(said("routed.order"), `no topic routed.order for ${ORDERS}; did you mean routed.orders?`);
  assert.not.match(said("ORCLPDB1.SALES.ORDER"), "did you mean");
});

check("never passes while topics can't be seen; leaves tables that can't be told to MIG201", () => {
  assert.is(verdictOf(newTopicMissing, verification({ read: unseen() })), "unknown");
  assert.is(effectOf(newTopicMissing, verification({ read: unseen() })), "blocks");
  assert.is(effectOf(newTopicMissing, verification({ dictionary: unseen(), read: unseen() })), "none");
});

check.run();
