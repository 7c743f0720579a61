import { sameOffset } from "../facts/stored-offset.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { canonicalJson } from "../values/json.ts";
import type { RunContext } from "./context.ts";
import { carryOut, end, giveUp, type RunReport } from "./engine.ts";
import type { RunState } from "./journal.ts";
import { storedUnder } from "./steps/patch-offset.ts";
import { recordApplying } from "./steps/record-event.ts";
import { resumeConnector } from "./steps/resume-connector.ts";

/**
 * Settles an interrupted run: finishes it, or backs out, so that world, ops topic and journal tell the same story. It goes by what the journal
 * says was begun and what the world shows now; it sends nothing that the run itself would not have sent.
 */
export async function recoverRun(ctx: RunContext): Promise<RunReport> {
  await ctx.record({ type: "recovery-started", operator: ctx.operator });
  const state = ctx.state();
  if (state.steps.size === 0) return end("refused", "nothing had been begun, nothing was changed", ctx);
  const steps = stepsOf(state);
  const failed = steps.find(({ step }) => state.steps.get(step) === "failed");
  if (failed !== undefined)
    return giveUp(failed, { result: "failed", error: state.lastProblem ?? `${failed.step} had failed` }, ctx);
  if (state.body === undefined) return carryOut(steps, ctx);

  const { subject } = state.started;
  const stored = await storedUnder(state.body.entry, subject.connector, ctx);
  if (state.steps.has("resume-connector")) {
    const proof = await resumeConnector.probe(
      { step: "resume-connector", connector: subject.connector, scn: subject.scn },
      ctx,
    );
    if (proof !== "unclear") return carryOut(steps, ctx);
    return giveUp(
      patchStep(state),
      { result: "failed", error: `a late commit undid the change: the stored offset is ${canonicalJson(stored)}` },
      ctx,
    );
  }
  if (sameOffset(stored, state.body.entry.offset)) {
    await settleApplying(ctx);
    return carryOut(steps, ctx);
  }
  if (sameOffset(stored, state.body.previous)) {
    await settleApplying(ctx);
    await reopen(state.attempts === 0n ? "recheck" : "patch-offset", ctx);
    return carryOut(steps, ctx);
  }
  const seen = `the stored offset is neither the previous nor the planned one: ${canonicalJson(stored)}`;
  if (!state.patchInDoubt) {
    return giveUp(
      patchStep(state),
      { result: "failed", error: `${seen}; a task that had not really stopped, or another hand, has stored it` },
      ctx,
    );
  }
  return {
    run: ctx.run,
    outcome: "unfinished",
    message: `${seen}; and a PATCH is unanswered that may yet be applied. Nothing was sent`,
    remedies: [
      "Find out who changed the offset, and whether a worker hangs.",
      `When no worker can still hold the PATCH:  cdcctl recover ${ctx.run} --abandon   (records it as failed, changes nothing)`,
    ],
    code: "APL807",
    changed: true,
  };
}

/** Ends a run that can't be known any more, on the operator's word: recorded as failed, nothing else is changed. */
export async function abandonRun(ctx: RunContext): Promise<RunReport> {
  await ctx.record({ type: "recovery-started", operator: ctx.operator });
  const error = `abandoned by ${ctx.operator}: whether the offset was changed was never known`;
  return giveUp(patchStep(ctx.state()), { result: "failed", error }, ctx, "abandoned");
}

/** The steps of the run: its plan's, or, taken over from the ops topic, those from the PATCH on. */
export function stepsOf({ started: { plan, subject } }: RunState): readonly PlannedStep[] {
  if (plan !== null) return plan.steps;
  return [
    { step: "stop-connector", connector: subject.connector },
    { step: "patch-offset", connector: subject.connector },
    { step: "record-outcome", topic: subject.opsTopic },
  ];
}

/** An `applying` whose acknowledgement was lost may be in the topic: then it is not written twice. */
async function settleApplying(ctx: RunContext): Promise<void> {
  const { steps, started } = ctx.state();
  if (steps.get("record-applying") === "done") return;
  const found = await recordApplying.probe({ step: "record-applying", topic: started.subject.opsTopic }, ctx);
  if (found === "done")
    await ctx.record({ type: "step-done", step: "record-applying", note: "found in the ops topic", millis: 0n });
}

async function reopen(step: StepName, ctx: RunContext): Promise<void> {
  await ctx.record({ type: "step-unclear", step, why: "to be done again: the previous offset stands there" });
}

function patchStep({ started: { subject } }: RunState): PlannedStep {
  return { step: "patch-offset", connector: subject.connector };
}
