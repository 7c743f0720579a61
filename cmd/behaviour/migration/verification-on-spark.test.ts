/** A verification by plan whose workers another program starts: by the context, journaled, and gone on with. */
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../core/values/digest.ts";
import { canonicalJson, isObject, type JsonObject, parseJson } from "../../../core/values/json.ts";
import { until } from "../../../providers/connect/contract.ts";
import { migrationFile } from "../../../providers/sandbox/migration/scenario.ts";
import { CHECK_SCN, resumeScn } from "../cut-over.ts";
import { inLanes } from "../in-lanes.ts";
import { runHere, startProcess } from "../run-command.ts";
import { type MigrationWorld, openMigrationWorld } from "./migration-world.ts";

const onSpark = suite("a verification by plan on Spark");
const test = inLanes(onSpark);
const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SUBMIT = `${process.execPath} ${join(ROOT, "cmd/behaviour/verify-job/submit-here.mjs")}`;
const WORKER = `${process.execPath} ${join(ROOT, "dist/cdcctl.js")} migrate verify-worker`;

interface Spark {
  readonly world: MigrationWorld;
  /** Where the program keeps its jobs. */
  readonly place: string;
  /** The plan file; `engine` and more lines go into `verify`. */
  plan(...verify: readonly string[]): Promise<string>;
  /** Writes these lines below the only context. */
  context(...lines: readonly string[]): Promise<void>;
  evidence(): JsonObject;
}

/** A case after a cutover with a stale value, with everything of the script delivered. */
function afterCutover(name: string, act: (spark: Spark) => Promise<void>): void {
  test(name, async () => {
    const world = await openMigrationWorld();
    try {
      world.sandbox.migration?.plant("stale-value");
      const { exit, output } = await runHere(["apply", await world.plan("cutover"), "--yes", ...LIMITS], world);
      assert.is(exit, 0, output);
      await until("the new connector has passed the check SCN", async () => resumeScn(world.sandbox) > CHECK_SCN);
      const place = join(world.env["CDCCTL_STATE"] ?? "", "verify");
      await mkdir(place, { recursive: true, mode: 0o700 });
      await act({
        world,
        place,
        plan: (...verify) =>
          world.write(
            "verify.yaml",
            migrationFile("verify").replace(
              "    safetyMargin: 1s\n",
              [`checkScn: ${CHECK_SCN}`, "wait: 20s", ...verify].map((line) => `    ${line}\n`).join(""),
            ),
          ),
        context: (...lines) =>
          appendFile(join(world.dir, "contexts.yaml"), lines.map((line) => `    ${line}\n`).join("")),
        evidence() {
          const json = parseJson(world.evidence() ?? "");
          if (!isObject(json)) throw new Error("no evidence");
          return json;
        },
      });
    } finally {
      await world.close();
    }
  });
}

const jobs = (world: MigrationWorld) =>
  world.journal().flatMap((entry) => (entry.type === "verification-job" ? [entry.is] : []));
const jobFolders = async (place: string) => (await readdir(place)).filter((name) => name.startsWith("job-"));
const SECTION = ["spark:", `  submit: ${SUBMIT}`, `  workerCommand: ${WORKER}`, "  databaseSessions: 2"];

afterCutover("is refused while the context cannot submit it, with the missing key", async (spark) => {
  const { world } = spark;
  const file = await spark.plan("engine: spark");
  const missing = await runHere(["plan", file, "--detailed-exitcode"], world);
  assert.match(missing.output, "MIG211");
  assert.match(missing.output, "the context sandbox has no spark.submit");
  assert.match(missing.output, "contexts.sandbox");
  await spark.context("spark:", "  submit: spark-submit --master yarn --deploy-mode cluster");
  const cluster = await runHere(["plan", file], world);
  assert.match(cluster.output, "uses cluster deploy mode");
  assert.match(cluster.output, "--deploy-mode client");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("context: sandbox", `connectUrl: ${world.sandbox.connect.url}`));
  const noContext = await runHere(["plan", file, "--config", join(world.dir, "orders-cdc.json")], world);
  assert.match(noContext.output, /MIG211|401/);
  for (const line of ["submit: x", "sparkSubmit: x"]) {
    await writeFile(file, text.replace("engine: spark", line));
    assert.is((await runHere(["validate", file], world)).exit, 64, "no plan file names a command");
  }
});

afterCutover("gives the same findings as a local run, and leaves no job behind", async (spark) => {
  const { world } = spark;
  const here = await runHere(["apply", await spark.plan(), "--yes", ...LIMITS], world);
  assert.is(here.exit, 1, here.output);
  const local = spark.evidence();
  assert.equal(jobs(world), []);
  await spark.context(...SECTION);
  const file = await spark.plan("engine: spark");
  const plan = await runHere(["plan", file], world);
  assert.match(plan.output, /engine +Apache Spark/);
  assert.not.match(plan.output, "submit-here");
  const { exit, output } = await runHere(["apply", file, "--yes", ...LIMITS], world);
  assert.is(exit, 1, output);
  assert.match(output, "Spark 0, application here-1");
  const there = spark.evidence();
  assert.equal([there["outcome"], there["findings"]], ["fail", local["findings"]]);
  assert.equal([(there["engine"] as JsonObject)["name"], local["engine"]], ["spark", undefined]);
  assert.equal(jobs(world), ["submitted", "started"]);
  assert.equal(await jobFolders(spark.place), []);
  for (const secret of world.secrets) assert.not.ok(`${output}${await world.written()}`.includes(secret));
});

for (const [how, signal, told] of [
  ["Ctrl-C cancels it", "SIGINT", ["submitted", "started", "cancelled"]],
  ["a kill leaves it", "SIGKILL", ["submitted", "started"]],
] as const)
  afterCutover(`${how}, and a recovery resumes with the finished units`, async (spark) => {
    const { world, place } = spark;
    await spark.context(...SECTION);
    const hold = join(place, "hold");
    const reads = join(place, "reads.log");
    await writeFile(hold, "");
    const { child, finished } = startProcess(["apply", await spark.plan("engine: spark"), "--yes", ...LIMITS], world);
    await until("the first unit is read", async () => {
      const [folder] = existsSync(place) ? await jobFolders(place) : [];
      return folder !== undefined && existsSync(join(place, folder, "tuples", "0"));
    });
    child.kill(signal);
    const { exit, output } = await finished;
    assert.is(exit, signal === "SIGKILL" ? "SIGKILL" : 1, output);
    assert.equal(jobs(world), told);
    await rm(hold);
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    assert.match(recovered.output, "resuming the job in");
    assert.match(recovered.output, /ORCLPDB1\.SALES\.\w+: \d+ keys? differs? \(/);
    const units = (await readFile(reads, "utf8")).trim().split("\n");
    assert.is(units.filter((unit) => unit === units[0]).length, 1, "a finished unit is not read again");
    assert.is(spark.evidence()["outcome"], "fail");
    assert.equal(await jobFolders(place), []);
  });

afterCutover("a failure on the cluster leaves the run open", async (spark) => {
  const { world } = spark;
  await spark.context("spark:", "  submit: /nowhere/spark-submit --conf spark.x=canary-of-spark");
  const file = await spark.plan("engine: spark");
  const { exit, output } = await runHere(["apply", file, "--yes", ...LIMITS], world);
  assert.is.not(exit, 0);
  assert.match(output, "/nowhere/spark-submit ended with 127");
  assert.match(output, "cdcctl recover");
  assert.not.ok(`${output}${await world.written()}`.includes("canary-of-spark"));
});

afterCutover("a recovery resumes no job but the one that its journal names", async (spark) => {
  const { world, place } = spark;
  await spark.context("spark:", "  submit: /nowhere/spark-submit");
  const { exit, output } = await runHere(["apply", await spark.plan("engine: spark"), "--yes", ...LIMITS], world);
  assert.is.not(exit, 0, output);
  const [folder = ""] = await jobFolders(place);
  const file = join(place, folder, "job.json");
  const { digest: _, ...job } = parseJson(await readFile(file, "utf8")) as JsonObject;
  const other = { ...job, databaseSessions: 400n };
  await writeFile(file, `${canonicalJson({ ...other, digest: digestOf(other) })}\n`);
  const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
  assert.match(recovered.output, /VER111/);
  assert.match(recovered.output.replaceAll(/\s+/g, " "), /but the run's journal names sha256:/);
  assert.not.match(recovered.output, "/nowhere/spark-submit ended");
});

onSpark.run();
