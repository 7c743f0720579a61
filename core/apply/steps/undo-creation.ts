import { isStopped } from "../../facts/connector/connector.ts";
import { keptRecords } from "../../kinds/migration/topics.ts";
import { callName, type StepName } from "../../plan/steps.ts";
import { phaseSubject } from "../../run/subject.ts";
import type { Advice } from "../../values/remedy.ts";
import { curlLine } from "../../values/shell-word.ts";
import { carryOutStep } from "../carry-out-step.ts";
import { ONCE_FIXED, type RunContext } from "../context.ts";
import type { CallOutcome } from "./definite-call.ts";
import { deleteOffsets, hasOffsets, removeConnector } from "./delete.ts";
import { recordApplying, recordFailure, recordOutcome } from "./record-event.ts";
import { removeRecords } from "./remove-records.ts";
import { howToStart } from "./start.ts";
import { failed, type StepResult, type Undone } from "./step.ts";
import { stopConnector } from "./stop-connector.ts";

/**
 * Deletes the connector that this run of a cutover has created, and no other. Created STOPPED it has not run, and
 * nothing of it remains; created running (before Kafka Connect 3.7) it is stopped first, and its offsets are deleted.
 *
 * @returns what remains, if anything: the legacy connector is then not resumed, so that both never run
 */
export async function undoCreation(connector: string, ctx: RunContext): Promise<Undone> {
  const state = ctx.state();
  const { legacy } = phaseSubject(state);
  if (state.calls.get(callName("create", connector)) !== "applied") return foreign(connector, ctx);
  const gone = createdStopped(ctx) ? await removeConnector(connector, ctx) : await stopAndRemove(connector, ctx);
  if (gone.result === "done") return undefined;
  if (gone.result === "unclear") return gone;
  return [
    `${connector} still exists: ${gone.error}`,
    { text: "To remove it", command: curlLine("DELETE", ctx.connect.url, connector) },
    ...(await howToStart(legacy, ctx)),
  ];
}

/**
 * Leaves a connector of that name alone that this run has not created. If it runs, the legacy connector is not started
 * beside it.
 */
async function foreign(connector: string, ctx: RunContext): Promise<readonly Advice[] | undefined> {
  const status = await ctx.connect.status(connector);
  if (status === undefined || isStopped(status)) return undefined;
  return [
    `${connector} is ${status.state} and was not created by this run: both connectors would deliver.`,
    ...(await howToStart(phaseSubject(ctx.state()).legacy, ctx)),
  ];
}

export function createdStopped(ctx: RunContext): boolean {
  const { plan } = ctx.state().started;
  return plan?.steps.some((planned) => planned.step === "create-connector" && planned.stopped) === true;
}

/**
 * Stops the connector, deletes what it has stored, recorded in the ops topic as in a rollback, and then the connector.
 * The journal records this as the steps of that removal, so that an interrupted process continues there.
 *
 * Rule: specification, "What the service does", 6: every change of a stored offset is recorded before it is made.
 */
async function stopAndRemove(connector: string, ctx: RunContext): Promise<CallOutcome> {
  if ((await ctx.connect.connector(connector)) !== undefined) {
    const stopped = await stopConnector.run({ step: "stop-connector", connector }, ctx);
    if (stopped.result === "unclear") return stopped;
    if (stopped.result !== "done") return { result: "failed", error: stopped.error, rejected: undefined };
  }
  const cleared = await removeStored(connector, ctx);
  if (cleared.result !== "done") return cleared;
  return removeConnector(connector, ctx, async () =>
    (await hasOffsets(connector, ctx)) ? `an offset of ${connector} was stored after it had stopped` : undefined,
  );
}

/**
 * Deletes the stored offsets of a connector that is stopped, with a record before and after it; done if none is stored.
 */
async function removeStored(connector: string, ctx: RunContext): Promise<CallOutcome> {
  const { returning, takeover, started } = ctx.state();
  if (await hasOffsets(connector, ctx)) {
    if (returning === undefined) {
      const removed = await ctx.connect.offsets(connector);
      await ctx.record({ type: "return-pinned", offsets: takeover?.offsets ?? [], removed });
    } else if (ctx.state().steps.get("delete-offsets") === "done") {
      await ctx.record({ type: "step-unclear", step: "delete-offsets", why: "an offset is stored again" });
    }
  } else if (returning === undefined) return { result: "done" };
  const { opsTopic: topic, prefix } = started.subject;
  const records = keptRecords({ config: takeover?.configuration ?? {}, prefix });
  const removal: readonly (readonly [StepName, () => Promise<StepResult>])[] = [
    ["remove-records", () => carryOutStep(removeRecords, { step: "remove-records", records }, ctx)],
    ["record-applying", () => carryOutStep(recordApplying, { step: "record-applying", topic }, ctx)],
    ["delete-offsets", () => carryOutStep(deleteOffsets, { step: "delete-offsets", connector }, ctx)],
    ["record-outcome", () => carryOutStep(recordOutcome, { step: "record-outcome", topic }, ctx)],
  ];
  for (const [step, carryOut] of removal) {
    const { steps, lastProblem } = ctx.state();
    const before = steps.get(step);
    if (before === "done") continue;
    const result: StepResult = before === "failed" ? failed(lastProblem ?? `${step} had failed`) : await carryOut();
    if (result.result === "unclear") return result;
    if (result.result === "done") continue;
    const { error } = result;
    const unrecorded = await recordFailure(error, ctx);
    return unrecorded === undefined
      ? { result: "failed", error, rejected: undefined }
      : {
          ...unrecorded,
          why: `${error}; and ${unrecorded.why}`,
          remedies: [ONCE_FIXED],
        };
  }
  return { result: "done" };
}
