import { setTimeout as pause } from "node:timers/promises";
import { suite, type Test } from "uvu";
import * as assert from "uvu/assert";
import { isRunning, isStopped } from "../../../core/facts/connector/connector.ts";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "../../../core/legacy/connector-class.ts";
import type { ConnectPort } from "../../../core/ports/connect.ts";
import type { KafkaPort } from "../../../core/ports/kafka.ts";
import { instantOf } from "../../../core/values/instant.ts";
import { openConnect } from "../../../providers/connect/connect.ts";
import { carriedOut } from "../../../providers/connect/contract.ts";
import { openKafka } from "../../../providers/kafka/open-kafka.ts";
import { waitFor } from "../../../providers/real/wait.ts";
import type { World } from "./world.ts";

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

/** Tests of the migration's world, step by step over the product's own ports. Call `.run()` on the result. */
export function standInsBehaviour(name: string, startWorld: () => Promise<World>): Test {
  const migration = suite(`the world of a migration, ${name}`);
  let world: World;
  let connect: ConnectPort;
  let kafka: KafkaPort;

  migration.before(async () => {
    world = await startWorld();
    connect = openConnect({ url: world.connectUrl, clock, proxy: "none" });
    kafka = openKafka({ bootstrapServers: world.bootstrap, properties: {} });
  });
  migration.after(async () => {
    await connect?.close();
    await kafka?.close();
    await world?.stop();
  });

  const becomes = (connector: string, is: typeof isStopped) =>
    waitFor(`${connector} to be as it should`, async () => {
      const status = await connect.status(connector);
      return status !== undefined && is(status);
    });
  const stop = async (connector: string): Promise<void> => {
    await carriedOut(() => connect.stop(connector));
    await becomes(connector, isStopped);
  };
  const resume = async (connector: string): Promise<void> => {
    await carriedOut(() => connect.resume(connector));
    await becomes(connector, isRunning);
  };
  const legacyOffsets = async () => {
    const entries = await world.storedEntries(LEGACY);
    return {
      database: entries.filter(({ partition }) => "sidPdb" in partition),
      tables: entries.filter(({ partition }) => "table" in partition),
    };
  };
  const rowsDelivered = async () => BigInt(String((await legacyOffsets()).tables[0]?.offset["rows"]));

  migration("both classes are installed, and a configuration is validated by its class", async () => {
    const classes = (await connect.plugins()).map(({ className }) => className);
    assert.ok(classes.includes(LEGACY_CLASS) && classes.includes(CONNECTOR_CLASS));
    const settings = async (className: string, config: Readonly<Record<string, string>>) =>
      (await connect.validate(className, { name: "any", ...config })).map(({ setting }) => setting);
    assert.equal(await settings(LEGACY_CLASS, { "oracle.server": "db.prod" }), []);
    assert.equal(await settings(LEGACY_CLASS, {}), ["oracle.server"]);
    assert.equal(await settings(CONNECTOR_CLASS, { "cdc.topic.prefix": "orders" }), []);
    assert.equal(await settings(CONNECTOR_CLASS, {}), ["cdc.topic.prefix"]);
  });

  migration("the legacy connector stores both forms of partitions, and resumes where it was stopped", async () => {
    const tables = "SALES.ORDERS,SALES.LINES";
    await world.createLegacy(LEGACY, { "standin.tables": tables, "standin.open.scn": String(OPEN_SCN) });
    await waitFor("it to go past the open transaction", async () => {
      const { database, tables: stored } = await legacyOffsets();
      return String(database[0]?.offset["scn"]) === String(OPEN_SCN) && stored.length === 2;
    });
    await stop(LEGACY);
    const { database, tables: stored } = await legacyOffsets();
    assert.equal(
      database.map(({ partition, offset }) => [partition, offset["scn"]]),
      [[{ sidPdb: "ORCLCDB.ORCLPDB1" }, String(OPEN_SCN)]],
    );
    assert.equal(stored.map(({ partition }) => partition["table"]).toSorted(), ["LINES", "ORDERS"]);
    for (const { partition, offset } of stored) {
      assert.is(partition["catalog"], "ORCLPDB1");
      assert.equal(Object.keys(offset).toSorted(), ["cscn", "def", "rows", "rps", "scn"]);
    }
    const rows = await rowsDelivered();
    await resume(LEGACY);
    await waitFor("it to deliver more", async () => (await rowsDelivered()) > rows);
    await stop(LEGACY);
    const topics = await kafka.topics();
    for (const topic of [LEGACY_TOPIC, "ORCLCDB.ORCLPDB1.SALES.LINES", `${LEGACY}-ORCLCDB-redo-log`])
      assert.ok(topics.includes(topic), topic);
  });

  migration("SCNs are stored as numbers where its version does so, and a database may have no containers", async () => {
    await world.createLegacy("plain-legacy", {
      "oracle.sid": "ORCL",
      "oracle.pdb.name": "",
      "standin.numbers": "true",
    });
    const entries = await world.storedEntries("plain-legacy");
    const database = entries.find(({ partition }) => partition["sidPdb"] === "ORCL");
    assert.is(typeof database?.offset["scn"], "bigint");
    assert.is(entries.find(({ partition }) => "table" in partition)?.partition["catalog"], "ORCL");
    await connect.deleteConnector("plain-legacy");
  });

  migration("a partition whose keys the task wrote in a different order is shown without its offset", async () => {
    const odd = "odd-legacy";
    const config = { "connector.class": LEGACY_CLASS, "oracle.server": "db.prod", "standin.keys.as.given": "true" };
    assert.is((await connect.create(odd, config, undefined)).answer, "applied");
    await waitFor("it to commit", async () => (await world.storedEntries(odd)).length > 0);
    await waitFor("its table to be listed", async () =>
      (await connect.offsets(odd)).some(({ partition }) => partition["table"] === "ORDERS"),
    );
    const shown = await connect.offsets(odd);
    assert.is(shown.find(({ partition }) => "table" in partition)?.offset, null);
    assert.ok(shown.find(({ partition }) => "sidPdb" in partition)?.offset);
    await connect.deleteConnector(odd);
  });

  migration("the new one is created STOPPED, read back, and its first offset lies at or after its start", async () => {
    const config = {
      "connector.class": CONNECTOR_CLASS,
      "tasks.max": "1",
      "cdc.topic.prefix": "orders",
      "cdc.start.scn": String(OPEN_SCN),
      "cdc.snapshot.mode": "none",
      "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
    };
    assert.is((await connect.create(NEW, config, "STOPPED")).answer, "applied");
    await becomes(NEW, isStopped);
    const back = await connect.connector(NEW);
    assert.equal(Object.entries(back?.config ?? {}).toSorted(), Object.entries({ ...config, name: NEW }).toSorted());
    assert.equal(await connect.offsets(NEW), []);
    await resume(NEW);
    await waitFor("it to commit", async () => (await world.storedEntries(NEW)).length > 0);
    const [entry] = await world.storedEntries(NEW);
    assert.equal(entry?.partition, { server: "orders" });
    assert.ok(BigInt(String(entry?.offset["resume_scn"])) >= OPEN_SCN);
    assert.is(entry?.offset["journal_generation"], 1n);
  });

  migration(
    "the rollback: its offsets are deleted, then the connector; the legacy connector resumes where it stood",
    async () => {
      const before = await legacyOffsets();
      await stop(NEW);
      // A last commit of the stopped task may be stored after the first deletion.
      await waitFor("its offsets to be deleted, and none to be left", async () => {
        const { answer } = await connect.deleteOffsets(NEW);
        return answer === "applied" && (await world.storedEntries(NEW)).length === 0;
      });
      assert.is((await connect.deleteConnector(NEW)).answer, "applied");
      await waitFor("it to be gone", async () => !(await connect.connectors()).includes(NEW));
      assert.equal(await legacyOffsets(), before);
      const rows = await rowsDelivered();
      await resume(LEGACY);
      await waitFor("it to go on", async () => (await rowsDelivered()) > rows);
      await stop(LEGACY);
    },
  );

  migration("the legacy connector and its topics are deleted", async () => {
    assert.is((await connect.deleteConnector(LEGACY)).answer, "applied");
    await waitFor("it to be gone", async () => (await connect.connector(LEGACY)) === undefined);
    assert.is((await kafka.deleteTopic(LEGACY_TOPIC)).answer, "applied");
    await waitFor("the topic to be gone", async () => !(await kafka.topics()).includes(LEGACY_TOPIC));
    const again = await kafka.deleteTopic(LEGACY_TOPIC);
    assert.is(again.answer === "rejected" && again.status, 3);
  });

  return migration;
}
