import { hasFailed, isRunning } from "../../facts/connector/connector.ts";
import { callName } from "../../plan/calls.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import { printStatus, startedMillis } from "./at-rest.ts";
import { untilDefinite } from "./definite-call.ts";
import { notStarted, whyFailed } from "./start.ts";
import type { Step, StepResult } from "./step.ts";

/**
 * Restarts a connector with its tasks, or only those that failed, and waits until all of them run. A failed one is
 * still shown as FAILED for a moment: each worker reads the status topic at its own pace.
 *
 * Rule: KIP-745, "Connect API to restart connector and tasks".
 */
export const restartConnector: Step<"restart-connector"> = {
  async run({ connector, onlyFailed }, ctx) {
    const restarted = await untilDefinite(
      {
        call: callName("restart", connector),
        send: () => ctx.connect.restart(connector, onlyFailed),
        ...(onlyFailed ? { isDone: () => runs(connector, ctx), hasEffect: () => runs(connector, ctx) } : {}),
      },
      ctx,
    );
    if (restarted.result !== "done") return notStarted(connector, restarted);
    return untilItRuns(connector, ctx);
  },
};

async function runs(connector: string, { connect }: RunContext): Promise<boolean> {
  const status = await connect.status(connector);
  return status !== undefined && isRunning(status);
}

async function untilItRuns(connector: string, ctx: RunContext): Promise<StepResult> {
  let failedSince: number | undefined;
  let last = "not known";
  const result = await until(
    ctx,
    ctx.limits.resume,
    async (): Promise<StepResult | undefined> => {
      const status = await ctx.connect.status(connector);
      if (status === undefined) return { result: "unclear", why: `${connector} no longer exists` };
      last = printStatus(status);
      if (isRunning(status)) return { result: "done", note: `${connector} is running` };
      const at = ctx.clock.elapsed();
      failedSince = hasFailed(status) ? (failedSince ?? at) : undefined;
      return failedSince !== undefined && at - failedSince >= startedMillis(ctx)
        ? { result: "unclear", why: `${connector} failed again after it was restarted${whyFailed(status)}` }
        : undefined;
    },
    () => last,
  );
  return (
    result ?? {
      result: "unclear",
      why: `${connector} was restarted, but is ${last} after ${printDuration(ctx.limits.resume)}`,
    }
  );
}
