/** Apache Spark as a test runs it: a line is submitted, processes and files are looked through. */
import { spawn } from "node:child_process";
import { link, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PySpark } from "../../../providers/real/pyspark.ts";
import { startYarn } from "../../../providers/real/yarn.ts";
import { heardFrom } from "../heard.ts";
import type { Finished } from "../run-command.ts";

export const LIMIT_MILLIS = Number(process.env["CDCCTL_SPARK_LIMIT_MILLIS"] ?? 240_000);
/** Stands before a worker, and kills once: the file says who, and when. */
export const KILLING = fileURLToPath(new URL("./killing-worker.mjs", import.meta.url));

/** Options for JVMs that live for seconds. */
const SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

/** Given to Spark as no login may be: where it is not found, a search for logins would find nothing either. */
export const PLANTED = `planted-${process.pid}`;

/** All that Spark writes is below one folder, its event log too, as text: Spark 4 compresses it by default. */
function localSettings(dir: string): string {
  return [
    ...["spark.driver.host=127.0.0.1", "spark.eventLog.enabled=true", `spark.eventLog.dir=${dir}`],
    ...["spark.eventLog.compress=false", `spark.local.dir=${dir}`, `spark.cdcctl.planted=${PLANTED}`],
    ...["driver", "executor"].map((of) => `spark.${of}.extraJavaOptions=${SHORT_LIVED}`),
  ]
    .map((one) => `--conf '${one}'`)
    .join(" ");
}

/** Runs the line that `migrate verify --job-dir` prints. @param dir for event log, work folders and results */
export function submitted({ submit, env }: PySpark, line: string, master: string, dir: string): Promise<Finished> {
  const command = line.replace(/^spark-submit/, `exec ${submit} --master '${master}' ${localSettings(dir)}`);
  const child = spawn("sh", ["-c", command], {
    cwd: dir,
    env: { ...process.env, ...env, SPARK_WORKER_DIR: join(dir, "work") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLIS);
  const written = heardFrom(child);
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal ?? "SIGKILL", ...written });
    });
  });
}

/** One application of Spark that carries out job after job (`spark_session.py`). */
export interface SparkSession {
  /** Event log, work folders and shuffle files. */
  readonly dir: string;
  /** Spark's page about its environment, and the same as JSON. */
  readonly environment: () => Promise<string>;
  /** Carries out the job of a folder. */
  run(folder: string, worker: string): Promise<Finished>;
  /** Ends Spark; its event log is then complete. */
  end(): Promise<void>;
}

const SESSION = fileURLToPath(new URL("./spark_session.py", import.meta.url));
const SCRIPTS = fileURLToPath(new URL("../../spark/", import.meta.url));

/** Starts Spark once for several jobs. @param dir for what Spark writes, removed by the caller */
export async function sparkSession({ env }: PySpark, master: string, dir: string): Promise<SparkSession> {
  const child = spawn("python3", [SESSION], {
    cwd: dir,
    env: {
      ...process.env,
      ...env,
      PYTHONPATH: `${env["PYTHONPATH"]}:${SCRIPTS}`,
      PYTHONDONTWRITEBYTECODE: "1",
      PYSPARK_SUBMIT_ARGS: `--master '${master}' ${localSettings(dir)} pyspark-shell`,
      SPARK_WORKER_DIR: join(dir, "work"),
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let heard = (): void => undefined;
  const written = heardFrom(child, () => heard());
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  /** What is written until a line comes, which is taken out of it. */
  const until = async (
    line: RegExp,
  ): Promise<{ readonly found: RegExpExecArray | null; readonly said: typeof written }> => {
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLIS);
    const found = new Promise<RegExpExecArray>((resolve) => {
      heard = () => {
        const match = line.exec(written.stdout);
        if (match !== null) resolve(match);
      };
      heard();
    });
    const first = await Promise.race([found, ended.then(() => null)]);
    clearTimeout(timer);
    const said = { ...written };
    written.output = written.stdout = "";
    return { found: first, said };
  };
  const { found, said } = await until(/^web (\S+) (\S+)$/m);
  if (found === null) throw new Error(`Spark did not start: ${said.output}`);
  const [, web = "", application = ""] = found;
  let jobs = 0;
  return {
    dir,
    async environment() {
      const pages = ["/environment/", `/api/v1/applications/${application}/environment`];
      const texts = await Promise.all(pages.map(async (page) => (await fetch(`${web}${page}`)).text()));
      return texts.join("\n");
    },
    async run(folder, command) {
      // Spark distributes a file by its name, and does not take another one of the same name.
      const file = join(dir, `job-${++jobs}.json`);
      await link(join(folder, "job.json"), file);
      child.stdin.write(`${JSON.stringify({ job_file: file, results: join(folder, "results"), command })}\n`);
      const { found: end, said: during } = await until(/^ended (\d+)$/m);
      return { exit: end === null ? "SIGKILL" : Number(end[1]), ...during };
    },
    async end() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLIS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A cluster of one machine. */
export interface SparkCluster {
  readonly master: string;
  /** Spark with the cluster's settings. */
  readonly spark: PySpark;
  /** Executors run and write below it. */
  readonly work: string;
  end(): Promise<void>;
}

/** YARN, with Spark's jars installed on its machines. */
export async function yarnCluster(by: PySpark, dir: string): Promise<SparkCluster> {
  const work = join(dir, "yarn");
  const { settings, stop } = await startYarn(work);
  const loopback = ["spark.yarn.appMasterEnv", "spark.executorEnv"].map((of) => `${of}.SPARK_LOCAL_IP 127.0.0.1`);
  const jars = join(dirname(dirname(by.submit)), "jars");
  const defaults = [`spark.yarn.jars local:${jars}/*`, `spark.yarn.stagingDir file:${dir}`, ...loopback];
  await writeFile(join(settings, "spark-defaults.conf"), defaults.join("\n"));
  const env = { ...by.env, SPARK_CONF_DIR: settings, HADOOP_CONF_DIR: settings };
  return { master: "yarn", spark: { ...by, env }, work, end: stop };
}

/**
 * A standalone cluster: a master and a worker, as `sbin/start-master.sh` and `start-worker.sh` run.
 *
 * @param secret by which its processes know each other, in a file as on every machine of a cluster
 */
export async function standaloneCluster(by: PySpark, dir: string, secret: string): Promise<SparkCluster> {
  const work = join(dir, "work");
  const settings = join(dir, "conf");
  await mkdir(settings);
  const defaults = `spark.authenticate true\nspark.authenticate.secret ${secret}\n`;
  await writeFile(join(settings, "spark-defaults.conf"), defaults, { mode: 0o600 });
  const env = { ...by.env, SPARK_CONF_DIR: settings };
  const daemon = (of: "master" | "worker", ...words: readonly string[]) => {
    const name = `org.apache.spark.deploy.${of}.${of === "master" ? "Master" : "Worker"}`;
    const options = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"];
    return spawn(join(dirname(by.submit), "spark-class"), [name, ...options, ...words], {
      cwd: dir,
      env: { ...process.env, ...env, SPARK_DAEMON_JAVA_OPTS: `${SHORT_LIVED} -Dspark.master.rest.enabled=false` },
      stdio: ["ignore", "ignore", "pipe"],
    });
  };
  const children: ReturnType<typeof daemon>[] = [];
  const end = async (): Promise<void> => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill();
      await ended;
    }
  };
  /** Starts one and waits for the line of its log that says that it is up. */
  const started = (up: RegExp, ...words: Parameters<typeof daemon>): Promise<string> => {
    const child = daemon(...words);
    children.push(child);
    let log = "";
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLIS);
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        const [, said] = up.exec(log) ?? [];
        if (said === undefined) return;
        clearTimeout(timer);
        resolve(said);
      });
      child.once("close", () => reject(new Error(`Spark's ${words[0]} did not start: ${log.slice(-4000)}`)));
    });
  };
  try {
    const master = await started(/Starting Spark master at (spark:\S+)/, "master");
    const size = ["--cores", "2", "--memory", "2g", "--work-dir", work];
    await started(/Successfully registered with master (\S+)/, "worker", ...size, master);
    return { master, spark: { ...by, env }, work, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Command lines of processes that have one of the words. */
export async function commandsWith(...words: readonly string[]): Promise<readonly string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => words.some((word) => line.includes(word)));
}

/** Every file below a folder, and every file that a link there names. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const paths = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
  const seen = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, nth) => seen[nth]?.isFile() === true);
}

const SAMPLE_MILLIS = 100;

/**
 * Looks at the command lines of all processes every 100 ms.
 *
 * @returns how often it looked, and those that had one of the words
 */
export function watchedProcesses(words: readonly string[]): {
  end(): { readonly samples: number; readonly seen: readonly string[] };
} {
  const seen = new Set<string>();
  let samples = 0;
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    for (const line of await commandsWith(...words)) seen.add(line);
    samples += 1;
    looking = false;
  }, SAMPLE_MILLIS);
  return {
    end() {
      clearInterval(timer);
      return { samples, seen: [...seen] };
    },
  };
}
