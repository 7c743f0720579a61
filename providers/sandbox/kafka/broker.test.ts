import { connect } from "node:net";
import { Kafka, logLevel } from "kafkajs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { WireReader, WireWriter } from "../../kafka/wire.ts";
import { type BrokerOptions, type SandboxBroker, startBroker } from "./broker.ts";

const sandbox = suite("the sandbox broker");

async function withBroker(
  options: Partial<BrokerOptions>,
  test: (broker: SandboxBroker, other: Kafka) => Promise<void>,
): Promise<void> {
  const broker = await startBroker({ clusterId: "sandbox", ...options });
  try {
    const retry = { retries: 0 };
    await test(
      broker,
      new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING, retry, requestTimeout: 3_000 }),
    );
  } finally {
    await broker.close();
  }
}

async function send(other: Kafka, topic: string, value: string): Promise<"sent" | "failed"> {
  const producer = other.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  try {
    await producer.send({ topic, messages: [{ value }] });
    return "sent";
  } catch {
    return "failed";
  } finally {
    await producer.disconnect();
  }
}

/** Sends raw bytes; returns the bytes received until the broker closes the connection or has sent one whole answer. */
function exchange(broker: SandboxBroker, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect(broker.port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(5_000, () => socket.destroy(new Error("neither an answer nor an end")));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) socket.end();
    });
    socket.on("close", () => resolve(received));
  });
}

function frame(key: number, version: number, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const request = new WireWriter().int16(key).int16(version).int32(7).string("test").bytes(body).toBuffer();
  return new WireWriter().int32(request.length).bytes(request).toBuffer();
}

sandbox("keeps records appended in process and over the wire in one log", async () => {
  await withBroker({ topics: { ops: { partitions: 2 } } }, async (broker, other) => {
    assert.is(broker.append("ops", { key: null, value: Buffer.from("a"), timestamp: 5n }, { partition: 1 }), 0n);
    assert.is(
      broker.append(
        "ops",
        [1, 2, 3].map((i) => ({ key: null, value: Buffer.from(`${i}`) })),
        { partition: 1 },
      ),
      1n,
    );
    assert.is(await send(other, "ops", "b"), "sent");
    const records = await broker.records("ops");
    assert.is(records.length, 5);
    assert.is(records.find((record) => record.timestamp === 5n)?.partition, 1);
    assert.throws(() => broker.append("nope", { key: null, value: null }), /no partition 0 of nope/);
  });
});

sandbox("applies a fault to the request that it is for", async () => {
  for (const [fault, applied] of [
    ["disconnect-before", 0],
    ["disconnect-after", 1],
    ["deny", 0],
    ["not-enough-replicas", 0],
  ] as const) {
    const seen: number[] = [];
    const faults: NonNullable<BrokerOptions["faults"]> = ({ api, topic, n }) => {
      if (api !== "Produce" || topic !== "ops") return undefined;
      seen.push(n);
      return n === 2 ? fault : undefined;
    };
    await withBroker({ topics: { ops: {} }, faults }, async (broker, other) => {
      assert.is(await send(other, "ops", "1"), "sent");
      assert.is(await send(other, "ops", "2"), "failed", fault);
      assert.is(await send(other, "ops", "3"), "sent");
      assert.equal(seen, [1, 2, 3]);
      assert.is((await broker.records("ops")).length, 2 + applied, fault);
    });
  }
});

sandbox("does nothing to a request while it holds it", async () => {
  let release: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const faults: NonNullable<BrokerOptions["faults"]> = ({ api }) => {
    if (api !== "Produce") return undefined;
    arrived();
    return { hold };
  };
  await withBroker({ topics: { ops: {} }, faults }, async (broker, other) => {
    const sending = send(other, "ops", "1");
    await arrival;
    assert.is((await broker.records("ops")).length, 0);
    release();
    assert.is(await sending, "sent");
    assert.is((await broker.records("ops")).length, 1);
  });
});

sandbox("reports its versions to a newer client in the oldest form", async () => {
  await withBroker({}, async (broker) => {
    const answer = new WireReader(await exchange(broker, frame(18, 4)));
    answer.int32();
    assert.is(answer.int32(), 7);
    assert.is(answer.int16(), 35, "UNSUPPORTED_VERSION");
    const apis = answer.array(() => [answer.int16(), answer.int16(), answer.int16()]);
    assert.ok(apis.some(([key, lowest, highest]) => key === 3 && lowest === 0 && highest === 8));
  });
});

sandbox("closes the connection on a request that it does not understand", async () => {
  await withBroker({}, async (broker) => {
    const metadata = new WireWriter().int32(0).toBuffer();
    for (const bytes of [
      Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      frame(3, 99, metadata),
      frame(999, 0),
      frame(3, 8, Buffer.from([0])),
      new WireWriter().int32(-1).bytes(Buffer.alloc(10)).toBuffer(),
    ])
      assert.is((await exchange(broker, bytes)).length, 0);
    assert.ok((await exchange(broker, frame(3, 1, metadata))).length > 0, "and goes on with the next");
  });
});

sandbox("accepts no request except the login's before the login", async () => {
  await withBroker({ auth: { mechanisms: ["PLAIN"], users: {} } }, async (broker) => {
    assert.is((await exchange(broker, frame(3, 1, new WireWriter().int32(0).toBuffer()))).length, 0);
    assert.equal(broker.requests, []);
  });
});

sandbox("creates topics that clients request, unless configured not to", async () => {
  for (const autoCreate of [true, false])
    await withBroker({ autoCreate }, async (broker) => {
      await exchange(broker, frame(3, 4, new WireWriter().int32(1).string("made").boolean(true).toBuffer()));
      assert.is(broker.state.topics.has("made"), autoCreate);
    });
});

sandbox("writes records that an idempotent producer repeats once", async () => {
  await withBroker({ topics: { ops: {} } }, async (broker) => {
    const again = { producerId: 9n, producerEpoch: 0, baseSequence: 0 };
    const record = { key: null, value: Buffer.from("x") };
    assert.is(broker.append("ops", record, again), 0n);
    assert.is(broker.append("ops", record, again), 0n);
    assert.is(broker.append("ops", record, { ...again, baseSequence: 1 }), 1n);
    assert.is((await broker.records("ops")).length, 2);
  });
});

sandbox.run();
