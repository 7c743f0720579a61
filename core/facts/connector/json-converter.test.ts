import { suite } from "uvu";
import * as assert from "uvu/assert";
import { journalForm } from "../../journal/journal-form.ts";
import { opsFormat } from "../ops/ops-event.ts";
import { isJsonConverter } from "./plugins.ts";

const converter = suite("the JSON converter by its names");

const names: readonly (readonly [name: string, json: boolean])[] = [
  ["org.apache.kafka.connect.json.JsonConverter", true],
  [" org.apache.kafka.connect.json.JsonConverter ", true],
  ["JsonConverter", true],
  ["Json", true],
  ["json", false],
  ["JsonSchemaConverter", false],
  ["io.confluent.connect.json.JsonSchemaConverter", false],
  ["com.example.JsonConverter", false],
  ["AvroConverter", false],
];

for (const [name, json] of names)
  converter(`"${name}" is ${json ? "" : "not "}recognized, for ops events and the journal alike`, () => {
    assert.is(isJsonConverter(name), json);
    const of = { valueConverter: name, valueConverterSchemas: undefined };
    assert.is(opsFormat(undefined, of), json ? "json_schemas" : undefined);
    assert.is(opsFormat(undefined, { ...of, valueConverterSchemas: "false" }), json ? "json" : undefined);
    assert.is(journalForm({ name, schemas: undefined }), json ? "enveloped" : undefined);
  });

converter.run();
