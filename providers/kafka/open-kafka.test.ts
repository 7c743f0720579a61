import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type FailureKind, UsageError } from "../../core/errors.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { type BrokerOptions, type Fault, type SandboxBroker, startBroker } from "../sandbox/kafka/broker.ts";
import { type KafkaOptions, openKafka } from "./open-kafka.ts";

const client = suite("failures of the Kafka client");

const value = Buffer.from("x");
const closing: (() => Promise<unknown>)[] = [];

client.after.each(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function sandbox(options: Partial<BrokerOptions> = {}): Promise<SandboxBroker> {
  const broker = await startBroker({ clusterId: "sandbox", topics: { ops: {} }, ...options });
  closing.push(() => broker.close());
  return broker;
}

function open(brokers: string, properties: Record<string, string> = {}, options: KafkaOptions = {}): KafkaPort {
  const kafka = openKafka(
    {
      bootstrapServers: brokers,
      properties: Object.fromEntries(Object.entries(properties).map(([name, text]) => [name, secret(text)])),
    },
    { connectMillis: 2_000, requestMillis: 4_000, ...options },
  );
  closing.push(() => kafka.close());
  return kafka;
}

async function fails(call: Promise<unknown>, kind: FailureKind, message: RegExp): Promise<CallFailed> {
  const error = await call.then(
    (answer) => assert.unreachable(`a failure was expected, not ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailed)) throw error;
  assert.is(error.kind, kind, error.message);
  assert.is(error.system, "kafka");
  assert.match(error.message, message);
  return error;
}

/** Faults for the first `times` produce requests. */
const onProduce =
  (fault: Fault, times = 1): NonNullable<BrokerOptions["faults"]> =>
  ({ api, n }) =>
    api === "Produce" && n <= times ? fault : undefined;

client("several ranges that are read first together share a connection, and closing leaves none open", async () => {
  const broker = await sandbox({ topics: { ops: { partitions: 8 } } });
  for (let partition = 0; partition < 8; partition++)
    broker.append("ops", { key: null, value: Buffer.from("x") }, { partition });
  const kafka = open(broker.address);
  const ranges = await kafka.extents("ops");
  const read = await Promise.all(
    ranges.map(async (range) => {
      let count = 0;
      for await (const batch of kafka.records("ops", range)) count += batch.length;
      return count;
    }),
  );
  assert.equal(read, Array(8).fill(1));
  assert.is(broker.connections, 2);
  await kafka.close();
  await until(() => broker.connections === 0);
});

client("nothing is connected, and no setting is read, before the first call", async () => {
  const broker = await sandbox();
  const kafka = open(broker.address, { "ssl.engine.factory.class": "x" });
  assert.is(kafka.brokers, broker.address);
  assert.is(broker.requests.length, 0);
  const error = await kafka.clusterId().catch((thrown: unknown) => thrown);
  assert.instance(error, UsageError);
  assert.is(broker.connections, 0);
});

// ---- Was it written? ------------------------------------------------------------------------------------------------

for (const [fault, kind, written] of [
  ["disconnect-before", "lost", 0],
  ["disconnect-after", "lost", 1],
  ["not-enough-replicas", "rejected", 0],
  ["deny", "forbidden", 0],
] as const)
  client(`an append that encounters ${fault} is ${kind} and not sent again`, async () => {
    const broker = await sandbox({ faults: onProduce(fault) });
    const kafka = open(broker.address);
    await fails(kafka.append("ops", { key: null, value }), kind, /write to ops at 127\.0\.0\.1:\d+/);
    assert.is(broker.requests.filter((request) => request.api === "Produce").length, 1);
    assert.is((await broker.records("ops")).length, written);
    await kafka.append("ops", { key: null, value });
    assert.is((await broker.records("ops")).length, written + 1, "the next one gets through");
  });

client("an append that is never answered is a timeout", async () => {
  const broker = await sandbox({ faults: onProduce("timeout") });
  const kafka = open(broker.address, {}, { requestMillis: 300 });
  await fails(kafka.append("ops", { key: null, value }), "timeout", /no answer in time/);
  assert.is((await broker.records("ops")).length, 1);
});

client("an append without an available broker is definite: unreachable", async () => {
  const broker = await sandbox();
  const kafka = open(broker.address);
  await kafka.clusterId();
  await broker.close();
  await fails(kafka.append("ops", { key: null, value }), "unreachable", /no connection to 127\.0\.0\.1:\d+/);
});

// ---- Reading --------------------------------------------------------------------------------------------------------

client("a read continues over a new connection when one breaks", async () => {
  const broker = await sandbox({
    faults: ({ api, n }) => (api === "Fetch" && n === 1 ? "disconnect-before" : undefined),
  });
  broker.append("ops", [{ key: null, value }]);
  const read = await open(broker.address).read("ops", { from: "beginning", records: 10, millis: 5_000 });
  assert.ok(read.whole && read.records.length === 1);
});

client("a connection that broke while idle is replaced", async () => {
  const broker = await sandbox();
  const kafka = open(broker.address);
  await kafka.append("ops", { key: null, value });
  broker.disconnectAll();
  assert.equal(await kafka.endOffsets("ops"), [{ partition: 0, offset: 1n }]);
  broker.disconnectAll();
  await until(() => broker.connections === 0);
  await kafka.clusterId();
  await kafka.append("ops", { key: null, value });
  assert.is((await broker.records("ops")).length, 2);
});

client("a broker that never answers a fetch takes at most the time limit, and is named", async () => {
  const broker = await sandbox({ faults: ({ api }) => (api === "Fetch" ? "timeout" : undefined) });
  broker.append("ops", { key: null, value });
  const read = open(broker.address, {}, { requestMillis: 60_000 }).read("ops", {
    from: "beginning",
    records: 10,
    millis: 400,
  });
  await fails(read, "timeout", new RegExp(`could not read ops at ${broker.address}: no answer for 0.4 s`));
});

client("a compacted topic is read across its holes", async () => {
  const broker = await sandbox();
  for (let i = 0; i < 6; i++) broker.append("ops", { key: null, value: Buffer.from(`${i}`) });
  broker.state.topics.get("ops")?.partitions[0]?.drop((batch) => batch.baseOffset !== 1n && batch.baseOffset !== 4n);
  const read = await open(broker.address).read("ops", { from: "beginning", records: 10, millis: 700 });
  assert.equal(
    read.records.map((record) => record.offset),
    [1n, 4n],
  );
});

client("a read without permission is forbidden", async () => {
  const broker = await sandbox({ acls: (_, operation) => operation !== "read" });
  broker.append("ops", { key: null, value });
  const read = open(broker.address).read("ops", { from: "beginning", records: 1, millis: 1_000 });
  assert.is((await fails(read, "forbidden", /read ops/)).code, "TOPIC_AUTHORIZATION_FAILED");
});

// ---- Describing -----------------------------------------------------------------------------------------------------

client("the brokers' limit of transactions is reported, or the missing right", async () => {
  const short = await sandbox({ configs: { "transaction.max.timeout.ms": "30000" } });
  assert.is(await open(short.address).maxTransactionMillis(), 30_000n);
  const hidden = await sandbox({ acls: (_, operation) => operation !== "describe-configs" });
  const refused = await fails(open(hidden.address).maxTransactionMillis(), "forbidden", /broker 1/);
  assert.match(linesOf(refused.remedies), "DescribeConfigs on the cluster");
  const odd = await sandbox({ configs: { "transaction.max.timeout.ms": "soon" } });
  await fails(open(odd.address).maxTransactionMillis(), "unsupported", /does not report its transaction/);
});

client("the rights of the login are reported if the broker reports them", async () => {
  const readOnly = await sandbox({ acls: (_, operation) => operation !== "write" && operation !== "describe-configs" });
  const seen = await open(readOnly.address).topic("ops");
  assert.is(seen?.mayWrite.known && seen.mayWrite.value, false);
  assert.ok(
    seen !== undefined && !seen.cleanupPolicy.known && !seen.maxMessageBytes.known && !seen.minInsyncReplicas.known,
  );
  assert.match(seen.cleanupPolicy.known ? "" : linesOf(seen.cleanupPolicy.remedies ?? []), /DescribeConfigs/);
  assert.is(await open(readOnly.address).mayCreateTopics(), true);
  const noCreate = await sandbox({ acls: (_, operation) => operation !== "create" });
  assert.is(await open(noCreate.address).mayCreateTopics(), false);

  for (const options of [
    { highest: { Metadata: 7, Fetch: 4, Produce: 3, ListOffsets: 1 } },
    { reportsOperations: false },
  ]) {
    const silent = await sandbox(options);
    const kafka = open(silent.address);
    const unknown = await kafka.topic("ops");
    assert.is(unknown?.mayWrite.known, false);
    assert.is(await kafka.mayCreateTopics(), undefined);
    assert.is(unknown?.cleanupPolicy.known && unknown.cleanupPolicy.value, "delete");
    await kafka.append("ops", { key: null, value });
    assert.is((await kafka.read("ops", { from: "tail", records: 5, millis: 2_000 })).records.length, 1);
  }
});

client("a topic that may not be described is forbidden, not missing", async () => {
  const broker = await sandbox({ acls: () => false });
  await fails(
    open(broker.address).topic("ops"),
    "forbidden",
    /find the topic ops at 127\.0\.0\.1:\d+: TOPIC_AUTHORIZATION_FAILED/,
  );
});

client("a broker from before Kafka 0.11 is reported as such", async () => {
  const broker = await sandbox({ highest: { Metadata: 2 } });
  await fails(open(broker.address).clusterId(), "unsupported", /older than 0\.11/);
});

// ---- Wrong place ----------------------------------------------------------------------------------------------------

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

client("an HTTP server is reported as such, even one that keeps the connection open", async () => {
  const http = await listening(createHttpServer((_, response) => response.end("{}")));
  await fails(open(http).clusterId(), "unreachable", /is an HTTP server/);
  const patient = await listening(createServer((socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")));
  await fails(open(patient).clusterId(), "unreachable", /is an HTTP server/);
  await fails(open(http, { "security.protocol": "SSL" }).clusterId(), "unreachable", /no TLS session .*without TLS/);
});

client("TLS to a listener without it is reported", async () => {
  const broker = await sandbox();
  const error = await fails(
    open(broker.address, { "security.protocol": "SSL" }).clusterId(),
    "unreachable",
    /no TLS session with 127.* without TLS/,
  );
  assert.match(linesOf(error.remedies), /security\.protocol/);
});

client("a silent peer is abandoned after the time limit of a connection", async () => {
  const mute = await listening(createServer(() => undefined));
  for (const properties of [{}, { "security.protocol": "SSL" }]) {
    const kafka = open(mute, properties, { connectMillis: 300, requestMillis: 60_000 });
    const started = performance.now();
    await fails(kafka.clusterId(), "unreachable", /not answer|no answer/);
    assert.ok(performance.now() - started < 30_000, "it waited as long as for an answer");
  }
});

client("without any reachable broker, every broker that was tried is named", async () => {
  const gone = await sandbox();
  await gone.close();
  const one = open(gone.address);
  await fails(one.clusterId(), "unreachable", /no connection to 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  const two = open(`${gone.address},${gone.address}`);
  await fails(two.clusterId(), "unreachable", /none of 2 brokers/);
  const broker = await sandbox();
  assert.is(await open(`${gone.address},${broker.address}`).clusterId(), "sandbox");
});

client("a call is made again after a failure, and may succeed", async () => {
  const gone = await sandbox();
  await gone.close();
  const kafka = open(gone.address);
  await fails(kafka.clusterId(), "unreachable", /no connection/);
  await sandbox({ port: gone.port });
  assert.is(await kafka.clusterId(), "sandbox");
});

// ---- Login ----------------------------------------------------------------------------------------------------------

const login = (mechanism: string, password: string) => ({
  "security.protocol": "SASL_PLAINTEXT",
  "sasl.mechanism": mechanism,
  "sasl.jaas.config":
    `org.apache.kafka.common.security.${mechanism === "PLAIN" ? "plain.Plain" : "scram.Scram"}LoginModule required ` +
    `username="alice" password="${password}";`,
});
const auth = { mechanisms: ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"], users: { alice: "right,=\u00e9" } } as const;

for (const mechanism of auth.mechanisms) {
  client(`${mechanism} logs in`, async () => {
    const users: (string | undefined)[] = [];
    const broker = await sandbox({ auth, acls: (user) => users.push(user) > 0 });
    const kafka = open(broker.address, login(mechanism, auth.users.alice));
    await kafka.append("ops", { key: null, value });
    assert.is((await kafka.read("ops", { from: "beginning", records: 1, millis: 2_000 })).records.length, 1);
    assert.equal([...new Set(users)], ["alice"]);
  });

  client(`a wrong password with ${mechanism} is unauthorized, tried once, and not shown`, async () => {
    const broker = await sandbox({ auth });
    const properties = login(mechanism, "hush-hush");
    const kafka = open(`${broker.address},localhost:${broker.port}`, properties);
    const error = await fails(kafka.clusterId(), "unauthorized", /did not accept the login/);
    assert.not.match(`${error.message} ${linesOf(error.remedies)} ${String(error.cause)}`, "hush-hush");
    assert.is(broker.requests.filter((request) => request.api === "SaslHandshake").length, 1);
  });
}

client("a mechanism that the broker does not have, an unwanted login, and a missing login are reported", async () => {
  const plainOnly = await sandbox({ auth: { mechanisms: ["PLAIN"], users: auth.users } });
  await fails(
    open(plainOnly.address, login("SCRAM-SHA-256", "x")).clusterId(),
    "unauthorized",
    /UNSUPPORTED_SASL_MECHANISM/,
  );
  const none = await sandbox();
  const unwanted = await fails(
    open(none.address, login("PLAIN", "x")).clusterId(),
    "unauthorized",
    /ILLEGAL_SASL_STATE/,
  );
  assert.match(linesOf(unwanted.remedies), /accepts a login/);
  const error = await fails(open(plainOnly.address).clusterId(), "unreachable", /closed the connection/);
  assert.match(linesOf(error.remedies), /a login \(security\.protocol=SASL_PLAINTEXT\)/);
});

// ---- kafkajs --------------------------------------------------------------------------------------------------------

client("an idle connection does not keep setting timers", async () => {
  const broker = await sandbox();
  const kafka = open(broker.address);
  await kafka.append("ops", { key: null, value });
  const original = globalThis.setTimeout;
  let negative = 0;
  const counting = (run: () => void, millis?: number) => {
    if ((millis ?? 0) < 0) negative += 1;
    return original(run, millis);
  };
  globalThis.setTimeout = Object.assign(counting, original) as typeof setTimeout;
  try {
    await kafka.clusterId();
    await new Promise((resolve) => original(resolve, 50));
  } finally {
    globalThis.setTimeout = original;
  }
  assert.is(negative, 0);
});

client("closing ends calls in progress and leaves no connection", async () => {
  let release: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const broker = await sandbox({ faults: onProduce({ hold }) });
  const kafka = open(broker.address);
  const appending = fails(kafka.append("ops", { key: null, value }), "lost", /write to ops/);
  await until(() => broker.requests.some((request) => request.api === "Produce"));
  await kafka.close();
  await appending;
  release();
  await until(() => broker.connections === 0);
  await fails(kafka.clusterId(), "lost", /closed/);
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("the condition did not come about");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

client.run();
