import { existsSync } from "node:fs";
import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Refusal, UsageError } from "../../core/errors.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { Digest } from "../../core/values/digest.ts";
import { canonicalJson, jsonObjectIn } from "../../core/values/json.ts";
import { shellFile, shellWord } from "../../core/values/shell-word.ts";
import type { CutoverRequest } from "../../core/verification/cutover/request.ts";
import { planCutover } from "../../core/verification/cutover/verify-cutover.ts";
import { evidenceOf } from "../../core/verification/evidence/evidence.ts";
import { addedUp } from "../../core/verification/job/add-up.ts";
import { type Job, type JobResult, jobOf, printJob, readJob, readResult } from "../../core/verification/job/job.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { demandOwn } from "../../providers/who-may-write.ts";
import type { Evidence } from "../../schemas/generated/evidence.ts";
import { type Host, VERSION } from "../host.ts";
import { warningsTo, writeLine } from "../screen.ts";
import { systemClock } from "./clock.ts";
import { MAX_EVIDENCE_BYTES } from "./evidence-file.ts";
import { readText, refuseExisting, writeNewFile } from "./files.ts";
import type { OpenWorld } from "./open-world.ts";
import { stateFolder } from "./places.ts";
import { MAX_JOB_BYTES } from "./verify-worker.ts";
import { askedInputs, evidenceInputs, verifyProgress } from "./verifying.ts";

export const JOB = "job.json";
const SCRIPT = "verify_spark.py";
const RESULTS = "results";

/** Maximum number of ranges of a table that are units: a cluster reads some at a time, and repeats one that fails. */
const RANGES = 256;

/** Where the program keeps a job that it removes itself: beside the state. */
export async function ownJobFolder(name: string, host: Host): Promise<string> {
  const place = join(stateFolder(host), "verify");
  await mkdir(place, { recursive: true, mode: 0o700 });
  return join(place, `job-${name}`);
}

export interface Handing {
  readonly values: boolean;
  readonly databaseSessions: number;
}

/**
 * Plans a verification for remote workers, which resolve the logins by a context of the same name.
 *
 * @throws UsageError without a context for the logins; what `planCutover` throws
 */
export async function plannedJob(
  request: CutoverRequest,
  { connect, context }: Pick<OpenWorld, "connect" | "context">,
  ports: { readonly kafka: KafkaPort; readonly oracle: OraclePort },
  { values, databaseSessions }: Handing,
  host: Host,
): Promise<Job | "interrupted"> {
  if (context === undefined) throw withoutContext();
  const progress = verifyProgress(host);
  const planned = await planCutover(
    request,
    { ...ports, connect, clock: systemClock },
    RANGES,
    progress.report,
    host.interrupt,
  ).finally(progress.end);
  if (planned === "interrupted") return planned;
  const { database, checkScn, resumeScn, tables } = planned;
  return jobOf(
    {
      cdcctl: VERSION,
      context,
      connector: request.connector,
      clusterId: await ports.kafka.clusterId(),
      inputs: evidenceInputs(request, connect.url, ports, database, values),
      position: { checkScn, resumeScn },
      databaseSessions,
      tables,
      memory: request.memory,
    },
    nodeBytes,
  );
}

export function withoutContext(): UsageError {
  return new UsageError("--engine spark requires a context, by which workers resolve their logins", {
    text: "Write one and pass",
    setting: "--context NAME",
  });
}

export function withoutSubmit(context: string): UsageError {
  return new UsageError(`--engine spark cannot submit the job: the context ${context} has no spark.submit`, {
    text: "Add",
    setting: '--spark-submit "spark-submit --master yarn"',
    note: `or spark.submit to contexts.${context} in the contexts file, or --job-dir DIR`,
  });
}

/**
 * Writes the folder of a job: what a driver needs, without secrets. It is readable only by its owner, because it holds
 * the key values that divide a table.
 *
 * @throws UsageError for an existing folder
 */
async function writeJob(folder: string, job: Job): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError({
      file: folder,
      message: `the job's folder cannot be created: ${error.code === "EEXIST" ? "it already exists" : error.code}`,
      remedy: "Pass a new folder within an existing one.",
    });
  });
  await cp(sparkScript(), join(folder, SCRIPT), { errorOnExist: true, force: false });
  // Last: a folder with a job is whole.
  await writeNewFile(join(folder, JOB), `${printJob(job)}\n`);
}

/**
 * The job of a folder: the one that is there already, else one that is planned now and written there.
 *
 * @throws UsageError for a job of something else, and for a folder without a job
 */
export async function jobIn(
  folder: string,
  asked: Omit<CutoverRequest, "config">,
  values: boolean,
  planned: () => Promise<Job | "interrupted">,
  host: Host,
): Promise<Job | "interrupted"> {
  const left = await jobLeft(folder, asked, values, host);
  if (left !== undefined) {
    writeLine(host.stderr, `resuming the job in ${folder}: check SCN ${left.position.checkScn}`);
    return left;
  }
  await refuseExisting([folder]);
  const job = await planned();
  if (job === "interrupted") return job;
  await writeJob(folder, job);
  writeLine(host.stderr, `wrote ${folder}: ${job.units.length} units, ${job.slots} slots, job ${job.digest}`);
  return job;
}

/**
 * The job in a folder, to resume: for the same connector, tables and columns. @returns undefined without one @throws
 * UsageError for a job about something else; Refusal VER111 for results of another one, `STA702`
 */
async function jobLeft(
  folder: string,
  { connector, tables, ignoredColumns }: Omit<CutoverRequest, "config">,
  values: boolean,
  host: Host,
): Promise<Job | undefined> {
  const file = join(folder, JOB);
  if (!existsSync(file)) return undefined;
  const job = await ownJob(folder, host);
  const place = join(folder, RESULTS);
  const other = existsSync(place) ? (await resultsIn(place)).find((result) => result.job !== job.digest) : undefined;
  if (other !== undefined) throw anotherJob(folder, other.job, `its job is ${job.digest}`);
  const asked = askedInputs(connector, tables, ignoredColumns, values);
  const differing = Object.keys(asked).find((name) => canonicalJson(asked[name]) !== canonicalJson(job.inputs[name]));
  if (differing !== undefined)
    throw new UsageError({
      file,
      message: `the job in this folder is a different one: its ${differing} differ from those requested`,
      remedy: "Name another folder.",
    });
  return job;
}

/**
 * The job of a folder that nobody else may write.
 *
 * @throws UsageError for a folder without a job; Refusal `STA702`
 */
async function ownJob(folder: string, host: Host): Promise<Job> {
  const [file, place] = [join(folder, JOB), join(folder, RESULTS)];
  const names = await readdir(place).catch(() => []);
  const paths = [folder, file, place, ...names.map((name) => join(place, name))];
  (await demandOwn(paths, host.env)).forEach(warningsTo(host));
  return readJob(await readText(file, MAX_JOB_BYTES, "outside"), file);
}

/** The refusal of what belongs to another job than the one that is resumed or finished. */
export function anotherJob(folder: string, digest: string, own: string): Refusal {
  return new Refusal("VER111", `${folder} holds parts of the job ${digest}, but ${own}`, [
    "Find out who has changed the folder. Then plan the job again, into a new one.",
  ]);
}

/** The packaged script: beside the built program or, when run from sources, beside this folder. */
export function sparkScript(): string {
  const folder = process.env["CDCCTL_VERSION"] === undefined ? "../spark/" : "./spark/";
  return fileURLToPath(new URL(`${folder}${SCRIPT}`, import.meta.url));
}

/**
 * The shell command that submits a job.
 *
 * @param submit `spark-submit --master yarn`
 * @param script left out: the copy in the folder, for a machine without cdcctl
 */
export function submitLine(submit: string, folder: string, worker: string, script = join(folder, SCRIPT)): string {
  return `${submit} ${shellFile(script)} ${shellFile(folder)} --worker ${shellWord(worker)}`;
}

/**
 * Combines the results written by the workers of a job into the evidence.
 *
 * @param submitted digest of the job that was submitted from here
 * @throws UsageError for a folder without a job; Refusal VER111 for results that belong to another job, `STA702`
 */
export async function finishedEvidence(folder: string, host: Host, submitted?: Digest): Promise<Evidence> {
  const job = await ownJob(folder, host);
  if (submitted !== undefined && submitted !== job.digest)
    throw anotherJob(folder, job.digest, `${submitted} was submitted`);
  const place = join(folder, RESULTS);
  const results = await resultsIn(place);
  const { tables, units, attempts } = addedUp(job, results);
  return evidenceOf({
    writtenAt: systemClock.now(),
    cdcctl: VERSION,
    inputs: job.inputs,
    ...job.position,
    tables,
    values: job.inputs["showValues"] === true,
    engine: { ...(await engineIn(place)), units: BigInt(units), attempts: BigInt(attempts) },
  });
}

async function resultsIn(place: string): Promise<readonly JobResult[]> {
  const results: JobResult[] = [];
  for (const name of await resultFiles(place)) for (const one of await resultsOf(join(place, name))) results.push(one);
  return results;
}

async function resultFiles(place: string): Promise<readonly string[]> {
  const names = await readdir(place).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError({
      file: place,
      message: error.code === "ENOENT" ? "the job has no results yet" : `the results cannot be read: ${error.code}`,
      remedy: "Run the job first; its results are *.jsonl files in this folder.",
    });
  });
  return names.filter((name) => name.endsWith(".jsonl")).sort();
}

async function resultsOf(path: string): Promise<readonly JobResult[]> {
  const text = await readText(path, MAX_EVIDENCE_BYTES, "outside");
  return text.split("\n").flatMap((line, at) => {
    if (line === "") return [];
    const read = readResult(line);
    if (!read.sound)
      throw new Refusal("VER111", `${path}, line ${at + 1}: ${read.problem}`, [
        "Run the job again: the file was truncated or changed after it was written.",
      ]);
    return [read.value];
  });
}

/** The engine that drove the workers, from `engine.json`: `{"name":"spark","version":"3.5.7"}`. */
async function engineIn(place: string): Promise<{ readonly name: string; readonly version: string }> {
  const text = await readText(join(place, "engine.json"), 4096, "outside").catch(() => "{}");
  const { name, version } = jsonObjectIn(text) ?? {};
  return {
    name: typeof name === "string" ? name : "another engine",
    version: typeof version === "string" ? version : "unknown",
  };
}
