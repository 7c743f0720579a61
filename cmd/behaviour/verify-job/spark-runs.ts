/** Apache Spark as a test runs it: a line is submitted, processes and files are looked through. */
import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PySpark } from "../../../providers/real/pyspark.ts";
import type { Finished } from "../run-command.ts";

export const LIMIT_MILLIS = Number(process.env["CDCCTL_SPARK_LIMIT_MILLIS"] ?? 240_000);
/** Stands before a worker, and kills once: the file says who, and when. */
export const KILLING = fileURLToPath(new URL("./killing-worker.mjs", import.meta.url));

/** Runs the line that `migrate verify --job-dir` prints. @param dir for event log, work folders and results */
export function submitted({ submit, env }: PySpark, line: string, master: string, dir: string): Promise<Finished> {
  const local = ["spark.driver.host=127.0.0.1", "spark.eventLog.enabled=true", `spark.eventLog.dir=${dir}`];
  const conf = [...local, `spark.local.dir=${dir}`].map((one) => `--conf ${one}`).join(" ");
  const command = line.replace(/^spark-submit/, `exec ${submit} --master '${master}' ${conf}`);
  const child = spawn("sh", ["-c", command], {
    cwd: dir,
    env: { ...process.env, ...env, SPARK_WORKER_DIR: join(dir, "work") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLIS);
  const written = { output: "", stdout: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
    written.output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.output += text;
  });
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal ?? "SIGKILL", ...written });
    });
  });
}

/** Command lines of processes that name a file. */
export async function commandsWith(file: string): Promise<readonly string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes(file));
}

/** Every file below a folder. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const seen = await stat(path).catch(() => undefined);
    if (seen?.isFile() === true) found.push(path);
  }
  return found;
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
    for (const word of words) for (const line of await commandsWith(word)) seen.add(line);
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
