import { isStopped } from "../../facts/connector.ts";
import { callName } from "../../run/calls.ts";
import type { RunContext } from "../context.ts";
import { type CallOutcome, untilDefinite } from "./definite-call.ts";
import { hasOffsets } from "./delete-offsets.ts";
import type { Step } from "./step.ts";

/** Deletes a connector that is stopped; its stored offsets outlive it (reference: Kafka Connect, "Seen on real workers"). */
export const deleteConnector: Step<"delete-connector"> = {
  name: "delete-connector",

  describe: ({ connector }) => `delete the connector ${connector}`,

  async run({ connector }, ctx) {
    // In a return, what is stored for it was deleted before: what was stored since would outlive it.
    const cleared = ctx.state().steps.has("delete-offsets");
    const removed = await removeConnector(connector, ctx, async () =>
      cleared && (await hasOffsets(connector, ctx))
        ? `offsets of ${connector} are stored again: another hand has run it, or a task of it was left behind`
        : undefined,
    );
    switch (removed.result) {
      case "done":
        return { result: "done", note: `${connector} is deleted` };
      case "unclear":
        return removed;
      case "failed":
        return removed.status === undefined
          ? { result: "failed", error: removed.error, code: "APL804" }
          : { result: "failed", error: `Connect did not delete ${connector}: ${removed.error}`, code: "APL815" };
    }
  },
};

/**
 * Deletes a connector, until a definite answer; done as well where Connect has none of the name. One that another hand has started is left alone.
 *
 * @param more what else speaks against it
 */
export function removeConnector(
  connector: string,
  ctx: RunContext,
  more: () => Promise<string | undefined> = async () => undefined,
): Promise<CallOutcome> {
  return untilDefinite(
    {
      call: callName("delete connector", connector),
      send: () => ctx.connect.deleteConnector(connector),
      isDone: async () => (await ctx.connect.connector(connector)) === undefined,
      obstacle: async () => (await notStopped(connector, ctx)) ?? more(),
      meansDone: ({ status }) => status === 404,
    },
    ctx,
  );
}

async function notStopped(connector: string, ctx: RunContext): Promise<string | undefined> {
  const status = await ctx.connect.status(connector);
  if (status === undefined || isStopped(status)) return undefined;
  return `${connector} is ${status.state}, not STOPPED: another hand than this run's has started it; it was not deleted`;
}
