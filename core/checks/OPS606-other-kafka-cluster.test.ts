import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { otherKafkaCluster } from "./OPS606-other-kafka-cluster.ts";

const check = suite("OPS606 brokers of another cluster");

check("passes when the ops topic lies in the workers' own cluster", () => {
  assert.is(effectOf(otherKafkaCluster, reading()), "none");
});

check("warns of another cluster, naming both, and when the brokers could not be asked", () => {
  const on = reading({ brokers: known({ address: "kafka.test:9092", clusterId: "other" }) });
  const verdict = otherKafkaCluster.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /cluster other \(kafka\.test:9092\), the workers in 4L6g3nShT/);
  assert.is(effectOf(otherKafkaCluster, on), "warns");
  assert.is(effectOf(otherKafkaCluster, reading({ brokers: unseen() })), "warns");
});

check("warns of a signal too: it would be written where nobody looks", () => {
  const parts = { brokers: known({ address: "kafka.test:9092", clusterId: "other" }) };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(otherKafkaCluster, on), "warns");
});

check("warns of every phase of a migration: topics are read and deleted there", () => {
  for (const brokers of [known({ address: "kafka.test:9092", clusterId: "other" }), unseen()]) {
    assert.is(migration.effectOf(otherKafkaCluster, migration.cutover({ brokers })), "warns");
    assert.is(migration.effectOf(otherKafkaCluster, migration.verification({ brokers })), "warns");
    assert.is(migration.effectOf(otherKafkaCluster, migration.goingBack({ brokers })), "warns");
    assert.is(migration.effectOf(otherKafkaCluster, migration.retirement({ brokers })), "warns");
  }
});

check.run();
