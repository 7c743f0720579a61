import { deepStrictEqual } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startBrokerAlone } from "../providers/real/broker-alone.ts";
import { missingForRealStack } from "../providers/real/jars.ts";
import { createTopic } from "../providers/real/kafka-clients.ts";
import { LOGIN } from "../providers/sandbox/sandbox.ts";
import { bundled } from "./bundled.ts";
import { type Built, measuredRun, type Used } from "./command.ts";
import { median, type Result } from "./result.ts";
import { CHECK_SCN, LEGACY_TOPIC, NEW_TOPIC } from "./verify/big-table.ts";
import { writeData, writeRows } from "./verify/data.ts";
import { loadTopics } from "./verify/load-topics.ts";
import {
  type Found,
  type Measured,
  MOST_MEMORY,
  measured,
  medianOf,
  megabytes,
  type PlainVerifier,
  plainVerifier,
  plainVerifierOfSystems,
  ratioText,
  timesAsFast,
  timesText,
} from "./verify/measuring.ts";

/**
 * Measures the whole `migrate verify` as a user runs it: the built command in a separate process, the table over Oracle
 * Net from the loopback database, the topics from a real broker. The peer that counts is a plain verifier in Python over
 * the same broker and database, which has to find the same; the peers of `verify-1m`, over the same records, stand
 * beside it. The command runs before and after its peer, since the speed of a machine drifts.
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
    const whole = await compared(built, folder, template, passes);
    const files = "why" in whole.python ? undefined : await plainVerifier(folder, template, passes);
    const parse = await measured(process.execPath, [
      ...[join(folder, "run.js"), "parse", folder, `${template}`, `${passes}`],
    ]);
    return results(whole, { keys, bytes, files, parse });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A measurement with the processor time of the loopback database (and of its broker, if that is used), milliseconds.
 */
type Beside<M> = M & { readonly sandboxMillis: number };

interface Whole {
  readonly command: Beside<Measured>;
  readonly python: Beside<PlainVerifier> | { readonly why: string };
  /** Which broker was used. */
  readonly broker: string;
  readonly load: number;
}

/** @throws if command and peer did not read and find the same */
async function compared(built: Built, folder: string, template: number, passes: number): Promise<Whole> {
  const peer = await plainVerifierOfSystems(folder);
  return await withBigWorld(folder, template, passes, async ({ sandbox, records, broker }) => {
    const beside = async <M>(run: () => Promise<M>): Promise<Beside<M>> => {
      const before = await sandbox.processorMillis();
      const ran = await run();
      return { ...ran, sandboxMillis: (await sandbox.processorMillis()) - before };
    };
    const command = () => beside(() => verify(built, folder, sandbox.connectUrl, template * passes));
    const load = loadavg()[0] ?? 0;
    const first = await command();
    const { brokers, dsn } = sandbox;
    const { user, password } = LOGIN;
    const topics = { newTopic: NEW_TOPIC, legacyTopic: LEGACY_TOPIC, checkScn: CHECK_SCN };
    const python =
      "why" in peer
        ? peer
        : await beside(() => peer({ brokers, dsn, user, password, table: "SALES.ORDERS", ...topics }));
    const runs = [first, await command()].map((run) => ({ ...run, records }));
    if ("found" in python) deepStrictEqual(python.found, first.found);
    const sandboxMillis = median(runs.map((run) => run.sandboxMillis));
    return { command: { ...medianOf(runs), sandboxMillis }, python, broker, load };
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
      const records = (await loadTopics(sandbox.brokers, folder, passes)) + template * passes;
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
  /** `host:port` of the one broker. */
  readonly brokers: string;
  /** The address of the container that has the table. */
  readonly dsn: string;
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
  const addresses = (await next()) as Pick<SandboxProcess, "connectUrl" | "brokers" | "dsn">;
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
): Promise<Used & { readonly disk: number; readonly found: Found }> {
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
    readonly tables: readonly TableEvidence[];
  };
  const [table] = tables;
  const found = table && foundIn(table);
  if (outcome !== "pass" || found?.compared !== keys || found.rows !== keys)
    throw new Error(`it should have passed, with ${keys} keys compared: ${text.slice(0, 4000)}`);
  await rm(evidence);
  return { ...used, disk: disk.most(), found };
}

/** The members of the evidence that are compared. */
type TableEvidence = Readonly<Record<"rows" | "newRecords" | "legacyRecords", { readonly count: number }>> & {
  readonly keys: Pick<Found, "compared" | "byLegacy">;
  readonly failures: Readonly<Record<string, number>>;
};

function foundIn({ rows, newRecords, legacyRecords, keys, failures }: TableEvidence): Found {
  return {
    rows: rows.count,
    newRecords: newRecords.count,
    legacyRecords: legacyRecords.count,
    compared: keys.compared,
    byLegacy: keys.byLegacy,
    failures: Object.values(failures).reduce((sum, count) => sum + count, 0),
  };
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
  { command, python, broker, load }: Whole,
  of: { readonly keys: number; readonly bytes: number; readonly files: Measured | undefined; readonly parse: Measured },
): readonly Result[] {
  const { files, parse } = of;
  const topics = `${of.keys * 2} and ${of.keys} records, ${megabytes(of.bytes)}`;
  const row = { what: "migrate verify", input: `${of.keys} rows; ${topics}; ${broker}` };
  const run = { ...row, measured: `${timesText(command)}; load ${load.toFixed(1)}` };
  return [
    againstPython({ ...run, measured: `${run.measured}; ${besideText(command)}` }, command, python),
    ...[
      { peer: "Python over the same, from files", measured: files },
      { peer: "JSON.parse of the same keys and values", measured: parse },
    ].flatMap(({ peer, measured: other }): readonly Result[] =>
      other === undefined
        ? []
        : [{ ...run, peer: `${peer}: ${timesText(other)}`, ratio: ratioText(timesAsFast(command, other)) }],
    ),
    {
      ...row,
      measured: `${megabytes(command.memory)} at most, ${megabytes(command.disk ?? 0)} on disk`,
      bar: { text: megabytes(MOST_MEMORY), holds: command.memory <= MOST_MEMORY },
    },
  ];
}

const besideText = ({ sandboxMillis }: Beside<object>): string =>
  `the loopback database ${(sandboxMillis / 1000).toFixed(1)} s of processor time beside it`;

function againstPython(run: Result, command: Whole["command"], python: Whole["python"]): Result {
  if ("why" in python) return { ...run, peer: `NOT RUN: ${python.why}` };
  const ratio = timesAsFast(command, python);
  const times = `${timesText(python)}, ${megabytes(python.memory)}; ${besideText(python)}`;
  return {
    ...run,
    peer: `Python over the same broker and database, the same found: ${times}`,
    ratio: ratioText(ratio),
    bar: { text: `${AGAINST_PYTHON} x`, holds: ratio.wall >= AGAINST_PYTHON },
  };
}
