import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { opsFormatNeeded } from "./OPS605-ops-format-needed.ts";

const check = suite("OPS605 the form of the ops event");

const avro = { valueConverter: "io.confluent.connect.avro.AvroConverter" };

check("passes without a converter and with the JSON converter", () => {
  for (const valueConverter of [undefined, "org.apache.kafka.connect.json.JsonConverter"])
    assert.is(effectOf(opsFormatNeeded, reading({ connector: { valueConverter } })), "none");
});

check("refuses any other converter until one of the two forms is named", () => {
  assert.is(effectOf(opsFormatNeeded, reading({ connector: avro }), intent({ accept: ["OPS605"] })), "blocks");
  for (const opsFormat of ["json", "json_schemas"] as const) {
    const wanted = intent({ opsFormat });
    assert.is(effectOf(opsFormatNeeded, reading({ connector: avro }, wanted), wanted), "none");
  }
});

check("is needed for a resnapshot only where the offset moves", () => {
  const parts = { connector: avro };
  assert.is(resnapshot.effectOf(opsFormatNeeded, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(opsFormatNeeded, resnapshot.pastTheGap(parts)), "blocks");
});

check("is asked for while it can't be told whether the offset moves", () => {
  const on = resnapshot.reading({ connector: avro, redo: unseen() });
  assert.is(resnapshot.effectOf(opsFormatNeeded, on), "blocks");
});

check("is needed for the way back of a migration, by the new connector's converter", () => {
  const parts = { settings: avro };
  assert.is(migration.effectOf(opsFormatNeeded, migration.goingBack(parts)), "blocks");
  assert.match(
    migration.saidBy(opsFormatNeeded, migration.goingBack(parts)),
    "value.converter of orders-cdc is io.confluent",
  );
  const wanted = migration.intent({ phase: "rollback", opsFormat: "json" });
  assert.is(migration.effectOf(opsFormatNeeded, migration.goingBack(parts, wanted), wanted), "none");
  assert.is(migration.effectOf(opsFormatNeeded, migration.goingBack({ ...parts, next: null })), "none");
});

check.run();
