import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { opsTopicMissing } from "./OPS601-ops-topic-missing.ts";

const check = suite("OPS601 an ops topic that is not there");

check("passes when it is there", () => {
  assert.is(effectOf(opsTopicMissing, reading()), "none");
});

check("refuses a missing one everywhere: no change without a record", () => {
  const on = reading({ opsTopic: known("missing" as const) });
  assert.is(effectOf(opsTopicMissing, on, intent({ accept: ["OPS601"] })), "blocks");
  assert.is(effectOf(opsTopicMissing, on, intent({ by: "admin" })), "blocks");
});

check("never passes while it can't be seen", () => {
  const on = reading({ opsTopic: unseen("TOPIC_AUTHORIZATION_FAILED") });
  assert.is(opsTopicMissing.run(intent(), on).verdict, "unknown");
  assert.is(effectOf(opsTopicMissing, on), "blocks");
});

check("does not concern a signal alone, which is recorded nowhere", () => {
  const parts = { opsTopic: known("missing" as const) };
  assert.is(resnapshot.effectOf(opsTopicMissing, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(opsTopicMissing, resnapshot.pastTheGap(parts)), "blocks");
});

check("concerns the way back of a migration while there is an offset to delete", () => {
  const parts = { opsTopic: known("missing" as const) };
  assert.is(migration.effectOf(opsTopicMissing, migration.goingBack(parts)), "blocks");
  assert.match(migration.saidBy(opsTopicMissing, migration.goingBack(parts)), "orders.cdc.ops");
  assert.is(migration.effectOf(opsTopicMissing, migration.goingBack({ opsTopic: unseen() })), "blocks");
  assert.is(migration.effectOf(opsTopicMissing, migration.goingBack({ ...parts, next: null })), "none");
});

check.run();
