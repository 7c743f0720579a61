import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isRunning, isStopped } from "../../../core/facts/connector/connector.ts";
import type { ConnectPort } from "../../../core/ports/connect.ts";
import { inPlace } from "../../../core/ports/testing/records-in-place.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../../../core/values/json.ts";
import { fieldsOf } from "../../../core/verification/canonical-row.ts";
import type { TopicInput } from "../../../core/verification/engine/inputs.ts";
import { verifyTable } from "../../../core/verification/engine/verify-table.ts";
import { columnOf } from "../../../core/verification/table-shape.ts";
import { memorySpool } from "../../../core/verification/testing/memory-spool.ts";
import { textOf, work } from "../../../core/verification/testing/work.ts";
import { openConnect } from "../../connect/connect.ts";
import { until } from "../../connect/contract.ts";
import { quickClock } from "../../connect/testing/test-clock.ts";
import { rowsAsOf } from "../change-history.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../sandbox.ts";
import { rowsAt } from "../table-rows.ts";
import type { DeliveryFault } from "./faults.ts";
import { LEGACY_TOPIC } from "./legacy-task.ts";
import { AFTERWARDS, BEYOND_DOUBLE, MEANWHILE, OPEN_SCN, ORDERS } from "./orders-script.ts";
import { NEW_CONNECTOR, NEW_TOPIC } from "./scenario.ts";
import { CONSUMERS, LEGACY_CONNECTOR } from "./stage.ts";

const migration = suite("the sandbox of a migration");

const LAST_SCN = AFTERWARDS.at(-1)?.scn ?? 0n;

async function inMigration(
  body: (sandbox: Sandbox, connect: ConnectPort) => Promise<void>,
  connect: SandboxOptions["connect"] = {},
): Promise<void> {
  const sandbox = await startSandbox({
    migration: true,
    connect: { commitInterval: 5, statusLag: 5, ...connect },
  });
  const port = openConnect({ url: sandbox.connect.url, clock: quickClock() });
  try {
    await body(sandbox, port);
  } finally {
    await port.close();
    await sandbox.close();
  }
}

const offsetsOf = async (connect: ConnectPort) =>
  Object.fromEntries(
    (await connect.offsets(LEGACY_CONNECTOR)).map(({ partition, offset }) => [
      "table" in partition ? "table" : "database",
      offset,
    ]),
  );

/** Waits until the script has reached the cutover. */
const atWork = ({ oracle }: Sandbox) =>
  until("the legacy connector is up to date", async () => oracle.currentScn() >= (MEANWHILE.at(-1)?.scn ?? 0n));

async function stopLegacy(connect: ConnectPort): Promise<bigint> {
  await connect.stop(LEGACY_CONNECTOR);
  await until("it has stopped", async () => {
    const status = await connect.status(LEGACY_CONNECTOR);
    return status !== undefined && isStopped(status);
  });
  return (await connect.offsets(LEGACY_CONNECTOR))
    .map(({ offset }) => BigInt(String(offset?.["scn"])))
    .reduce((a, b) => (a < b ? a : b));
}

/** The new connector's configuration, like a translation, with the settings that matter here. */
function configOf({ migration }: Sandbox, startScn: bigint): Record<string, string> {
  const legacy = migration?.legacyConfig ?? {};
  return {
    "connector.class": "sh.oso.connect.oracle.OracleCdcSourceConnector",
    "cdc.topic.prefix": "orders",
    "cdc.start.scn": String(startScn),
    "cdc.snapshot.mode": "none",
    "cdc.tombstones.on.delete": legacy["emit.tombstone.on.delete"] ?? "false",
    "value.converter": legacy["value.converter"] ?? "",
    "key.converter": legacy["key.converter"] ?? "",
  };
}

async function cutOver(sandbox: Sandbox, connect: ConnectPort): Promise<bigint> {
  await atWork(sandbox);
  const startScn = await stopLegacy(connect);
  assert.is((await connect.create(NEW_CONNECTOR, configOf(sandbox, startScn), "STOPPED")).answer, "applied");
  assert.equal(await connect.offsets(NEW_CONNECTOR), []);
  await connect.resume(NEW_CONNECTOR);
  await until(
    "it has delivered everything",
    async () => BigInt(String(sandbox.stored()?.["resume_scn"] ?? 0)) >= LAST_SCN,
  );
  return startScn;
}

/** The final values of a topic by key, null for deleted keys. */
async function lastValues(sandbox: Sandbox, topic: string): Promise<Map<string, JsonObject | null>> {
  const payload = (bytes: Uint8Array | null): Json => {
    const json = bytes === null ? null : parseJson(Buffer.from(bytes).toString("utf8"));
    return isObject(json) && "payload" in json ? (json["payload"] ?? null) : json;
  };
  const last = new Map<string, JsonObject | null>();
  for (const { key, value } of await sandbox.broker.records(topic)) {
    const id = payload(key);
    const row = payload(value);
    const state = isObject(row) && "op" in row ? (row["after"] ?? null) : row;
    const gone = isObject(row) && row["op_type"] === "D";
    last.set(String(isObject(id) ? id["ORDER_ID"] : id), isObject(state) && !gone ? state : null);
  }
  return last;
}

/** The result of the product's own verification, without its ports: keys by their problem, and unreadable records. */
async function problems(sandbox: Sandbox): Promise<readonly string[]> {
  const columns = ORDERS.columns.flatMap(
    ({ name, ...type }) =>
      columnOf({
        name,
        dataType: type.type === "TIMESTAMP" ? `TIMESTAMP(${type.scale})` : type.type,
        precision: type.type === "NUMBER" ? type.precision : undefined,
        scale: type.type === "VARCHAR2" ? undefined : type.scale,
      }) ?? [],
  );
  const rows = sandbox.oracle.tables.find(({ name }) => name === ORDERS.name)?.rows;
  const there = (rows ? rowsAt(rows, LAST_SCN) : []).map(({ values }) => values);
  const found = await verifyTable(
    {
      table: "ORCLPDB1.SALES.ORDERS",
      shape: { columns, key: columns.slice(0, 1) },
      checkScn: LAST_SCN,
      startScn: OPEN_SCN,
      rows: { expected: there.length, ranges: async () => ["all"], read: () => once(there) },
      newTopic: await topicInput(sandbox, NEW_TOPIC),
      legacyTopic: await topicInput(sandbox, LEGACY_TOPIC),
    },
    memorySpool(),
    {
      ...{ work, clock: { elapsed: () => 0 }, memory: 128 * 2 ** 20, ranges: 1, partitions: 2, first: 10 },
      disk: { place: "memory", free: undefined },
    },
  );
  if (found.is !== "verified") return [found.is];
  const { verdict, table, newTopic, legacyTopic } = found;
  assert.equal(verdict.firstDoubts, []);
  return [
    ...verdict.firstFailures.map(({ key, reason, columns: places }) => {
      const [id] = fieldsOf(key);
      const named = id?.is === "value" ? textOf(id.bytes) : "?";
      return [named, reason, ...places.map((at) => columns[at]?.name)].join(" ");
    }),
    ...[table, newTopic, legacyTopic].flatMap((side) => side?.reasons.map(({ why }) => why) ?? []),
  ];
}

async function topicInput({ broker }: Sandbox, topic: string): Promise<TopicInput> {
  const records = await broker.records(topic);
  const end = (records.at(-1)?.offset ?? -1n) + 1n;
  return {
    topic,
    format: { decimals: "precise", temporals: "adaptive", placeholder: "__cdc_unavailable_value" },
    compacted: false,
    partitions: [{ partition: 0, from: 0n, to: end, read: (from) => once(inPlace(records.slice(Number(from)))) }],
  };
}

async function* once<T>(batch: T): AsyncIterable<T> {
  yield batch;
}

migration("begins with a legacy connector whose offsets advance, pinned by the oldest open transaction", async () => {
  const begin = async (sandbox: Sandbox, connect: ConnectPort) => {
    const before = await offsetsOf(connect);
    assert.equal(await connect.connectors(), [LEGACY_CONNECTOR]);
    await atWork(sandbox);
    const after = await offsetsOf(connect);
    assert.ok(BigInt(String(before["database"]?.["scn"])) < OPEN_SCN);
    await until("it has committed", async () => (await offsetsOf(connect))["database"]?.["scn"] === String(OPEN_SCN));
    assert.ok(Number(after["table"]?.["rows"]) >= Number(before["table"]?.["rows"]));
    assert.is((await offsetsOf(connect))["table"]?.["cscn"], "2044960");
    assert.equal(
      sandbox.oracle.transactions.map(({ startScn, user }) => [startScn, user]),
      [[OPEN_SCN, "BATCH"]],
    );
  };
  await inMigration(begin, { commitInterval: 50 });
});

migration("a cutover omits nothing: the open transaction and the overlap come from the new connector", async () => {
  await inMigration(async (sandbox, connect) => {
    assert.is(await cutOver(sandbox, connect), OPEN_SCN);
    assert.equal(await problems(sandbox), []);
    assert.equal(sandbox.oracle.transactions, []);
    const fresh = await lastValues(sandbox, NEW_TOPIC);
    assert.is(fresh.get("1050")?.["STATUS"], "NEW", "of the transaction that was open");
    assert.is(String(fresh.get("1023")?.["REFERENCE"]), BEYOND_DOUBLE);
    const legacy = await lastValues(sandbox, LEGACY_TOPIC);
    assert.ok(fresh.has("1021") && legacy.has("1021"), "both have delivered the overlap");
    assert.not.ok(fresh.has("1003"), "what was committed before the start is the legacy connector's");
    assert.not.ok(legacy.has("1050"));
    const headers = (await sandbox.broker.records(NEW_TOPIC)).filter(({ value }) => value !== null);
    assert.ok(headers.every((record) => "cdc.commit_scn" in record.headers));
    const tombstones = (await sandbox.broker.records(NEW_TOPIC)).filter(({ value }) => value === null);
    assert.is(tombstones.length, 4, "the orders 1002, 1005, 1010 and 1026");
  });
});

const FINDINGS: Readonly<Record<DeliveryFault, readonly string[]>> = {
  "lost-row": ["1024 in-neither-topic"],
  "stale-value": ["1021 values-differ STATUS"],
  "wrong-type": ["column REFERENCE: a NUMBER that came through a double, which does not keep all its digits"],
  "rounded-value": ["1023 values-differ REFERENCE"],
  "legacy-only-row": ["1010 only-in-legacy-topic"],
  "deleted-row-kept": ["1026 still-in-topic"],
};

for (const [fault, found] of Object.entries(FINDINGS))
  migration(`${fault}: a verification finds that, and nothing else`, async () => {
    await inMigration(async (sandbox, connect) => {
      sandbox.migration?.plant(fault as DeliveryFault);
      await cutOver(sandbox, connect);
      assert.equal(await problems(sandbox), found);
    });
  });

migration(
  "rollback: the new connector's offsets outlive it until they are deleted, and the legacy one resumes",
  async () => {
    await inMigration(async (sandbox, connect) => {
      const startScn = await cutOver(sandbox, connect);
      await connect.stop(NEW_CONNECTOR);
      await until("it has stopped", async () => {
        const status = await connect.status(NEW_CONNECTOR);
        return status !== undefined && isStopped(status);
      });
      assert.is((await connect.deleteConnector(NEW_CONNECTOR)).answer, "applied");
      assert.ok(sandbox.stored() !== undefined);

      // Recreated, it continues from its position and delivers nothing twice.
      const delivered = (await sandbox.broker.records(NEW_TOPIC)).length;
      await connect.create(NEW_CONNECTOR, configOf(sandbox, startScn), undefined);
      await until("it runs", async () => {
        const status = await connect.status(NEW_CONNECTOR);
        return status !== undefined && isRunning(status) && sandbox.stored()?.["journal_generation"] === 2n;
      });
      assert.is((await sandbox.broker.records(NEW_TOPIC)).length, delivered);

      await connect.stop(NEW_CONNECTOR);
      await until(
        "its offsets are gone",
        async () => (await connect.deleteOffsets(NEW_CONNECTOR)).answer === "applied",
      );
      assert.is((await connect.deleteConnector(NEW_CONNECTOR)).answer, "applied");
      assert.equal(sandbox.stored(), undefined);

      await connect.resume(LEGACY_CONNECTOR);
      const end = sandbox.migration?.activity.history().transactions.at(-1)?.commitScn;
      await until("it has delivered what came meanwhile", async () => {
        const offset = (await offsetsOf(connect))["table"];
        return offset?.["cscn"] === String(end);
      });
      const legacy = await lastValues(sandbox, LEGACY_TOPIC);
      const history = sandbox.migration?.activity.history();
      const there = history === undefined ? [] : rowsAsOf(history, LAST_SCN).map(([id]) => String(id));
      assert.equal(
        [...legacy]
          .filter(([, row]) => row !== null)
          .map(([id]) => id)
          .sort(),
        there.sort(),
      );
    });
  },
);

migration("consumers read the legacy topic until they are moved", async () => {
  await inMigration(async ({ broker, migration }) => {
    assert.equal(broker.state.groups.get(CONSUMERS)?.members, [[LEGACY_TOPIC]]);
    migration?.moveConsumers(NEW_TOPIC);
    assert.equal(broker.state.groups.get(CONSUMERS)?.members, [[NEW_TOPIC]]);
  });
});

migration.run();
