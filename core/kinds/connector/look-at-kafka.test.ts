import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectorSettings } from "../../document/connector-settings.ts";
import { observerAt } from "../../facts/observer.ts";
import { atOffsets, type RecordParts, topicOf } from "../../journal/testing/build-journal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import { lookAtJournal } from "./look-at-kafka.ts";

const look = suite("the transactions that the journal names");
/** Every look at it is a second later. */
let seconds = 0;
const CLOCK = { now: () => "2026-11-21T09:14:02Z", elapsed: () => 1000 * seconds++ } as Clock;

function journaled(records: readonly RecordParts[], config: Readonly<Record<string, string>> = {}) {
  const kafka = { ...topicOf(atOffsets(records)), topic: async (name: string) => ({ name }) } as unknown as KafkaPort;
  const settings = connectorSettings({ "cdc.topic.prefix": "orders", ...config }, "a test");
  return lookAtJournal(kafka, settings, observerAt(CLOCK), CLOCK);
}

look(
  "are one for each, with the lowest first SCN and its user, whatever the next start would make of them",
  async () => {
    const seen = await journaled([
      { value: { first_scn: 500, username: "LATER" } },
      { key: { chunk: 1, generation: 99 }, value: { first_scn: 400, username: "APP", client_id: "batch" } },
      { key: { con_id: 4 }, value: { first_scn: 300, username: null } },
      { key: { xid: "1.1.1" } },
      { key: { xid: "1.1.1" }, value: null },
      { key: { server: "billing" }, value: "garbage" },
    ]);
    assert.equal(seen.known && seen.value, [
      { xid: "4.9.771", container: 3n, firstScn: 400n, user: "APP", clientId: "batch" },
      { xid: "4.9.771", container: 4n, firstScn: 300n, user: undefined, clientId: undefined },
    ]);
  },
);

look("are unknown where a record can't be read, or only the task can read them", async () => {
  const damaged = await journaled([{}, { value: "garbage" }]);
  assert.match(damaged.known ? "" : damaged.why, "1 record of orders.cdc.txjournal can't be read");
  const avro = await journaled([], { "cdc.journal.converter": "io.confluent.connect.avro.AvroConverter" });
  assert.match(avro.known ? "" : avro.why, "AvroConverter");
});

look("are unknown, with what to do, where the journal takes longer than a plan may", async () => {
  const whole = await journaled(Array.from({ length: 80 }, () => ({})));
  assert.is(whole.known, true);
  const long = await journaled(Array.from({ length: 120 }, () => ({})));
  assert.match(
    long.known ? "" : long.why,
    "orders.cdc.txjournal is longer than what is read of it here: after 93 records, 30 s",
  );
  assert.match(long.known ? "" : (long.remedy ?? ""), "cdcctl admin journal inspect");
});

look("are none where there is no such topic", async () => {
  const kafka = { topic: async () => undefined } as unknown as KafkaPort;
  const settings = connectorSettings({ "cdc.topic.prefix": "orders" }, "a test");
  const seen = await lookAtJournal(kafka, settings, observerAt(CLOCK), CLOCK);
  assert.equal(seen.known && seen.value, []);
});

look.run();
