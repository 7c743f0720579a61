import { suite } from "uvu";
import * as assert from "uvu/assert";
import { journalForm } from "./journal-form.ts";

const form = suite("the form of the journal");

const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";
const TOLERANT = "sh.oso.connect.oracle.journal.TolerantJsonConverter";

for (const [name, schemas, expected] of [
  [undefined, undefined, "either"],
  [undefined, "true", "enveloped"],
  [undefined, "FALSE", "plain"],
  [TOLERANT, undefined, "either"],
  [TOLERANT, "true", "enveloped"],
  [JSON_CONVERTER, undefined, "enveloped"],
  [JSON_CONVERTER, "True", "enveloped"],
  [JSON_CONVERTER, "false", "plain"],
  ["io.confluent.connect.json.JsonSchemaConverter", undefined, undefined],
  ["io.confluent.connect.avro.AvroConverter", "false", undefined],
  ["org.example.NotTolerantJsonConverter", undefined, undefined],
] as const)
  form(`${name ?? "no converter"}, schemas.enable ${schemas ?? "not set"}: ${expected ?? "refused"}`, () => {
    assert.is(journalForm({ name, schemas }), expected);
  });

form.run();
