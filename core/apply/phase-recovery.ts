import { isStopped } from "../facts/connector/connector.ts";
import type { PlannedStep, StepName } from "../plan/steps.ts";
import { callsPastStop, isPastReturn } from "../run/change.ts";
import { type RunState, stepsOf } from "../run/state.ts";
import { phaseSubject } from "../run/subject.ts";
import { type RunContext, type RunReport, unfinished } from "./context.ts";
import { carryOut, giveUp } from "./engine.ts";
import { hasOffsets } from "./steps/delete.ts";
import { demandNotApplied } from "./steps/own-run.ts";
import { noLongerAsPlanned } from "./steps/recheck.ts";
import {
  isAnnounced,
  problemOf,
  recordedOutcomes,
  recordFailure,
  removesNothing,
  writeEvent,
} from "./steps/record-event.ts";
import { failed } from "./steps/step.ts";

/**
 * Resumes a phase of a migration. Each step checks first whether it is done, and every call that creates or deletes is
 * sent until a definite answer, so the steps that are not done are carried out. If nothing was begun, they are carried
 * out only if the same would be decided again.
 */
export async function recoverPhase(steps: readonly PlannedStep[], ctx: RunContext): Promise<RunReport> {
  const state = ctx.state();
  const settled = await takeFromTopic(ctx);
  if (settled !== undefined) return settled;
  if (nothingBegun(ctx)) {
    const problem = await noLongerAsPlanned(ctx);
    if (problem !== undefined) return giveUp("recheck", problem, ctx);
    // The connectors' positions may have moved since they were recorded.
    if (state.steps.get("recheck") === "done") await reopen("recheck", "nothing was begun since", ctx);
  }
  for (const step of await toDoAgain(ctx.state(), ctx)) await reopen(step, "an offset is stored again", ctx);
  return carryOut(steps, ctx);
}

/**
 * Adopts a record whose acknowledgement was lost, and what was settled from another machine meanwhile.
 *
 * @returns the report of a run that was recorded as failed there
 */
async function takeFromTopic(ctx: RunContext): Promise<RunReport | undefined> {
  const { steps } = ctx.state();
  if (!steps.has("record-applying") || steps.get("record-outcome") === "done" || removesNothing(ctx.state()))
    return undefined;
  const recorded = await recordedOutcomes(ctx);
  if (recorded.size > 0) await takeDone("record-applying", ctx);
  if (recorded.has("applied")) await takeApplied(ctx);
  // If the offsets are or may be deleted, the run continues: a later `applied` corrects the record.
  if (!recorded.has("failed") || isPastReturn(ctx.state())) return undefined;
  const error = "it was recorded as failed, from another machine";
  await ctx.record({ type: "step-failed", step: "delete-offsets", error, code: undefined });
  return giveUp("delete-offsets", failed(error), ctx);
}

/** What is recorded as applied has everything before it behind it, whoever has done it. */
async function takeApplied(ctx: RunContext): Promise<void> {
  const steps = stepsOf(ctx.state()).map(({ step }) => step);
  for (const step of steps.slice(0, Math.max(steps.indexOf("record-outcome"), 0))) await takeDone(step, ctx);
  await takeDone("record-outcome", ctx);
}

/** Whether nothing after the recheck was done or sent. */
function nothingBegun(ctx: RunContext): boolean {
  const { verified, steps } = ctx.state();
  return (
    callsPastStop(ctx.state()).length === 0 &&
    verified === undefined &&
    !steps.has("record-outcome") &&
    !steps.has("resume-legacy")
  );
}

/** Steps of a rollback that are done, where the new connector has stored an offset, or runs, since their end. */
export async function toDoAgain(
  state: RunState,
  { connect }: Pick<RunContext, "connect">,
): Promise<readonly StepName[]> {
  if (state.steps.get("delete-offsets") !== "done" || state.steps.get("delete-connector") === "done") return [];
  const { connector } = phaseSubject(state);
  const status = await connect.status(connector);
  const isAgain = status !== undefined && (!isStopped(status) || (await hasOffsets(connector, { connect })));
  return isAgain ? ["stop-connector", "delete-offsets"] : [];
}

/**
 * Records the outcome of an announced removal when an operator abandons it: `applied` if the offsets are certainly
 * deleted, else `failed`.
 *
 * @returns the report of a run that stays open
 */
export async function abandonedRemoval(error: string, ctx: RunContext): Promise<RunReport | undefined> {
  const { steps } = ctx.state();
  if (steps.get("record-outcome") === "done") return undefined;
  // Recorded from here, or by a process with a copy of the journal: no other record follows it.
  if (isAnnounced(ctx.state()) && (await recordedOutcomes(ctx)).has("applied")) {
    await takeApplied(ctx);
    return undefined;
  }
  if (steps.get("delete-offsets") !== "done" || removesNothing(ctx.state())) {
    const unrecorded = await recordFailure(error, ctx, demandNotApplied);
    return unrecorded === undefined ? undefined : unfinished(ctx, `${error}; and ${unrecorded.why}`);
  }
  const written = await writeEvent("applied", ctx);
  if (written.result === "done") return undefined;
  return unfinished(ctx, `${error}; and its record could not be written: ${problemOf(written)}`);
}

/** Marks a step as done that the ops topic records and the journal does not. */
export async function takeDone(step: StepName, ctx: RunContext): Promise<void> {
  if (ctx.state().steps.get(step) !== "done")
    await ctx.record({ type: "step-done", step, note: "found in the ops topic", millis: 0n });
}

/** Reopens a step, whatever its earlier result. */
export async function reopen(step: StepName, why: string, ctx: RunContext): Promise<void> {
  await ctx.record({ type: "step-unclear", step, why: `to be done again: ${why}` });
}
