/**
 * The table of runs on Apache Spark over a real broker: every scene plain, and with each process killed that can be.
 * `CDCCTL_SPARK_KEYS` sets the size, `CDCCTL_SPARK_SCENE` chooses scenes by a part of their names.
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
import { CONNECTOR, type Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { bundle } from "../../dev/bundle.ts";
import { runHere } from "../run-command.ts";
import { filesIn, KILLING, submitted, watchedProcesses } from "./spark-runs.ts";
import { CANARIES, CHECK_SCN, manyRanges, openScene, SCENES, type Table } from "./spark-scenes.ts";

const LINE = "3.5.7";
const SIZE = Number(process.env["CDCCTL_SPARK_KEYS"] ?? 2_000);
const CHOSEN = process.env["CDCCTL_SPARK_SCENE"] ?? "";
const MODES = [
  ["nothing is killed", "local[2,4]", undefined],
  ["a worker is killed while it reads", "local[2,4]", "node read"],
  ["a Python process is killed while it reads", "local[2,4]", "python read"],
  ["an executor is killed in the read stage", "local-cluster[2,1,1024]", "executor read"],
  ["an executor is killed after it", "local-cluster[2,1,1024]", "executor join"],
] as const;

const missing = missingForRealStack();
const spark = missing === undefined ? await pyspark(LINE) : { why: missing };
// biome-ignore lint/suspicious/noConsole: the harness names what was not run
if ("why" in spark) console.log(`NOT RUN  ${spark.why}`);

const built = await mkdtemp(join(tmpdir(), "cdcctl-scenes-"));
const broker = "why" in spark ? undefined : await startBrokerAlone("4");
if (broker !== undefined) await bundle(built);
const WORKER = `${process.execPath} ${join(built, "cdcctl.js")} migrate verify-worker`;

interface Opened {
  readonly sandbox: Sandbox;
  /** Of the job, its results, Spark's event log and work folders. */
  readonly dir: string;
  /** Of the contexts file, which has the login of Connect. */
  readonly own: string;
  readonly tables: readonly Table[];
  readonly local: JsonObject;
  evidence(...words: readonly string[]): Promise<JsonObject>;
  plan(worker: string): Promise<{ readonly folder: string; readonly line: string }>;
}

async function opened(tables: readonly Table[], prefix: string): Promise<Opened> {
  const sandbox = await openScene(tables, prefix, broker?.bootstrap);
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-scene-"));
  const own = await mkdtemp(join(tmpdir(), "cdcctl-operator-"));
  const contexts = join(own, "contexts.yaml");
  const auth = `      auth: { basic: { user: cdcctl, password: ${CANARIES.connect} } }\n`;
  const context = `contexts:\n  sandbox:\n    connect:\n      url: ${sandbox.connect.url}\n${auth}`;
  await writeFile(contexts, `apiVersion: cdcctl/v1\nkind: Contexts\n${context}`, { mode: 0o600 });
  const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
  const asked = [
    ...["--connector", CONNECTOR, "--context", "sandbox", "--contexts", contexts, "--check-scn", `${CHECK_SCN}`],
    ...tables.flatMap(({ name }) => ["--table", `SALES.${name}`]),
  ];
  let files = 0;
  const evidence = async (...words: readonly string[]): Promise<JsonObject> => {
    const path = join(dir, `evidence-${++files}.json`);
    const { output } = await runHere(["migrate", "verify", ...words, "--output", path], { env });
    const json = parseJson(await readFile(path, "utf8").catch(() => assert.unreachable(output) as never));
    if (!isObject(json)) throw new Error("no object");
    return json;
  };
  return {
    sandbox,
    dir,
    own,
    tables,
    evidence,
    local: await evidence(...asked),
    async plan(worker) {
      const folder = join(dir, `job-${++files}`);
      const handed = ["--engine", "spark", "--job-dir", folder, "--worker-command", `${worker} --contexts ${contexts}`];
      const { exit, stdout, output } = await runHere(["migrate", "verify", ...asked, ...handed], { env });
      assert.is(exit, 0, output);
      return { folder, line: stdout.trim() };
    },
  };
}

/** Connections to a port of this machine. */
async function connectionsTo(port: number): Promise<number> {
  const to = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
  return lines.filter(([, , remote, state]) => remote?.endsWith(to) === true && state === established).length;
}

const scenes = Object.entries(SCENES).filter(([name]) => name.includes(CHOSEN));
for (const [number, [name, tablesOf]] of broker === undefined ? [] : scenes.entries()) {
  const scene = suite(`on Spark, ${name} of ${SIZE}`);
  let world: Opened | undefined;
  scene.before(async () => {
    world = await opened(tablesOf(SIZE), `scene${number}`);
  });
  scene.after(async () => {
    await world?.sandbox.close();
    for (const place of world === undefined ? [] : [world.dir, world.own])
      await rm(place, { recursive: true, force: true });
  });
  for (const [what, master, killed] of MODES)
    scene(`gives the same findings as a local run: ${what}`, async () => {
      const { dir, tables, local, plan, evidence } = world as Opened;
      assert.is(local["outcome"], "fail", printJson(local["tables"] ?? null));
      const mark = join(dir, `killed ${what}`.replaceAll(" ", "-"));
      const { folder, line } = await plan(
        killed === undefined ? WORKER : `${process.execPath} ${KILLING} ${mark} ${killed} ${WORKER}`,
      );
      const canaries = Object.values(CANARIES);
      const processes = watchedProcesses([...canaries, "verify_spark.py"]);
      const { exit, output } = await submitted(spark as PySpark, line, master, dir);
      const { samples, seen } = processes.end();
      assert.is(exit, 0, output.slice(-4000));
      assert.is((await stat(mark).catch(() => undefined)) === undefined, killed === undefined);
      const there = await evidence("--finish", folder);
      assert.is(there["findings"], local["findings"]);
      const { name: by, units, attempts } = there["engine"] as Record<string, unknown>;
      assert.is(by, "spark");
      assert.ok((attempts as bigint) >= (units as bigint) + 16n * BigInt(tables.length), `${attempts}`);
      assert.ok(samples > 5 && seen.some((one) => one.includes("verify_spark.py")), `${samples} samples`);
      assert.equal(
        seen.filter((one) => canaries.some((canary) => one.includes(canary))),
        [],
      );
      const held = await Promise.all((await filesIn(dir)).map(async (path) => ({ path, bytes: await readFile(path) })));
      assert.ok(held.some(({ bytes }) => bytes.includes("SALES.")));
      for (const { path, bytes } of held) for (const canary of canaries) assert.not.ok(bytes.includes(canary), path);
    });
  scene.run();
}

const ranges = suite("on Spark, a table of hundreds of ranges");
if (broker !== undefined)
  ranges("is read by no more sessions than the database allows, however many executors there are", async () => {
    const { sandbox, dir, own, local, plan, evidence } = await opened(manyRanges(), "ranges");
    let most = 0;
    const port = Number(sandbox.config["cdc.database.port"]);
    const timer = setInterval(async () => {
      most = Math.max(most, await connectionsTo(port));
    }, 20);
    try {
      const { folder, line } = await plan(WORKER);
      most = 0;
      const job = JSON.parse(await readFile(join(folder, "job.json"), "utf8")) as {
        readonly databaseSessions: number;
        readonly units: readonly { readonly side: string }[];
      };
      assert.is(job.databaseSessions, 4);
      const tables = job.units.filter(({ side }) => side === "table").length;
      assert.ok(tables >= 200, `${tables} ranges`);
      const { exit, output } = await submitted(spark as PySpark, line, "local[8,4]", dir);
      assert.is(exit, 0, output.slice(-4000));
      assert.ok(most >= 2 && most <= 4, `${most} sessions`);
      assert.is((await evidence("--finish", folder))["findings"], local["findings"]);
    } finally {
      clearInterval(timer);
      await sandbox.close();
      for (const place of [dir, own]) await rm(place, { recursive: true, force: true });
    }
  });
ranges.after(async () => {
  await broker?.stop();
  await rm(built, { recursive: true, force: true });
});
ranges.run();
