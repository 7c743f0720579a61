import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { opsFormatNeeded, otherKafkaCluster } from "./ops-topic.ts";
import { worded } from "./testing/wording.ts";

const OPS605 = suite("OPS605 the form of the ops event");

const avro = { valueConverter: "io.confluent.connect.avro.AvroConverter" };

OPS605("passes without a converter and with the JSON converter", () => {
  for (const valueConverter of [undefined, "org.apache.kafka.connect.json.JsonConverter"])
    assert.is(effectOf(opsFormatNeeded, reading({ connector: { valueConverter } })), "none");
});

OPS605("refuses any other converter until one of the two forms is named", () => {
  assert.is(effectOf(opsFormatNeeded, reading({ connector: avro }), intent({ accept: ["OPS605"] })), "blocks");
  for (const opsFormat of ["json", "json_schemas"] as const) {
    const wanted = intent({ opsFormat });
    assert.is(effectOf(opsFormatNeeded, reading({ connector: avro }, wanted), wanted), "none");
  }
});

OPS605("is required for a resnapshot only where the offset moves", () => {
  const parts = { connector: avro };
  assert.is(resnapshot.effectOf(opsFormatNeeded, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(opsFormatNeeded, resnapshot.pastTheGap(parts)), "blocks");
});

OPS605("is required while it is unknown whether the offset moves", () => {
  const on = resnapshot.reading({ connector: avro, redo: unseen() });
  assert.is(resnapshot.effectOf(opsFormatNeeded, on), "blocks");
});

OPS605("is required for the rollback of a migration, by the new connector's converter", () => {
  const parts = { settings: avro };
  assert.is(migration.effectOf(opsFormatNeeded, migration.goingBack(parts)), "blocks");
  assert.match(
    migration.resultOf(opsFormatNeeded, migration.goingBack(parts)),
    "value.converter of orders-cdc is io.confluent",
  );
  const wanted = migration.intent({ phase: "rollback", opsFormat: "json" });
  assert.is(migration.effectOf(opsFormatNeeded, migration.goingBack(parts, wanted), wanted), "none");
  assert.is(migration.effectOf(opsFormatNeeded, migration.goingBack({ ...parts, next: null })), "none");
});

const OPS606 = suite("OPS606 brokers of another cluster");

OPS606("passes when the ops topic is in the workers' own cluster", () => {
  assert.is(effectOf(otherKafkaCluster, reading()), "none");
});

OPS606("warns of another cluster, naming both, and when the brokers could not be asked", () => {
  const on = reading({ brokers: known({ address: "kafka.test:9092", clusterId: "other" }) });
  const verdict = worded(otherKafkaCluster).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /cluster other \(kafka\.test:9092\), the workers in 4L6g3nShT/);
  assert.is(effectOf(otherKafkaCluster, on), "warns");
  assert.is(effectOf(otherKafkaCluster, reading({ brokers: unseen() })), "warns");
});

OPS606("warns for a signal too: it would be written where no connector reads it", () => {
  const parts = { brokers: known({ address: "kafka.test:9092", clusterId: "other" }) };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(otherKafkaCluster, on), "warns");
});

OPS606("warns for every phase of a migration: topics are read and deleted there", () => {
  for (const brokers of [known({ address: "kafka.test:9092", clusterId: "other" }), unseen()]) {
    assert.is(migration.effectOf(otherKafkaCluster, migration.cutover({ brokers })), "warns");
    assert.is(migration.effectOf(otherKafkaCluster, migration.verification({ brokers })), "warns");
    assert.is(migration.effectOf(otherKafkaCluster, migration.goingBack({ brokers })), "warns");
    assert.is(migration.effectOf(otherKafkaCluster, migration.retirement({ brokers })), "warns");
  }
});

OPS605.run();
OPS606.run();
