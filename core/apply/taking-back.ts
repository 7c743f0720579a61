import { isStopped } from "../facts/connector.ts";
import { callName } from "../run/calls.ts";
import { phaseSubject } from "../run/subject.ts";
import type { RunContext } from "./context.ts";
import type { CallOutcome } from "./steps/definite-call.ts";
import { removeConnector } from "./steps/delete-connector.ts";
import { removeOffsets } from "./steps/delete-offsets.ts";
import type { StepResult } from "./steps/step.ts";
import { stopConnector } from "./steps/stop-connector.ts";

export type Unclear = Extract<StepResult, { result: "unclear" }>;

/**
 * Deletes the connector that this run of a cutover has created; never one that it has not. Created STOPPED it has not run, and nothing of it remains; created
 * running (before Kafka Connect 3.7) it is stopped first, and what it stored is deleted.
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
    `To remove it:  curl -X DELETE ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}`,
    howToStart(subject.legacy, ctx),
  ];
}

/** One of the name that this run has not created is left alone. Where it runs, the legacy connector is not started beside it. */
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

async function stopAndRemove(connector: string, ctx: RunContext): Promise<CallOutcome> {
  if ((await ctx.connect.connector(connector)) !== undefined) {
    const stopped = await stopConnector.run({ step: "stop-connector", connector }, ctx);
    if (stopped.result === "unclear") return stopped;
    if (stopped.result !== "done") return { result: "failed", error: stopped.error, status: undefined };
    const cleared = await removeOffsets(connector, ctx);
    if (cleared.result !== "done") return cleared;
  }
  return removeConnector(connector, ctx);
}

export function howToStart(connector: string, ctx: RunContext): string {
  return `${connector} stays stopped. To start it:  curl -X PUT ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/resume`;
}
