import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PySpark, pyspark } from "../providers/real/pyspark.ts";
import { bundled } from "./bundled.ts";
import { type Built, measuredRun, type Used } from "./command.ts";
import type { Result } from "./result.ts";
import { CHECK_SCN, LEGACY_TOPIC } from "./verify/big-table.ts";
import { writeData, writeRows } from "./verify/data.ts";
import { megabytes, timesText } from "./verify/measuring.ts";
import { withBigWorld } from "./verify-whole.ts";

/**
 * Compares a verification on Apache Spark with the same one in one process: the same table over Oracle Net, the same
 * topics on a real broker, the same findings. Processor time is reported separately for workers, JVM and Python.
 *
 * `CDCCTL_BENCH_KEYS` makes it smaller or larger (10000000), `CDCCTL_BENCH_UNITS` the part about the driver.
 */
const KEYS = 1_000_000;
/** Keys in the generated files. */
const TEMPLATE = 200_000;
const LINE = "3.5.7";
const SCRIPT = fileURLToPath(new URL("../cmd/spark/verify_spark.py", import.meta.url));
const IDLE = fileURLToPath(new URL("./verify/idle-worker.mjs", import.meta.url));

/** Maximum overhead of Spark per record, in addition to the workers: microseconds of processor time. */
const OWN_SHARE = 3;
/** Processor time until Spark has started, milliseconds: not part of a record's cost. */
const START_UP = 10_000;
const MOST_WORKER = 300 * 2 ** 20;
const UNITS = Number(process.env["CDCCTL_BENCH_UNITS"] ?? 10_000);
const DRIVER_MEGABYTES = 512;

export async function benchSpark(built: Built): Promise<readonly Result[]> {
  const spark = await pyspark(LINE);
  if ("why" in spark) return [{ what: "verify on Spark", input: "nothing", measured: `NOT RUN: ${spark.why}` }];
  const keys = Number(process.env["CDCCTL_BENCH_KEYS"] ?? KEYS);
  const template = Math.min(keys, TEMPLATE);
  const passes = keys / template;
  if (!Number.isInteger(passes) || keys < 1) throw new Error(`${keys} keys are no multiple of ${TEMPLATE}`);
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    await bundled(folder, ["verify/run", "verify/sandbox"]);
    await writeData({ folder, template, enveloped: false });
    await writeRows({ folder, template, enveloped: false });
    const compared = await withBigWorld(folder, template, passes, async ({ sandbox, records, broker }) => {
      const load = loadavg()[0] ?? 0;
      const asked = await question(folder, sandbox.connectUrl);
      const local = await verifiedHere(built, folder, asked);
      const onSpark = await verifiedOnSpark(built, spark, folder, asked);
      if (onSpark.findings !== local.findings)
        throw new Error(`other findings on Spark: ${onSpark.findings}, and ${local.findings}`);
      return { records, broker, load, local, onSpark };
    });
    return resultsOf(keys, compared);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the memory of Spark's driver for a job of many units. Takes minutes, since each unit is a task. */
export async function benchSparkDriver(): Promise<readonly Result[]> {
  const spark = await pyspark(LINE);
  if ("why" in spark) return [{ what: "Spark's driver", input: "nothing", measured: `NOT RUN: ${spark.why}` }];
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    return [await driverOf(spark, folder)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Arguments of `migrate verify`, with a context that the workers resolve too. */
async function question(folder: string, connectUrl: string): Promise<readonly string[]> {
  const contexts = join(folder, "spark-contexts.yaml");
  const context = `contexts:\n  bench:\n    connect:\n      url: ${connectUrl}\n`;
  await writeFile(contexts, `apiVersion: cdcctl/v1\nkind: Contexts\n${context}`, { mode: 0o600 });
  return [
    ...["--connector", "orders-cdc", "--context", "bench", "--contexts", contexts, "--table", "SALES.ORDERS"],
    ...["--legacy-topic", LEGACY_TOPIC, "--check-scn", `${CHECK_SCN}`],
  ];
}

type Compared = Used & { readonly findings: string };

async function verifiedHere(built: Built, folder: string, asked: readonly string[]): Promise<Compared> {
  const [workDir, evidence] = [join(folder, "work"), join(folder, "here.json")];
  const words = [built.program, "migrate", "verify", ...asked, "--work-dir", workDir, "--output", evidence];
  return { ...(await measuredRun(words, built)), findings: await passedFindings(evidence) };
}

/** @throws if a table did not pass, since the measurement would be meaningless */
async function passedFindings(evidence: string): Promise<string> {
  const text = await readFile(evidence, "utf8");
  const { outcome, findings } = JSON.parse(text) as { readonly outcome: string; readonly findings: string };
  if (outcome !== "pass") throw new Error(`it should have passed: ${text.slice(0, 4000)}`);
  return findings;
}

/** Resources of a job on Spark, by process. */
interface OnSpark {
  readonly millis: number;
  /** Processor time, milliseconds. */
  readonly spent: Readonly<Record<Program, number>>;
  /** Peak resident memory of one process, bytes. */
  readonly most: Readonly<Record<Program, number>>;
  /** The driver's JVM: `spark-submit` becomes that process. */
  readonly driver: number;
}

async function verifiedOnSpark(
  built: Built,
  spark: PySpark,
  folder: string,
  asked: readonly string[],
): Promise<OnSpark & { readonly findings: string; readonly units: string }> {
  const [job, evidence] = [join(folder, "job"), join(folder, "there.json")];
  const verify = [built.program, "migrate", "verify"];
  const contexts = asked[asked.indexOf("--contexts") + 1] ?? "";
  await measuredRun([...verify, ...asked, "--engine", "spark", "--job-dir", job], built);
  const worker = `${process.execPath} ${built.program} migrate verify-worker --contexts ${contexts}`;
  const local = `local[${Math.min(2, availableParallelism())},4]`;
  // verify_spark.py and docs/verification-at-scale.md do the same for executors, whose work is done by the driver here.
  const jvm = ["--driver-java-options", "-XX:TieredStopAtLevel=1 -XX:+UseParallelGC"];
  const master = ["--master", local, "--driver-memory", "1g", ...jvm];
  const used = await submitted(spark, [...master, join(job, "verify_spark.py"), job, "--worker", worker], folder);
  await measuredRun([...verify, "--finish", job, "--output", evidence], built);
  const { units, tables } = JSON.parse(await readFile(join(job, "job.json"), "utf8")) as {
    readonly units: readonly unknown[];
    readonly tables: readonly { readonly slots: number }[];
  };
  return {
    ...used,
    findings: await passedFindings(evidence),
    units: `${units.length} units, ${tables[0]?.slots} slots`,
  };
}

const PROGRAMS = ["java", "python", "node"] as const;
type Program = (typeof PROGRAMS)[number];
const SAMPLE_MILLIS = 100;
/** The unit of `/proc/PID/stat`. */
const TICKS = 100;

/** @throws with the last lines of Spark's output if it does not end with 0 */
async function submitted(spark: PySpark, words: readonly string[], folder: string): Promise<OnSpark> {
  const start = performance.now();
  const local = ["--conf", "spark.driver.host=127.0.0.1", "--conf", `spark.local.dir=${folder}`];
  const child = spawn(spark.submit, [...local, ...words], {
    cwd: folder,
    env: { ...process.env, ...spark.env, SPARK_WORKER_DIR: join(folder, "work") },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-4000);
    });
  const watched = watchedTree(child);
  const exit = await new Promise((resolve) => child.once("close", resolve));
  const used = watched.end();
  if (exit !== 0) throw new Error(`spark-submit ended with ${exit}: ${said}`);
  return { millis: performance.now() - start, ...used };
}

/**
 * Processor time and memory of a process and its descendants, sampled every 100 ms; an ended process counts as last
 * sampled.
 */
function watchedTree(root: ChildProcess): { end(): Pick<OnSpark, "spent" | "most" | "driver"> } {
  const seen = new Map<number, { readonly program: Program; millis: number; most: number }>();
  let looking = false;
  const look = async (): Promise<void> => {
    for (const pid of await below(root.pid ?? 0)) {
      const program = PROGRAMS.find((one) => pid.command.includes(one));
      if (program === undefined) continue;
      const status = await readFile(`/proc/${pid.pid}/status`, "utf8").catch(() => "");
      const most = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
      seen.set(pid.pid, { program, millis: pid.millis, most: Math.max(most, seen.get(pid.pid)?.most ?? 0) });
    }
  };
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look();
    looking = false;
  }, SAMPLE_MILLIS);
  const of = (program: Program) => [...seen.values()].filter((one) => one.program === program);
  const by = <T>(value: (program: Program) => T) =>
    Object.fromEntries(PROGRAMS.map((program) => [program, value(program)])) as Record<Program, T>;
  return {
    end() {
      clearInterval(timer);
      return {
        spent: by((program) => of(program).reduce((sum, { millis }) => sum + millis, 0)),
        most: by((program) => Math.max(0, ...of(program).map(({ most }) => most))),
        driver: seen.get(root.pid ?? 0)?.most ?? 0,
      };
    },
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its name according to the kernel. */
  readonly command: string;
  readonly millis: number;
}

async function below(root: number): Promise<readonly Process[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")));
  const all = stats.flatMap((stat): Process[] => {
    const [, pid = "", command = "", rest = ""] = /^(\d+) \((.*)\) (.*)$/s.exec(stat) ?? [];
    const fields = rest.split(" ");
    return pid === ""
      ? []
      : [
          {
            pid: Number(pid),
            parent: Number(fields[1]),
            command,
            millis: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS,
          },
        ];
  });
  const within = new Set([root]);
  for (let before = 0; before !== within.size; ) {
    before = within.size;
    for (const { pid, parent } of all) if (within.has(parent)) within.add(pid);
  }
  return all.filter(({ pid }) => within.has(pid));
}

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`;

function resultsOf(
  keys: number,
  of: {
    readonly records: number;
    readonly broker: string;
    readonly load: number;
    readonly local: Compared;
    readonly onSpark: Awaited<ReturnType<typeof verifiedOnSpark>>;
  },
): readonly Result[] {
  const { records, broker, load, local, onSpark } = of;
  const { spent, most, millis } = onSpark;
  const what = "verify on Spark";
  const input = `${keys} keys, ${records} rows and records; ${broker}; ${onSpark.units}`;
  const own = spent.java + spent.python;
  const whole = own + spent.node;
  const each = ((own - START_UP) * 1000) / records;
  const rate = (time: number): string => `${Math.round(records / (time / 1000))} a second`;
  // One process has two active threads; compared by processor time, since the clock includes other load on the machine.
  const cores = (whole - START_UP) / (local.processorMillis / 2);
  return [
    {
      what,
      input,
      measured:
        `${rate(millis)}, ${timesText({ millis, processorMillis: whole })}: workers ${seconds(spent.node)}, JVM ` +
        `${seconds(spent.java)}, Python ${seconds(spent.python)}; load ${load.toFixed(1)}; the same findings`,
      peer: `migrate verify in one process: ${rate(local.millis)}, ${timesText(local)}`,
      ratio: `${(local.millis / millis).toFixed(2)} x (${(local.processorMillis / whole).toFixed(2)} x of processor time)`,
    },
    {
      what,
      input,
      measured: `Spark's own share: ${each.toFixed(2)} µs a record beyond ${START_UP / 1000} s of start-up`,
      bar: { text: `${OWN_SHARE} µs`, holds: each <= OWN_SHARE },
    },
    {
      what,
      input,
      measured: `as fast as two threads of one process from ${cores.toFixed(1)} executor cores on (computed, without start-up)`,
    },
    {
      what,
      input,
      measured: `a worker ${megabytes(most.node)} at most, Python ${megabytes(most.python)}, JVM ${megabytes(most.java)}`,
      bar: { text: megabytes(MOST_WORKER), holds: most.node <= MOST_WORKER },
    },
  ];
}

/** Whether Spark's driver works with this much heap, with workers that answer at once: only its memory is measured. */
async function driverOf(spark: PySpark, folder: string): Promise<Result> {
  const job = join(folder, "many-units");
  await mkdir(job);
  const units = Array.from({ length: UNITS }, (_, at) => ({ unit: `0:new-${at}`, table: 0, side: "new" }));
  const tables = [{ table: "SALES.ORDERS", firstSlot: 0, slots: 16 }];
  const document = { protocol: 1, digest: "sha256:idle", connector: "bench", databaseSessions: 4, units, tables };
  await writeFile(join(job, "job.json"), JSON.stringify(document));
  const memory = ["--master", "local-cluster[2,1,1024]", "--driver-memory", `${DRIVER_MEGABYTES}m`];
  const worker = `${process.execPath} ${IDLE}`;
  const what = "Spark's driver";
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const bar = `${DRIVER_MEGABYTES} MB`;
  try {
    const { millis, driver } = await submitted(spark, [...memory, SCRIPT, job, "--worker", worker], folder);
    return {
      what,
      input: `${UNITS} units, idle workers`,
      measured: `done in ${seconds(millis)} with ${bar} of heap; its JVM ${megabytes(driver)} resident; load ${load}`,
      bar: { text: bar, holds: true },
    };
  } catch (error) {
    const last = (error as Error).message.slice(-300).replaceAll("\n", " ");
    const measured = `failed with ${bar} of heap: ${last}; load ${load}`;
    return { what, input: `${UNITS} units, idle workers`, measured, bar: { text: bar, holds: false } };
  }
}
