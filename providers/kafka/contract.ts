import { randomUUID } from "node:crypto";
import { type Admin, CompressionTypes, type ITopicConfig, Kafka, logLevel, type Producer } from "kafkajs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type FailureKind } from "../../core/errors.ts";
import {
  type KafkaPort,
  type KafkaRecord,
  type OffsetRange,
  offsetOf,
  type TopicRead,
} from "../../core/ports/kafka.ts";
import type { Secret } from "../../core/values/secret.ts";
import { openKafka } from "./open-kafka.ts";

/** A broker for the contract: the sandbox's or a real one. */
export interface BrokerUnderTest {
  readonly brokers: string;
  /** Client properties for the client under test. */
  readonly properties?: Readonly<Record<string, Secret>>;
  /** A listener without TLS and login, over which the test creates its topics. Default: `brokers`. */
  readonly plainBrokers?: string;
  /** Starts a group with a member that reads the topic until it is ended, and a committed offset. */
  reading(group: string, topic: string): Promise<{ end(): Promise<void> }>;
  close?(): Promise<void>;
}

/**
 * The contract of `KafkaPort`, as tests that run against any broker with the default configuration. Topics have unique
 * names and are not deleted.
 *
 * @param start called once before the first test
 */
export function kafkaContract(name: string, start: () => Promise<BrokerUnderTest>): void {
  const contract = suite(`the Kafka client against ${name}`);
  let broker: BrokerUnderTest;
  let kafka: KafkaPort;
  let other: Kafka;
  let admin: Admin;
  const producers: Producer[] = [];

  contract.before(async () => {
    broker = await start();
    kafka = openKafka({ bootstrapServers: broker.brokers, properties: broker.properties ?? {} });
    other = new Kafka({ brokers: [broker.plainBrokers ?? broker.brokers], logLevel: logLevel.NOTHING });
    admin = other.admin();
    await admin.connect();
  });
  contract.after(async () => {
    for (const producer of producers) await producer.disconnect();
    await admin.disconnect();
    await kafka.close();
    await broker.close?.();
  });

  const topic = async (config: Partial<ITopicConfig> = {}): Promise<string> => {
    const made = `contract.${randomUUID()}`;
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic: made, numPartitions: 1, ...config }] });
    // A broker is named as the leader before it leads: only its own answer shows it.
    await until(`${made} is led`, () =>
      kafka.endOffsets(made).then(
        () => true,
        (failure: unknown) => (failure instanceof CallFailed ? false : Promise.reject(failure)),
      ),
    );
    return made;
  };
  const producer = async (transactional: boolean): Promise<Producer> => {
    const made = other.producer(
      transactional ? { transactionalId: `contract.${randomUUID()}`, maxInFlightRequests: 1 } : {},
    );
    producers.push(made);
    await made.connect();
    return made;
  };
  const readAll = (from: string): Promise<TopicRead> =>
    kafka.read(from, { from: "beginning", records: 1_000_000, millis: 20_000 });

  contract("the cluster has an id", async () => {
    assert.match(await kafka.clusterId(), /^[A-Za-z0-9_-]{1,64}$/);
  });

  contract("a topic that does not exist is undefined, and describing it does not create it", async () => {
    const missing = `contract.missing.${randomUUID()}`;
    assert.is(await kafka.topic(missing), undefined);
    await fails(kafka.endOffsets(missing), "missing");
    await fails(kafka.read(missing, { from: "beginning", records: 1, millis: 2_000 }), "missing");
    await fails(kafka.append(missing, { key: null, value: bytes("x") }), "missing");
    assert.not.ok((await admin.listTopics()).includes(missing));
  });

  contract("the topics are listed, without Kafka's own", async () => {
    const [one, two] = [await topic(), await topic({ numPartitions: 3 })];
    const seen = await kafka.topics();
    assert.ok(seen.includes(one) && seen.includes(two));
    assert.not.ok(seen.some((name) => name.startsWith("__")));
  });

  contract("a topic is deleted once, and is then reported as unknown", async () => {
    const made = await topic();
    assert.is((await kafka.deleteTopic(made)).answer, "applied");
    await until(`${made} is gone`, async () => (await kafka.topic(made)) === undefined);
    assert.not.ok((await kafka.topics()).includes(made));
    assert.equal(await kafka.deleteTopic(made), {
      answer: "rejected",
      status: 3,
      message: "UNKNOWN_TOPIC_OR_PARTITION",
    });
  });

  contract("a topic is created once, as it is asked for, and is then reported as existing", async () => {
    const made = `contract.${randomUUID()}`;
    assert.is((await kafka.createTopic(made, 1, { "cleanup.policy": "delete" })).answer, "applied");
    await until(`${made} is there`, async () => (await kafka.topic(made)) !== undefined);
    const seen = await kafka.topic(made);
    assert.equal([seen?.partitions, seen?.cleanupPolicy.known && seen.cleanupPolicy.value], [1n, "delete"]);
    assert.equal(await kafka.createTopic(made, 1, {}), {
      answer: "rejected",
      status: 36,
      message: "TOPIC_ALREADY_EXISTS",
    });
  });

  contract("several records are written in one batch, to the partition that is asked for", async () => {
    const made = await topic({ numPartitions: 3 });
    const records = ["1", "2", "3"].map((value) => ({ key: bytes("a key"), value: bytes(value), partition: 0 }));
    assert.equal(await kafka.append(made, records), { partition: 0, offset: 2n });
    const { records: found } = await readAll(made);
    assert.equal(
      found.map(({ partition, offset, value }) => [partition, offset, new TextDecoder().decode(value ?? undefined)]),
      [
        [0, 0n, "1"],
        [0, 1n, "2"],
        [0, 2n, "3"],
      ],
    );
  });

  contract("a group is active on a topic while a member reads it, and known by its offsets afterwards", async () => {
    const [made, other] = [await topic(), await topic()];
    await kafka.append(made, { key: null, value: bytes("0") });
    const group = `contract.${randomUUID()}`;
    const reader = await broker.reading(group, made);
    const mine = async (...asked: readonly string[]) =>
      (await kafka.consumersOf(asked)).filter((one) => one.group === group);
    try {
      assert.equal(await mine(other, made), [{ group, state: "Stable", active: [made], committed: [made] }]);
      assert.equal(await mine(other), []);
    } finally {
      await reader.end();
    }
    await until(`${group} is empty`, async () => (await mine(made))[0]?.state === "Empty");
    assert.equal(await mine(made), [{ group, state: "Empty", active: [], committed: [made] }]);
  });

  contract("a topic is described with its partitions, replicas, cleanup policy and the right to write", async () => {
    const made = await topic({ numPartitions: 3, configEntries: [{ name: "cleanup.policy", value: "compact" }] });
    const seen = await kafka.topic(made);
    assert.is(seen?.name, made);
    assert.is(seen?.partitions, 3n);
    assert.is(seen?.replicas, 1n);
    assert.is(seen?.cleanupPolicy.known && seen.cleanupPolicy.value, "compact");
    assert.is(seen?.minInsyncReplicas.known && seen.minInsyncReplicas.value, 1n);
    assert.is(seen?.maxMessageBytes.known && seen.maxMessageBytes.value, 1_048_588n);
    assert.is(seen?.retentionMillis.known && seen.retentionMillis.value, 604_800_000n);
    assert.is(seen?.retentionBytes.known && seen.retentionBytes.value, -1n);
    assert.equal(seen?.inSyncReplicas, [1n, 1n, 1n]);
    assert.is(seen?.timestamps.known && seen.timestamps.value.type, "CreateTime");
    const dated = await kafka.topic(
      await topic({
        configEntries: [
          { name: "message.timestamp.type", value: "LogAppendTime" },
          { name: "message.timestamp.before.max.ms", value: "3600000" },
          { name: "message.timestamp.after.max.ms", value: "60000" },
        ],
      }),
    );
    assert.equal(dated?.timestamps.known && dated.timestamps.value, {
      type: "LogAppendTime",
      beforeMaxMillis: 3_600_000n,
      afterMaxMillis: 60_000n,
    });
    const limited = await kafka.topic(await topic({ configEntries: [{ name: "retention.bytes", value: "1048576" }] }));
    assert.is(limited?.retentionBytes.known && limited.retentionBytes.value, 1_048_576n);
    assert.is(seen?.mayWrite.known && seen.mayWrite.value, true);
    assert.is(await kafka.mayCreateTopics(), true);
    assert.is(await kafka.maxTransactionMillis(), 900_000n);
  });

  contract("an appended record is read back at the reported offset", async () => {
    const made = await topic({ numPartitions: 3 });
    const before = BigInt(Date.now());
    const first = await kafka.append(made, { key: bytes("orders"), value: bytes("one") });
    const second = await kafka.append(made, { key: bytes("orders"), value: bytes("zwei ✓") });
    assert.is(first.offset, 0n);
    assert.is(second.partition, first.partition, "records of one key share a partition");
    assert.is(second.offset, 1n);
    const read = await readAll(made);
    assert.equal(read.records.map(plain), [
      { partition: first.partition, offset: 0n, key: "orders", value: "one" },
      { partition: first.partition, offset: 1n, key: "orders", value: "zwei ✓" },
    ]);
    assert.ok(read.whole && read.reachedEnd);
    const [record] = read.records;
    assert.ok(record !== undefined && record.timestamp >= before - 60_000n && record.timestamp <= before + 60_000n);
    const ends = await kafka.endOffsets(made);
    assert.equal(
      ends.map(({ offset }) => offset),
      [0, 1, 2].map((partition) => (partition === first.partition ? 2n : 0n)),
    );
  });

  contract("a key is sent to the partition that the Java client chooses", async () => {
    const made = await topic({ numPartitions: 10 });
    // Utils.toPositive(Utils.murmur2(key)) % 10, with the hashes of Kafka's own tests.
    const known = { "21": -973932308, foobar: -790332482, "a-little-bit-long-string": -985981536 };
    for (const [key, hash] of Object.entries(known)) {
      const { partition } = await kafka.append(made, { key: bytes(key), value: bytes("x") });
      assert.is(partition, (hash & 0x7fffffff) % 10, key);
    }
  });

  contract("a null record goes to the partition that is named, whatever its key", async () => {
    const made = await topic({ numPartitions: 3, configEntries: [{ name: "cleanup.policy", value: "compact" }] });
    for (const partition of [0, 1, 2]) {
      const written = await kafka.append(made, { key: bytes("orders"), value: null, partition });
      assert.equal(written, { partition, offset: 0n });
    }
    assert.equal(
      (await readAll(made)).records.map((record) => record.value),
      [null, null, null],
    );
  });

  contract("a refused record was not written", async () => {
    const compacted = await topic({ configEntries: [{ name: "cleanup.policy", value: "compact" }] });
    await fails(kafka.append(compacted, { key: null, value: bytes("no key") }), "rejected");
    const small = await topic({ configEntries: [{ name: "max.message.bytes", value: "1000" }] });
    const error = await fails(kafka.append(small, { key: null, value: Buffer.alloc(5_000) }), "rejected");
    assert.is(error.code, "MESSAGE_TOO_LARGE");
    for (const made of [compacted, small]) assert.equal(await kafka.endOffsets(made), [{ partition: 0, offset: 0n }]);
  });

  contract("a record too far from the broker's clock is refused, unless the broker stamps it itself", async () => {
    const limits = ["before", "after"].map((name) => ({ name: `message.timestamp.${name}.max.ms`, value: "60000" }));
    const limited = await topic({ configEntries: limits });
    const sender = await producer(false);
    for (const timestamp of [Date.now() - 600_000, Date.now() + 600_000]) {
      const refused = await sender.send({ topic: limited, messages: [{ value: "x", timestamp: `${timestamp}` }] }).then(
        () => "written",
        (error: { readonly type?: string }) => error.type,
      );
      assert.is(refused, "INVALID_TIMESTAMP");
    }
    await kafka.append(limited, { key: null, value: bytes("in time") });
    const [own] = (await readAll(limited)).records;
    assert.equal([own?.offset, own?.stampedBy], [0n, "producer"]);

    const stamped = await topic({
      configEntries: [...limits, { name: "message.timestamp.type", value: "LogAppendTime" }],
    });
    const before = BigInt(Date.now());
    await sender.send({ topic: stamped, messages: [{ value: "x", timestamp: "1000" }] });
    const [record] = (await readAll(stamped)).records;
    assert.is(record?.stampedBy, "broker");
    assert.ok(record !== undefined && record.timestamp >= before - 60_000n);
  });

  contract("an empty topic is read completely", async () => {
    const readTo = [0, 1].map((partition) => ({ partition, offset: 0n }));
    assert.equal(await readAll(await topic({ numPartitions: 2 })), {
      records: [],
      whole: true,
      reachedEnd: true,
      readTo,
    });
  });

  contract("a read starts and stops at its bounds", async () => {
    const made = await topic();
    for (let i = 0; i < 10; i++) await kafka.append(made, { key: null, value: bytes(`${i}`) });
    const values = (read: TopicRead) => read.records.map((record) => text(record.value)).join("");

    const limited = await kafka.read(made, { from: "beginning", records: 4, millis: 10_000 });
    assert.is(values(limited), "0123");
    assert.equal(limited.readTo, [{ partition: 0, offset: 4n }]);
    assert.not.ok(limited.whole || limited.reachedEnd);
    const tail = await kafka.read(made, { from: "tail", records: 3, millis: 10_000 });
    assert.is(values(tail), "789");
    assert.ok(tail.reachedEnd && !tail.whole);
    const longTail = await kafka.read(made, { from: "tail", records: 100, millis: 10_000 });
    assert.ok(longTail.reachedEnd && longTail.whole && longTail.records.length === 10);
    const onwards = await kafka.read(made, { from: [{ partition: 0, offset: 6n }], records: 100, millis: 10_000 });
    assert.is(values(onwards), "6789");
    assert.ok(onwards.reachedEnd && !onwards.whole);
    const exactly = await kafka.read(made, { from: "beginning", records: 10, millis: 10_000 });
    assert.ok(exactly.whole && exactly.records.length === 10);
    const after = await kafka.read(made, { from: [{ partition: 0, offset: 10n }], records: 100, millis: 10_000 });
    assert.ok(after.reachedEnd && after.records.length === 0);
  });

  contract("many records in several partitions, compressed, come back complete and in order", async () => {
    const made = await topic({ numPartitions: 3 });
    const sender = await producer(false);
    const count = 3_000;
    for (let partition = 0; partition < 3; partition++)
      for (let i = 0; i < count; i += 500)
        await sender.send({
          topic: made,
          compression: i % 1_000 === 0 ? CompressionTypes.GZIP : CompressionTypes.None,
          messages: Array.from({ length: 500 }, (_, j) => ({
            partition,
            key: `${i + j}`,
            value: i + j === 7 ? null : `value ${i + j}`,
            headers: { "cdc.scn": `${i + j}` },
          })),
        });
    const read = await readAll(made);
    assert.ok(read.whole);
    assert.is(read.records.length, 3 * count);
    for (let partition = 0; partition < 3; partition++) {
      const mine = read.records.filter((record) => record.partition === partition);
      assert.ok(mine.every((record, i) => record.offset === BigInt(i) && text(record.key) === `${i}`));
      assert.ok(mine.every((record, i) => text(record.headers["cdc.scn"] ?? null) === `${i}`));
      assert.is(mine[7]?.value, null);
    }
  });

  contract("records of aborted transactions are left out, those of committed ones are not", async () => {
    const made = await topic();
    const sender = await producer(true);
    for (const [value, keep] of [
      ["a", true],
      ["b", false],
      ["c", true],
      ["d", false],
      ["e", true],
    ] as const) {
      const transaction = await sender.transaction();
      await transaction.send({ topic: made, messages: [{ value }, { value: `${value}${value}` }] });
      await (keep ? transaction.commit() : transaction.abort());
    }
    const read = await readAll(made);
    assert.is(read.records.map((record) => text(record.value)).join(" "), "a aa c cc e ee");
    assert.ok(read.whole && read.reachedEnd, "the markers at the end count as read");
  });

  contract("an open transaction keeps a read from reaching the end", async () => {
    const made = await topic();
    await kafka.append(made, { key: null, value: bytes("before") });
    const transaction = await (await producer(true)).transaction();
    await transaction.send({ topic: made, messages: [{ value: "inside" }] });
    await kafka.append(made, { key: null, value: bytes("after") });

    const hidden = await kafka.read(made, { from: "beginning", records: 100, millis: 1_500 });
    assert.equal(
      hidden.records.map((record) => text(record.value)),
      ["before"],
    );
    assert.not.ok(hidden.reachedEnd || hidden.whole);
    assert.equal(await kafka.endOffsets(made), [{ partition: 0, offset: 3n }]);

    const reading = readAll(made);
    await transaction.commit();
    assert.equal(
      (await reading).records.map((record) => text(record.value)),
      ["before", "inside", "after"],
    );
  });

  contract("records written after a read began are not included", async () => {
    const made = await topic();
    await kafka.append(made, { key: null, value: bytes("0") });
    const [{ records }] = await Promise.all([readAll(made), kafka.append(made, { key: null, value: bytes("1") })]);
    assert.ok(records.length === 1 || records.length === 2);
    assert.is((await readAll(made)).records.length, 2);
  });

  contract(
    "a partition's range is read as it arrives, with its bounds, headers, nulls and compressed batches",
    async () => {
      const made = await topic({ numPartitions: 2 });
      const sender = await producer(false);
      for (let i = 0; i < 4_000; i += 500)
        await sender.send({
          topic: made,
          compression: i % 1_000 === 0 ? CompressionTypes.GZIP : CompressionTypes.None,
          messages: Array.from({ length: 500 }, (_, j) => ({
            partition: 1,
            key: `${i + j}`,
            value: i + j === 7 ? null : `value ${i + j}`,
            headers: { "cdc.scn": `${i + j}` },
          })),
        });
      assert.equal(await kafka.extents(made), [
        { partition: 0, from: 0n, to: 0n },
        { partition: 1, from: 0n, to: 4_000n },
      ]);
      for (const [from, to] of [
        [0n, 4_000n],
        [499n, 2_001n],
        [700n, 701n],
        [3_999n, 4_000n],
        [5n, 5n],
      ] as const) {
        const records = await rangeOf(kafka, made, { partition: 1, from, to });
        assert.is(records.length, Number(to - from));
        for (const [at, record] of records.entries()) {
          const number = Number(from) + at;
          assert.is(record.offset, BigInt(number));
          assert.is(record.partition, 1);
          assert.is(text(record.key), `${number}`);
          assert.is(text(record.value), number === 7 ? null : `value ${number}`);
          assert.is(text(record.headers["cdc.scn"] ?? null), `${number}`);
        }
      }
      assert.equal(await rangeOf(kafka, made, { partition: 0, from: 0n, to: 0n }), []);
    },
  );

  contract("a range has the committed records only, and ends before uncommitted ones", async () => {
    const made = await topic();
    const sender = await producer(true);
    for (const [value, keep] of [
      ["a", true],
      ["b", false],
      ["c", true],
    ] as const) {
      const transaction = await sender.transaction();
      await transaction.send({ topic: made, messages: [{ value }, { value: `${value}${value}` }] });
      await (keep ? transaction.commit() : transaction.abort());
    }
    const open = await sender.transaction();
    await open.send({ topic: made, messages: [{ value: "open" }] });
    await kafka.append(made, { key: null, value: bytes("behind it") });
    const [extent] = await kafka.extents(made);
    assert.equal(extent, { partition: 0, from: 0n, to: 9n });
    const valuesOf = async (from: bigint, to: bigint) =>
      (await rangeOf(kafka, made, { partition: 0, from, to })).map(({ value }) => text(value)).join(" ");
    assert.is(await valuesOf(0n, 9n), "a aa c cc");
    assert.is(await valuesOf(4n, 9n), "c cc", "a range that begins inside an aborted transaction");
    await open.commit();
    assert.is(await valuesOf(0n, 11n), "a aa c cc open behind it");
  });

  contract("several ranges are read at the same time, each no faster than it is processed", async () => {
    const made = await topic({ numPartitions: 3 });
    const sender = await producer(false);
    const value = Buffer.alloc(1_000, 0x78);
    for (let partition = 0; partition < 3; partition++)
      for (let i = 0; i < 6; i++)
        await sender.send({
          topic: made,
          messages: Array.from({ length: 500 }, () => ({ partition, key: "k", value })),
        });
    const counts = await Promise.all(
      (await kafka.extents(made)).map(async (range) => {
        let count = 0;
        for await (const batch of kafka.records(made, range)) {
          for (const record of batch) assert.is(record.offset, BigInt(count++));
          await new Promise((resolve) => setImmediate(resolve));
        }
        return count;
      }),
    );
    assert.equal(counts, [3_000, 3_000, 3_000]);
  });

  contract("a range whose records were deleted is a failure, not an end", async () => {
    const made = await topic();
    for (let i = 0; i < 5; i++) await kafka.append(made, { key: null, value: bytes(`${i}`) });
    // kafkajs knows the leaders only of topics that it was asked about before.
    await admin.fetchTopicOffsets(made);
    await admin.deleteTopicRecords({ topic: made, partitions: [{ partition: 0, offset: "3" }] });
    assert.equal(await kafka.extents(made), [{ partition: 0, from: 3n, to: 5n }]);
    const error = await fails(rangeOf(kafka, made, { partition: 0, from: 0n, to: 5n }), "missing");
    assert.is(error.code, "OFFSET_OUT_OF_RANGE");
    assert.is((await rangeOf(kafka, made, { partition: 0, from: 3n, to: 5n })).length, 2);
  });

  contract.run();
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 20_000; !(await holds()); ) {
    if (performance.now() > deadline) throw new Error(`timed out after 20 s waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Reads a range as objects, and checks that reads in place, alone and not, return the same. */
async function rangeOf(kafka: KafkaPort, topic: string, range: OffsetRange): Promise<readonly KafkaRecord[]> {
  const records: KafkaRecord[] = [];
  for await (const batch of kafka.records(topic, range)) records.push(...batch);
  for (const alone of [false, true]) {
    const seen: ReturnType<typeof plain>[] = [];
    for await (const batch of kafka.recordsInPlace(topic, range, alone))
      for (let nth = 0; nth < batch.count; nth++) {
        const part = (start = -1, end = -1) => (start < 0 ? null : batch.bytes.subarray(start, end));
        seen.push(
          plain({
            partition: batch.partition,
            offset: offsetOf(batch, nth),
            key: part(batch.keyStarts[nth], batch.keyEnds[nth]),
            value: part(batch.valueStarts[nth], batch.valueEnds[nth]),
          }),
        );
      }
    assert.equal(seen, records.map(plain));
  }
  return records;
}

function bytes(value: string): Uint8Array {
  return Buffer.from(value, "utf8");
}

function text(value: Uint8Array | null): string | null {
  return value === null ? null : Buffer.from(value).toString("utf8");
}

function plain({ partition, offset, key, value }: Omit<KafkaRecord, "timestamp" | "stampedBy" | "headers">) {
  return { partition, offset, key: text(key), value: text(value) };
}

async function fails(call: Promise<unknown>, kind: FailureKind): Promise<CallFailed> {
  const error = await call.then(
    () => assert.unreachable(`a failure of the kind ${kind} was expected`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailed)) throw error;
  assert.is(error.kind, kind, error.message);
  return error;
}
