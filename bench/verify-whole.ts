import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startBrokerAlone } from "../providers/real/broker-alone.ts";
import { missingForRealStack } from "../providers/real/jars.ts";
import { createTopic } from "../providers/real/topics.ts";
import { bundled } from "./bundled.ts";
import { type Built, measuredRun, type Used } from "./command.ts";
import type { Result } from "./result.ts";
import { CHECK_SCN, LEGACY_TOPIC, NEW_TOPIC } from "./verify/big-table.ts";
import { writeData, writeRows } from "./verify/data.ts";
import { loadTopics } from "./verify/load-topics.ts";
import {
  type Measured,
  MOST_MEMORY,
  measured,
  megabytes,
  plainVerifier,
  ratioText,
  timesAsFast,
  timesText,
} from "./verify/measuring.ts";

/**
 * Measures the whole `migrate verify` as a user runs it: the built command in a separate process, the table over Oracle
 * Net from the loopback database, the topics from a real broker. The peers are those of `verify-1m`, over the same
 * records.
 *
 * Set `CDCCTL_BENCH_KEYS` to make it smaller.
 */
const KEYS = 1_000_000;
const AGAINST_PYTHON = 2;
/** Keys in the generated files. */
const TEMPLATE = 200_000;

export async function benchVerifyWhole(built: Built): Promise<readonly Result[]> {
  const keys = Number(process.env["CDCCTL_BENCH_KEYS"] ?? KEYS);
  const template = Math.min(keys, TEMPLATE);
  const passes = keys / template;
  if (!Number.isInteger(passes) || keys < 1) throw new Error(`${keys} keys are not a multiple of ${TEMPLATE}`);
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    await bundled(folder, ["verify/run", "verify/sandbox"]);
    const data = { folder, template, enveloped: false };
    const bytes = (await writeData(data)) * passes;
    await writeRows(data);
    const python = await plainVerifier(folder, template, passes);
    const parse = await measured(process.execPath, [
      ...[join(folder, "run.js"), "parse", folder, `${template}`, `${passes}`],
    ]);
    const whole = await verified(built, folder, template, passes);
    return results(whole, { keys, bytes, python, parse });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Whole extends Measured {
  readonly disk: number;
  /** Which broker was used. */
  readonly broker: string;
  /** Processor time of the loopback database (and of its broker, if that is used), milliseconds. */
  readonly sandboxMillis: number;
  readonly load: number;
}

function verified(built: Built, folder: string, template: number, passes: number): Promise<Whole> {
  return withBigWorld(folder, template, passes, async ({ sandbox, records, broker }) => {
    const before = await sandbox.processorMillis();
    const load = loadavg()[0] ?? 0;
    const { disk, ...used } = await verify(built, folder, sandbox.connectUrl, template * passes);
    return { ...used, records, disk, broker, sandboxMillis: (await sandbox.processorMillis()) - before, load };
  });
}

/** The generated table in a loopback database, and its topics on a real broker, or on the loopback one. */
export interface BigWorld {
  readonly sandbox: SandboxProcess;
  /** Rows and records together. */
  readonly records: number;
  /** Which broker is used. */
  readonly broker: string;
}

/** Opens the world of the generated files, with this many passes. */
export async function withBigWorld<T>(
  folder: string,
  template: number,
  passes: number,
  use: (world: BigWorld) => Promise<T>,
): Promise<T> {
  const missing = missingForRealStack();
  const real = missing === undefined ? await startBrokerAlone("4") : undefined;
  try {
    if (real !== undefined) {
      await createTopic(real.bootstrap, NEW_TOPIC, {}, 2);
      await createTopic(real.bootstrap, LEGACY_TOPIC);
    }
    const sandbox = await startSandbox(folder, template, passes, real?.bootstrap);
    try {
      const records = (await loadTopics(real?.bootstrap ?? sandbox.brokers, folder, passes)) + template * passes;
      return await use({
        sandbox,
        records,
        broker: real === undefined ? `the loopback broker (${missing})` : "Kafka 4",
      });
    } finally {
      await sandbox.close();
    }
  } finally {
    await real?.stop();
  }
}

export interface SandboxProcess {
  readonly connectUrl: string;
  readonly brokers: string;
  processorMillis(): Promise<number>;
  close(): Promise<void>;
}

async function startSandbox(
  folder: string,
  template: number,
  passes: number,
  brokers: string | undefined,
): Promise<SandboxProcess> {
  const args = [`${template}`, `${passes}`, ...(brokers === undefined ? [] : [brokers])];
  const child = spawn(process.execPath, [join(folder, "sandbox.js"), ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("the loopback world has ended");
    return JSON.parse(value as string);
  };
  const addresses = (await next()) as { readonly connectUrl: string; readonly brokers: string };
  return {
    ...addresses,
    async processorMillis() {
      child.stdin.write("\n");
      return ((await next()) as { readonly processorMillis: number }).processorMillis;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** @throws if the verification does not end with 0, or did not compare every key */
async function verify(
  built: Built,
  folder: string,
  connectUrl: string,
  keys: number,
): Promise<Used & { readonly disk: number }> {
  const [workDir, evidence] = [join(folder, "work"), join(folder, "evidence.json")];
  const disk = watchedFolder(workDir);
  const { CDCCTL_CONTEXTS: _contexts, ...env } = built.env;
  const used = await measuredRun(
    [
      ...[built.program, "migrate", "verify", "--connector", "orders-cdc", "--connect-url", connectUrl],
      ...["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC, "--check-scn", `${CHECK_SCN}`],
      ...["--work-dir", workDir, "--output", evidence],
    ],
    { ...built, env },
  ).finally(disk.end);
  const text = await readFile(evidence, "utf8");
  const { outcome, tables } = JSON.parse(text) as {
    readonly outcome: string;
    readonly tables: readonly { readonly keys: { readonly compared: number; readonly inTable: number } }[];
  };
  const [table] = tables;
  if (outcome !== "pass" || table?.keys.compared !== keys || table.keys.inTable !== keys)
    throw new Error(`it should have passed, with ${keys} keys compared: ${text.slice(0, 4000)}`);
  return { ...used, disk: disk.most() };
}

const LOOK_MILLIS = 300;

/** Measures the peak size of a folder by sampling. */
function watchedFolder(folder: string): { most(): number; end(): void } {
  let most = 0;
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    most = Math.max(most, await bytesBelow(folder));
    looking = false;
  }, LOOK_MILLIS);
  return { most: () => most, end: () => clearInterval(timer) };
}

async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = names.map((name) => stat(join(folder, name)).catch(() => undefined));
  return (await Promise.all(sizes)).reduce((sum, one) => sum + (one?.isFile() === true ? one.size : 0), 0);
}

function results(
  whole: Whole,
  of: { readonly keys: number; readonly bytes: number; readonly python: Measured; readonly parse: Measured },
): readonly Result[] {
  const { python, parse } = of;
  const topics = `${of.keys * 2} and ${of.keys} records, ${megabytes(of.bytes)}`;
  const input = `${of.keys} rows; ${topics}; ${whole.broker}`;
  const what = "migrate verify";
  const text = `${timesText(whole)}; load ${whole.load.toFixed(1)}`;
  const toPython = timesAsFast(whole, python);
  return [
    {
      what,
      input,
      measured: text,
      peer: `JSON.parse of the same keys and values: ${timesText(parse)}`,
      ratio: ratioText(timesAsFast(whole, parse)),
    },
    {
      what,
      input,
      measured: text,
      peer: `Python over the same, from files: ${timesText(python)}, ${megabytes(python.memory)}`,
      ratio: ratioText(toPython),
      bar: { text: `${AGAINST_PYTHON} x`, holds: toPython.wall >= AGAINST_PYTHON },
    },
    {
      what,
      input,
      measured: `${megabytes(whole.memory)} at most, ${megabytes(whole.disk)} on disk`,
      bar: { text: megabytes(MOST_MEMORY), holds: whole.memory <= MOST_MEMORY },
    },
    {
      what,
      input,
      measured: `the loopback database took ${(whole.sandboxMillis / 1000).toFixed(1)} s of processor time beside it`,
    },
  ];
}
