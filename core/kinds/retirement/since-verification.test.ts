import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import { CallFailed } from "../../errors.ts";
import { encodeOpsEvent } from "../../facts/ops/ops-event.ts";
import { unredacted } from "../../facts/testing/unredacted.ts";
import { CONNECTOR_CLASS } from "../../legacy/connector-class.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { KafkaPort, KafkaRecord, ReadBounds } from "../../ports/kafka.ts";
import { LEGACY_CONFIG, LEGACY_OFFSETS } from "../migration/testing/story.ts";
import { opsEvent, STOPPED } from "../offset-change/testing/build-facts.ts";
import { connectorsFound, recordedSince } from "./since-verification.ts";

const TOPIC = "orders.cdc.ops";

/** A partition whose records begin at an offset; text stands for what is no event. */
interface Partition {
  readonly from?: bigint;
  readonly records: readonly (RecordedEvent | string)[];
}

const endOf = ({ from = 0n, records }: Partition) => from + BigInt(records.length);

/** @param partitions undefined: the topic is not there */
function kafkaOf(partitions: readonly Partition[] | undefined, reachedEnd = true): KafkaPort {
  const there = partitions ?? [];
  const recordOf = (one: RecordedEvent | string, partition: number, offset: bigint): KafkaRecord => ({
    partition,
    offset,
    timestamp: BigInt(typeof one === "string" ? 0 : Date.parse(one.at)),
    stampedBy: "producer",
    key: null,
    value: typeof one === "string" ? new TextEncoder().encode(one) : encodeOpsEvent(one, "json").value,
    headers: {},
  });
  return {
    topic: async () => (partitions === undefined ? undefined : { name: TOPIC }),
    extents: async () => {
      if (partitions === undefined) throw new Error("no such topic");
      return there.map((one, partition) => ({ partition, from: one.from ?? 0n, to: endOf(one) }));
    },
    read: async (_topic: string, { from }: ReadBounds) => ({
      records: there.flatMap(({ from: first = 0n, records }, partition) =>
        records
          .map((one, i) => recordOf(one, partition, first + BigInt(i)))
          .filter(
            ({ offset }) => Array.isArray(from) && from.some((of) => of.partition === partition && offset >= of.offset),
          ),
      ),
      reachedEnd,
    }),
  } as unknown as KafkaPort;
}

/** @param ends of partitions 0, 1 … when the connector was verified */
const since = (kafka: KafkaPort, ...ends: readonly bigint[]) =>
  recordedSince(
    { opsTopic: TOPIC, opsTopicEnds: ends.map((offset, at) => ({ partition: BigInt(at), offset })) },
    "orders-cdc",
    kafka,
    unredacted,
  );

/** A change of the connector, named by its reason. */
const change = (reason: string, minute = 0, connector = "orders-cdc") =>
  opsEvent({ reason, connector }, `2026-11-21T09:${String(minute).padStart(2, "0")}:00Z`);

const recorded = suite("changes since a verification");

recorded("are none if the topic was not there then, and is not there now: nothing is read", async () => {
  assert.equal(await since(kafkaOf(undefined, false)), []);
});

for (const [what, partitions, reasons] of [
  ["none if nothing was written since", [{ records: [change("a"), change("b")] }], []],
  [
    "those after it, whatever the clocks show",
    [{ records: [change("a"), change("b", 50), change("c", 9), change("d", 3)] }],
    ["c", "d"],
  ],
  [
    "those of the connector only",
    [{ records: ["", "", change("x", 1, "billing-cdc"), "no JSON", change("c")] }],
    ["c"],
  ],
  [
    "all of a partition that was added since",
    [{ records: [change("a"), change("b")] }, { records: [change("c", 1)] }],
    ["c"],
  ],
  ["the remaining ones, although earlier ones are gone", [{ from: 2n, records: [change("c")] }], ["c"]],
] as readonly (readonly [string, readonly Partition[], readonly string[]])[])
  recorded(`are ${what}`, async () => {
    const found = await since(kafkaOf(partitions), 2n);
    assert.equal(
      found.map(({ details }) => details.reason),
      reasons,
    );
  });

recorded("are none if there was no ops topic, and still is none", async () => {
  assert.equal(await since(kafkaOf(undefined)), []);
});

for (const [what, kafka, message] of [
  [
    "the topic is shorter than it was",
    kafkaOf([{ records: [change("a")] }]),
    "orders.cdc.ops holds fewer records than when the connector was verified: it was deleted or recreated",
  ],
  [
    "one of its partitions is shorter than it was",
    kafkaOf([{ records: [change("a"), change("b"), change("c")] }, { records: [] }]),
    "orders.cdc.ops holds fewer records than when the connector was verified: it was deleted or recreated",
  ],
  [
    "the topic does not exist any more",
    kafkaOf(undefined),
    "orders.cdc.ops holds fewer records than when the connector was verified: it was deleted or recreated",
  ],
  [
    "a partition does not exist any more",
    kafkaOf([]),
    "orders.cdc.ops holds fewer records than when the connector was verified: it was deleted or recreated",
  ],
  [
    "later records are already deleted",
    kafkaOf([{ from: 3n, records: [change("d")] }, { records: [""] }]),
    "orders.cdc.ops no longer holds every record that was written since the connector was verified",
  ],
  [
    "the topic is longer than what is read",
    kafkaOf([{ records: [change("a"), change("b"), change("c")] }, { records: [""] }], false),
    "orders.cdc.ops could not be read to its end",
  ],
] as const)
  recorded(`are unknown where ${what}, since finding none proves nothing`, async () => {
    const failure = await since(kafka, 2n, 1n).catch((error: unknown) => error);
    assert.instance(failure, CallFailed);
    const { system, kind, message: seen, remedies } = failure as CallFailed;
    assert.equal([system, kind, seen], ["kafka", "unsupported", message]);
    assert.equal(remedies, [{ text: "Verify again", setting: "spec.phase: verify" }]);
  });

recorded.run();

const found = suite("two connectors at a verification");

const NEW_CONFIG = {
  "connector.class": CONNECTOR_CLASS,
  "cdc.topic.prefix": "orders",
  "cdc.database.password": "c4n4ry",
};

function foundOf(names: readonly string[], partitions: readonly Partition[] | undefined) {
  const connect = {
    connector: async (name: string) =>
      names.includes(name) ? { name, config: name === "orders-cdc" ? NEW_CONFIG : LEGACY_CONFIG } : undefined,
    status: async () => STOPPED,
    offsets: async (name: string) => (name === "orders-cdc" ? [] : LEGACY_OFFSETS),
  } as unknown as ConnectPort;
  const asked = { connector: "orders-cdc", legacy: "orders-legacy", opsTopic: TOPIC };
  return connectorsFound(asked, { connect, kafka: kafkaOf(partitions) });
}

const NEW = {
  configuration: { ...NEW_CONFIG, "cdc.database.password": "********" },
  offsets: [],
  opsTopic: TOPIC,
};

found("include the end of each partition of the ops topic, and no secrets", async () => {
  assert.equal(await foundOf(["orders-cdc", "orders-legacy"], [{ records: ["", ""] }, { from: 7n, records: [""] }]), {
    ...NEW,
    legacyOffsets: LEGACY_OFFSETS,
    opsTopicEnds: [
      { partition: 0n, offset: 2n },
      { partition: 1n, offset: 8n },
    ],
  });
});

found("without the legacy connector have no offsets of it, and without an ops topic no ends", async () => {
  assert.equal(await foundOf(["orders-cdc"], undefined), { ...NEW, opsTopicEnds: [] });
});

found("are nothing if the new connector does not exist", async () => {
  assert.is(await foundOf(["orders-legacy"], []), undefined);
});

found.run();
