import { CallFailed } from "../errors.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { Interrupted, type RunContext } from "./context.ts";
import { changedAnything, type RunOutcome } from "./journal.ts";
import { stepFor } from "./steps/catalogue.ts";
import { writeEvent } from "./steps/record-event.ts";
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
}

/**
 * Carries out the planned steps, from the first that is not done: for a new run from the beginning, for an interrupted one from where its
 * journal ends. Journal, step, journal, step: nothing is called that was not written down before.
 */
export async function carryOut(steps: readonly PlannedStep[], ctx: RunContext): Promise<RunReport> {
  try {
    for (const planned of steps) {
      if (ctx.state().steps.get(planned.step) === "done") continue;
      if (ctx.interrupt.aborted) return unfinished(ctx, "interrupted", ["To go on:  cdcctl recover"]);
      const result = await attempt(planned, ctx);
      if (result.result === "failed") return await giveUp(planned, result, ctx);
      if (result.result === "unclear") return unfinished(ctx, result.why, result.remedies ?? ["cdcctl recover"]);
    }
  } catch (failure) {
    if (failure instanceof Interrupted) return unfinished(ctx, "interrupted", ["To go on:  cdcctl recover"]);
    throw failure;
  }
  return await end("succeeded", success(ctx), ctx);
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
    result = asResult(planned.step, failure);
  }
  switch (result.result) {
    case "done":
      ctx.report(`  ${result.note}`);
      await ctx.record({
        type: "step-done",
        step: planned.step,
        note: result.note,
        millis: BigInt(Math.round(result.millis ?? ctx.clock.elapsed() - start)),
      });
      break;
    case "failed":
      await ctx.record({ type: "step-failed", step: planned.step, error: result.error, code: result.code });
      break;
    case "unclear":
      await ctx.record({ type: "step-unclear", step: planned.step, why: result.why });
      break;
  }
  return result;
}

/** A call that failed outside a step's own judgement: a read that was retried in vain, a stop that nobody answered. */
function asResult(step: StepName, failure: CallFailed): StepResult {
  const remedies = failure.remedy === undefined ? [] : [failure.remedy];
  const unanswered =
    failure.kind === "timeout" ||
    failure.kind === "lost" ||
    failure.kind === "unreachable" ||
    failure.kind === "protocol";
  if (unanswered || step === "patch-offset" || step === "resume-connector" || step === "record-outcome") {
    return {
      result: "unclear",
      why: failure.message,
      remedies: [...remedies, "When it answers again:  cdcctl recover"],
    };
  }
  return {
    result: "failed",
    error: failure.message,
    ...(failure.code === undefined ? {} : { code: failure.code }),
    remedies,
  };
}

/**
 * A definite refusal or failure. What was announced in the ops topic gets its `failed`; a connector that ran, and that the plan would have
 * resumed anyway, is resumed; otherwise it stays stopped.
 *
 * Rule: architecture, "What apply promises", 10.
 */
export async function giveUp(
  planned: PlannedStep,
  failed: Extract<StepResult, { result: "failed" }>,
  ctx: RunContext,
  outcome: RunOutcome = planned.step === "recheck" ? "refused" : "failed",
): Promise<RunReport> {
  if (ctx.state().steps.get("record-applying") === "done") {
    const recorded = await writeEvent("failed", ctx, failed.error);
    if (recorded.result !== "done") {
      return unfinished(
        ctx,
        `${failed.error}; and its record could not be written: ${recorded.result === "failed" ? recorded.error : recorded.why}`,
        ["cdcctl recover"],
      );
    }
    ctx.report(`  ${recorded.note}`);
  }
  const resumed = await backOut(ctx);
  const report = await end(outcome, failed.error, ctx);
  return {
    ...report,
    code: failed.code,
    changed: !resumed && changedAnything(ctx.state()) && ctx.state().started.subject.ranBefore,
    remedies: [...(failed.remedies ?? []), ...(resumed || !stoppedByUs(ctx) ? [] : [howToStart(ctx)])],
  };
}

/** @returns whether the connector is as it was before: resumed, or never stopped by this run */
async function backOut(ctx: RunContext): Promise<boolean> {
  const { subject } = ctx.state().started;
  if (!stoppedByUs(ctx)) return true;
  if (!subject.resume) {
    await ctx.record({ type: "backed-out", resumed: false });
    return false;
  }
  try {
    await ctx.connect.resume(subject.connector);
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure;
    await ctx.record({ type: "backed-out", resumed: false });
    return false;
  }
  ctx.report(`  ${subject.connector} is resumed`);
  await ctx.record({ type: "backed-out", resumed: true });
  return true;
}

function stoppedByUs(ctx: RunContext): boolean {
  const { started, steps } = ctx.state();
  return started.subject.ranBefore && steps.has("stop-connector");
}

function howToStart(ctx: RunContext): string {
  const { connector } = ctx.state().started.subject;
  return `${connector} stays stopped. To start it:  curl -X PUT ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/resume`;
}

export async function end(outcome: RunOutcome, message: string, ctx: RunContext): Promise<RunReport> {
  await ctx.record({ type: "run-ended", outcome, message });
  return { run: ctx.run, outcome, message, remedies: [], code: undefined, changed: changedAnything(ctx.state()) };
}

function unfinished(ctx: RunContext, message: string, remedies: readonly string[]): RunReport {
  return {
    run: ctx.run,
    outcome: "unfinished",
    message,
    remedies,
    code: undefined,
    changed: changedAnything(ctx.state()),
  };
}

function success(ctx: RunContext): string {
  const { subject } = ctx.state().started;
  return `the stored offset of ${subject.connector} is ${subject.scn}, as planned${subject.resume ? "; the connector is resumed" : "; the connector is stopped"}`;
}
