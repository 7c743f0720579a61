import { CallFailed } from "../errors.ts";
import { hasFailed } from "../facts/connector/connector.ts";
import { callName, type PlannedStep, STEPS, type StepName } from "../plan/steps.ts";
import { effectiveCalls, hasBegun } from "../run/change.ts";
import { succeeded, withSignal } from "../run/sentences.ts";
import { inDoubt, type RunState, stepsOf } from "../run/state.ts";
import { controlOf } from "../run/subject.ts";
import type { Advice, Remedy } from "../values/remedy.ts";
import { connectorsLine } from "../values/shell-word.ts";
import { afterFailedCall, carryOutStep } from "./carry-out-step.ts";
import { end, endRejected, GO_ON, Interrupted, type RunContext, type RunReport, unfinished } from "./context.ts";
import { endElsewhere } from "./elsewhere.ts";
import { stepFor } from "./steps/catalogue.ts";
import { knownChangeByAnotherRun, positionOf, printRival, recordBegun } from "./steps/ops-topic.ts";
import { SettledElsewhere } from "./steps/own-run.ts";
import { signalStands } from "./steps/signal.ts";
import type { Failed, Unclear } from "./steps/step.ts";

/**
 * Carries out the planned steps, from the first that is not done: for a new run from the beginning, for an interrupted
 * one from where its journal ends. Journal, step, journal, step: every call is recorded before it is made.
 */
export function carryOut(steps: readonly PlannedStep[], ctx: RunContext): Promise<RunReport> {
  return attempt(ctx, async () => {
    if (ctx.state().steps.size === 0) {
      const why = await fixOpsTopicEnd(ctx);
      if (why !== undefined) return why;
    }
    for (const planned of steps) {
      if (ctx.state().steps.get(planned.step) === "done") continue;
      if (ctx.interrupt.aborted) throw new Interrupted("interrupted between two steps");
      const result = await carryOutStep(stepFor(planned), planned, ctx);
      if (result.result === "failed") return giveUp(planned.step, result, ctx);
      if (result.result === "rejected") return endRejected(result.error, ctx);
      if (result.result === "unclear") return unfinished(ctx, result.why, result.remedies);
    }
    return end("succeeded", succeeded(ctx.state()), ctx);
  });
}

/** Records the end of the ops topic before anything is changed; if the topic can't be read, the run has not begun. */
async function fixOpsTopicEnd(ctx: RunContext): Promise<RunReport | undefined> {
  try {
    await recordBegun(ctx);
    return undefined;
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure;
    const report = await end("refused", `${failure.message}; nothing was changed`, ctx);
    return { ...report, remedies: failure.remedies };
  }
}

/**
 * One attempt of a run. Once something was begun, a call that fails between the steps does not end the run: the run
 * stays as its journal records it, to be recovered.
 */
export async function attempt(ctx: RunContext, work: () => Promise<RunReport>): Promise<RunReport> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof Interrupted) {
      return hasBegun(ctx.state())
        ? unfinished(ctx, "interrupted", [GO_ON])
        : end("refused", "interrupted before anything was changed", ctx);
    }
    if (failure instanceof SettledElsewhere) return attempt(ctx, () => endElsewhere(failure.by, ctx));
    if (failure instanceof CallFailed) return unfinished(ctx, failure.message, afterFailedCall(failure));
    throw failure;
  }
}

/**
 * Backs out after a definite refusal or failure that the journal already records (`step-failed`); can be repeated from
 * any point. The steps are undone in reverse order; a step that can't be undone keeps those before it.
 *
 * Rule: architecture, "What apply promises", 10.
 */
export async function giveUp(step: StepName, why: Failed, ctx: RunContext): Promise<RunReport> {
  const failed = await namingWho(why, ctx);
  const left = await undoAll(failed.error, ctx);
  if ("why" in left) return unfinished(ctx, `${failed.error}; and ${left.why}`, left.remedies, failed.code);
  const { signal } = ctx.state();
  const stands = await signalStands(ctx);
  const gone = removedBy(ctx.state());
  const message = stands && signal !== undefined ? withSignal(failed.error, signal.id) : failed.error;
  const report = await end(STEPS[step].effect === "looks" ? "refused" : "failed", message, ctx);
  return {
    ...report,
    code: failed.code,
    changed: stands || left.length > 0 || gone.length > 0,
    remedies: [
      ...(failed.remedies ?? []),
      ...left,
      ...gone.map((topic) => `What this run has removed from ${topic} is not restored.`),
    ],
  };
}

/** Topics whose records the run has removed, or may have. */
function removedBy(state: RunState): readonly string[] {
  const { steps, removal } = state;
  const calls = effectiveCalls(state);
  const done = steps.get("remove-records") === "done";
  return (removal?.topics ?? []).flatMap(({ topic, keys }) =>
    keys.length > 0 && (done || calls.includes(callName("remove records", topic))) ? [topic] : [],
  );
}

/**
 * Undoes all steps. @returns what differs from before the run, and how to restore it; empty: nothing differs; or that
 * this is still unknown
 */
async function undoAll(why: string, ctx: RunContext): Promise<readonly Advice[] | Unclear> {
  for (const planned of [...stepsOf(ctx.state())].reverse()) {
    const left = await stepFor(planned).undo?.(planned, ctx, why);
    if (left !== undefined) return left;
  }
  return [];
}

/** Codes for a state that is no longer as planned, or no longer as the run left it. */
const CHANGED_BY_SOMEBODY: ReadonlySet<string | undefined> = new Set(["APL803", "APL804"]);

/** If another user interfered, adds who it was according to the ops topic, or else whose change it recorded last. */
async function namingWho(failed: Failed, ctx: RunContext): Promise<Failed> {
  const { begun } = ctx.state().opsTopicEnd;
  if (!CHANGED_BY_SOMEBODY.has(failed.code) || begun === undefined) return failed;
  const since = await knownChangeByAnotherRun(ctx, begun.map(positionOf));
  const theirs = since ?? (await knownChangeByAnotherRun(ctx, "tail"));
  if (theirs === undefined || failed.error.includes(printRival(theirs))) return failed;
  return {
    ...failed,
    error: `${failed.error}; ${printRival(theirs)} came ${since === undefined ? "just before this run" : "in between"}`,
    remedies: ["Check what that run has changed, then plan again and review the difference."],
  };
}

/**
 * Stops, resumes or restarts a connector, and waits for the state; the offset does not change. A run whose call got no
 * answer stays open, because the call may take effect later. An answered one is over, even if the connector did not
 * reach the requested state: nothing of the run is left to do then.
 */
export function carryOutControl(ctx: RunContext): Promise<RunReport> {
  return attempt(ctx, async () => {
    for (const planned of stepsOf(ctx.state())) {
      if (ctx.state().steps.get(planned.step) === "done") continue;
      if (ctx.interrupt.aborted) throw new Interrupted("interrupted before the call");
      const result = await carryOutStep(stepFor(planned), planned, ctx);
      if (result.result === "done") continue;
      if (result.result === "unclear" && inDoubt(ctx.state())) return unfinished(ctx, result.why, result.remedies);
      const remedy = await nextTo(ctx);
      const report = await end("failed", result.result === "unclear" ? result.why : result.error, ctx);
      return { ...report, remedies: [remedy] };
    }
    return end("succeeded", succeeded(ctx.state()), ctx);
  });
}

/** What an operator does if the connector did not reach the requested state. */
async function nextTo(ctx: RunContext): Promise<Remedy> {
  const { subject } = ctx.state().started;
  const status = await ctx.connect.status(subject.connector);
  const control = controlOf(subject) ?? "stop";
  return control !== "stop" && status !== undefined && hasFailed(status)
    ? { text: "Fix what made it fail, then", command: connectorsLine("restart", subject.connector, subject) }
    : {
        text: "Inspect its task and log. To try again",
        command: connectorsLine(control === "restart failed" ? "restart" : control, subject.connector, subject),
      };
}
