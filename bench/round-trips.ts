import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { secret } from "../core/values/secret.ts";
import { openOracle } from "../providers/oracle/oracle-port.ts";
import { readyTable } from "../providers/sandbox/check-scenarios.ts";
import { startOracleDatabase } from "../providers/sandbox/oracle/database.ts";
import { healthyWorld } from "../providers/sandbox/oracle/world.ts";
import { type Sandbox, startSandbox } from "../providers/sandbox/sandbox.ts";
import { afterPurge, contexts } from "../providers/sandbox/scenario.ts";
import { scenarioNamed } from "../providers/sandbox/scenarios.ts";
import { captured } from "../providers/sandbox/tables.ts";
import { type Built, wallMillis } from "./command.ts";
import { median, type Result } from "./result.ts";

/** Latency of every answer, long enough to dominate all other times. */
const LATENCY_MILLIS = 100;
const RUNS = 5;

/**
 * Requests of `plan`, and how many of them run one after the other: delaying every answer delays the plan by the
 * longest chain. TCP handshakes are not included.
 */
export async function benchPlanRoundTrips(built: Built): Promise<readonly Result[]> {
  const scenario = scenarioNamed("orders");
  const connect = latency();
  const kafka = latency();
  const { connect: connectOptions, broker: brokerOptions, ...rest } = scenario.options;
  const sandbox = await startSandbox({
    ...rest,
    connect: { ...connectOptions, faults: () => connect.fault() },
    broker: brokerOptions ?? {},
  });
  sandbox.failBroker(() => kafka.fault());
  const folder = join(built.folder, "round-trips");
  await mkdir(folder);
  for (const [name, text] of Object.entries(scenario.files(sandbox))) await writeFile(join(folder, name), text);
  const run = () =>
    wallMillis([built.program, "plan", "orders-replay.yaml"], {
      ...built,
      folder,
      env: { ...built.env, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") },
    });
  const setLatency = (millis: number) => {
    connect.millis = millis;
    kafka.millis = millis;
    sandbox.oracle.latency = millis;
  };
  try {
    const before = counts(sandbox);
    await run();
    const after = counts(sandbox);
    const near: number[] = [];
    const far: number[] = [];
    for (let round = 0; round < RUNS; round++) {
      setLatency(0);
      near.push(await run());
      setLatency(LATENCY_MILLIS);
      far.push(await run());
    }
    const asked = (name: keyof typeof before) => after[name] - before[name];
    const total = asked("connect") + asked("kafka") + asked("oracle");
    const chain = (median(far) - median(near)) / LATENCY_MILLIS;
    return [
      {
        what: "plan: round trips",
        input: "one plan, one log",
        measured: `${total}: Connect ${asked("connect")}, Kafka ${asked("kafka")}, Oracle ${asked("oracle")}`,
      },
      {
        what: "plan: critical path",
        input: `${LATENCY_MILLIS} ms an answer`,
        measured: `${chain.toFixed(1)} round trips`,
        peer: `one after the other: ${total}`,
        ratio: (chain / total).toFixed(2),
      },
    ];
  } finally {
    await sandbox.close();
  }
}

const TABLES = [10, 10_000];

/**
 * Requests of `plan` with missing redo and unlisted tables: more tables make the answers longer, but not more numerous.
 */
export async function benchResnapshotRoundTrips(built: Built): Promise<readonly Result[]> {
  const asked: Record<"connect" | "kafka" | "oracle", number>[] = [];
  for (const tables of TABLES) {
    const { options } = scenarioNamed("gap");
    const sandbox = await startSandbox({
      ...options,
      oracle: (world) => {
        options.oracle?.(world);
        const more = Array.from({ length: tables - world.tables.length }, (_, at) => captured(world, `TABLE_${at}`));
        world.tables.push(...more);
      },
    });
    const folder = join(built.folder, `resnapshot-${tables}`);
    await mkdir(folder);
    await writeFile(join(folder, "contexts.yaml"), contexts(sandbox));
    await writeFile(
      join(folder, "orders.yaml"),
      afterPurge("tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES]", "skipGapForUnlistedTables: true"),
    );
    try {
      const env = { ...built.env, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
      await wallMillis([built.program, "plan", "orders.yaml"], { ...built, folder, env });
      asked.push(counts(sandbox));
    } finally {
      await sandbox.close();
    }
  }
  const totals = asked.map(({ connect, kafka, oracle }) => connect + kafka + oracle);
  return asked.map(({ connect, kafka, oracle }, at) => ({
    what: "plan past a gap: round trips",
    input: `${TABLES[at]} captured tables`,
    measured: `${totals[at]}: Connect ${connect}, Kafka ${kafka}, Oracle ${oracle}`,
    bar: { text: `as many as for ${TABLES[0]} tables`, holds: totals[at] === totals[0] },
  }));
}

/** Number of requests to each system so far. */
export function counts(sandbox: Sandbox) {
  return {
    connect: sandbox.connect.requests.length,
    kafka: sandbox.broker.requests.length,
    oracle: sandbox.oracle.roundTrips,
  };
}

/** Delays every answer. */
export function latency() {
  return {
    millis: 0,
    fault() {
      if (this.millis === 0) return undefined;
      const hold = new Promise<void>((resolve) => {
        setTimeout(resolve, this.millis);
      });
      return { hold, when: "after" } as const;
    },
  };
}

const LOGS = [10, 500, 1000, 5000];

/** Calls of the LogMiner probe, with one in ten logs that cannot be opened and is tried again. */
export async function benchProbeRoundTrips(): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const count of LOGS) {
    const world = healthyWorld();
    const files = Array.from({ length: count }, (_, at) => `/u03/archive/ORCLCDB/${at}.arc`);
    for (const [at, file] of files.entries()) if (at % 10 !== 0) world.files.add(file);
    const server = await startOracleDatabase(world);
    const oracle = openOracle({
      host: "127.0.0.1",
      port: String(server.port),
      service: "ORCLCDB",
      sid: undefined,
      url: undefined,
      user: "C##CDC",
      password: secret("cdc-secret"),
      walletLocation: undefined,
      truststoreLocation: undefined,
      truststorePassword: undefined,
      truststoreType: undefined,
      connectionProperties: undefined,
    });
    try {
      const opened = (await oracle.probeLogs(files)).filter((probe) => probe.opened).length;
      if (opened !== count - Math.ceil(count / 10)) throw new Error(`the probe opened ${opened} of ${count} files`);
      const calls = world.seen.filter((sql) => sql.includes("DBMS_LOGMNR")).length;
      const most = count / 500 + 3;
      results.push({
        what: "LogMiner probe",
        input: `${count} logs, ${count - opened} can't be opened`,
        measured: `${calls} round trips`,
        peer: `a call a log: ${count}`,
        ratio: (calls / count).toFixed(4),
        bar: { text: `${most} (logs / 500 + 3)`, holds: calls <= most },
      });
    } finally {
      await oracle.close();
      await server.close();
    }
  }
  return results;
}

/** Queries of `doctor check`: more captured tables make the answers longer, but not more numerous. */
export async function benchCheckRoundTrips(built: Built): Promise<readonly Result[]> {
  const asked: { readonly trips: number; readonly millis: number }[] = [];
  for (const tables of TABLES) {
    const sandbox = await startSandbox({
      oracle: (world) => {
        world.tables = Array.from({ length: tables }, (_, at) => readyTable(world, `TABLE_${at}`));
      },
    });
    const folder = join(built.folder, `check-${tables}`);
    await mkdir(folder);
    await writeFile(join(folder, "orders-cdc.json"), JSON.stringify(sandbox.config));
    try {
      const before = sandbox.oracle.roundTrips;
      const millis = await wallMillis([built.program, "doctor", "check", "--config", "orders-cdc.json"], {
        ...built,
        folder,
      });
      asked.push({ trips: sandbox.oracle.roundTrips - before, millis });
    } finally {
      await sandbox.close();
    }
  }
  return asked.map(({ trips, millis }, at) => ({
    what: "doctor check: round trips",
    input: `${TABLES[at]} captured tables`,
    measured: `${trips}, ${(millis / 1000).toFixed(1)} s`,
    bar: { text: `as many as for ${TABLES[0]} tables`, holds: trips === asked[0]?.trips },
  }));
}
