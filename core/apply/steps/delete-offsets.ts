import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { callName } from "../../plan/calls.ts";
import type { RunContext } from "../context.ts";
import { notAtRest, whyNotAtRest } from "./at-rest.ts";
import { type CallOutcome, notMade, untilDefinite } from "./definite-call.ts";
import { removesNothing } from "./record-event.ts";
import { overtaken } from "./rivals.ts";
import type { Step } from "./step.ts";

/**
 * Deletes what is stored under the new connector's name: it would outlive the connector, and a second cutover would
 * resume from it without a word.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers": stop, DELETE offsets, DELETE connector.
 */
export const deleteOffsets: Step<"delete-offsets"> = {
  async run({ connector }, ctx) {
    // Where nothing was sent yet, and the deletion was announced, no other run may have come first.
    const state = ctx.state();
    if (!state.calls.has(callName("delete offsets", connector)) && !removesNothing(state)) {
      const rival = await overtaken(ctx);
      if (rival !== undefined) return rival;
    }
    const deleted = await removeOffsets(connector, ctx);
    if (deleted.result !== "done")
      return notMade(deleted, { error: `Connect did not delete the offsets of ${connector}`, code: "APL806" });
    if (await hasOffsets(connector, ctx))
      return {
        result: "unclear",
        why:
          `the offsets of ${connector} were deleted, and one is stored again: a task that had not really stopped ` +
          "has committed once more",
        remedies: ["Find the task that was left behind and end it; then:  cdcctl recover"],
      };
    return { result: "done", note: `nothing is stored for ${connector} any more` };
  },
};

/**
 * Deletes the offsets of a STOPPED connector, until a definite answer. What was deleted and is stored again is deleted
 * again.
 */
function removeOffsets(connector: string, ctx: RunContext): Promise<CallOutcome> {
  return untilDefinite(
    {
      call: callName("delete offsets", connector),
      send: () => ctx.connect.deleteOffsets(connector),
      isDone: async () => (await ctx.connect.connector(connector)) !== undefined && !(await hasOffsets(connector, ctx)),
      obstacle: () => notStopped(connector, ctx),
      stands: async () => !(await hasOffsets(connector, ctx)),
    },
    ctx,
  );
}

/** Whether anything is stored for a connector that is there: of one that is not, nothing can be seen. */
export async function hasOffsets(connector: string, ctx: RunContext): Promise<boolean> {
  if ((await ctx.connect.connector(connector)) === undefined) return false;
  return (await ctx.connect.offsets(connector)).some(({ offset }) => !isEmptyOffset(offset));
}

async function notStopped(connector: string, ctx: RunContext): Promise<string | undefined> {
  const status = await notAtRest(connector, ctx);
  if (status === undefined) return undefined;
  return status === "gone"
    ? `${whyNotAtRest(connector, status)}; what is stored under its name outlives it, and can't be deleted without it`
    : `${whyNotAtRest(connector, status)}; nothing was sent`;
}
