import { setTimeout as pause } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import { healthyWorld, type OracleWorld } from "../../oracle/world.ts";
import { CONNECTOR, PREFIX, type Sandbox, type SandboxOptions, startSandbox, storedOffset } from "../../sandbox.ts";

const ORDERS = "ORCLPDB1.SALES.ORDERS";
const LINES = "ORCLPDB1.SALES.LINES";
/** Inside sequence 119. */
const STOOD = 2_012_000n;
const DEADLINE_MILLIS = 60_000;

const task = suite("the sandbox's connector");

const snapshot = (id: string, ...tables: readonly string[]): string =>
  JSON.stringify({ id, type: "snapshot", data: { tables } });

task("answers a signal once, and snapshots the tables that it names", async () => {
  await inSandbox({}, async (sandbox) => {
    signal(sandbox, snapshot("one", ORDERS, LINES));
    await until("the answer", async () => (await answers(sandbox)).length > 0);
    await until("the end of the snapshot", () => progress(sandbox)?.["complete"] === true);
    await until("its offset", () => sandbox.stored()?.["signal_offset"] !== undefined);
    assert.is(sandbox.stored()?.["signal_offset"], 0n);
    await restart(sandbox);
    signal(sandbox, snapshot("two", LINES));
    await until("the second answer", async () => (await answers(sandbox)).length > 1);
    assert.equal(await answers(sandbox), [
      { id: "one", type: "snapshot", outcome: "ok" },
      { id: "two", type: "snapshot", outcome: "ok" },
    ]);
  });
});

task("answers in the form of its converter, and ignores signals of others", async () => {
  await inSandbox({ config: { "value.converter.schemas.enable": "true" } }, async (sandbox) => {
    signal(sandbox, snapshot("other", ORDERS), "billing-cdc");
    signal(sandbox, snapshot("mine", ORDERS));
    await until("the answer", async () => (await sandbox.broker.records(`${PREFIX}.cdc.ops`)).length > 0);
    const [record] = await sandbox.broker.records(`${PREFIX}.cdc.ops`);
    const { schema, payload } = object(record?.value ?? null) as { schema: JsonObject; payload: JsonObject };
    assert.is(schema["name"], "io.oso.cdc.ops.Event");
    assert.is((payload["details"] as JsonObject)["id"], "mine");
    assert.equal(object(record?.key ?? null)["payload"], { server: PREFIX });
  });
});

task("leaves signals unread, or rejects valid ones, on request", async () => {
  let commits = 0;
  const mining = () => ({
    start: () => undefined,
    tick: () => [{ partition: { server: PREFIX }, offset: { n: BigInt(commits++) } }],
  });
  await inSandbox({ signals: "silent", connect: { task: mining } }, async (sandbox) => {
    signal(sandbox, snapshot("one", ORDERS));
    await until("some commits", () => commits > 3);
    assert.equal(await answers(sandbox), []);
    assert.is(sandbox.stored()?.["signal_offset"], undefined);
    sandbox.treatSignals("rejecting");
    await until("the answer", async () => (await answers(sandbox)).length > 0);
    assert.equal(
      (await answers(sandbox)).map(({ id, outcome }) => [id, outcome]),
      [["one", "rejected"]],
    );
    assert.is(sandbox.stored()?.["snapshot"], undefined);
  });
});

task("that is stopped answers nothing until it runs", async () => {
  await inSandbox({ state: "STOPPED" }, async (sandbox) => {
    signal(sandbox, snapshot("one", ORDERS));
    assert.is(sandbox.connect.cluster.connectors.get(CONNECTOR)?.running, undefined);
    await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}/resume`, { method: "PUT" });
    await until("the answer", async () => (await answers(sandbox)).length > 0);
  });
});

const gone: readonly {
  readonly title: string;
  readonly oracle: (world: OracleWorld) => void;
  readonly trace: RegExp;
}[] = [
  {
    title: "a sequence that is missing",
    oracle: (world) => {
      world.archivedLogs = world.archivedLogs.filter(({ sequence }) => sequence !== 120n);
      world.onlineLogs = world.onlineLogs.filter(({ sequence }) => sequence !== 120n);
    },
    trace: /\[CDC-2001\] thread 1: sequence 120 is missing before sequence 121/,
  },
  {
    title: "a position before the first log",
    oracle: (world) => {
      world.archivedLogs = world.archivedLogs.filter(({ sequence }) => sequence > 120n);
      world.onlineLogs = world.onlineLogs.filter(({ sequence }) => sequence > 120n);
    },
    trace: /\[CDC-2001\] thread 1: no log holds SCN 2012000; the first one there is sequence 121, from SCN 2030000/,
  },
  {
    title: "a log that is marked deleted",
    oracle: (world) => {
      for (const log of world.archivedLogs)
        if (log.sequence === 119n) Object.assign(log, { deleted: true, status: "D" });
    },
    trace: /\[CDC-2002\] thread 1 sequence 119 is purged/,
  },
  {
    title: "a file that was removed",
    oracle: ({ files }) => void files.delete("/u03/archive/ORCLCDB/1_119_1.arc"),
    trace: /\[CDC-2002\] thread 1 sequence 119 can't be opened: ORA-01284/,
  },
];

for (const { title, oracle, trace } of gone) {
  task(`fails at its start at ${title}, and again until it is available`, async () => {
    const offset = { ...storedOffset(healthyWorld()), resume_scn: STOOD };
    await inSandbox({ oracle, offset }, async (sandbox) => {
      await until("the trace", async () => trace.test(await traceOf(sandbox)));
      signal(sandbox, snapshot("one", ORDERS));
      await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}/restart?includeTasks=true`, { method: "POST" });
      await until("the same trace", async () => trace.test(await traceOf(sandbox)));
      // Resuming what is not stopped does nothing, its task failed or not.
      await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}/resume`, { method: "PUT" });
      await sandbox.connect.cluster.connectors.get(CONNECTOR)?.settled;
      assert.is(sandbox.connect.cluster.connectors.get(CONNECTOR)?.running, undefined);
      assert.is(sandbox.stored()?.["resume_scn"], STOOD);
      assert.equal(await answers(sandbox), []);

      const healthy = healthyWorld();
      Object.assign(sandbox.oracle, { archivedLogs: healthy.archivedLogs, onlineLogs: healthy.onlineLogs });
      for (const file of healthy.files) sandbox.oracle.files.add(file);
      await restart(sandbox);
      await until("the answer", async () => (await answers(sandbox)).length > 0);
    });
  });
}

task("does not fail for missing redo behind its position", async () => {
  await inSandbox({ oracle: ({ files }) => void files.delete("/u03/archive/ORCLCDB/1_119_1.arc") }, async (sandbox) => {
    assert.ok(sandbox.connect.cluster.connectors.get(CONNECTOR)?.running);
  });
});

task.run();

async function inSandbox(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ ...options, connect: { commitInterval: 5, statusLag: 5, ...options.connect } });
  try {
    await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

function signal({ broker }: Sandbox, value: string, connector = CONNECTOR): void {
  broker.append(`${PREFIX}.cdc.signals`, { key: Buffer.from(connector, "utf8"), value: Buffer.from(value, "utf8") });
}

async function answers({ broker }: Sandbox): Promise<readonly JsonObject[]> {
  const records = await broker.records(`${PREFIX}.cdc.ops`);
  return records
    .map(({ value }) => object(value))
    .filter(({ type }) => type === "signal-ack")
    .map(({ details }) => details as JsonObject);
}

function progress(sandbox: Sandbox): JsonObject | undefined {
  const text = sandbox.stored()?.["snapshot"];
  return typeof text === "string" ? (parseJson(text) as JsonObject) : undefined;
}

async function traceOf({ connect }: Sandbox): Promise<string> {
  const answer = await fetch(`${connect.url}/connectors/${CONNECTOR}/status`);
  const { tasks } = (await answer.json()) as { readonly tasks: readonly { readonly trace?: string }[] };
  return tasks[0]?.trace ?? "";
}

async function restart({ connect }: Sandbox): Promise<void> {
  await fetch(`${connect.url}/connectors/${CONNECTOR}/restart?includeTasks=true`, { method: "POST" });
  await connect.cluster.connectors.get(CONNECTOR)?.settled;
}

function object(bytes: Uint8Array | null): JsonObject {
  const parsed = parseJson(Buffer.from(bytes ?? []).toString("utf8"));
  if (!isObject(parsed)) throw new Error("no JSON object");
  return parsed;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MILLIS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`still waiting for ${what}`);
    await pause(5);
  }
}
