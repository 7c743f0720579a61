import { printDuration } from "../../values/duration.ts";
import { until } from "../context.ts";
import type { Step, StepResult } from "./step.ts";

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
    const started = await until(ctx, ctx.limits.resume, async (): Promise<StepResult | undefined> => {
      const status = await ctx.connect.status(connector);
      if (runs(status)) return { result: "done", note: `${connector} runs` };
      return undefined;
    });
    return (
      started ?? {
        result: "unclear",
        why: `${connector} was started, and its task does not run after ${printDuration(ctx.limits.resume)}`,
        remedies: ["Look at its task and log.", "To go on waiting:  cdcctl recover"],
      }
    );
  },
  undo: ({ started }) => `${started.subject.connector} can be stopped again`,
};

function runs(status: { readonly state: string; readonly tasks: readonly { readonly state: string }[] } | undefined) {
  return (
    status?.state === "RUNNING" && status.tasks.length > 0 && status.tasks.every(({ state }) => state === "RUNNING")
  );
}
