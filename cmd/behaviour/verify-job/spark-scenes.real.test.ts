/**
 * The table of runs on Apache Spark: every scene plain, and with each process killed that can be. Runs of one kind of
 * cluster share an application of Spark, also those that kill an executor: its driver goes on.
 *
 * `CDCCTL_SPARK_KEYS` sets the size, `CDCCTL_SPARK_SCENE` chooses scenes by a part of their names,
 * `CDCCTL_SPARK_MODE` what is killed, and `CDCCTL_SPARK_LINE` the line of PySpark on which it is.
 */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { startBrokerAlone } from "../../../providers/real/broker-alone.ts";
import { missingForRealStack } from "../../../providers/real/jars.ts";
import { type PySpark, pyspark } from "../../../providers/real/pyspark.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import { plainProperties } from "../../../providers/sandbox/plain-login.ts";
import { CONNECTOR, LOGIN, type Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { bundle } from "../../dev/bundle.ts";
import { CHECK_SCN as CUT_OVER, cutOverSandbox } from "../cut-over.ts";
import { runHere } from "../run-command.ts";
import {
  commandsWith,
  filesIn,
  KILLING,
  PLANTED,
  type SparkSession,
  sparkSession,
  submitted,
  watchedProcesses,
} from "./spark-runs.ts";
import {
  BROKER_LOGIN,
  CANARIES,
  CHECK_SCN,
  FAULTS,
  manyRanges,
  openScene,
  SCENES,
  type Table,
} from "./spark-scenes.ts";

const LINE = process.env["CDCCTL_SPARK_LINE"] ?? "3.5.7";
/** The line that comes after the first. */
const NEXT = "4.2.0";
const SIZE = Number(process.env["CDCCTL_SPARK_KEYS"] ?? 2_000);
const CHOSEN = process.env["CDCCTL_SPARK_SCENE"] ?? "";
const HERE = "local[2,4]";
const EXECUTORS = "local-cluster[2,1,1024]";
const MODES = [
  ["nothing is killed", LINE, HERE, undefined],
  [`nothing is killed, PySpark ${NEXT}`, NEXT, HERE, undefined],
  ["a worker is killed while it reads", LINE, HERE, "node read"],
  ["a Python process is killed while it reads", LINE, HERE, "python read"],
  ["an executor is killed in the read stage", LINE, EXECUTORS, "executor read"],
  ["an executor is killed after it", LINE, EXECUTORS, "executor join"],
] as const;

const missing = missingForRealStack();
const lines = new Map<string, PySpark>();
for (const line of missing === undefined ? [LINE, NEXT] : []) {
  const one = await pyspark(line);
  if (!("why" in one)) lines.set(line, one);
  // biome-ignore lint/suspicious/noConsole: the harness names what was not run
  else console.log(`NOT RUN  ${one.why}`);
}
// biome-ignore lint/suspicious/noConsole: the same
if (missing !== undefined) console.log(`NOT RUN  ${missing}`);

const built = await mkdtemp(join(tmpdir(), "cdcctl-scenes-"));
const broker = lines.has(LINE) ? await startBrokerAlone("4", BROKER_LOGIN) : undefined;
if (broker !== undefined) await bundle(built);
const WORKER = `${process.execPath} ${join(built, "cdcctl.js")} migrate verify-worker`;

/** Applications of Spark by line and master, started by their first run. */
const sessions = new Map<string, Promise<SparkSession>>();

function sessionOf(line: string, master: string): Promise<SparkSession> {
  const name = `${line} ${master}`;
  const started =
    sessions.get(name) ??
    mkdtemp(join(tmpdir(), "cdcctl-session-")).then((dir) => sparkSession(lines.get(line) as PySpark, master, dir));
  sessions.set(name, started);
  return started;
}

/** What is verified, and the passwords for it, which nobody may find. */
interface Verified {
  readonly sandbox: Sandbox;
  readonly connector: string;
  /** Options of `migrate verify`. */
  readonly words: readonly string[];
  readonly tables: number;
  readonly canaries: readonly string[];
  /** Keys of the context beside the URL of Connect. @param own folder for files that it names */
  context?(own: string): Promise<string>;
}

const CUT_OVER_SCENE = "five kinds of faults";

/** Tables on the real broker, which takes its login from the context. */
async function tablesScene(tables: readonly Table[], prefix: string): Promise<Verified> {
  if (broker === undefined) throw new Error("no broker");
  return {
    sandbox: await openScene(tables, prefix, broker),
    connector: CONNECTOR,
    words: ["--check-scn", `${CHECK_SCN}`, ...tables.flatMap(({ name }) => ["--table", `SALES.${name}`])],
    tables: tables.length,
    canaries: Object.values(CANARIES),
    async context(own) {
      await writeFile(join(own, "client.properties"), plainProperties(BROKER_LOGIN.user, BROKER_LOGIN.password), {
        mode: 0o600,
      });
      const brokers = `{ bootstrapServers: "${broker.secured}", commandConfig: client.properties }`;
      return `      auth: { basic: { user: cdcctl, password: ${CANARIES.connect} } }\n    brokers: ${brokers}\n`;
    },
  };
}

/** A cutover with a legacy topic, both topics on the loopback broker. */
async function cutOverScene(): Promise<Verified> {
  return {
    sandbox: await cutOverSandbox(...FAULTS),
    connector: NEW_CONNECTOR,
    words: ["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC, "--check-scn", `${CUT_OVER}`],
    tables: 1,
    canaries: [LOGIN.password],
  };
}

interface Opened extends Verified {
  /** The folder of the job and its results. */
  readonly dir: string;
  readonly local: JsonObject;
  evidence(...words: readonly string[]): Promise<JsonObject>;
  plan(worker: string): Promise<{ readonly folder: string; readonly line: string; readonly command: string }>;
  close(): Promise<void>;
}

async function opened(verified: Verified): Promise<Opened> {
  const { sandbox, connector, words } = verified;
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-scene-"));
  // The folder of the contexts file, which has the logins.
  const own = await mkdtemp(join(tmpdir(), "cdcctl-operator-"));
  const contexts = join(own, "contexts.yaml");
  const context = `contexts:\n  sandbox:\n    connect:\n      url: ${sandbox.connect.url}\n`;
  const more = (await verified.context?.(own)) ?? "";
  await writeFile(contexts, `apiVersion: cdcctl/v1\nkind: Contexts\n${context}${more}`, { mode: 0o600 });
  const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
  const asked = ["--connector", connector, "--context", "sandbox", "--contexts", contexts, ...words];
  let files = 0;
  const evidence = async (...more: readonly string[]): Promise<JsonObject> => {
    const path = join(dir, `evidence-${++files}.json`);
    const { output } = await runHere(["migrate", "verify", ...more, "--output", path], { env });
    const json = parseJson(await readFile(path, "utf8").catch(() => assert.unreachable(output) as never));
    if (!isObject(json)) throw new Error("no object");
    return json;
  };
  return {
    ...verified,
    dir,
    evidence,
    local: await evidence(...asked),
    async plan(worker) {
      const folder = join(dir, `job-${++files}`);
      const command = `${worker} --contexts ${contexts}`;
      const handed = ["--engine", "spark", "--job-dir", folder, "--worker-command", command];
      const { exit, stdout, output } = await runHere(["migrate", "verify", ...asked, ...handed], { env });
      assert.is(exit, 0, output);
      return { folder, line: stdout.trim(), command };
    },
    async close() {
      await sandbox.close();
      for (const place of [dir, own]) await rm(place, { recursive: true, force: true });
    },
  };
}

/** None of the passwords is in a file below the folders, in which some text is found. */
async function holdNone(folders: readonly string[], canaries: readonly string[], found: string): Promise<void> {
  const paths = (await Promise.all(folders.map(filesIn))).flat();
  const held = await Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(path) })));
  assert.ok(
    held.some(({ bytes }) => bytes.includes(found)),
    `${paths.length} files`,
  );
  for (const { path, bytes } of held) for (const canary of canaries) assert.not.ok(bytes.includes(canary), path);
}

const all: Readonly<Record<string, (prefix: string) => Promise<Verified>>> = {
  [CUT_OVER_SCENE]: cutOverScene,
  ...Object.fromEntries(
    Object.entries(SCENES).map(([name, of]) => [
      `${name} of ${SIZE}`,
      (prefix: string) => tablesScene(of(SIZE), prefix),
    ]),
  ),
};
const modes = MODES.filter(([what, line]) => lines.has(line) && what.includes(process.env["CDCCTL_SPARK_MODE"] ?? ""));
const chosen = Object.entries(all).filter(([name]) => name.includes(CHOSEN));
for (const [number, [name, open]] of broker === undefined ? [] : chosen.entries()) {
  const scene = suite(`on Spark, ${name}`);
  let world: Opened | undefined;
  scene.before(async () => {
    world = await opened(await open(`scene${number}`));
  });
  scene.after(async () => world?.close());
  for (const [what, line, master, killed] of modes)
    scene(`gives the same findings as a local run: ${what}`, async () => {
      const { dir, tables, canaries, local, plan, evidence } = world as Opened;
      assert.is(local["outcome"], "fail", printJson(local["tables"] ?? null));
      const mark = join(dir, `killed ${what}`.replaceAll(" ", "-"));
      const { folder, command } = await plan(
        killed === undefined ? WORKER : `${process.execPath} ${KILLING} ${mark} ${killed} ${WORKER}`,
      );
      const session = await sessionOf(line, master);
      const processes = watchedProcesses([...canaries, PLANTED]);
      const { exit, stdout, output } = await session.run(folder, command);
      const { samples, seen } = processes.end();
      assert.is(exit, 0, output.slice(-4000));
      assert.match(stdout, `"version": "${line}"`);
      assert.is((await stat(mark).catch(() => undefined)) === undefined, killed === undefined);
      const there = await evidence("--finish", folder);
      assert.is(there["findings"], local["findings"]);
      const { name: by, version, units, attempts } = there["engine"] as Record<string, unknown>;
      assert.equal([by, version], ["spark", line]);
      const least = (units as bigint) + 16n * BigInt(tables);
      assert.ok(killed === undefined ? attempts === least : (attempts as bigint) >= least, `${attempts}`);
      assert.ok(samples > 5 && seen.some((one) => one.includes(PLANTED)), `${samples} samples`);
      for (const canary of canaries) {
        assert.not.ok(
          seen.some((one) => one.includes(canary)),
          "in the process list",
        );
        assert.not.ok(output.includes(canary), "in the output");
      }
      await holdNone([dir, session.dir], canaries, "SALES.");
    });
  scene.run();
}

const kept = suite("what Spark keeps");
if (broker !== undefined && chosen.length > 0 && modes.some(([, , master]) => master === EXECUTORS))
  kept("starts executors whose JVM compiles with C1 alone, as nothing is encrypted", async () => {
    const executors = await commandsWith("CoarseGrainedExecutorBackend");
    assert.ok(
      executors.some((one) => one.includes("-XX:TieredStopAtLevel=1")),
      `${executors.length} executors`,
    );
  });
if (broker !== undefined && chosen.length > 0)
  kept("holds no login: neither the page about its environment, nor its event log when it has ended", async () => {
    const canaries = [...Object.values(CANARIES), LOGIN.password];
    assert.ok(sessions.size > 0);
    for (const started of sessions.values()) {
      const session = await started;
      const page = await session.environment();
      assert.match(page, PLANTED);
      for (const canary of canaries) assert.not.ok(page.includes(canary));
      await session.end();
      await holdNone([session.dir], canaries, "SparkListenerApplicationEnd");
      await holdNone([session.dir], canaries, PLANTED);
    }
  });
kept.after(async () => {
  for (const started of sessions.values()) {
    const session = await started;
    await session.end();
    await rm(session.dir, { recursive: true, force: true });
  }
});
kept.run();

const ranges = suite("on Spark, a table of hundreds of ranges");
if (broker !== undefined)
  ranges("is read by no more sessions than the database allows, however many executors there are", async () => {
    const { sandbox, dir, local, plan, evidence, close } = await opened(await tablesScene(manyRanges(), "ranges"));
    try {
      const { folder, line } = await plan(WORKER);
      const job = JSON.parse(await readFile(join(folder, "job.json"), "utf8")) as {
        readonly databaseSessions: number;
        readonly units: readonly { readonly side: string }[];
      };
      assert.is(job.databaseSessions, 4);
      const tables = job.units.filter(({ side }) => side === "table").length;
      assert.ok(tables >= 200, `${tables} ranges`);
      // Planning has sessions of its own, which are not counted.
      sandbox.oracle.mostSessions = sandbox.oracle.sessions;
      const { exit, output } = await submitted(lines.get(LINE) as PySpark, line, "local[8,4]", dir);
      assert.is(exit, 0, output.slice(-4000));
      const most = sandbox.oracle.mostSessions;
      assert.ok(most >= 2 && most <= 4, `${most} sessions`);
      assert.is((await evidence("--finish", folder))["findings"], local["findings"]);
    } finally {
      await close();
    }
  });
ranges.after(async () => {
  await broker?.stop();
  await rm(built, { recursive: true, force: true });
});
ranges.run();
