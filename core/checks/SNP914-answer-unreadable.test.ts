import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/resnapshot/testing/build-facts.ts";
import { answerUnreadable } from "./SNP914-answer-unreadable.ts";

const check = suite("SNP914 an answer that can't be read");

const AVRO = { connector: { valueConverter: "io.confluent.connect.avro.AvroConverter" } };
const JSON_CONVERTER = { connector: { valueConverter: "org.apache.kafka.connect.json.JsonConverter" } };
const waiting = intent({ waitForAck: 60_000n });

check("passes for a JSON converter, and for none", () => {
  for (const parts of [{}, JSON_CONVERTER]) assert.is(effectOf(answerUnreadable, reading(parts), waiting), "none");
});

check("passes where nobody waits for an answer", () => {
  assert.is(effectOf(answerUnreadable, reading(AVRO), intent({ waitForAck: undefined })), "none");
});

check("warns of any other converter, by name", () => {
  const verdict = answerUnreadable.run(waiting, reading(AVRO));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "AvroConverter");
  assert.is(effectOf(answerUnreadable, reading(AVRO), waiting), "warns");
});

check.run();
