import { setTimeout as pause } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { stopIn } from "../../core/facts/connector/traces.ts";
import { printJson } from "../../core/values/json.ts";
import { CONNECTOR, PREFIX, type Sandbox, startSandbox } from "./sandbox.ts";
import { scenarioNamed } from "./scenarios.ts";

const codes = suite("a scenario of a code of the connector");
const DEADLINE_MILLIS = 30_000;

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await holds()); await pause(10))
    if (performance.now() - begun > DEADLINE_MILLIS) throw new Error(`${what} did not come`);
}

/** A change of the stored offset, as a plan makes it while the connector is stopped. */
async function patched(sandbox: Sandbox, changes: Parameters<typeof Object.assign>[1]): Promise<void> {
  const at = `${sandbox.connect.url}/connectors/${CONNECTOR}`;
  await fetch(`${at}/stop`, { method: "PUT" });
  await until("the stop", () => sandbox.connect.cluster.connectors.get(CONNECTOR)?.running === undefined);
  const offsets = [{ partition: { server: PREFIX }, offset: { ...sandbox.stored(), ...changes } }];
  sandbox.connect.cluster.alter(CONNECTOR, offsets);
  await fetch(`${at}/resume`, { method: "PUT" });
}

const restart = ({ connect }: Sandbox) =>
  fetch(`${connect.url}/connectors/${CONNECTOR}/restart?includeTasks=true`, { method: "POST" });

type Act = (sandbox: Sandbox) => Promise<unknown>;
const event =
  (scenario: string, name: string): Act =>
  (sandbox) => {
    scenarioNamed(scenario).events?.[name]?.(sandbox);
    return restart(sandbox);
  };

const acts: readonly (readonly [title: string, code: string, act: Act])[] = [
  ["stops with CDC-3002 until a position with a format version is written", "CDC-3002", (it) => patched(it, { v: 1n })],
  ["stops with CDC-4001 until the limit of the spill is raised", "CDC-4001", event("cdc-4001", "limit-raised")],
  ["stops with CDC-4004 until the old transaction has ended", "CDC-4004", event("cdc-4004", "transaction-ended")],
  ["stops with CDC-5001 until it is the database again", "CDC-5001", event("cdc-5001", "configuration-corrected")],
  [
    "stops with CDC-6003 until the offset is before the DDL",
    "CDC-6003",
    (it) => patched(it, { resume_scn: 2_024_900n }),
  ],
  [
    "stops with CDC-7001 until the id has left the ledger, from the transaction's first change on",
    "CDC-7001",
    (it) => patched(it, { resume_scn: 2_026_000n, released_xids: "3:5.2.802" }),
  ],
  ["stops with CDC-8001 until the undo is kept", "CDC-8001", event("cdc-8001", "undo-retention-raised")],
];

for (const [title, code, act] of acts)
  codes(title, async () => {
    const sandbox = await startSandbox(scenarioNamed(code.toLowerCase()).options);
    const reported = () => sandbox.connect.cluster.connectors.get(CONNECTOR)?.reported;
    const stands = () => stopIn(reported()?.tasks[0]?.trace)?.code;
    try {
      await until("the stop", () => stands() === code);
      const before = printJson(sandbox.stored() ?? null);
      await restart(sandbox);
      await until("the same stop", () => stands() === code);
      if (code !== "CDC-8001") assert.is(printJson(sandbox.stored() ?? null), before, "the offset stays");
      await act(sandbox);
      await until("its task", () => reported()?.tasks[0]?.state === "RUNNING" && stands() === undefined);
    } finally {
      await sandbox.close();
    }
  });

const metrics = suite("metrics of the sandbox's task");

/** A number of the exporter's page, at two requests. */
async function twice(scenario: string, name: string): Promise<readonly number[]> {
  const sandbox = await startSandbox(scenarioNamed(scenario).options);
  const read = async () =>
    Number(
      new RegExp(`^${name}{[^}]*} (\\S+)$`, "m").exec(await (await fetch(sandbox.exporter?.url ?? "")).text())?.[1],
    );
  try {
    return [await read(), await read()];
  } finally {
    await sandbox.close();
  }
}

metrics("idle polls rise on a quiet database, and stand still with the steps when its engine is blocked", async () => {
  const [first = 0, second = 0] = await twice("lag-quiet", "oracle_cdc_idle_polls_total");
  assert.ok(second > first);
  for (const name of ["oracle_cdc_idle_polls_total", "oracle_cdc_steps_total"]) {
    const [before, after] = await twice("lag-blocked", name);
    assert.is(after, before);
    assert.ok((before ?? 0) > 0);
  }
});

metrics("the tables that remain are those of the running snapshot", async () => {
  assert.equal(await twice("lag-snapshot", "oracle_cdc_snapshot_tables_remaining"), [2, 2]);
  assert.equal(await twice("lag-none", "oracle_cdc_snapshot_tables_remaining"), [0, 0]);
});

metrics("the limit of the spill is 10 GiB, of which more than 80 % are used before CDC-4001", async () => {
  const [limit = 0] = await twice("lag-spill", "oracle_cdc_spill_max_bytes");
  const [spilled = 0] = await twice("lag-spill", "oracle_cdc_spilled_bytes");
  assert.is(limit, 10 * 2 ** 30);
  assert.ok(spilled / limit > 0.8);
});

codes("gives up with CDC-1001 where the database does not answer", async () => {
  const sandbox = await startSandbox(scenarioNamed("lag-failed").options);
  const trace = () => sandbox.connect.cluster.connectors.get(CONNECTOR)?.reported?.tasks[0]?.trace;
  try {
    await until("the stop", () => stopIn(trace())?.code === "CDC-1001");
  } finally {
    await sandbox.close();
  }
});

codes.run();
metrics.run();
