import { CallFailed, UsageError } from "../errors.ts";
import { type ArgsOf, describeStep, type PlannedStep, type StepName } from "../plan/steps.ts";
import { isPastReturn } from "../run/change.ts";
import { patchInDoubt, stepsOf } from "../run/state.ts";
import type { Advice } from "../values/remedy.ts";
import { Interrupted, ONCE_FIXED, type RunContext, toRecover } from "./context.ts";
import { demandUnsettledPhase, SettledElsewhere } from "./steps/own-run.ts";
import { type Step, type StepResult, type Unclear, unclear } from "./steps/step.ts";

/**
 * Carries out one step between its journal entries: every call is recorded before it is made.
 *
 * @throws Interrupted, SettledElsewhere after the step is journaled as unclear
 */
export async function carryOutStep<Name extends StepName>(
  step: Step<Name>,
  planned: PlannedStep & ArgsOf<Name>,
  ctx: RunContext,
): Promise<StepResult> {
  const start = ctx.clock.elapsed();
  // A step of the plan is reported as the journal records it; a start after the run's end is not a step of the plan.
  if (!stepsOf(ctx.state()).some(({ step: one }) => one === planned.step)) ctx.report(describeStep(planned));
  await ctx.record({ type: "step-started", step: planned.step });
  let result: StepResult;
  try {
    result = afterReturn(planned.step, await step.run(planned, ctx).catch(unclearIfFailed), ctx);
    if (result.result !== "done" && !RECORDS.has(planned.step)) await demandUnsettledPhase(ctx);
  } catch (failure) {
    if (!(failure instanceof Interrupted || failure instanceof SettledElsewhere)) throw failure;
    const why = failure instanceof Interrupted ? "interrupted" : failure.message;
    await ctx.record({ type: "step-unclear", step: planned.step, why });
    throw failure;
  }
  switch (result.result) {
    case "done":
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

/** They read themselves what the ops topic records of their run. */
export const RECORDS: ReadonlySet<StepName> = new Set(["record-applying", "record-outcome"]);

/** A step reports by itself when it knows that nothing happened. */
function unclearIfFailed(failure: unknown): Unclear {
  if (failure instanceof CallFailed) return unclear(failure.message, afterFailedCall(failure));
  if (!(failure instanceof UsageError)) throw failure;
  return unclear(failure.message, [ONCE_FIXED]);
}

/**
 * Past the point of no return, and while a PATCH is unanswered, a run can't back out: the failure is fixed and the run
 * recovered. `failed` is recorded only if it is certain that nothing took effect.
 */
function afterReturn(step: StepName, result: StepResult, ctx: RunContext): StepResult {
  const state = ctx.state();
  // The PATCH step interprets its own answer.
  const inDoubt = patchInDoubt(state) && step !== "patch-offset";
  if (result.result !== "failed" || !(isPastReturn(state) || inDoubt)) return result;
  const { error, remedies = [] } = result;
  const doubt = inDoubt ? "; and a PATCH of this run got no answer" : "";
  return unclear(`${error}${doubt}`, [...remedies, ONCE_FIXED]);
}

/**
 * The remedies after a failed call. A local file that can't be written has to be fixed first; then the run continues.
 */
export function afterFailedCall({ system, remedies }: CallFailed): readonly Advice[] {
  const when =
    system === "state"
      ? "Once the journal can be written again"
      : system === "spark"
        ? "Once the cause is fixed, continue the job"
        : "Once it answers again";
  return [...remedies, toRecover(when)];
}
