import { CallFailed, UsageError } from "../errors.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { isPastReturn } from "../run/no-return.ts";
import { succeeded } from "../run/sentences.ts";
import { hasBegun } from "../run/state.ts";
import { giveUp } from "./backing-out.ts";
import { Interrupted, type RunContext } from "./context.ts";
import { end, endRejected, type RunReport, unfinished } from "./endings.ts";
import { stepFor } from "./steps/catalogue.ts";
import { recordBegun } from "./steps/rivals.ts";
import type { Step, StepResult } from "./steps/step.ts";

/**
 * Carries out the planned steps, from the first that is not done: for a new run from the beginning, for an interrupted one from where its
 * journal ends. Journal, step, journal, step: nothing is called that was not written down before.
 */
export function carryOut(steps: readonly PlannedStep[], ctx: RunContext): Promise<RunReport> {
  return sitting(ctx, async () => {
    if (ctx.state().steps.size === 0) {
      const why = await fixOpsTopicEnd(ctx);
      if (why !== undefined) return why;
    }
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

/** Before anything is changed: where the ops topic can't be asked, the run has not begun. */
async function fixOpsTopicEnd(ctx: RunContext): Promise<RunReport | undefined> {
  try {
    await recordBegun(ctx);
    return undefined;
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure;
    const report = await end("refused", `${failure.message}; nothing was changed`, ctx);
    return { ...report, remedies: failure.remedy === undefined ? [] : [failure.remedy] };
  }
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
      return hasBegun(ctx.state())
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
    result = afterReturn(await step.run(planned, ctx), ctx);
  } catch (failure) {
    if (failure instanceof Interrupted) {
      await ctx.record({ type: "step-unclear", step: planned.step, why: "interrupted" });
      throw failure;
    }
    if (!(failure instanceof CallFailed) && !(failure instanceof UsageError)) throw failure;
    // A step that knows that nothing happened says so itself.
    result = {
      result: "unclear",
      why: failure.message,
      remedies: failure instanceof CallFailed ? afterwards(failure) : ["When that is mended:  cdcctl recover"],
    };
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

/** Past the point of no return there is no backing out: what failed is mended, and gone on with. */
function afterReturn(result: StepResult, ctx: RunContext): StepResult {
  if (result.result !== "failed" || !isPastReturn(ctx.state())) return result;
  const { error, remedies = [] } = result;
  return { result: "unclear", why: error, remedies: [...remedies, "When that is mended:  cdcctl recover"] };
}

/** A local file that can't be written answers nobody: what to do about it comes first, and then the run goes on. */
function afterwards({ system, remedy }: CallFailed): readonly string[] {
  const again =
    system === "state"
      ? "When the journal can be written again:  cdcctl recover"
      : "When it answers again:  cdcctl recover";
  return [...(remedy === undefined ? [] : [remedy]), again];
}
