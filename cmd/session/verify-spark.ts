import { spawn } from "node:child_process";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CallFailed, UsageError } from "../../core/errors.ts";
import type { EventOf } from "../../core/run/journal.ts";
import type { Digest } from "../../core/values/digest.ts";
import { type JsonObject, jsonObjectIn } from "../../core/values/json.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { programOf, usesClusterMode } from "../../providers/contexts/spark-section.ts";
import type { Evidence } from "../../schemas/generated/evidence.ts";
import type { Host } from "../host.ts";
import type { OpenWorld } from "./open-world.ts";
import { finishedEvidence, sparkScript, submitLine } from "./verify-job.ts";
import { verifyProgress } from "./verifying.ts";

/** How the context, or the operator, submits a job. */
export interface Submission {
  /** The command for a shell: `spark-submit --master yarn`. */
  readonly submit: string;
  /** How an executor starts a worker. */
  readonly worker: string;
  /** How a job that failed is continued, where no run's recovery says that. */
  readonly again?: Advice;
}

/** What happens to a job; `application` once Spark has given it an id. */
export type JobEvent = Omit<EventOf<"verification-job">, "type">;

/** Where neither flag nor context says otherwise. */
export const WORKER_COMMAND = "cdcctl migrate verify-worker";
const DATABASE_SESSIONS = 4;

/** How many sessions a context allows. */
export function sessionsIn(spark: OpenWorld["spark"]): number {
  return Number(spark?.databaseSessions ?? DATABASE_SESSIONS);
}

/** Prefix of a status line of the script (`report` in `cmd/spark/verify_spark.py`). */
const STATUS_LINE = /^cdcctl (\{.*\})$/;
const LOG = "spark.log";
/** Written again for as long as the job is waited for: the script ends where that stops (`guard`). */
const ALIVE = "submitter.alive";
const HEARTBEAT_MILLIS = 5000;
const LAST_LINES = 5;
/** What Spark logs on its way, frames of a stack, blank lines: no reason for a failure. */
const NO_REASON = /^\S+ \S+ (?:DEBUG|INFO|WARN) |^\s+at |^\s*(?:\.\.\. \d+ more)?$/;

/**
 * Submits the job of a folder, waits for its end, and adds up what its workers found.
 *
 * @param tell is told of each event before the next thing is done
 * @returns `"interrupted"` when interrupted: the job is cancelled, finished parts are kept
 * @throws CallFailed with the message of the failed worker, or Spark's last output; and as `finishedEvidence`
 */
export async function submittedEvidence(
  job: Digest,
  folder: string,
  submission: Submission,
  host: Host,
  tell: (event: JobEvent) => Promise<void> = async () => undefined,
): Promise<Evidence | "interrupted"> {
  if (usesClusterMode(submission.submit))
    throw new UsageError(
      "the submit command uses cluster deploy mode: progress and results would stay on the cluster",
      { text: "Submit in client deploy mode", setting: "--deploy-mode client" },
    );
  await tell({ is: "submitted", job });
  let told = Promise.resolve();
  const done = await submitted(submission, folder, host, (application) => {
    told = tell({ is: "started", job, application });
  }).finally(() => told);
  if (done === "interrupted") {
    await tell({ is: "cancelled", job });
    return done;
  }
  return finishedEvidence(folder, host, job);
}

/** Tells how far it is, and keeps what Spark itself says in the job's folder. */
async function submitted(
  submission: Submission,
  folder: string,
  host: Host,
  started: (application: string) => void,
): Promise<"done" | "interrupted"> {
  const { submit, worker } = submission;
  const log = join(folder, LOG);
  const last: string[] = [];
  let failed: JsonObject | undefined;
  const progress = verifyProgress(host);
  const hear = (line: string): void => {
    const said = statusIn(line);
    if (said?.["is"] === "started") started(String(said["application"]));
    if (said?.["is"] === "failed") failed = said;
    else if (said !== undefined) progress.job(said);
    else {
      appendFileSync(log, `${line}\n`, { mode: 0o600 });
      if (!NO_REASON.test(line)) last.push(line);
      if (last.length > LAST_LINES) last.shift();
    }
  };
  const alive = join(folder, ALIVE);
  writeFileSync(alive, "", { mode: 0o600 });
  const beat = (): void => {
    try {
      writeFileSync(alive, `${Date.now()}`, { mode: 0o600 });
    } catch {
      // The script ends by itself once the folder is gone.
    }
  };
  // Started as a process group, so that its children end with it.
  const child = spawn("sh", ["-c", submitLine(submit, folder, worker, sparkScript())], {
    env: { ...host.env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", hear);
  const cancel = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has already ended.
    }
  };
  host.interrupt.addEventListener("abort", cancel, { once: true });
  const heartbeat = setInterval(beat, HEARTBEAT_MILLIS);
  if (host.interrupt.aborted) cancel();
  try {
    const exit = await new Promise<number | string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
    });
    if (host.interrupt.aborted) return "interrupted";
    if (failed !== undefined) throw workerFailed(failed);
    if (exit !== 0) throw sparkFailed(submission, exit, last, log);
    return "done";
  } finally {
    clearInterval(heartbeat);
    rmSync(alive, { force: true });
    host.interrupt.removeEventListener("abort", cancel);
    progress.end();
  }
}

function statusIn(line: string): JsonObject | undefined {
  const text = STATUS_LINE.exec(line)?.[1];
  return text === undefined ? undefined : jsonObjectIn(text);
}

function workerFailed({ code, message, remedy }: JsonObject): CallFailed {
  return new CallFailed("spark", "rejected", {
    message: String(message),
    code: String(code),
    remedy: Array.isArray(remedy) ? remedy.map(String) : [],
  });
}

function sparkFailed(
  { submit, again }: Submission,
  exit: number | string,
  last: readonly string[],
  log: string,
): CallFailed {
  const words = last.length === 0 ? "no error in its output" : last.join(" | ");
  const missing = exit === 126 || exit === 127;
  return new CallFailed("spark", missing ? "missing" : "lost", {
    // Options may hold a secret: name only the program.
    message: `${programOf(submit)} ended with ${exit}: ${words}`,
    remedy: missing
      ? "Name the spark-submit of your Spark by its path: --spark-submit, or spark.submit of the context."
      : [`Read ${log}.`, ...(again === undefined ? [] : [again])],
  });
}
