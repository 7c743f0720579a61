import { suite } from "uvu";
import * as assert from "uvu/assert";
import { partitionOf } from "../facts/ops/partition-of.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, pastTheGap, reading, saidBy, topic } from "../kinds/resnapshot/testing/build-facts.ts";
import { signalsTopicMissing } from "./SNP906-signals-topic-missing.ts";
import { tooFewReplicasForSignal } from "./SNP917-too-few-replicas.ts";

const check = suite("SNP917 too few replicas of the signals topic in sync");

check("passes when enough are in sync, and leaves a missing topic to SNP906", () => {
  assert.is(effectOf(tooFewReplicasForSignal, reading()), "none");
  assert.is(effectOf(tooFewReplicasForSignal, reading({ signalsTopic: known("missing" as const) })), "none");
});

check("refuses a topic that would not take the signal, for a signal alone and past the gap", () => {
  const parts = { signalsTopic: known(topic({ inSyncReplicas: [1n] })) };
  for (const on of [reading(parts), pastTheGap(parts)]) {
    assert.is(effectOf(tooFewReplicasForSignal, on, intent({ by: "admin", accept: ["SNP917"] })), "blocks");
    assert.match(saidBy(tooFewReplicasForSignal, on), "partition 0 of orders.cdc.signals has 1 of 3 replicas in sync");
  }
});

check("looks at the partition of the connector's name", () => {
  const own = partitionOf(new TextEncoder().encode("orders-cdc"), 3);
  const all = [0, 1, 2].map((at) => (at === own ? 3n : 1n));
  const on = (inSyncReplicas: readonly bigint[]) =>
    reading({ signalsTopic: known(topic({ partitions: 3n, inSyncReplicas })) });
  assert.is(effectOf(tooFewReplicasForSignal, on(all)), "none");
  assert.is(effectOf(tooFewReplicasForSignal, on(all.map((count) => 4n - count))), "blocks");
});

check("leaves a topic that can't be seen to SNP906, and warns where only what it needs is hidden", () => {
  assert.is(effectOf(tooFewReplicasForSignal, reading({ signalsTopic: unseen() })), "none");
  assert.is(effectOf(signalsTopicMissing, reading({ signalsTopic: unseen() })), "blocks");
  const hidden = known(topic({ minInsyncReplicas: unseen() }));
  assert.is(effectOf(tooFewReplicasForSignal, reading({ signalsTopic: hidden })), "warns");
});

check.run();
