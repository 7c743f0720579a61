import type { RunContext } from "../context.ts";
import { type CallOutcome, untilDefinite } from "./definite-call.ts";
import type { Step } from "./step.ts";

/** Deletes a connector; its stored offsets outlive it (reference: Kafka Connect, "Seen on real workers"). */
export const deleteConnector: Step<"delete-connector"> = {
  name: "delete-connector",

  describe: ({ connector }) => `delete the connector ${connector}`,

  async run({ connector }, ctx) {
    const removed = await removeConnector(connector, ctx);
    switch (removed.result) {
      case "done":
        return { result: "done", note: `${connector} is deleted` };
      case "unclear":
        return removed;
      case "failed":
        // In a return its offsets are deleted by now: the way back is to go on, not to leave it like this.
        return ctx.state().steps.get("delete-offsets") === "done"
          ? {
              result: "unclear",
              why: `${connector} could not be deleted: ${removed.error}`,
              remedies: ["cdcctl recover"],
            }
          : { result: "failed", error: `Connect did not delete ${connector}: ${removed.error}`, code: "APL815" };
    }
  },
};

/** Deletes a connector of this run, until a definite answer; done as well where Connect has none of the name. */
export function removeConnector(connector: string, ctx: RunContext): Promise<CallOutcome> {
  return untilDefinite(
    {
      call: `DELETE connector ${connector}`,
      send: () => ctx.connect.deleteConnector(connector),
      isDone: () => isGone(connector, ctx),
      obstacle: async () => undefined,
      meansDone: ({ status }) => status === 404,
    },
    ctx,
  );
}

async function isGone(connector: string, ctx: RunContext): Promise<boolean> {
  return (await ctx.connect.connector(connector)) === undefined;
}
