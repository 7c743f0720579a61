import { isStopped } from "../facts/connector/connector.ts";
import type { PlannedStep, StepName } from "../plan/plan.ts";
import { callName } from "../run/calls.ts";
import { phaseSubject } from "../run/subject.ts";
import { curlLine } from "../values/shell-word.ts";
import { carryOutStep } from "./carry-out-step.ts";
import type { RunContext } from "./context.ts";
import type { CallOutcome } from "./steps/definite-call.ts";
import { removeConnector } from "./steps/delete-connector.ts";
import { hasOffsets } from "./steps/delete-offsets.ts";
import { isRecorded, writeEvent } from "./steps/record-event.ts";
import type { StepResult } from "./steps/step.ts";
import { stopConnector } from "./steps/stop-connector.ts";

export type Unclear = Extract<StepResult, { result: "unclear" }>;

/**
 * Deletes the connector that this run of a cutover has created; never one that it has not. Created STOPPED it has not
 * run, and nothing of it remains; created running (before Kafka Connect 3.7) it is stopped first, and what it stored is
 * deleted.
 *
 * @returns what stays, where something does: the legacy connector is not resumed then, so that never both run
 */
export async function takeBackNew(ctx: RunContext): Promise<readonly string[] | Unclear | undefined> {
  const state = ctx.state();
  const { subject } = state.started;
  if (subject.command !== "migrate" || subject.phase !== "cutover") return undefined;
  const { connector } = phaseSubject(state);
  if (state.calls.get(callName("create", connector)) !== "applied") return foreign(connector, ctx);
  const gone = createdStopped(ctx) ? await removeConnector(connector, ctx) : await stopAndRemove(connector, ctx);
  if (gone.result === "done") return undefined;
  if (gone.result === "unclear") return gone;
  return [
    `${connector} is still there: ${gone.error}`,
    `To remove it:  ${curlLine("DELETE", ctx.connect.url, connector)}`,
    howToStart(subject.legacy, ctx),
  ];
}

/**
 * One of the name that this run has not created is left alone. Where it runs, the legacy connector is not started
 * beside it.
 */
async function foreign(connector: string, ctx: RunContext): Promise<readonly string[] | undefined> {
  const status = await ctx.connect.status(connector);
  if (status === undefined || isStopped(status)) return undefined;
  return [
    `${connector} is ${status.state}, and not of this run: both connectors would deliver.`,
    howToStart(phaseSubject(ctx.state()).legacy, ctx),
  ];
}

function createdStopped(ctx: RunContext): boolean {
  const { plan } = ctx.state().started;
  return plan?.steps.some((planned) => planned.step === "create-connector" && planned.stopped) === true;
}

/**
 * Stops the connector, deletes what it has stored, recorded in the ops topic as in a return, and then the connector.
 * What was recorded is in the journal as the steps of that removal, so that a process that ends in between continues
 * there.
 *
 * Rule: specification, "What the service does", 6: every change of a stored offset is recorded before it is made.
 */
async function stopAndRemove(connector: string, ctx: RunContext): Promise<CallOutcome> {
  if ((await ctx.connect.connector(connector)) !== undefined) {
    const stopped = await stopConnector.run({ step: "stop-connector", connector }, ctx);
    if (stopped.result === "unclear") return stopped;
    if (stopped.result !== "done") return { result: "failed", error: stopped.error, status: undefined };
  }
  const cleared = await removeStored(connector, ctx);
  if (cleared.result !== "done") return cleared;
  return removeConnector(connector, ctx, async () =>
    (await hasOffsets(connector, ctx)) ? `an offset of ${connector} was stored after it had stopped` : undefined,
  );
}

/**
 * Deletes the stored offsets of a connector that is stopped, with a record before and after it; done where there is
 * none.
 */
async function removeStored(connector: string, ctx: RunContext): Promise<CallOutcome> {
  const { returning, takeover, started } = ctx.state();
  if (await hasOffsets(connector, ctx)) {
    if (returning === undefined) {
      const removed = await ctx.connect.offsets(connector);
      await ctx.record({ type: "return-fixed", offsets: takeover?.offsets ?? [], removed });
    } else if (ctx.state().steps.get("delete-offsets") === "done") {
      await ctx.record({ type: "step-unclear", step: "delete-offsets", why: "an offset is stored again" });
    }
  } else if (returning === undefined) return { result: "done" };
  const { opsTopic } = started.subject;
  const removal: readonly PlannedStep[] = [
    { step: "record-applying", topic: opsTopic },
    { step: "delete-offsets", connector },
    { step: "record-outcome", topic: opsTopic },
  ];
  for (const planned of removal) {
    const before = ctx.state().steps.get(planned.step);
    if (before === "done") continue;
    const result: StepResult =
      before === "failed"
        ? { result: "failed", error: ctx.state().lastProblem ?? `${planned.step} had failed` }
        : await carryOutStep(planned, ctx);
    if (result.result === "unclear") return result;
    if (result.result !== "done") return removalFailed(planned.step, result.error, ctx);
  }
  return { result: "done" };
}

/** What was announced is recorded as failed; an announcement that was refused leaves nothing to record. */
async function removalFailed(step: StepName, error: string, ctx: RunContext): Promise<CallOutcome> {
  const isToldAlready = async () => ctx.recovering && (await isRecorded("failed", ctx, "tail"));
  if (step !== "record-applying" && !(await isToldAlready())) {
    const recorded = await writeEvent("failed", ctx, error);
    if (recorded.result !== "done")
      return {
        result: "unclear",
        why: `${error}; and its record could not be written: ${"why" in recorded ? recorded.why : recorded.error}`,
        remedies: ["When that is fixed:  cdcctl recover"],
      };
    ctx.report(`  ${recorded.note}`);
  }
  return { result: "failed", error, status: undefined };
}

export function howToStart(connector: string, ctx: RunContext): string {
  return `${connector} stays stopped. To start it:  ${curlLine("PUT", ctx.connect.url, connector, "/resume")}`;
}
