import { isStopped } from "../facts/connector.ts";
import { sameOffset } from "../facts/stored-offset.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { abandoned } from "../run/sentences.ts";
import type { RunState } from "../run/state.ts";
import { offsetSubject } from "../run/subject.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { giveUp, recordFailure } from "./backing-out.ts";
import { type RunContext, until } from "./context.ts";
import { end, endRejected, type RunReport, unfinished } from "./endings.ts";
import { carryOut, sitting } from "./engine.ts";
import { abandonedRemoval, recoverPhase } from "./phase-recovery.ts";
import { readCommit } from "./steps/first-commit.ts";
import { storedUnder } from "./steps/patch-offset.ts";
import { noLongerAsPlanned } from "./steps/recheck.ts";
import { recordedOutcomes } from "./steps/record-event.ts";
import type { StepResult } from "./steps/step.ts";

/**
 * Settles an interrupted run: finishes it, or backs out, so that world, ops topic and journal tell the same story. It goes by what the journal
 * says was begun and what the world shows now; it sends nothing that the run itself would not have sent, and may itself be cut off anywhere.
 */
export function recoverRun(ctx: RunContext): Promise<RunReport> {
  return sitting(ctx, async () => {
    await ctx.record({ type: "recovery-started", operator: ctx.operator });
    const state = ctx.state();
    const steps = stepsOf(state);
    if (state.steps.size === 0) return end("refused", "nothing had been begun, nothing was changed", ctx);
    if (state.started.subject.command === "migrate") return recoverPhase(steps, ctx);
    const failed = steps.find(({ step }) => state.steps.get(step) === "failed");
    if (failed?.step === "wait-for-ack")
      return endRejected(state.lastProblem ?? "the connector refused the signal", ctx);
    if (failed !== undefined)
      return giveUp(failed.step, { result: "failed", error: state.lastProblem ?? `${failed.step} had failed` }, ctx);
    // Once an answer is waited for, everything of the offset is done, whatever was committed since.
    if (state.steps.has("wait-for-ack")) return carryOut(steps, ctx);
    if (state.body === undefined) {
      // Nothing that was decided is begun: it is begun only if it would be decided again. Nobody's repair in between is stopped for it.
      const problem = await noLongerAsPlanned(ctx);
      return problem === undefined ? carryOut(steps, ctx) : giveUp("recheck", problem, ctx);
    }
    if (await takeFromTopic(ctx))
      return giveUp(
        "patch-offset",
        { result: "failed", error: "it was recorded as failed, from another machine" },
        ctx,
      );
    const look = await lookAtOffset(ctx);
    if (ctx.state().attempts === 0n && ctx.state().steps.get("patch-offset") !== "done") {
      if (!look.isPrevious) return notAsLeft(look.stored, ctx);
      await reopen("recheck", ctx);
      return carryOut(steps, ctx);
    }
    if (isApplied(look, ctx.state())) {
      if (look.runs || look.reading.is === "committed") await closePatch(ctx);
      return carryOut(steps, ctx);
    }
    if (!look.isPrevious || (look.runs && !ctx.state().patchInDoubt)) return notAsLeft(look.stored, ctx);
    await reopen("patch-offset", ctx);
    return carryOut(steps, ctx);
  });
}

/** Ends a run that can't be known any more, on the operator's word. What was announced is recorded as failed; nothing else is changed. */
export function abandonRun(ctx: RunContext): Promise<RunReport> {
  return sitting(ctx, async () => {
    await ctx.record({ type: "recovery-started", operator: ctx.operator });
    const state = ctx.state();
    const error = abandoned(ctx.operator, state);
    const offset = offsetSubject(state.started.subject);
    if (offset === undefined) return (await abandonedRemoval(error, ctx)) ?? end("abandoned", error, ctx);
    if (offset.scn === undefined || state.steps.get("record-outcome") === "done") return end("abandoned", error, ctx);
    await ctx.record({ type: "step-failed", step: "patch-offset", error, code: undefined });
    return (await recordFailure(error, ctx)) ?? end("abandoned", error, ctx);
  });
}

/** The steps of the run: its plan's, or, taken over from the ops topic, those from the PATCH on. */
export function stepsOf({ started: { plan, subject } }: RunState): readonly PlannedStep[] {
  if (plan !== null) return plan.steps;
  // Only a change of an offset is taken over from the topic.
  return [
    { step: "stop-connector", connector: subject.connector },
    { step: "patch-offset", connector: subject.connector },
    { step: "record-outcome", topic: subject.opsTopic },
  ];
}

/**
 * Takes over what the ops topic knows better than the journal: a record whose acknowledgement was lost, and what `recover --from-ops` has
 * settled from another machine meanwhile.
 *
 * @returns the failure as which it was settled there
 */
async function takeFromTopic(ctx: RunContext): Promise<Extract<StepResult, { result: "failed" }> | undefined> {
  const { steps } = ctx.state();
  if (!steps.has("record-applying") || steps.get("record-outcome") === "done") return undefined;
  const recorded = await recordedOutcomes(ctx);
  const take = async (step: StepName) => {
    if (steps.get(step) !== "done")
      await ctx.record({ type: "step-done", step, note: "found in the ops topic", millis: 0n });
  };
  if (recorded.size > 0) await take("record-applying");
  if (recorded.has("failed")) {
    const error = "it was recorded as failed, from another machine";
    await ctx.record({ type: "step-failed", step: "patch-offset", error, code: undefined });
    return { result: "failed", error };
  }
  if (recorded.has("applied")) {
    await take("patch-offset");
    await take("record-outcome");
  }
  return undefined;
}

/** A connector that runs again may be about to commit over a late commit: that is waited for, as after a resume. */
async function lookAtOffset(ctx: RunContext) {
  const state = ctx.state();
  const { body, patchInDoubt, steps } = state;
  if (body === undefined) throw new Error("a look at an offset without a body");
  const { connector } = state.started.subject;
  const look = async () => {
    const stored = await storedUnder(body.entry, connector, ctx);
    return { stored, reading: readCommit(stored, state), isPrevious: sameOffset(stored, body.previous) };
  };
  const status = await ctx.connect.status(connector);
  const runs = status !== undefined && !isStopped(status);
  let last = await look();
  if (runs && !patchInDoubt && steps.has("patch-offset")) {
    if (last.reading.is === "overwritten")
      ctx.report(`the stored offset is not the planned one; waiting for the next commit of ${connector}`);
    await until(ctx, ctx.limits.resume, async () => {
      last = await look();
      return last.reading.is === "overwritten" ? undefined : last;
    });
  }
  return { ...last, runs };
}

/**
 * Whether the PATCH has certainly been applied: by its own answer, or, while the connector runs and so no copy of it can be applied any more,
 * by what it led to. An offset that shows it while the connector is stopped leads to one more PATCH: the same, and with an answer.
 */
function isApplied({ reading, runs }: Awaited<ReturnType<typeof lookAtOffset>>, { patchInDoubt }: RunState): boolean {
  if (reading.is === "as patched") return true;
  return reading.is === "committed" && (!patchInDoubt || (reading.proven && runs));
}

async function closePatch(ctx: RunContext): Promise<void> {
  if (ctx.state().steps.get("patch-offset") === "done") return;
  await ctx.record({ type: "step-done", step: "patch-offset", note: "seen in the stored offset", millis: 0n });
}

/** The offset is neither as it was nor as it should be, and stays so. */
async function notAsLeft(stored: JsonObject | null, ctx: RunContext): Promise<RunReport> {
  const seen = `the stored offset is not the planned one: ${canonicalJson(stored)}`;
  if (!ctx.state().patchInDoubt) {
    const error = `${seen}; a task that had not really stopped, or another hand, has stored it`;
    await ctx.record({ type: "step-failed", step: "patch-offset", error, code: "APL804" });
    return giveUp("patch-offset", { result: "failed", error, code: "APL804" }, ctx);
  }
  return unfinished(
    ctx,
    `${seen}, nor the previous one; and a PATCH is unanswered that may yet be applied. Nothing was sent`,
    [
      "Find out who changed the offset, and whether a worker hangs.",
      `When no worker can still hold the PATCH:  cdcctl recover ${ctx.run} --abandon   (records it as failed, changes nothing)`,
    ],
    "APL807",
  );
}

async function reopen(step: StepName, ctx: RunContext): Promise<void> {
  await ctx.record({ type: "step-unclear", step, why: "to be done again: the previous offset stands there" });
}
