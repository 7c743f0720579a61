import { CallFailed } from "../errors.ts";
import { decodeOffsetsSet } from "../facts/ops-event.ts";
import { isMigration, type Plan, type StepName } from "../plan/plan.ts";
import type { RunContext } from "./context.ts";
import { end, type RunReport, unfinished } from "./endings.ts";
import { onlyLooks, type RunOutcome, type RunSubject } from "./journal.ts";
import { withSignal } from "./sentences.ts";
import { removeConnector } from "./steps/delete-connector.ts";
import { isRecorded, writeEvent } from "./steps/record-event.ts";
import type { StepResult } from "./steps/step.ts";
import { signalStands } from "./steps/write-signal.ts";

/**
 * Backs out after a definite refusal or failure, which the journal tells already (`step-failed`); can be repeated from any point. What was
 * announced in the ops topic gets its `failed`; a connector that ran, and that the plan would have resumed anyway, is resumed; otherwise
 * it stays stopped.
 *
 * Rule: architecture, "What apply promises", 10.
 */
export async function giveUp(
  step: StepName,
  failed: Extract<StepResult, { result: "failed" }>,
  ctx: RunContext,
  outcome: RunOutcome = onlyLooks(step) ? "refused" : "failed",
): Promise<RunReport> {
  const unrecorded = await recordFailure(failed.error, ctx);
  if (unrecorded !== undefined) return unrecorded;
  const left = await backOut(ctx);
  const { signal } = ctx.state();
  const stands = await signalStands(ctx);
  const message = stands && signal !== undefined ? withSignal(failed.error, signal.id) : failed.error;
  const report = await end(outcome, message, ctx);
  return {
    ...report,
    code: failed.code,
    changed: stands || left.length > 0,
    remedies: [...(failed.remedies ?? []), ...left],
  };
}

/** Records `failed` for what was announced. @returns the report of a run that stays open, where it could not be written */
export async function recordFailure(error: string, ctx: RunContext): Promise<RunReport | undefined> {
  if (!(await mustRecordFailure(ctx))) return undefined;
  const recorded = await writeEvent("failed", ctx, error);
  if (recorded.result === "done") {
    ctx.report(`  ${recorded.note}`);
    return undefined;
  }
  const why = "why" in recorded ? recorded.why : recorded.error;
  return unfinished(ctx, `${error}; and its record could not be written: ${why}`);
}

/** An `applying` that was begun may stand in the topic, or come to: only a definite refusal of it leaves nothing to take back. */
async function mustRecordFailure(ctx: RunContext): Promise<boolean> {
  const announced = ctx.state().steps.get("record-applying");
  if (announced === undefined || announced === "failed") return false;
  return !ctx.recovering || !(await isRecorded("failed", ctx, "tail"));
}

/** @returns what is not as it was before, and how it is made so; nothing: all is as before */
async function backOut(ctx: RunContext): Promise<readonly string[]> {
  const { started, steps } = ctx.state();
  const { subject, plan } = started;
  const removed = await takeBackNew(ctx);
  if (removed !== undefined) return removed;
  const stop = steps.get("stop-connector");
  if (stop === undefined || stop === "failed") return [];
  const connector = stoppedBy(subject);
  // A paused connector is stopped now, and nobody asked for it to run.
  if (!subject.ranBefore) return plan !== null && stateOf(plan) === "PAUSED" ? [howToStart(connector, ctx)] : [];
  const status = await ctx.connect.status(connector);
  if (status === undefined) return [];
  const wanted = subject.command === "migrate" || subject.resume;
  const resumed = wanted ? await startAgain(connector, ctx) : status.state === "RUNNING";
  await ctx.record({ type: "backed-out", resumed });
  return resumed ? [] : [howToStart(connector, ctx)];
}

/** The connector that a run stops. */
function stoppedBy(subject: RunSubject): string {
  return subject.command === "migrate" && subject.phase === "cutover" ? subject.legacy : subject.connector;
}

function stateOf(plan: Plan): string | undefined {
  if (!isMigration(plan)) return plan.connector.state;
  return (plan.intent.phase === "cutover" ? plan.legacy : plan.next)?.state;
}

/**
 * Deletes the connector that a cutover had created and not started: it never ran, so that nothing of it remains.
 *
 * @returns what stands in the way, where it is still there: the legacy connector is not resumed then, so that never both run
 */
async function takeBackNew(ctx: RunContext): Promise<readonly string[] | undefined> {
  const { steps, started } = ctx.state();
  if (started.subject.command !== "migrate" || !steps.has("create-connector")) return undefined;
  const { connector } = started.subject;
  const gone = await removeConnector(connector, ctx);
  if (gone.result === "done") return undefined;
  const why = gone.result === "unclear" ? gone.why : gone.error;
  return [
    `${connector} is still there: ${why}`,
    `To remove it:  curl -X DELETE ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}`,
    howToStart(started.subject.legacy, ctx),
  ];
}

/** @returns whether it is started: not where somebody else has begun a change since */
async function startAgain(connector: string, ctx: RunContext): Promise<boolean> {
  const theirs = await changedBySomebodyElse(ctx);
  if (theirs !== undefined) {
    ctx.report(`  ${connector} is left as it is: ${theirs} has begun a change of it since`);
    return false;
  }
  const resumed = await tryResume(connector, ctx);
  if (resumed) ctx.report(`  ${connector} is resumed`);
  return resumed;
}

/**
 * Who has recorded a change of this connector since the run began: to start it would be to start it under theirs. Where the topic can't be read
 * nobody is known.
 */
async function changedBySomebodyElse(ctx: RunContext): Promise<string | undefined> {
  const { at, subject } = ctx.state().started;
  try {
    const { records } = await ctx.kafka.read(subject.opsTopic, { from: "tail", records: 1000, millis: 15_000 });
    const theirs = records
      .flatMap(({ value }) => decodeOffsetsSet(value) ?? [])
      .findLast(
        (event) => event.details.connector === subject.connector && event.details.run !== ctx.run && event.at >= at,
      );
    return theirs === undefined ? undefined : theirs.details.operator || "somebody";
  } catch (failure) {
    if (failure instanceof CallFailed) return undefined;
    throw failure;
  }
}

/** @returns false for a definite no; without an answer the call fails, and the run stays open */
async function tryResume(connector: string, ctx: RunContext): Promise<boolean> {
  try {
    await ctx.connect.resume(connector);
    return true;
  } catch (failure) {
    if (failure instanceof CallFailed && (failure.kind === "forbidden" || failure.kind === "unauthorized"))
      return false;
    throw failure;
  }
}

function howToStart(connector: string, ctx: RunContext): string {
  return `${connector} stays stopped. To start it:  curl -X PUT ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/resume`;
}
