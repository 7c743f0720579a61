import { CallFailed } from "../errors.ts";
import { type RecordedEvent, recordedChanges } from "../facts/ops/ops-event.ts";
import { isMigration, type Plan, type StepName } from "../plan/plan.ts";
import type { RecordPosition } from "../ports/kafka.ts";
import type { RunOutcome } from "../run/journal.ts";
import { withSignal } from "../run/sentences.ts";
import { effectOfStep } from "../run/step-effects.ts";
import type { MigrationSubject, RunSubject } from "../run/subject.ts";
import type { RunContext } from "./context.ts";
import { end, type RunReport, unfinished } from "./endings.ts";
import { isRecorded, removesNothing, writeEvent } from "./steps/record-event.ts";
import { printRival, readEvents } from "./steps/rivals.ts";
import { startConnectorCall } from "./steps/start.ts";
import type { StepResult } from "./steps/step.ts";
import { positionOf } from "./steps/topic-ends.ts";
import { signalStands } from "./steps/write-signal.ts";
import { howToStart, takeBackNew, type Unclear } from "./taking-back.ts";

/**
 * Backs out after a definite refusal or failure, which the journal tells already (`step-failed`); can be repeated from
 * any point. What was announced in the ops topic gets its `failed`; a connector that ran, and that the plan would have
 * resumed anyway, is resumed; otherwise it stays stopped.
 *
 * Rule: architecture, "What apply promises", 10.
 */
export async function giveUp(
  step: StepName,
  why: Failed,
  ctx: RunContext,
  outcome: RunOutcome = effectOfStep(step) === "looks" ? "refused" : "failed",
): Promise<RunReport> {
  const failed = await namingWho(why, ctx);
  // What a cutover announces is the removal with which it backs out: that is continued, and records its own outcome.
  const unrecorded = isCutover(ctx.state().started.subject) ? undefined : await recordFailure(failed.error, ctx);
  if (unrecorded !== undefined) return unrecorded;
  const left = await backOut(ctx);
  if ("why" in left) return unfinished(ctx, `${failed.error}; and ${left.why}`, left.remedies, failed.code);
  const { signal } = ctx.state();
  const stands = await signalStands(ctx);
  const message = stands && signal !== undefined ? withSignal(failed.error, signal.id) : failed.error;
  const report = await end(outcome, message, ctx);
  return {
    ...report,
    code: failed.code,
    changed: stands || left.length > 0,
    remedies: [...(failed.remedies ?? []), ...left],
  };
}

type Failed = Extract<StepResult, { result: "failed" }>;

/** The world is no longer as planned, or no longer as the run has left it. */
const CHANGED_BY_SOMEBODY: ReadonlySet<string | undefined> = new Set(["APL803", "APL804"]);

/** Where somebody has come in between, the ops topic may tell who; where it does not, whose change it recorded last. */
async function namingWho(failed: Failed, ctx: RunContext): Promise<Failed> {
  const { begun } = ctx.state().opsTopicEnd;
  if (!CHANGED_BY_SOMEBODY.has(failed.code) || begun === undefined) return failed;
  const since = await changedByAnotherRun(ctx, begun.map(positionOf));
  const theirs = since ?? (await changedByAnotherRun(ctx, "tail"));
  if (theirs === undefined || failed.error.includes(printRival(theirs))) return failed;
  return {
    ...failed,
    error: `${failed.error}; ${printRival(theirs)} came ${since === undefined ? "just before this one" : "in between"}`,
    remedies: ["Look at what that run has changed, then plan again and review the difference."],
  };
}

/**
 * Records `failed` for what was announced. @returns the report of a run that stays open, where it could not be written
 */
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

/**
 * An `applying` that was begun may stand in the topic, or come to: only a definite refusal of it leaves nothing to take
 * back.
 */
async function mustRecordFailure(ctx: RunContext): Promise<boolean> {
  const announced = ctx.state().steps.get("record-applying");
  if (announced === undefined || announced === "failed" || removesNothing(ctx.state())) return false;
  return !ctx.recovering || !(await isRecorded("failed", ctx, "tail"));
}

/**
 * @returns what is not as it was before, and how it is made so; nothing: all is as before; or why that is not known yet
 */
async function backOut(ctx: RunContext): Promise<readonly string[] | Unclear> {
  const { started, steps } = ctx.state();
  const { subject, plan } = started;
  const kept = await takeBackNew(ctx);
  if (kept !== undefined) return kept;
  const stop = steps.get("stop-connector");
  if (stop === undefined || stop === "failed") return [];
  const connector = stoppedBy(subject);
  // A paused connector is stopped now, and nobody asked for it to run.
  if (!subject.ranBefore) return plan !== null && stateOf(plan) === "PAUSED" ? [howToStart(connector, ctx)] : [];
  const status = await ctx.connect.status(connector);
  if (status === undefined) return [];
  const wanted = subject.command === "migrate" || subject.resume;
  const resumed = wanted ? await startAgain(connector, ctx) : status.state === "RUNNING";
  if (typeof resumed === "object") return resumed;
  await ctx.record({ type: "backed-out", resumed });
  return resumed ? [] : [howToStart(connector, ctx)];
}

/** The connector that a run stops. */
function stoppedBy(subject: RunSubject): string {
  return isCutover(subject) ? subject.legacy : subject.connector;
}

function isCutover(subject: RunSubject): subject is MigrationSubject {
  return subject.command === "migrate" && subject.phase === "cutover";
}

function stateOf(plan: Plan): string | undefined {
  if (!isMigration(plan)) return plan.connector.state;
  return (plan.intent.phase === "cutover" ? plan.legacy : plan.next)?.state;
}

/** @returns whether it is started: not where another run has begun a change of it since; or why that is not known */
async function startAgain(connector: string, ctx: RunContext): Promise<boolean | Unclear> {
  const since = ctx.state().opsTopicEnd.begun?.map(positionOf);
  const theirs = await changedByAnotherRun(ctx, since);
  if (theirs !== undefined) {
    ctx.report(`  ${connector} is left as it is: ${printRival(theirs)} came in between`);
    return false;
  }
  const started = await startConnectorCall(connector, ctx);
  if (started.result === "unclear") return started;
  if (started.result === "done") ctx.report(`  ${connector} is resumed`);
  return started.result === "done";
}

/**
 * The latest change of another run that was recorded since then, or, where no place is known, that is still open: to
 * start the connector would be to start it under theirs. The log alone says what came first. Where the topic can't be
 * read, none is known: a connector that ran is not left down for that.
 */
async function changedByAnotherRun(
  ctx: RunContext,
  since: readonly RecordPosition[] | "tail" | undefined,
): Promise<RecordedEvent | undefined> {
  try {
    return recordedChanges(await readEvents(ctx, since ?? "tail"), ctx.state().started.subject.connector).findLast(
      ({ event, outcome }) =>
        event.details.run !== ctx.run && outcome !== "failed" && (since !== undefined || outcome === "applying"),
    )?.event;
  } catch (failure) {
    if (failure instanceof CallFailed) return undefined;
    throw failure;
  }
}
