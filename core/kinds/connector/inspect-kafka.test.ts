import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetsSetDetails } from "../../../schemas/generated/facts.ts";
import { connectorSettings } from "../../document/connector-settings.ts";
import { CallFailed } from "../../errors.ts";
import { observerAt } from "../../facts/observer.ts";
import { encodeOpsEvent, recordedChanges } from "../../facts/ops/ops-event.ts";
import { atOffsets, type RecordParts, topicOf } from "../../journal/testing/build-journal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KafkaPort, TopicRead } from "../../ports/kafka.ts";
import type { World } from "../../ports/world.ts";
import { epochMillis, instantOf } from "../../values/instant.ts";
import { linesOf } from "../../values/remedy.ts";
import { opsEvent } from "../offset-change/testing/build-facts.ts";
import { inspectJournal, inspectKafka } from "./inspect-kafka.ts";

const observing = suite("transactions in the journal");
/** Every look at it is a second later. */
let seconds = 0;
const CLOCK = { now: () => "2026-11-21T09:14:02Z", elapsed: () => 1000 * seconds++ } as Clock;

function journaled(records: readonly RecordParts[], config: Readonly<Record<string, string>> = {}) {
  const kafka = { ...topicOf(atOffsets(records)), topic: async (name: string) => ({ name }) } as unknown as KafkaPort;
  const settings = connectorSettings({ "cdc.topic.prefix": "orders", ...config }, "a test");
  return inspectJournal(kafka, settings, observerAt(CLOCK), CLOCK);
}

const header = (generation: bigint, firstScn: bigint) => ({ generation, firstScn, lastScn: 110n });

observing(
  "are listed once each, with the lowest first SCN and its user, whatever the next start would do with them",
  async () => {
    const seen = await journaled([
      { value: { first_scn: 500, username: "LATER" } },
      { key: { chunk: 1, generation: 99 }, value: { first_scn: 400, username: "APP", client_id: "batch" } },
      { key: { chunk: 2, generation: 99 }, value: { first_scn: 450, username: "LATEST" } },
      { key: { con_id: 4 }, value: { first_scn: 300, username: null } },
      { key: { xid: "1.1.1" } },
      { key: { xid: "1.1.1" }, value: null },
      { key: { server: "billing" }, value: "garbage" },
    ]);
    assert.equal(seen.known && seen.value, [
      {
        xid: "4.9.771",
        container: 3n,
        firstScn: 400n,
        user: "APP",
        clientId: "batch",
        chunks: [header(7n, 500n), header(99n, 400n), header(99n, 450n)],
      },
      {
        xid: "4.9.771",
        container: 4n,
        firstScn: 300n,
        user: undefined,
        clientId: undefined,
        chunks: [header(7n, 300n)],
      },
    ]);
  },
);

observing("are unknown if a record is unreadable, or readable only by the task", async () => {
  const damaged = await journaled([{}, { value: "garbage" }]);
  assert.match(damaged.known ? "" : damaged.why, "1 record of orders.cdc.txjournal can't be read");
  const twice = await journaled([{ value: "garbage" }, {}, { value: "garbage" }]);
  assert.match(twice.known ? "" : twice.why, "2 records of orders.cdc.txjournal can't be read");
  const avro = await journaled([], { "cdc.journal.converter": "io.confluent.connect.avro.AvroConverter" });
  assert.match(avro.known ? "" : avro.why, "AvroConverter");
  assert.match(linesOf(avro.known ? [] : (avro.remedies ?? [])), "Only the database's own list of open transactions");
  assert.match(linesOf(damaged.known ? [] : (damaged.remedies ?? [])), "cdcctl admin journal inspect");
});

observing("are unknown, with a remedy, if the journal takes longer than a plan may", async () => {
  const whole = await journaled(Array.from({ length: 80 }, () => ({})));
  assert.is(whole.known, true);
  const long = await journaled(Array.from({ length: 120 }, () => ({})));
  assert.match(long.known ? "" : long.why, "orders.cdc.txjournal is too long to be read here: the limit of 30 s");
  assert.match(long.known ? "" : long.why, /was reached after \d+ records$/);
  assert.match(long.known ? "" : linesOf(long.remedies ?? []), "cdcctl admin journal inspect");
});

observing("are none if the topic does not exist", async () => {
  const kafka = { topic: async () => undefined } as unknown as KafkaPort;
  const settings = connectorSettings({ "cdc.topic.prefix": "orders" }, "a test");
  const seen = await inspectJournal(kafka, settings, observerAt(CLOCK), CLOCK);
  assert.equal(seen.known && seen.value, []);
});

const history = suite("changes in the ops topic");
const START = Date.parse("2026-11-21T09:00:00Z");

/** Records of an ops topic: an event of `orders-cdc`, where it stands, and when its record is dated, in minutes. */
async function historyOf(
  ...records: readonly (readonly [
    partition: number,
    offset: number,
    minute: number,
    details: Partial<OffsetsSetDetails>,
  ])[]
) {
  const { events, ...rest } = await historyRead(
    records.map(([partition, offset, minute, details]) => {
      const at = instantOf(START + minute * 60_000);
      const event = { ...opsEvent(details, at) };
      return {
        partition,
        offset: BigInt(offset),
        timestamp: BigInt(epochMillis(at)),
        stampedBy: "producer" as const,
        headers: {},
        ...encodeOpsEvent(event, "json"),
      };
    }),
  );
  const changes = recordedChanges(events, "orders-cdc");
  return { ...rest, events, changes: changes.map(({ event, outcome }) => `${event.details.run} ${outcome}`) };
}

/** What is read of an ops topic with these records, to its end. */
async function historyRead(records: TopicRead["records"]) {
  const read: TopicRead = { records, whole: true, reachedEnd: true, readTo: [{ partition: 0, offset: 9n }] };
  const kafka = { brokers: "k:9092", clusterId: async () => "k", topic: async () => ({}), read: async () => read };
  const settings = connectorSettings({ "cdc.topic.prefix": "orders" }, "a test");
  const world = { redact: (text: string) => text, connect: { time: () => "2026-11-21T09:14:00Z" } };
  const { opsHistory } = await inspectKafka(
    kafka as unknown as KafkaPort,
    settings,
    observerAt(CLOCK),
    world as unknown as World,
  );
  assert.ok(opsHistory.known);
  return opsHistory.value;
}

const [A, B] = ["2026-11-21T09-15-40Z-000a", "2026-11-21T09-15-40Z-000b"] as const;

/** Two changes one after the other in one log, whatever the clocks of the machines that made them. */
for (const [clocks, first, second] of [
  ["equal clocks", 0, 5],
  ["the second one's clock 20 min behind", 0, -15],
  ["the first one's clock an hour ahead", 60, 5],
] as const)
  history(`use the order of the log and not the times of its records: ${clocks}`, async () => {
    const { changes, events } = await historyOf(
      [0, 0, first, { run: A }],
      [0, 1, first, { run: A, outcome: "applied" }],
      [0, 2, second, { run: B }],
    );
    assert.equal(changes, [`${A} applied`, `${B} applying`]);
    assert.equal(
      events.map(({ record }) => record.offset),
      [0n, 1n, 2n],
    );
  });

for (const [whole, reachedEnd] of [
  [true, false],
  [false, true],
] as const)
  history(`are incomplete if the read began late (${!whole}) or ended early (${!reachedEnd})`, async () => {
    const kafka = {
      brokers: "k:9092",
      clusterId: async () => "k",
      topic: async () => ({}),
      read: async (): Promise<TopicRead> => ({ records: [], whole, reachedEnd, readTo: [] }),
    };
    const seen = await inspectKafka(
      kafka as unknown as KafkaPort,
      connectorSettings({ "cdc.topic.prefix": "orders" }, "a test"),
      observerAt(CLOCK),
      { redact: (text: string) => text, connect: { time: () => "2026-11-21T09:14:00Z" } } as unknown as World,
    );
    assert.is(seen.opsHistory.known && seen.opsHistory.value.whole, false);
    assert.equal(seen.brokers.known && [seen.brokers.value, seen.brokers.source], [
      { address: "k:9092", clusterId: "k" },
      "Kafka metadata",
    ]);
  });

/** What an observation finds where the topic is this, and reading it gives nothing. */
async function found(topic: KafkaPort["topic"]) {
  const asked: unknown[] = [];
  const read = async (name: string, how: unknown): Promise<TopicRead> => {
    asked.push([name, how]);
    return { records: [], whole: true, reachedEnd: true, readTo: [] };
  };
  const seen = await inspectKafka(
    { brokers: "k:9092", clusterId: async () => "k", topic, read } as unknown as KafkaPort,
    connectorSettings({ "cdc.topic.prefix": "orders" }, "a test"),
    observerAt(CLOCK),
    { redact: (text: string) => text, connect: { time: () => "2026-11-21T09:14:00Z" } } as unknown as World,
  );
  return { ...seen, asked };
}

history("are looked for from the end of the topic back, so that a long one does not hide the latest", async () => {
  const { asked, opsHistory } = await found(async () => ({}) as never);
  const [[topic, how] = []] = asked as [[string, Parameters<KafkaPort["read"]>[1]]];
  assert.equal([topic, how?.from], ["orders.cdc.ops", "tail"]);
  assert.ok(
    Number(how?.records) >= 10_000 && Number(how?.millis) >= 5000,
    "a year of changes, at the pace of a broker",
  );
  assert.is(opsHistory.source, "orders.cdc.ops");
});

history("of a missing topic are none, which is known", async () => {
  const { opsTopic, opsHistory, asked } = await found(async () => undefined);
  assert.is(opsTopic.known && opsTopic.value, "missing");
  assert.equal(opsHistory, {
    ...{ known: true, source: "orders.cdc.ops", at: "2026-11-21T09:14:02Z" },
    value: { events: [], answers: [], whole: true, readTo: [], clusterNow: "2026-11-21T09:14:00Z" },
  });
  assert.equal(asked, []);
});

history("of a topic that may not be seen are unknown for the same reason", async () => {
  const { opsTopic, opsHistory, asked } = await found(() =>
    Promise.reject(new CallFailed("kafka", "forbidden", { message: "no right", remedy: "Grant DESCRIBE." })),
  );
  assert.equal(opsHistory, { known: false, why: "no right", remedies: ["Grant DESCRIBE."], source: "orders.cdc.ops" });
  assert.equal(opsTopic, opsHistory);
  assert.equal(asked, []);
});

history("an outcome belongs to what precedes it in the log, although a clock was set back in between", async () => {
  const { changes } = await historyOf([0, 7, 10, {}], [0, 8, -10, { outcome: "applied" }]);
  assert.equal(changes, ["undefined applied"]);
});

history("several partitions are merged by time, and each keeps its order", async () => {
  const { changes, events } = await historyOf(
    [0, 0, 30, { run: A }],
    [0, 1, 2, { run: A, outcome: "applied" }],
    [1, 0, 1, { run: B }],
    [1, 1, 40, { run: B, outcome: "failed" }],
  );
  assert.equal(
    events.map(({ record }) => `${record.partition}/${record.offset}`),
    ["1/0", "0/0", "0/1", "1/1"],
  );
  assert.equal(changes, [`${B} failed`, `${A} applied`]);
});

history("include the connector's answers to signals, and not the records of other types", async () => {
  const details = { id: "srcdb-cdc-admin-1", outcome: "rejected", message: "no such table" };
  const record = (type: string, offset: bigint) => ({
    partition: 0,
    offset,
    timestamp: 0n,
    stampedBy: "producer" as const,
    headers: {},
    key: null,
    value: new TextEncoder().encode(JSON.stringify({ type, details })),
  });
  const { answers, events } = await historyRead([record("signal-ack", 1n), record("heartbeat", 2n)]);
  assert.equal([answers, events], [[details], []]);
});

history("include each event's place, the extent of the read, and the workers' clocks", async () => {
  const { events, readTo, clusterNow, whole } = await historyOf([0, 3, 4, { run: A }]);
  assert.ok(whole);
  assert.equal(events[0]?.record, { partition: 0n, offset: 3n, time: "2026-11-21T09:04:00Z", stampedBy: "producer" });
  assert.equal([readTo, clusterNow], [[{ partition: 0n, offset: 9n }], "2026-11-21T09:14:00Z"]);
});

observing.run();
history.run();
