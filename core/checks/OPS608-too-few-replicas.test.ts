import { suite } from "uvu";
import * as assert from "uvu/assert";
import { opsKey } from "../facts/ops/ops-event.ts";
import { partitionOf } from "../facts/ops/partition-of.ts";
import type { TopicSeen } from "../facts/ops/topic.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { opsTopicMissing } from "./OPS601-ops-topic-missing.ts";
import { tooFewReplicas } from "./OPS608-too-few-replicas.ts";

const check = suite("OPS608 too few replicas of the ops topic in sync");

const topic = (parts: Partial<TopicSeen>) => known(resnapshot.topic({ name: "orders.cdc.ops", ...parts }));

/** Of 5 partitions, all with 3 replicas in sync but the one that the event goes to, or all others. */
const own = partitionOf(opsKey("orders", "json"), 5);
const only = (short: boolean) => Array.from({ length: 5 }, (_, at) => ((at === own) === short ? 1n : 3n));

const CASES: readonly (readonly [string, Partial<TopicSeen>, "none" | "warns" | "blocks", RegExp?])[] = [
  ["all in sync", {}, "none"],
  ["as many as it needs", { inSyncReplicas: [2n] }, "none"],
  [
    "one too few",
    { inSyncReplicas: [1n] },
    "blocks",
    /partition 0 of orders\.cdc\.ops has 1 of 3 replicas in sync.* 2 \(min/,
  ],
  [
    "too few in the event's own partition",
    { partitions: 5n, inSyncReplicas: only(true) },
    "blocks",
    new RegExp(`partition ${own} of`),
  ],
  ["too few in every other partition", { partitions: 5n, inSyncReplicas: only(false) }, "none"],
  ["fewer replicas than it needs", { replicas: 1n, inSyncReplicas: [1n] }, "warns", /depends on their release/],
  [
    "fewer replicas than it needs, and not all in sync",
    { replicas: 2n, minInsyncReplicas: known(3n), inSyncReplicas: [1n] },
    "blocks",
  ],
  ["what it needs is hidden", { minInsyncReplicas: unseen() }, "warns", /can't be told/],
];

for (const [name, parts, effect, words] of CASES)
  check(`${effect}: ${name}`, () => {
    const on = reading({ opsTopic: topic(parts) });
    assert.is(effectOf(tooFewReplicas, on), effect);
    assert.is(effectOf(tooFewReplicas, on, intent({ by: "admin", accept: ["OPS608"] })), effect);
    const verdict = tooFewReplicas.run(intent(), on);
    if (words !== undefined) assert.match(verdict.verdict === "pass" ? "" : verdict.seen, words);
  });

check("is asked of every partition while the form of the event is open", () => {
  const config = { valueConverter: "io.confluent.connect.avro.AvroConverter" };
  const opsTopic = topic({ partitions: 5n, inSyncReplicas: only(false) });
  assert.is(effectOf(tooFewReplicas, reading({ opsTopic, connector: config })), "blocks");
});

check("leaves a topic that is missing or can't be seen to OPS601, which blocks", () => {
  for (const opsTopic of [known("missing" as const), unseen()]) {
    assert.is(effectOf(tooFewReplicas, reading({ opsTopic })), "none");
    assert.is(effectOf(opsTopicMissing, reading({ opsTopic })), "blocks");
  }
});

check("does not concern a signal alone, which is recorded nowhere; a move past the gap it does", () => {
  const parts = { opsTopic: topic({ inSyncReplicas: [1n] }) };
  assert.is(resnapshot.effectOf(tooFewReplicas, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(tooFewReplicas, resnapshot.pastTheGap(parts)), "blocks");
});

check("concerns the way back of a migration while there is an offset to delete", () => {
  const parts = { opsTopic: topic({ inSyncReplicas: [1n] }) };
  assert.is(migration.effectOf(tooFewReplicas, migration.goingBack(parts)), "blocks");
  assert.is(migration.effectOf(tooFewReplicas, migration.goingBack({ ...parts, next: null })), "none");
});

check.run();
