import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CallFailed } from "../../core/errors.ts";
import { isObject, type JsonObject, parseJson } from "../../core/values/json.ts";
import type { Host } from "../host.ts";
import { submitLine } from "./verify-job.ts";
import { verifyProgress } from "./verifying.ts";

/** What the script says on a line of its own (`say` of `cmd/spark/verify_spark.py`). */
const SAID = /^cdcctl (\{.*\})$/;
const LOG = "spark.log";
/** Of the log, in a message. */
const LAST_LINES = 5;

/**
 * Submits a job, tells how far it is, and waits for its end. What Spark itself says is kept in the job's folder.
 *
 * @param submit as the operator typed it, for a shell: `spark-submit --master yarn`
 * @returns `"interrupted"` when it was asked to stop: the job is cancelled, what is finished is kept
 * @throws CallFailed with the words of the worker that failed, or the last ones of Spark
 */
export async function submitted(
  submit: string,
  folder: string,
  worker: string,
  host: Host,
): Promise<"done" | "interrupted"> {
  const log = join(folder, LOG);
  const last: string[] = [];
  let failed: JsonObject | undefined;
  const progress = verifyProgress(host);
  const hear = (line: string): void => {
    const said = saidIn(line);
    if (said?.["is"] === "failed") failed = said;
    else if (said !== undefined) progress.job(said);
    else {
      appendFileSync(log, `${line}\n`, { mode: 0o600 });
      last.push(line);
      if (last.length > LAST_LINES) last.shift();
    }
  };
  // A group of its own: what it starts ends with it.
  const child = spawn("sh", ["-c", submitLine(submit, folder, worker)], {
    env: { ...host.env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", hear);
  const cancel = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  };
  host.interrupt.addEventListener("abort", cancel, { once: true });
  if (host.interrupt.aborted) cancel();
  try {
    const exit = await new Promise<number | string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
    });
    if (host.interrupt.aborted) return "interrupted";
    if (failed !== undefined) throw workerFailed(failed);
    if (exit !== 0) throw sparkFailed(submit, exit, last, log);
    return "done";
  } finally {
    host.interrupt.removeEventListener("abort", cancel);
    progress.end();
  }
}

function saidIn(line: string): JsonObject | undefined {
  const text = SAID.exec(line)?.[1];
  if (text === undefined) return undefined;
  try {
    const json = parseJson(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function workerFailed({ code, message, remedy }: JsonObject): CallFailed {
  const remedies = Array.isArray(remedy) ? remedy.map(String) : [];
  return new CallFailed({
    system: /^(?:ORA|NJS)-/.test(String(code)) ? "oracle" : "state",
    kind: "rejected",
    message: String(message),
    code: String(code),
    remedy: remedies,
  });
}

function sparkFailed(submit: string, exit: number | string, last: readonly string[], log: string): CallFailed {
  const words = last.length === 0 ? "it said nothing" : last.join(" | ");
  return new CallFailed({
    system: "state",
    kind: exit === 126 || exit === 127 ? "missing" : "lost",
    // Options may hold a secret: only the program is named.
    message: `${submit.trim().split(/\s+/)[0]} ended with ${exit}: ${words}`,
    remedy:
      exit === 126 || exit === 127
        ? "Name the spark-submit of your Spark by its path: --spark-submit."
        : `Read ${log}. What is finished is kept: the same command with --job-dir goes on.`,
  });
}
