import { CallFailed } from "../errors.ts";
import { decodeOffsetsSet } from "../facts/ops-event.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { Interrupted, type RunContext } from "./context.ts";
import { changedAnything, type RunOutcome, type RunState } from "./journal.ts";
import { afterRejection, rejected, succeeded, withSignal } from "./sentences.ts";
import { stepFor } from "./steps/catalogue.ts";
import { isRecorded, writeEvent } from "./steps/record-event.ts";
import type { Step, StepResult } from "./steps/step.ts";
import { signalStands } from "./steps/write-signal.ts";

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
      if (result.result === "rejected") return endRejected(result.error, ctx);
      if (result.result === "unclear") return unfinished(ctx, result.why, result.remedies);
    }
    return end("succeeded", succeeded(ctx.state()), ctx);
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
      return changedAnything(ctx.state())
        ? unfinished(ctx, "interrupted", ["To go on:  cdcctl recover"])
        : end("refused", "interrupted before anything was changed", ctx);
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
  const { signal } = ctx.state();
  const stands = await signalStands(ctx);
  const message = stands && signal !== undefined ? withSignal(failed.error, signal.id) : failed.error;
  const report = await end(outcome, message, ctx);
  return {
    ...report,
    code: failed.code,
    changed: stands || connector === "stays stopped",
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
  const resumed = resume ? await startAgain(connector, ctx) : status.state === "RUNNING";
  await ctx.record({ type: "backed-out", resumed });
  return resumed ? "as before" : "stays stopped";
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

function howToStart(ctx: RunContext): string {
  const { connector } = ctx.state().started.subject;
  return `${connector} stays stopped. To start it:  curl -X PUT ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/resume`;
}

/** The connector refused the signal: nothing more is done, and nothing is taken back. What counts is whether the offset moved. */
export async function endRejected(answer: string, ctx: RunContext): Promise<RunReport> {
  const report = await end("rejected", rejected(answer, ctx.state()), ctx);
  return { ...report, remedies: afterRejection(ctx.state()), changed: report.moved };
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
  const left = leftBy(ctx);
  return {
    run: ctx.run,
    outcome: "unfinished",
    message,
    remedies,
    code,
    changed: awaitsAnswer(ctx.state()) ? left.moved : changedAnything(ctx.state()),
    ...left,
  };
}

/** Everything else is done then. Without an answer there is no failure: what counts is whether the offset moved. */
function awaitsAnswer({ steps }: RunState): boolean {
  const waiting = steps.get("wait-for-ack");
  return waiting === "started" || waiting === "unclear";
}

function leftBy(ctx: RunContext): Pick<RunReport, "moved" | "signal"> {
  const { attempts, signal, steps } = ctx.state();
  return { moved: attempts > 0n, signal: steps.get("write-signal") === "failed" ? undefined : signal?.id };
}
