import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type FailureKind } from "../../core/errors.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { startBroker } from "../sandbox/kafka/broker.ts";
import { openKafka } from "./open-kafka.ts";

const produce = suite("a produce request that the broker answers with an error");

/** The writer reads the topic after these (`record-event.ts`, `signal.ts`): the record may be in it. */
const PERHAPS: FailureKind = "timeout";

/**
 * The failure and remedy of each code. All requests were sent once, except those answered by a broker that no longer
 * leads.
 */
const ERRORS: readonly (readonly [code: number, name: string, kind: FailureKind, remedy: RegExp, requests?: number])[] =
  [
    [2, "CORRUPT_MESSAGE", "rejected", /network|Run the command again./],
    [3, "UNKNOWN_TOPIC_OR_PARTITION", "missing", /create the topic ops/i, 4],
    [5, "LEADER_NOT_AVAILABLE", "rejected", /--unavailable-partitions/, 4],
    [6, "NOT_LEADER_OR_FOLLOWER", PERHAPS, /Run the command again./i],
    [7, "REQUEST_TIMED_OUT", PERHAPS, /in-sync replicas of ops/],
    [10, "MESSAGE_TOO_LARGE", "rejected", /max\.message\.bytes of ops/],
    [18, "RECORD_LIST_TOO_LARGE", "rejected", /segment\.bytes of ops/],
    [19, "NOT_ENOUGH_REPLICAS", "rejected", /min\.insync\.replicas/],
    [20, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", PERHAPS, /min\.insync\.replicas/],
    [29, "TOPIC_AUTHORIZATION_FAILED", "forbidden", /Write on the topic ops/],
    [31, "CLUSTER_AUTHORIZATION_FAILED", "forbidden", /on the cluster/],
    [32, "INVALID_TIMESTAMP", "rejected", /this machine's clock.*message\.timestamp\.before\.max\.ms/],
    [44, "POLICY_VIOLATION", "rejected", /policy/],
    [56, "KAFKA_STORAGE_ERROR", PERHAPS, /disks/],
    [87, "INVALID_RECORD", "rejected", /cleanup\.policy of ops/],
    // An unknown code, and one that kafkajs does not know.
    [68, "error code 68", PERHAPS, /kafka\.apache\.org/],
    [117, "error code", PERHAPS, /kafka\.apache\.org/],
  ];

for (const [code, name, kind, remedy, requests = 1] of ERRORS)
  for (const written of kind === PERHAPS ? [true, false] : [false])
    produce(`${name} is ${kind}, with a remedy${written ? ": it was written" : ""}`, async () => {
      const broker = await startBroker({
        clusterId: "sandbox",
        topics: { ops: {} },
        faults: ({ api }) => (api === "Produce" ? { produce: code, written } : undefined),
      });
      const kafka = openKafka({ bootstrapServers: broker.address, properties: {} }, { requestMillis: 4_000 });
      try {
        const failure = await kafka.append("ops", { key: null, value: Buffer.from("x") }).catch((thrown) => thrown);
        assert.instance(failure, CallFailed);
        assert.is(failure.kind, kind);
        assert.match(failure.message, `could not write to ops at ${broker.address}: ${name}`);
        assert.match(linesOf(failure.remedies), remedy);
        assert.is(broker.requests.filter(({ api }) => api === "Produce").length, requests);
        assert.is((await broker.records("ops")).length, written ? 1 : 0);
      } finally {
        await kafka.close();
        await broker.close();
      }
    });

produce("a definite refusal after one that may have been written is not definite: it is sent once", async () => {
  const broker = await startBroker({
    clusterId: "sandbox",
    topics: { ops: {} },
    faults: ({ api, n }) =>
      api === "Produce" ? (n === 1 ? { produce: 6, written: true } : { produce: 19, written: false }) : undefined,
  });
  const kafka = openKafka({ bootstrapServers: broker.address, properties: {} });
  try {
    const failure = await kafka.append("ops", { key: null, value: Buffer.from("x") }).catch((thrown) => thrown);
    assert.is(failure.kind, PERHAPS, failure.message);
    assert.is((await broker.records("ops")).length, 1);
  } finally {
    await kafka.close();
    await broker.close();
  }
});

produce("a deleted topic is named with its brokers and a remedy", async () => {
  const broker = await startBroker({ clusterId: "sandbox" });
  const kafka = openKafka({ bootstrapServers: broker.address, properties: {} });
  try {
    for (const call of [
      () => kafka.append("ops", { key: null, value: Buffer.from("x") }),
      () => kafka.endOffsets("ops"),
      () => kafka.read("ops", { from: "tail", records: 1, millis: 1000 }),
    ]) {
      const failure = await call().catch((thrown: unknown) => thrown);
      assert.instance(failure, CallFailed);
      const { kind, message, remedies } = failure as CallFailed;
      assert.is(kind, "missing");
      assert.match(message, `could not find the topic ops at ${broker.address}: UNKNOWN_TOPIC_OR_PARTITION`);
      assert.match(linesOf(remedies), "Create the topic ops");
    }
  } finally {
    await kafka.close();
    await broker.close();
  }
});

produce.run();
