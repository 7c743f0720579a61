import type { RecordedEvent } from "../../schemas/generated/facts.ts";
import { orUndefined, Refusal } from "../errors.ts";
import { isStopped } from "../facts/connector/connector.ts";
import { isLateCommit, readCommit } from "../facts/offset/stored-change.ts";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { beganAt } from "../facts/ops/ops-event.ts";
import { PATCH, type PlannedStep } from "../plan/steps.ts";
import { isRecorded, isShortened, offsetStands, storedChangeOf } from "../run/change.ts";
import { abandoned } from "../run/sentences.ts";
import { patchInDoubt, type RunState, stepsOf } from "../run/state.ts";
import { controlOf, offsetSubject } from "../run/subject.ts";
import { canonicalJson } from "../values/json.ts";
import { fromOpsCommand } from "../values/shell-word.ts";
import {
  abandonOnceNotHeld,
  end,
  endRejected,
  GO_ON,
  type RunContext,
  type RunReport,
  unfinished,
  until,
} from "./context.ts";
import { closePatch, endBefore, failedStep, inDoubtBefore } from "./elsewhere.ts";
import { attempt, carryOut, carryOutControl, giveUp } from "./engine.ts";
import { demandOwnBody, strayStep } from "./own-body.ts";
import { abandonedRemoval, recoverPhase, reopen, takeDone } from "./phase-recovery.ts";
import { lost, type OpsOrder, opsOrder, printRival } from "./steps/ops-topic.ts";
import { demandNotApplied, elsewhere, isItsOwn } from "./steps/own-run.ts";
import { pulledBack, storedUnder } from "./steps/patch-offset.ts";
import { noLongerAsPlanned } from "./steps/recheck.ts";
import { problemOf, recordFailure, writeEvent } from "./steps/record-event.ts";
import { howToStart, notStarted, startConnectorCall } from "./steps/start.ts";
import { failed } from "./steps/step.ts";

/**
 * Settles an interrupted run: finishes it, or backs out, so that systems, ops topic and journal agree. It uses what the
 * journal records as begun and what the systems show now; it sends nothing that the run itself would not have sent, and
 * may itself be interrupted anywhere.
 */
export function recoverRun(ctx: RunContext): Promise<RunReport> {
  return attempt(ctx, async () => {
    await ctx.record({ type: "recovery-started", operator: ctx.operator });
    const state = ctx.state();
    const steps = stepsOf(state);
    if (controlOf(state.started.subject) !== undefined) return carryOutControl(ctx);
    await demandWhole(ctx);
    await demandOwnBody(ctx);
    const stray = strayStep(state);
    if (stray !== undefined) throw stray;
    if (state.steps.size === 0) return end("refused", "nothing had been begun, nothing was changed", ctx);
    const step = steps.find((planned) => state.steps.get(planned.step) === "failed")?.step;
    if (step === "wait-for-ack" || step === "wait-for-completion")
      return endRejected(state.lastProblem ?? "the connector refused the signal", ctx);
    if (step !== undefined) return giveUp(step, failed(state.lastProblem ?? `${step} had failed`), ctx);
    if (offsetSubject(state.started.subject) === undefined) return recoverPhase(steps, ctx);
    // Once the run waits for an answer, the offset change is done, whatever was committed since.
    if (state.steps.has("wait-for-ack")) return carryOut(steps, ctx);
    if (state.body === undefined) {
      // Nothing of the decision was begun: it is begun only if the same would be decided again, and another user's
      // repair is not stopped for it.
      const problem = await noLongerAsPlanned(ctx);
      return problem === undefined ? carryOut(steps, ctx) : giveUp("recheck", problem, ctx);
    }
    return recoverOffset(steps, ctx);
  });
}

/**
 * Looks in the ops topic for what a journal that announces nothing does not show.
 *
 * @throws Refusal `APL822` if the topic records more; CallFailed if it can't be read: what remains is unknown then
 */
async function demandWhole(ctx: RunContext): Promise<void> {
  const state = ctx.state();
  if (!isRecorded(state) || state.steps.has("record-applying")) return;
  const { own = [] } = (await orUndefined(opsOrder(ctx), "missing")) ?? {};
  if (isShortened(state, own)) throw shortened(own.at(-1), ctx);
}

function shortened(last: RecordedEvent | undefined, ctx: RunContext): Refusal {
  const { subject } = ctx.state().started;
  const recorded = last === undefined ? "" : ` it as ${last.details.outcome} at ${beganAt(last)}`;
  return new Refusal(
    "APL822",
    `the journal of run ${ctx.run} ends before what ${subject.opsTopic} records of the run${recorded}: it was ` +
      "shortened or restored from a backup. Nothing was sent",
    [
      "Restore the latest copy of the journal.",
      { text: "To set it aside and settle the change by the ops topic", command: fromOpsCommand(subject) },
    ],
  );
}

/** Recovers a run whose offset to store is pinned: it may have announced, sent and verified it. */
async function recoverOffset(steps: readonly PlannedStep[], ctx: RunContext): Promise<RunReport> {
  const topic = await takeFromTopic(ctx);
  if (topic.failed) return giveUp("patch-offset", failed("it was recorded as failed, from another machine"), ctx);
  const announced = topic.later === undefined ? await announceTakeover(ctx) : undefined;
  if (announced !== undefined) return announced;
  // The number of PATCHes sent is now unknown, and nothing that this machine observes counts as an answer to them.
  if (topic.takenOver && !ctx.state().patchedElsewhere && ctx.state().steps.get("patch-offset") !== "done")
    await ctx.record({ type: "patch-sent", attempt: ctx.state().attempts + 1n, elsewhere: true });
  const inspection = await inspectOffset(ctx);
  const { attempts, steps: progress } = ctx.state();
  const inDoubt = patchInDoubt(ctx.state());
  const sent = attempts > 0n || progress.get("patch-offset") === "done";
  if (isApplied(inspection, ctx.state(), sent)) {
    if (topic.later !== undefined) return endBefore(topic.later, ctx);
    if (inspection.runs || inspection.reading.is === "committed") await closePatch(ctx);
    // Stored as planned, but this journal has no PATCH: it is sent once more, for an answer.
    else if (!sent) await reopen("patch-offset", "no answer to a PATCH is recorded here", ctx);
    return carryOut(steps, ctx);
  }
  // A machine that takes a run over announces that first. Without an announcement, and without the planned offset
  // stored, nothing was sent.
  if (topic.later !== undefined)
    return !sent
      ? giveUp("patch-offset", await failedStep(lost(topic.later, ctx), ctx), ctx)
      : inDoubtBefore(topic.later, ctx);
  if (progress.get("record-outcome") === "done" && !inspection.runs && inspection.isLate) return carryOut(steps, ctx);
  if (!sent) {
    if (!inspection.isPrevious && isShortened(ctx.state(), topic.own)) throw shortened(topic.own.at(-1), ctx);
    if (!inspection.isPrevious) return notAsLeft(inspection, true, ctx);
    await reopen("recheck", PREVIOUS_STANDS, ctx);
    return carryOut(steps, ctx);
  }
  if (!inspection.isPrevious || (inspection.runs && !inDoubt)) return notAsLeft(inspection, !inDoubt, ctx);
  if (!mayMove(ctx)) return notChecked(ctx);
  await reopen("patch-offset", PREVIOUS_STANDS, ctx);
  return carryOut(steps, ctx);
}

/**
 * Announces a run that was taken over from the topic once more, before anything is sent: its own machine, which may
 * come back, has to know that another machine may have sent its PATCH.
 *
 * @returns the report of a run that stays open, if the record could not be written
 */
async function announceTakeover(ctx: RunContext): Promise<RunReport | undefined> {
  const { started, steps } = ctx.state();
  if (started.subject.by !== "ops topic" || steps.get("record-applying") === "done") return undefined;
  ctx.report(`record "applying" in ${started.subject.opsTopic}: this machine takes the run over`);
  const recorded = await writeEvent("applying", ctx);
  if (recorded.result !== "done") return unfinished(ctx, problemOf(recorded), [GO_ON]);
  ctx.report(`  ${recorded.note}`);
  await ctx.record({ type: "step-done", step: "record-applying", note: recorded.note, millis: 0n });
  return undefined;
}

/**
 * Starts the connector that a settled run left stopped. If a task that kept running after its stop has undone the
 * change since, the journaled body is sent again first.
 *
 * Rule: architecture, "What apply promises", 5.
 *
 * @throws Refusal if the run changed no offset, or its change is not in effect
 */
export function resumeSettled(ctx: RunContext): Promise<RunReport> {
  const before = ctx.state();
  const subject = offsetSubject(before.started.subject);
  if (subject?.scn === undefined || !offsetStands(before))
    throw new Refusal("APL808", `run ${ctx.run} has not left a changed offset to resume its connector from`);
  const step = { step: "resume-connector", connector: subject.connector, scn: subject.scn } as const;
  return attempt(ctx, async () => {
    const order = await opsOrder(ctx);
    if (order.later !== undefined)
      throw new Refusal(
        "OPS603",
        `${printRival(order.later)} came after run ${ctx.run}: its offset is no longer the connector's`,
        [
          {
            text: "Resume the connector with that run, on the machine that ran it",
            command: "cdcctl recover RUN --resume",
          },
        ],
      );
    await ctx.record({ type: "recovery-started", operator: ctx.operator });
    const again =
      before.steps.get("resume-connector") === "done" ? await startAgain(subject.connector, ctx) : undefined;
    return again ?? carryOut([step], ctx);
  });
}

/**
 * Starts the connector of a run again if it was stopped since, by a late stop or another user. Otherwise the step would
 * accept an earlier commit as proof that it runs.
 *
 * @returns the report of a run that stays open, if it was not started
 */
async function startAgain(connector: string, ctx: RunContext): Promise<RunReport | undefined> {
  await reopen("resume-connector", "the connector has to run", ctx);
  const { reading } = await inspectOffset(ctx);
  if (reading.is !== "committed") return undefined;
  const started = await startConnectorCall(connector, ctx);
  if (started.result === "done") return undefined;
  const { why, remedies } = notStarted(connector, started);
  return unfinished(ctx, why, remedies);
}

/**
 * Abandons a run that can no longer be determined, at the operator's request. What was announced is recorded as failed;
 * nothing else is changed.
 */
export function abandonRun(ctx: RunContext): Promise<RunReport> {
  return attempt(ctx, async () => {
    await ctx.record({ type: "recovery-started", operator: ctx.operator });
    await demandWhole(ctx);
    const state = ctx.state();
    const error = abandoned(ctx.operator, state);
    const offset = offsetSubject(state.started.subject);
    if (offset === undefined) return (await abandonedRemoval(error, ctx)) ?? end("abandoned", error, ctx);
    // A run taken over from the ops topic is announced there, whatever else its record contains.
    const isAnnounced = offset.scn !== undefined || offset.by === "ops topic";
    if ((await elsewhere(ctx))?.is === "applied") await takeDone("record-outcome", ctx);
    if (!isAnnounced || ctx.state().steps.get("record-outcome") === "done") return endAbandoned(error, ctx);
    await ctx.record({ type: "step-failed", step: "patch-offset", error, code: undefined });
    const unrecorded = await recordFailure(error, ctx, demandNotApplied);
    return unrecorded === undefined ? endAbandoned(error, ctx) : unfinished(ctx, `${error}; and ${unrecorded.why}`);
  });
}

/** Ends an abandoned run, and says how to start the connector that it has stopped and whose offset it has not sent. */
async function endAbandoned(error: string, ctx: RunContext): Promise<RunReport> {
  const report = await end("abandoned", error, ctx);
  const { started, attempts, steps } = ctx.state();
  const { subject } = started;
  const hasStopped = controlOf(subject) === undefined && subject.ranBefore && steps.has("stop-connector");
  return hasStopped && attempts === 0n ? { ...report, remedies: await howToStart(subject.connector, ctx) } : report;
}

/**
 * Adopts what the ops topic records and the journal does not: a record whose acknowledgement was lost, what `recover
 * --from-ops` has announced or settled from another machine meanwhile, and what other runs have done since.
 */
async function takeFromTopic(
  ctx: RunContext,
): Promise<Pick<OpsOrder, "own" | "takenOver" | "later"> & { readonly failed: boolean }> {
  const { steps } = ctx.state();
  if (!steps.has("record-applying")) return { own: [], takenOver: false, later: undefined, failed: false };
  const { own, outcomes, takenOver, later } = await opsOrder(ctx);
  const settled = steps.get("record-outcome") === "done";
  if (outcomes.size > 0 && ctx.state().started.subject.by !== "ops topic") await takeDone("record-applying", ctx);
  if (outcomes.has("failed") && !outcomes.has("applied") && !settled) {
    if (await isItsOwn(ctx)) {
      ctx.report(
        `${ctx.state().started.subject.opsTopic} records this run as failed, but its offset is stored: the record ` +
          "is ignored",
      );
      return { own, takenOver, later, failed: false };
    }
    const error = "it was recorded as failed, from another machine";
    await ctx.record({ type: "step-failed", step: "patch-offset", error, code: undefined });
    return { own, takenOver, later, failed: true };
  }
  // What this journal never sent and no other machine announced can't have been applied.
  if (outcomes.has("applied") && ctx.state().attempts === 0n && !takenOver) {
    const { opsTopic } = ctx.state().started.subject;
    ctx.report(`${opsTopic} records this run as applied, but it has sent nothing: the record is ignored`);
  } else if (outcomes.has("applied")) {
    await takeDone("record-applying", ctx);
    await takeDone("patch-offset", ctx);
    await takeDone("record-outcome", ctx);
  }
  return { own, takenOver, later, failed: false };
}

/**
 * Reads the stored offset. A connector that runs again may be about to commit over a late commit, so this waits, as
 * after a resume.
 */
async function inspectOffset(ctx: RunContext) {
  const state = ctx.state();
  const { body, steps } = state;
  const change = storedChangeOf(state);
  if (body === undefined || change === undefined) throw new Error("a look at an offset without a body");
  const { connector } = state.started.subject;
  const inspect = async () => {
    const stored = await storedUnder(body.entry, connector, ctx);
    return {
      stored,
      reading: readCommit(stored, change),
      isPrevious: sameOffset(stored, body.previous),
      isLate: isLateCommit(stored, body),
    };
  };
  const status = await ctx.connect.status(connector);
  const runs = status !== undefined && !isStopped(status);
  let last = await inspect();
  if (runs && !patchInDoubt(state) && steps.has("patch-offset")) {
    if (last.reading.is === "overwritten")
      ctx.report(`the stored offset is not the planned one; waiting for the next commit of ${connector}`);
    await until(ctx, ctx.limits.resume, async () => {
      last = await inspect();
      return last.reading.is === "overwritten" ? undefined : last;
    });
  }
  return { ...last, runs };
}

/**
 * Whether the PATCH has certainly been applied: by its own answer, or, while the connector runs and so no copy of it
 * can still be applied, by its effect. If a stopped connector's offset shows the effect, the same PATCH is sent once
 * more for an answer.
 */
function isApplied(
  { reading, runs }: Awaited<ReturnType<typeof inspectOffset>>,
  state: RunState,
  sent: boolean,
): boolean {
  if (reading.is === "as patched") return true;
  // A connector resumed by another user also commits: if nothing was sent, only an offset that it can't have reached by
  // itself counts.
  return reading.is === "committed" && ((sent && !patchInDoubt(state)) || (reading.proven && runs));
}

/**
 * Reports an offset that is neither the previous nor the planned one, and stays so.
 *
 * @param answered everything sent, here or by another machine, was answered
 */
async function notAsLeft(
  { stored, isLate }: Awaited<ReturnType<typeof inspectOffset>>,
  answered: boolean,
  ctx: RunContext,
): Promise<RunReport> {
  const seen = `the stored offset is not the planned one: ${canonicalJson(stored)}`;
  if (answered) {
    const by = isLate
      ? "a task that kept running after its stop has committed once more, or the connector has run since"
      : ((await pulledBack(stored, ctx)) ?? "the connector has run since, or another user or process has stored it");
    const error = `${seen}; ${by}`;
    await ctx.record({ type: "step-failed", step: "patch-offset", error, code: "APL804" });
    return giveUp("patch-offset", failed(error, "APL804"), ctx);
  }
  return unfinished(
    ctx,
    `${seen}, nor the previous one, and an unanswered PATCH may still be applied. Nothing was sent`,
    ["Find out who changed the offset, and whether a worker hangs.", abandonOnceNotHeld(PATCH, ctx)],
    "APL807",
  );
}

/**
 * False for a run that was taken over while its change was in effect, or something else was stored: the move was not
 * checked then.
 */
function mayMove(ctx: RunContext): boolean {
  return ctx.moveChecked === true || offsetSubject(ctx.state().started.subject)?.settlesOnly !== true;
}

function notChecked(ctx: RunContext): RunReport {
  const { connector, connectUrl, context } = ctx.state().started.subject;
  return unfinished(
    ctx,
    "the previous offset is stored, and the move was not checked when the run was taken over. Nothing was sent",
    [{ text: "To check it", command: fromOpsCommand({ connector, connectUrl, context }) }],
    "APL807",
  );
}

const PREVIOUS_STANDS = "the previous offset stands there";
