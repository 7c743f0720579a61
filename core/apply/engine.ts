import { CallFailed } from "../errors.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { Interrupted, type RunContext } from "./context.ts";
import { changedAnything, type RunOutcome } from "./journal.ts";
import { stepFor } from "./steps/catalogue.ts";
import { isRecorded, writeEvent } from "./steps/record-event.ts";
import type { Step, StepResult } from "./steps/step.ts";

/** How a run, or one sitting of it, came out. */
export interface RunReport {
  readonly run: string;
  readonly outcome: RunOutcome | "unfinished";
  readonly message: string;
  readonly remedies: readonly string[];
  /** Code of the check or rule, where one decided. */
  readonly code: string | undefined;
  /** Whether anything is different now from before the run: the connector's state, its offset. */
  readonly changed: boolean;
  /** Whether a new offset was sent: what a rollback goes back from. */
  readonly moved: boolean;
  /** Id of the signal that was written, or may have been: it can't be taken back. */
  readonly signal: string | undefined;
}

/**
 * Carries out the planned steps, from the first that is not done: for a new run from the beginning, for an interrupted one from where its
 * journal ends. Journal, step, journal, step: nothing is called that was not written down before.
 */
export function carryOut(steps: readonly PlannedStep[], ctx: RunContext): Promise<RunReport> {
  return sitting(ctx, async () => {
    for (const planned of steps) {
      if (ctx.state().steps.get(planned.step) === "done") continue;
      if (ctx.interrupt.aborted) throw new Interrupted("interrupted between two steps");
      const result = await attempt(planned, ctx);
      if (result.result === "failed") return giveUp(planned.step, result, ctx);
      if (result.result === "rejected") return endRejected(result.error, result.remedies, ctx);
      if (result.result === "unclear") {
        const report = unfinished(ctx, result.why, result.remedies);
        // Without an answer there is no failure: what counts is whether the offset moved.
        return planned.step === "wait-for-ack" ? { ...report, changed: ctx.state().body !== undefined } : report;
      }
    }
    return end("succeeded", success(ctx), ctx);
  });
}

/**
 * One sitting of a run. Once something was begun, a call that fails between the steps is no end of the run: it is left as its journal tells
 * it, to be recovered.
 */
export async function sitting(ctx: RunContext, work: () => Promise<RunReport>): Promise<RunReport> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof Interrupted) {
      return ctx.state().steps.size === 0
        ? end("refused", "interrupted before anything was begun", ctx)
        : unfinished(ctx, "interrupted", ["To go on:  cdcctl recover"]);
    }
    if (failure instanceof CallFailed) return unfinished(ctx, failure.message, afterwards(failure));
    throw failure;
  }
}

async function attempt(planned: PlannedStep, ctx: RunContext): Promise<StepResult> {
  const step = stepFor(planned) as Step<StepName>;
  const start = ctx.clock.elapsed();
  ctx.report(step.describe(planned));
  await ctx.record({ type: "step-started", step: planned.step });
  let result: StepResult;
  try {
    result = await step.run(planned, ctx);
  } catch (failure) {
    if (failure instanceof Interrupted) {
      await ctx.record({ type: "step-unclear", step: planned.step, why: "interrupted" });
      throw failure;
    }
    if (!(failure instanceof CallFailed)) throw failure;
    // A step that knows that nothing happened says so itself.
    result = { result: "unclear", why: failure.message, remedies: afterwards(failure) };
  }
  switch (result.result) {
    case "done":
      ctx.report(`  ${result.note}`);
      await ctx.record({
        type: "step-done",
        step: planned.step,
        note: result.note,
        millis: BigInt(Math.round(result.millis ?? ctx.clock.elapsed() - start)),
        ...(result.unproven === undefined ? {} : { unproven: result.unproven }),
      });
      break;
    case "failed":
      await ctx.record({ type: "step-failed", step: planned.step, error: result.error, code: result.code });
      break;
    case "rejected":
      await ctx.record({ type: "step-failed", step: planned.step, error: result.error, code: undefined });
      break;
    case "unclear":
      await ctx.record({ type: "step-unclear", step: planned.step, why: result.why });
      break;
  }
  return result;
}

function afterwards({ remedy }: CallFailed): readonly string[] {
  return [...(remedy === undefined ? [] : [remedy]), "When it answers again:  cdcctl recover"];
}

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
  outcome: RunOutcome = step === "recheck" || step === "wait-for-transactions" ? "refused" : "failed",
): Promise<RunReport> {
  const unrecorded = await recordFailure(failed.error, ctx);
  if (unrecorded !== undefined) return unrecorded;
  const connector = await backOut(ctx);
  const { run } = await end(outcome, failed.error, ctx);
  return {
    run,
    outcome,
    message: failed.error,
    ...leftBy(ctx),
    code: failed.code,
    changed: connector === "stays stopped",
    remedies: [...(failed.remedies ?? []), ...(connector === "stays stopped" ? [howToStart(ctx)] : [])],
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

async function backOut(ctx: RunContext): Promise<"as before" | "stays stopped"> {
  const { started, steps } = ctx.state();
  const { connector, ranBefore, resume } = started.subject;
  const stop = steps.get("stop-connector");
  if (stop === undefined || stop === "failed") return "as before";
  // A paused connector is stopped now, and nobody asked for it to run.
  if (!ranBefore) return started.plan?.connector.state === "PAUSED" ? "stays stopped" : "as before";
  const status = await ctx.connect.status(connector);
  if (status === undefined) return "as before";
  const resumed = resume ? await tryResume(connector, ctx) : status.state === "RUNNING";
  if (resume && resumed) ctx.report(`  ${connector} is resumed`);
  await ctx.record({ type: "backed-out", resumed });
  return resumed ? "as before" : "stays stopped";
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

function howToStart(ctx: RunContext): string {
  const { connector } = ctx.state().started.subject;
  return `${connector} stays stopped. To start it:  curl -X PUT ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/resume`;
}

/** The connector refused the signal: nothing more is done, and nothing is taken back. */
export async function endRejected(error: string, remedies: readonly string[], ctx: RunContext): Promise<RunReport> {
  const report = await end("rejected", error, ctx);
  return { ...report, remedies, changed: ctx.state().body !== undefined };
}

/** Closes the journal of a run: from here on it is settled. */
export async function end(outcome: RunOutcome, message: string, ctx: RunContext): Promise<RunReport> {
  await ctx.record({ type: "run-ended", outcome, message });
  return {
    run: ctx.run,
    outcome,
    message,
    remedies: [],
    code: undefined,
    changed: changedAnything(ctx.state()),
    ...leftBy(ctx),
  };
}

/** Leaves a run open, as its journal tells it: `recover` is the next command. */
export function unfinished(
  ctx: RunContext,
  message: string,
  remedies: readonly string[] = [],
  code?: string,
): RunReport {
  return {
    run: ctx.run,
    outcome: "unfinished",
    message,
    remedies,
    code,
    changed: changedAnything(ctx.state()),
    ...leftBy(ctx),
  };
}

function leftBy(ctx: RunContext): Pick<RunReport, "moved" | "signal"> {
  const { attempts, signal, steps } = ctx.state();
  return { moved: attempts > 0n, signal: steps.get("write-signal") === "failed" ? undefined : signal?.id };
}

function success(ctx: RunContext): string {
  const {
    unproven,
    signal,
    started: { subject },
  } = ctx.state();
  if (signal !== undefined && subject.scn === undefined)
    return `the signal ${signal.id} is written; the stored offset of ${subject.connector} is as it was`;
  if (unproven !== undefined)
    return `the stored offset of ${subject.connector} was set to ${subject.scn} and the connector resumed, but ${unproven}`;
  return `the stored offset of ${subject.connector} is ${subject.scn}, as planned${subject.resume ? "; the connector is resumed" : "; the connector is stopped"}`;
}
