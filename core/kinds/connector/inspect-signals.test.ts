import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../errors.ts";
import type { KafkaPort, KafkaRecord } from "../../ports/kafka.ts";
import { linesOf } from "../../values/remedy.ts";
import { inspectSignals } from "./inspect-signals.ts";

const inspecting = suite("the signals that the task would read");

const ADDRESSED = { topic: "orders.cdc.signals", connector: "orders-cdc", prefix: "orders" };
const bytes = (text: string) => new TextEncoder().encode(text);
const snapshot = (id: string) => `{"id":"${id}","type":"snapshot","data":{"tables":["A.B"]}}`;

/** Records of partition 0, or of the one that is given. */
function brokers(
  records: readonly (readonly [key: string | null, value: string | null, partition?: number])[],
  more: Partial<KafkaPort> = {},
) {
  const asked: unknown[] = [];
  const stored = records.map(
    ([key, value, partition = 0], i): KafkaRecord => ({
      partition,
      offset: BigInt(i),
      timestamp: 0n,
      stampedBy: "producer",
      key: key === null ? null : bytes(key),
      value: value === null ? null : bytes(value),
      headers: {},
    }),
  );
  const kafka: Parameters<typeof inspectSignals>[0] = {
    brokers: "k:9092",
    mayCreateTopics: async () => true,
    endOffsets: async () => [0, 1].map((partition) => ({ partition, offset: BigInt(records.length) })),
    async read(_topic, { from }) {
      asked.push(from);
      const first = Array.isArray(from) ? from : [];
      const wanted = stored.filter(({ partition, offset }) => offset >= (first[partition]?.offset ?? 0n));
      return { records: wanted, whole: true, reachedEnd: true, readTo: [] };
    },
    ...more,
  };
  return { kafka, asked };
}

inspecting(
  "are those with the connector's name or its prefix as key, in partition 0, behind the last handled one",
  async () => {
    const { kafka, asked } = brokers([
      ["orders-cdc", snapshot("handled")],
      ["orders-cdc", snapshot("by name")],
      ["orders", '{"type":"log-state"}'],
      ["another", snapshot("another's")],
      [null, snapshot("nobody's")],
      ["orders-cdc", snapshot("elsewhere"), 1],
      ["orders-cdc", "no JSON"],
      ["orders-cdc", null],
    ]);
    assert.equal(await inspectSignals(kafka, ADDRESSED, 0n), {
      end: 8n,
      unread: [
        { offset: 1n, id: "by name", type: "snapshot", tables: ["A.B"] },
        { offset: 2n, id: "", type: "log-state", tables: [] },
        { offset: 6n, id: "", type: "", tables: [] },
        { offset: 7n, id: "", type: "", tables: [] },
      ],
    });
    assert.equal(asked, [
      [
        { partition: 0, offset: 1n },
        { partition: 1, offset: 8n },
      ],
    ]);
  },
);

inspecting("are never those of another partition, not even one that is written in between", async () => {
  const { kafka } = brokers(
    [
      ["orders", snapshot("its own")],
      ["orders", snapshot("elsewhere"), 1],
    ],
    { endOffsets: async () => [0, 1].map((partition) => ({ partition, offset: 1n })) },
  );
  const { unread } = await inspectSignals(kafka, ADDRESSED, undefined);
  assert.equal(
    unread.map(({ id }) => id),
    ["its own"],
  );
});

inspecting("are all of the topic where none was handled, and nothing is read where all were", async () => {
  const { kafka, asked } = brokers([["orders", snapshot("a")]]);
  assert.equal(
    (await inspectSignals(kafka, ADDRESSED, undefined)).unread.map(({ id }) => id),
    ["a"],
  );
  for (const handled of [0n, 57n])
    assert.equal(await inspectSignals(kafka, ADDRESSED, handled), { end: 1n, unread: [] });
  assert.is(asked.length, 1);
});

inspecting("a missing topic has none, and it is known whether it may be created", async () => {
  const endOffsets = () => Promise.reject(new CallFailed("kafka", "missing", { message: "no topic" }));
  for (const mayCreate of [true, false, undefined]) {
    const { kafka } = brokers([], { endOffsets, mayCreateTopics: async () => mayCreate });
    assert.equal(await inspectSignals(kafka, ADDRESSED, undefined), {
      end: 0n,
      unread: [],
      ...(mayCreate === undefined ? {} : { mayCreate }),
    });
  }
});

inspecting("a topic that can't be read to its end is no answer", async () => {
  const read = async () => ({ records: [], whole: false, reachedEnd: false, readTo: [] });
  const { kafka } = brokers([["orders", snapshot("a")]], { read });
  const failure = await inspectSignals(kafka, ADDRESSED, undefined).catch((thrown: unknown) => thrown);
  assert.ok(failure instanceof CallFailed && failure.system === "kafka" && failure.kind === "timeout");
  assert.is(failure.message, "k:9092: orders.cdc.signals could not be read to its end in time");
  assert.match(linesOf(failure.remedies), "brokers are overloaded, or a transaction on the topic is open");
});

inspecting("a topic that no record of partition 0 was ever written to has none", async () => {
  const { kafka, asked } = brokers([], { endOffsets: async () => [{ partition: 1, offset: 5n }] });
  assert.equal(await inspectSignals(kafka, ADDRESSED, undefined), { end: 0n, unread: [] });
  assert.equal(asked, []);
});

inspecting.run();
