import { type ConnectorStatus, hasFailed, isRunning } from "../../facts/connector/connector.ts";
import { printDuration } from "../../values/duration.ts";
import { curlLine } from "../../values/shell-word.ts";
import { firstLine } from "../../values/truncate.ts";
import { type RunContext, until } from "../context.ts";
import { notStarted, startConnectorCall } from "./start.ts";
import type { Step, StepResult } from "./step.ts";

const GO_ON = "To go on waiting:  cdcctl recover";

/** Starts a connector whose offset was left as it is: that its task runs is all there is to see. */
export const startConnector: Step<"start-connector"> = {
  async run({ connector }, ctx) {
    const up = await isUp(connector, ctx);
    const started = await startConnectorCall(connector, ctx);
    if (started.result !== "done") return notStarted(connector, started);
    if (up) return { result: "done", note: `${connector} runs` };
    const result = await until(ctx, ctx.limits.resume, async (): Promise<StepResult | undefined> => {
      const status = await ctx.connect.status(connector);
      if (status === undefined) return { result: "unclear", why: `${connector} is gone`, remedies: [GO_ON] };
      return isRunning(status) ? { result: "done", note: `${connector} is started` } : problem(connector, status, ctx);
    });
    return (
      result ?? {
        result: "unclear",
        why: `${connector} was started, and its task does not run after ${printDuration(ctx.limits.resume)}`,
        remedies: ["Look at its task and log.", GO_ON],
      }
    );
  },
};

async function isUp(connector: string, ctx: RunContext): Promise<boolean> {
  const status = await ctx.connect.status(connector);
  return status !== undefined && isRunning(status);
}

/** A resume starts no task that has failed: only a restart does. */
function problem(connector: string, status: ConnectorStatus, ctx: RunContext): StepResult | undefined {
  if (!hasFailed(status)) return undefined;
  const failed = status.tasks.find(({ state }) => state === "FAILED");
  const trace = firstLine(failed?.trace ?? status.trace);
  return {
    result: "unclear",
    why: `${connector} failed after it was started${trace === "" ? "" : `: ${trace}`}`,
    remedies: [
      "Mend what made it fail, then:  " +
        `${curlLine("POST", ctx.connect.url, connector, "/restart?includeTasks=true&onlyFailed=true")}`,
      GO_ON,
    ],
  };
}
