import type { JobTable, JobUnit, TableJob, VerificationJob } from "../../../schemas/generated/verification-job.ts";
import type { VerificationResult } from "../../../schemas/generated/verification-result.ts";
import schema from "../../../schemas/verification-job.schema.json" with { type: "json" };
import resultSchema from "../../../schemas/verification-result.schema.json" with { type: "json" };
import type { Schema } from "../../document/schema.ts";
import { CallFailed, Refusal, UsageError } from "../../errors.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { ByteWork } from "../byte-work.ts";
import type { PlannedTable } from "../cutover/plan-table.ts";
import { inputsOf, rangeNames } from "../cutover/table-job.ts";
import type { TableInputs } from "../engine/inputs.ts";
import { ENGINE } from "../engine/manifest.ts";
import { estimatedBytes } from "../engine/memory-plan.ts";
import { rangeUnits, topicUnits, type Unit } from "../engine/units.ts";
import { PROTOCOL } from "./frames.ts";
import { printSealed, readSealed, type SealedRead } from "./wire.ts";

/** A verification for workers elsewhere: plain values without logins or connections. */
export type Job = Omit<VerificationJob, "apiVersion" | "kind" | "formatVersion">;
type JobContent = Omit<Job, "digest">;

/** Content of a job, except how it is divided. */
export type JobFacts = Pick<
  JobContent,
  "cdcctl" | "context" | "connector" | "clusterId" | "inputs" | "position" | "databaseSessions"
> & {
  readonly tables: readonly PlannedTable[];
  /** Memory that a worker may use, in bytes. */
  readonly memory: number;
};

const FEWEST_SLOTS = 16;
/** The join assigns slots by the upper half of a hash (`joinPartition`). */
const MOST_SLOTS = 0x10000;
/** Divisors of the worker's memory: for tuples waiting to be sent, and for tuples joined in memory. */
const SEGMENT_SHARE = 32;
const JOIN_SHARE = 16;
/** Slots are half as large as what is joined in memory, because estimates are not exact. */
const SLOT_OF_JOIN = 0.5;

/** A few times as many units as a large cluster has cores, each worth starting. */
const UNITS_OF_A_TOPIC = 500;
const FEWEST_RECORDS = 250_000;

/** Divides a verification into units and slots. */
export function jobOf({ memory, tables, ...facts }: JobFacts, work: ByteWork): Job {
  const join = Math.floor(memory / JOIN_SHARE);
  const records = tables.flatMap(({ job }) => [job?.newTopic, job?.legacyTopic]).flatMap((one) => one?.extents ?? []);
  const all = records.reduce((sum, { from, to }) => sum + Number(to - from), 0);
  const recordsAUnit = Math.max(FEWEST_RECORDS, Math.ceil(all / UNITS_OF_A_TOPIC));
  let slots = 0;
  const divided = tables.map((table): JobTable => {
    const inputs = inputsOfTable(table);
    const own = inputs === undefined ? 0 : slotsFor(estimatedBytes(inputs), join * SLOT_OF_JOIN);
    slots += own;
    return { ...table, slots: own, firstSlot: slots - own };
  });
  const units = divided.flatMap((planned, table): readonly JobUnit[] => {
    const inputs = inputsOfTable(planned);
    if (inputs === undefined || planned.job === undefined) return [];
    return unitsOf(planned.job, inputs, work, recordsAUnit).map(({ name, side }) => ({
      unit: `${table}:${name}`,
      table,
      side,
    }));
  });
  const content: JobContent = {
    ...facts,
    protocol: PROTOCOL,
    engine: Number(ENGINE),
    slots,
    segment: Math.floor(memory / SEGMENT_SHARE),
    join,
    recordsAUnit,
    units: [...units.filter(({ side }) => side === "table"), ...units.filter(({ side }) => side !== "table")],
    tables: divided,
  };
  return readJob(printJob(content), "the job");
}

function slotsFor(bytes: number, each: number): number {
  let slots = FEWEST_SLOTS;
  while (slots < MOST_SLOTS && bytes / slots > each) slots *= 2;
  return slots;
}

/**
 * The units of one table: its ranges, then the parts of its topics.
 *
 * @param recordsAUnit of the job
 */
export function unitsOf(
  { rows }: TableJob,
  inputs: TableInputs,
  work: ByteWork,
  recordsAUnit: number,
): readonly Unit[] {
  return [...rangeUnits(inputs, rangeNames(rows), work), ...topicUnits(inputs, work, recordsAUnit)];
}

/** Inputs that describe what there is to read, but cannot be read. */
export function inputsOfTable({ job }: PlannedTable): TableInputs | undefined {
  return job && inputsOf(job, {} as { readonly kafka: KafkaPort; readonly oracle: OraclePort });
}

export function tableOfSlot({ tables }: Job, slot: number): number {
  return tables.findIndex(({ firstSlot, slots }) => slot >= firstSlot && slot < firstSlot + slots);
}

export function printJob(job: JobContent): string {
  const { digest: _, ...content } = job as Job;
  return printSealed({ apiVersion: "cdcctl/v1", kind: "VerificationJob", formatVersion: 1, ...content });
}

/**
 * Reads a job document.
 *
 * @throws UsageError naming the file, for a document that is not a job, was changed, or is of another version
 */
export function readJob(text: string, file: string): Job {
  const read = readSealed<VerificationJob>(text, schema as Schema);
  if (!read.sound)
    throw new UsageError({ file, message: `this is not a verification job: ${read.problem}`, remedy: PLAN_AGAIN });
  const { apiVersion: _a, kind: _k, formatVersion: _f, ...content } = read.value;
  const { protocol, engine, cdcctl } = content;
  if (protocol !== PROTOCOL || engine !== Number(ENGINE))
    throw new UsageError({
      file,
      message:
        `cdcctl ${cdcctl} planned this job, with protocol ${protocol} and engine ${engine}; this cdcctl has protocol ` +
        `${PROTOCOL} and engine ${ENGINE}`,
      remedy: "Run the cdcctl version that planned the job everywhere, or plan it again.",
    });
  return { ...content, digest: read.digest };
}

const PLAN_AGAIN = "Plan it again: cdcctl migrate verify --job-dir.";

/** A worker's result of a unit of reading, or of a slot. */
export type JobResult = Omit<VerificationResult, "apiVersion" | "kind" | "formatVersion" | "digest">;

/** Prints a result as it is sent and stored: one line, without the line feed. */
export function printResult(result: JobResult): string {
  return printSealed({ apiVersion: "cdcctl/v1", kind: "VerificationResult", formatVersion: 1, ...result });
}

export function readResult(line: string): SealedRead<JobResult> {
  return readSealed<JobResult>(line, resultSchema as Schema);
}

/** Ports of the worker's own context, after checking that they lead to where the job was planned. */
export interface CheckedPorts {
  kafka(): Promise<KafkaPort>;
  oracle(): Promise<OraclePort>;
}

/**
 * Checks that the worker's context leads to where the job was planned, before a record or row is read. A job contains
 * no address that a login would be sent to; it can only be refused. A login that was rejected is not tried again: an
 * account is locked after a few wrong passwords, and a cluster has many workers.
 */
export function checkedPorts(
  job: Job,
  open: { kafka(): Promise<KafkaPort>; oracle(): Promise<OraclePort> },
): CheckedPorts {
  const { brokers, database, dbid, resetlogsScn } = job.inputs;
  const once = <Port>(connect: () => Promise<Port>) => {
    let connected: Promise<Port> | undefined;
    return (): Promise<Port> => {
      connected ??= connect().catch((error: unknown) => {
        if (error instanceof CallFailed && mayPass(error)) connected = undefined;
        throw error;
      });
      return connected;
    };
  };
  return {
    kafka: once(async () => {
      const kafka = await open.kafka();
      mustBe(job, "brokers", kafka.brokers, brokers);
      mustBe(job, "Kafka cluster", await kafka.clusterId(), job.clusterId);
      return kafka;
    }),
    oracle: once(async () => {
      // Its session ends before another one reads rows: a worker never has two.
      const first = await open.oracle();
      try {
        mustBe(job, "database", first.address, database);
        const seen = await first.database();
        mustBe(job, "dbid", String(seen.dbid), dbid);
        mustBe(job, "resetlogs SCN", String(seen.resetlogsScn), resetlogsScn);
      } finally {
        await first.close();
      }
      return open.oracle();
    }),
  };
}

/** Whether another attempt may succeed; any other failure would repeat. */
export function mayPass({ kind }: CallFailed): boolean {
  return kind === "unreachable" || kind === "timeout" || kind === "lost";
}

function mustBe({ context }: Job, what: string, own: string, planned: unknown): void {
  if (own === planned) return;
  throw new Refusal(
    "VER110",
    `the context ${context} leads to ${what} ${own}, but the job was planned for ${String(planned)}`,
    ["Pass the contexts file that the job was planned with to the worker (--contexts), or plan the job again."],
  );
}
