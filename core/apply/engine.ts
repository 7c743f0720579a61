import { CallFailed } from "../errors.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { succeeded } from "../run/sentences.ts";
import { hasBegun } from "../run/state.ts";
import { remediesOf } from "../values/remedies.ts";
import { giveUp } from "./backing-out.ts";
import { afterFailedCall, carryOutStep } from "./carry-out-step.ts";
import { Interrupted, type RunContext } from "./context.ts";
import { end, endRejected, type RunReport, unfinished } from "./endings.ts";
import { recordBegun } from "./steps/rivals.ts";

/**
 * Carries out the planned steps, from the first that is not done: for a new run from the beginning, for an interrupted
 * one from where its journal ends. Journal, step, journal, step: nothing is called that was not written down before.
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
      const result = await carryOutStep(planned, ctx);
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
    return { ...report, remedies: remediesOf(failure.remedy) };
  }
}

/**
 * One sitting of a run. Once something was begun, a call that fails between the steps is no end of the run: it is left
 * as its journal tells it, to be recovered.
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
    if (failure instanceof CallFailed) return unfinished(ctx, failure.message, afterFailedCall(failure));
    throw failure;
  }
}
