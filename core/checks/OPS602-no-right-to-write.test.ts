import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { noRightToWrite } from "./OPS602-no-right-to-write.ts";

const check = suite("OPS602 no right to write to the ops topic");

const topic = {
  name: "orders.cdc.ops",
  partitions: 1n,
  replicas: 3n,
  cleanupPolicy: unseen(),
  minInsyncReplicas: unseen(),
  inSyncReplicas: [3n],
  timestamps: unseen(),
  maxMessageBytes: unseen(),
  retentionMillis: unseen(),
  retentionBytes: unseen(),
};

check("passes when this login may write", () => {
  assert.is(effectOf(noRightToWrite, reading()), "none");
});

check("refuses when the brokers say that it may not", () => {
  const on = reading({ opsTopic: known({ ...topic, mayWrite: known(false) }) });
  assert.is(effectOf(noRightToWrite, on), "blocks");
  assert.is(effectOf(noRightToWrite, on, intent({ by: "admin", accept: ["OPS602"] })), "blocks");
});

check("only warns where the protocol does not tell", () => {
  for (const opsTopic of [known({ ...topic, mayWrite: unseen("an old broker") }), unseen()]) {
    const on = reading({ opsTopic });
    assert.is(noRightToWrite.run(intent(), on).verdict, "unknown");
    assert.is(effectOf(noRightToWrite, on), "warns");
  }
});

check("does not concern a signal alone, which is recorded nowhere", () => {
  const parts = { opsTopic: known({ ...topic, mayWrite: known(false) }) };
  assert.is(resnapshot.effectOf(noRightToWrite, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(noRightToWrite, resnapshot.pastTheGap(parts)), "blocks");
});

check("concerns the way back of a migration while there is an offset to delete", () => {
  const parts = { opsTopic: known({ ...topic, mayWrite: known(false) }) };
  assert.is(migration.effectOf(noRightToWrite, migration.goingBack(parts)), "blocks");
  assert.is(migration.effectOf(noRightToWrite, migration.goingBack({ ...parts, next: null })), "none");
});

check.run();
