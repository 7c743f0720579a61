import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Interrupted, type RunContext, type Verified } from "../../core/apply/context.ts";
import type { MigrationIntent } from "../../core/document/intent.ts";
import { comparedCounts, type VerifiedTable } from "../../core/facts/tables/tables.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import type { CutoverRequest } from "../../core/verification/cutover/request.ts";
import { DEFAULT_MEMORY } from "../../core/verification/engine/memory-plan.ts";
import { printEvidence } from "../../core/verification/evidence/evidence.ts";
import { unreadableOfSides } from "../../core/verification/evidence/table-outcome.ts";
import type { Evidence, TableEvidence } from "../../schemas/generated/evidence.ts";
import type { Host } from "../host.ts";
import { keyText } from "../views/evidence.ts";
import { evidencePath, refuseStranger, replaceEvidence } from "./evidence-file.ts";
import type { OpenWorld } from "./open-world.ts";
import { anotherJob, JOB, jobIn, ownJobFolder, plannedJob, withoutSubmit } from "./verify-job.ts";
import { sessionsIn, submittedEvidence, WORKER_COMMAND } from "./verify-spark.ts";
import { verifiedEvidence } from "./verifying.ts";

/**
 * Runs the verification of a plan: compares, and writes the evidence beside the plan file, replacing earlier evidence.
 *
 * @param tables the tables of the plan, each with its topics, which are not looked up again
 * @throws Interrupted when the operator asks to stop; the run can be resumed
 */
export async function verifyPhase(
  intent: MigrationIntent,
  tables: readonly VerifiedTable[],
  world: OpenWorld,
  { kafka, oracle }: Pick<RunContext, "kafka" | "oracle">,
  host: Host,
  ctx: Pick<RunContext, "run" | "record" | "state">,
): Promise<Verified> {
  const { connect } = world;
  const { to, from, evidence: file, origin } = intent;
  const [next, legacy] = await Promise.all([connect.connector(to.name), connect.connector(from.connector)]);
  if (next === undefined) throw await noConnector(to.name, connect);
  const path = await evidencePath(file, origin.file);
  await refuseStranger(path.real, to.name);
  const values = intent.verify?.showValues ?? false;
  const request = requestOf(intent, tables, next.config, legacy?.config);
  const evidence =
    intent.verify?.engine === undefined
      ? await verifiedEvidence(request, world, { kafka, oracle }, { workDir: undefined, values }, host)
      : await onSpark(request, values, world, { kafka, oracle }, host, ctx);
  if (evidence === "interrupted") throw new Interrupted("interrupted while comparing tables and topics");
  await replaceEvidence(path.real, to.name, printEvidence(evidence));
  return {
    passed: evidence.outcome === "pass",
    sentence: sentence(evidence),
    tables: evidence.tables.map(({ table }) => table),
    counts: comparedCounts(evidence.tables),
    evidence: { file: path.named, digest: evidence.digest, writtenAt: evidence.writtenAt },
  };
}

/** Verifies by a job of the run's own: a run that is recovered continues it, and no finished table is read again. */
async function onSpark(
  request: CutoverRequest,
  values: boolean,
  world: OpenWorld,
  ports: Pick<RunContext, "kafka" | "oracle">,
  host: Host,
  { run, record, state }: Pick<RunContext, "run" | "record" | "state">,
): Promise<Evidence | "interrupted"> {
  const { context, spark } = world;
  const folder = await ownJobFolder(run, host);
  const isLeft = existsSync(join(folder, JOB));
  // Planning was interrupted.
  if (!isLeft) await rm(folder, { recursive: true, force: true });
  const job = await jobIn(
    folder,
    request,
    values,
    () => plannedJob(request, world, ports, { values, databaseSessions: sessionsIn(spark) }, host),
    host,
  );
  if (job === "interrupted") return job;
  const { job: own = job.digest } = state();
  if (isLeft && own !== job.digest) throw anotherJob(folder, job.digest, `the run's journal names ${own}`);
  // The context has been changed since the plan was checked.
  if (spark === undefined) throw withoutSubmit(context ?? "");
  const { submit, workerCommand: worker = WORKER_COMMAND } = spark;
  const evidence = await submittedEvidence(job.digest, folder, { submit, worker }, host, (event) =>
    record({ type: "verification-job", ...event }),
  );
  if (evidence !== "interrupted") await rm(folder, { recursive: true, force: true });
  return evidence;
}

function requestOf(
  { to, from, verify }: MigrationIntent,
  tables: readonly VerifiedTable[],
  config: CutoverRequest["config"],
  legacyConfig: CutoverRequest["legacyConfig"],
): CutoverRequest {
  if (verify === undefined) throw new Error("a verification without what it compares");
  return {
    connector: to.name,
    config,
    legacyConfig,
    legacyConnector: from.connector,
    tables: tables.map(({ table, ...topics }) => ({ name: table, ...topics, decided: true })),
    checkScn: verify.checkScn,
    safetyMarginMillis: Number(verify.safetyMargin),
    waitMillis: Number(verify.wait),
    ignoredColumns: Object.entries(verify.ignoreColumns).flatMap(([table, columns]) =>
      columns.map((column) => ({ table, column })),
    ),
    memory: DEFAULT_MEMORY,
  };
}

/** Describes the result of the tables, the worst first. */
function sentence({ tables }: Evidence): string {
  const faults = (["fail", "inconclusive"] as const).flatMap((outcome) =>
    tables.filter((table) => table.outcome === outcome).map(faultOf),
  );
  if (faults.length > 0) return faults.join("; ");
  return tables.length === 1
    ? "the table and its topics agree"
    : `all ${showCount(tables.length)} tables and their topics agree`;
}

/** `SALES.ORDERS: 5 keys differ, 1 record unreadable (ORDER_ID=1022)` */
function faultOf(table: TableEvidence): string {
  const { failures, doubts, firstFailures, firstDoubts, reasons } = table;
  const what = table.key.length === 0 ? "row" : "key";
  const sum = (counts: object) => Object.values(counts).reduce((all: bigint, count: bigint) => all + count, 0n);
  const [differ, open, unreadable] = [sum(failures), sum(doubts), sum(unreadableOfSides(table))];
  const [first] = [...firstFailures, ...firstDoubts];
  const counts = [
    ...(differ === 0n ? [] : [counted(differ, `${what} differs`, `${what}s differ`)]),
    ...(open === 0n ? [] : [`${counted(open, what)} in doubt`]),
    ...(unreadable === 0n ? [] : [`${counted(unreadable, "record")} unreadable`]),
    // The others begin with a count.
    ...reasons.filter((reason) => !/^\d+ /.test(reason)),
  ];
  return `${table.table}: ${counts.join(", ")}${first === undefined ? "" : ` (${keyText(first)})`}`;
}
