import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
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

check.run();
