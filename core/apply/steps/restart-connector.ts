import { hasFailed, isRunning } from "../../facts/connector/connector.ts";
import { callName } from "../../plan/steps.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import { printStatus, startedMillis } from "./at-rest.ts";
import { untilDefinite } from "./definite-call.ts";
import { isUp, notStarted, whyFailed } from "./start.ts";
import { done, type Step, type StepResult, unclear } from "./step.ts";

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
        ...(onlyFailed ? { isDone: () => isUp(connector, ctx), hasEffect: () => isUp(connector, ctx) } : {}),
      },
      ctx,
    );
    if (restarted.result !== "done") return notStarted(connector, restarted);
    return untilItRuns(connector, ctx);
  },
};

async function untilItRuns(connector: string, ctx: RunContext): Promise<StepResult> {
  let failedSince: number | undefined;
  let last = "not known";
  const result = await until(
    ctx,
    ctx.limits.resume,
    async (): Promise<StepResult | undefined> => {
      const status = await ctx.connect.status(connector);
      if (status === undefined) return unclear(`${connector} no longer exists`);
      last = printStatus(status);
      if (isRunning(status)) return done(`${connector} is running`);
      const at = ctx.clock.elapsed();
      failedSince = hasFailed(status) ? (failedSince ?? at) : undefined;
      return failedSince !== undefined && at - failedSince >= startedMillis(ctx)
        ? unclear(`${connector} failed again after it was restarted${whyFailed(status)}`)
        : undefined;
    },
    () => last,
  );
  return result ?? unclear(`${connector} was restarted, but is ${last} after ${printDuration(ctx.limits.resume)}`);
}
