import type { ConnectorStatus } from "../../facts/connector.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import type { Step, StepResult } from "./step.ts";
import { firstLine } from "./told.ts";

const GO_ON = "To go on waiting:  cdcctl recover";

/** Starts a connector whose offset was left as it is: that its task runs is all there is to see. */
export const startConnector: Step<"start-connector"> = {
  name: "start-connector",

  describe: ({ connector }) => `start ${connector}, wait until its task runs`,

  async probe({ connector }, ctx) {
    return runs(await ctx.connect.status(connector)) ? "done" : "not-done";
  },

  async run({ connector }, ctx) {
    if (runs(await ctx.connect.status(connector))) return { result: "done", note: `${connector} runs` };
    await ctx.connect.resume(connector);
    const result = await until(ctx, ctx.limits.resume, async (): Promise<StepResult | undefined> => {
      const status = await ctx.connect.status(connector);
      return runs(status) ? { result: "done", note: `${connector} is started` } : problem(connector, status, ctx);
    });
    return (
      result ?? {
        result: "unclear",
        why: `${connector} was started, and its task does not run after ${printDuration(ctx.limits.resume)}`,
        remedies: ["Look at its task and log.", GO_ON],
      }
    );
  },

  undo: ({ started }) => `${started.subject.connector} can be stopped again`,
};

function runs(status: ConnectorStatus | undefined): boolean {
  return (
    status?.state === "RUNNING" && status.tasks.length > 0 && status.tasks.every(({ state }) => state === "RUNNING")
  );
}

/** A resume starts no task that has failed: only a restart does. */
function problem(connector: string, status: ConnectorStatus | undefined, ctx: RunContext): StepResult | undefined {
  if (status === undefined) return { result: "unclear", why: `${connector} is gone`, remedies: [GO_ON] };
  const failed = status.tasks.find(({ state }) => state === "FAILED");
  if (status.state !== "FAILED" && failed === undefined) return undefined;
  const trace = firstLine(failed?.trace ?? status.trace);
  return {
    result: "unclear",
    why: `${connector} failed after it was started${trace === "" ? "" : `: ${trace}`}`,
    remedies: [
      `Mend what made it fail, then:  curl -X POST '${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/restart?includeTasks=true&onlyFailed=true'`,
      GO_ON,
    ],
  };
}
