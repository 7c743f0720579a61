import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isRunning, isStopped } from "../../core/facts/connector.ts";
import type { ConnectPort, KafkaPort } from "../../core/ports.ts";
import { instantOf } from "../../core/values/instant.ts";
import { openConnect } from "../connect/connect.ts";
import { until } from "../connect/contract.ts";
import { openKafka } from "../kafka/open-kafka.ts";
import { fetchJars, LEGACY_CLASS, PRODUCT_CLASS } from "./jars.ts";
import { type RealStack, startStack } from "./stack.ts";

const clock = {
  now: () => instantOf(Date.now()),
  elapsed: () => performance.now(),
  sleep: (millis: number) => pause(millis),
  random: () => Math.random(),
};

const LEGACY = "orders-legacy";
const NEW = "orders-cdc";
const LEGACY_TOPIC = "ORCLCDB.ORCLPDB1.SALES.ORDERS";
const OPEN_SCN = 2_000_050n;

const legacyConfig = {
  "connector.class": LEGACY_CLASS,
  "tasks.max": "1",
  "oracle.server": "db.prod",
  "oracle.sid": "ORCLCDB",
  "oracle.pdb.name": "ORCLPDB1",
  "standin.tables": "SALES.ORDERS,SALES.LINES",
  "standin.open.scn": String(OPEN_SCN),
};

for (const kafka of ["3", "4"] as const) {
  const migration = suite(`a migration's world on Kafka ${kafka}`);
  let real: RealStack;
  let connect: ConnectPort;
  let brokers: KafkaPort;

  migration.before(async () => {
    real = await startStack({ kafka });
    connect = openConnect({ url: real.connectUrl, clock, proxy: "none" });
    brokers = openKafka({ bootstrapServers: real.bootstrap, properties: {} });
  });
  migration.after(async () => {
    await connect?.close();
    await brokers?.close();
    await real?.stop();
  });

  const stopped = async (name: string): Promise<void> => {
    await connect.stop(name);
    await until(`${name} has stopped`, async () => {
      const status = await connect.status(name);
      return status !== undefined && isStopped(status);
    });
  };
  const runs = (name: string) =>
    until(`${name} runs`, async () => {
      const status = await connect.status(name);
      return status !== undefined && isRunning(status);
    });
  /** By the partition's form. */
  const legacyOffsets = async () => {
    const entries = await connect.offsets(LEGACY);
    return {
      database: entries.filter(({ partition }) => "sidPdb" in partition),
      tables: entries.filter(({ partition }) => "table" in partition),
    };
  };

  migration("both classes are installed, and a configuration is validated by its class", async () => {
    const classes = (await connect.plugins()).map(({ className }) => className);
    assert.ok(classes.includes(LEGACY_CLASS) && classes.includes(PRODUCT_CLASS));
    assert.equal(await connect.validate(LEGACY_CLASS, { name: LEGACY, ...legacyConfig }), []);
    const { "oracle.server": _, ...without } = legacyConfig;
    const problems = await connect.validate(LEGACY_CLASS, { name: LEGACY, ...without });
    assert.equal(
      problems.map(({ setting }) => setting),
      ["oracle.server"],
    );
  });

  migration("the legacy connector stores both forms of partitions, and goes on where it was stopped", async () => {
    assert.is((await connect.create(LEGACY, legacyConfig, undefined)).answer, "applied");
    await runs(LEGACY);
    await until("it has gone past the open transaction", async () => {
      const { database, tables } = await legacyOffsets();
      return String(database[0]?.offset?.["scn"]) === String(OPEN_SCN) && tables.length === 2;
    });
    await stopped(LEGACY);
    const { database, tables } = await legacyOffsets();
    assert.equal(
      database.map(({ partition, offset }) => [partition, offset?.["scn"]]),
      [[{ sidPdb: "ORCLCDB.ORCLPDB1" }, String(OPEN_SCN)]],
    );
    assert.equal(tables.map(({ partition }) => partition["table"]).toSorted(), ["LINES", "ORDERS"]);
    for (const { partition, offset } of tables) {
      assert.is(partition["catalog"], "ORCLPDB1");
      assert.equal(Object.keys(offset ?? {}).toSorted(), ["cscn", "def", "rows", "rps", "scn"]);
    }
    const rows = BigInt(String(tables[0]?.offset?.["rows"]));
    await connect.resume(LEGACY);
    await until("it has delivered more", async () => {
      const { tables: now } = await legacyOffsets();
      return BigInt(String(now[0]?.offset?.["rows"])) > rows;
    });
    await stopped(LEGACY);
    const topics = await brokers.topics();
    for (const topic of [LEGACY_TOPIC, "ORCLCDB.ORCLPDB1.SALES.LINES", `${LEGACY}-ORCLCDB-redo-log`])
      assert.ok(topics.includes(topic), topic);
  });

  migration("the new one is created STOPPED, read back, and its first offset lies at or after its start", async () => {
    const config = {
      "connector.class": PRODUCT_CLASS,
      "tasks.max": "1",
      "cdc.topic.prefix": "orders",
      "cdc.start.scn": String(OPEN_SCN),
      "cdc.snapshot.mode": "none",
      "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
    };
    assert.equal(await connect.validate(PRODUCT_CLASS, { name: NEW, ...config }), []);
    assert.is((await connect.create(NEW, config, "STOPPED")).answer, "applied");
    await until("it is there, stopped", async () => {
      const status = await connect.status(NEW);
      return status !== undefined && isStopped(status);
    });
    const back = await connect.connector(NEW);
    assert.equal(Object.entries(back?.config ?? {}).toSorted(), Object.entries({ ...config, name: NEW }).toSorted());
    assert.equal(await connect.offsets(NEW), []);
    await connect.resume(NEW);
    await runs(NEW);
    await until("it has committed", async () => (await connect.offsets(NEW)).some(({ offset }) => offset !== null));
    const [entry] = await connect.offsets(NEW);
    assert.equal(entry?.partition, { server: "orders" });
    assert.ok(BigInt(String(entry?.offset?.["resume_scn"])) >= OPEN_SCN);
    assert.is(entry?.offset?.["journal_generation"], 1n);
  });

  migration("the way back: its offsets are deleted, then it; the legacy one goes on where it stood", async () => {
    const before = await legacyOffsets();
    await stopped(NEW);
    await until("its offsets are deleted", async () => (await connect.deleteOffsets(NEW)).answer === "applied");
    await until("none is left", async () => (await connect.offsets(NEW)).every(({ offset }) => offset === null));
    assert.is((await connect.deleteConnector(NEW)).answer, "applied");
    await until("it is gone", async () => !(await connect.connectors()).includes(NEW));
    assert.equal(await legacyOffsets(), before);
    await connect.resume(LEGACY);
    await runs(LEGACY);
    await until("it goes on", async () => {
      const now = await legacyOffsets();
      return BigInt(String(now.tables[0]?.offset?.["rows"])) > BigInt(String(before.tables[0]?.offset?.["rows"]));
    });
    await stopped(LEGACY);
  });

  if (kafka === "4")
    migration(
      "a group of the protocol of KIP-848 is active on the topic that it reads, and empty afterwards",
      async () => {
        const group = "orders-billing";
        const seen = async () => (await brokers.consumersOf([LEGACY_TOPIC])).filter((one) => one.group === group);
        const reader = await groupReader(real, group, LEGACY_TOPIC);
        try {
          await until("it reads", async () => (await seen())[0]?.active.length === 1);
          assert.equal(await seen(), [{ group, state: "Stable", active: [LEGACY_TOPIC], committed: [LEGACY_TOPIC] }]);
          assert.equal(await brokers.consumersOf(["another"]), []);
        } finally {
          reader.stdin?.write("\n");
          await once(reader, "exit");
        }
        await until("it is empty", async () => (await seen())[0]?.state === "Empty");
        assert.equal(await seen(), [{ group, state: "Empty", active: [], committed: [LEGACY_TOPIC] }]);
      },
    );

  migration("the legacy connector and its topics are deleted", async () => {
    assert.is((await connect.deleteConnector(LEGACY)).answer, "applied");
    await until("it is gone", async () => (await connect.connector(LEGACY)) === undefined);
    assert.is((await brokers.deleteTopic(LEGACY_TOPIC)).answer, "applied");
    await until("the topic is gone", async () => !(await brokers.topics()).includes(LEGACY_TOPIC));
    const again = await brokers.deleteTopic(LEGACY_TOPIC);
    assert.is(again.answer === "rejected" && again.status, 3);
  });

  migration.run();
}

/** A Java consumer, once it has committed. */
async function groupReader(real: RealStack, group: string, topic: string): Promise<ChildProcess> {
  const { classPath } = await fetchJars(real.kafka);
  const program = join(import.meta.dirname, "testdata", "GroupReader.java");
  const child = spawn("java", ["-XX:TieredStopAtLevel=1", "-cp", classPath, program, real.bootstrap, group, topic], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => {
      throw new Error("the reader ended before it read anything");
    }),
  ]);
  return child;
}
