import { CallFailed } from "../../errors.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { callName } from "../../plan/calls.ts";
import type { RunContext } from "../context.ts";
import { notAtRest, whyNotAtRest } from "./at-rest.ts";
import { type CallOutcome, notMade, untilDefinite } from "./definite-call.ts";
import { hasOffsets } from "./delete-offsets.ts";
import type { Step, StepResult } from "./step.ts";
import { isSlow } from "./stop-connector.ts";

/**
 * Deletes a connector that is stopped; its stored offsets outlive it (reference: Kafka Connect, "Seen on real
 * workers").
 */
export const deleteConnector: Step<"delete-connector"> = {
  async run({ connector }, ctx) {
    // In a return, what is stored for it was deleted before: what was stored since would outlive it.
    const cleared = ctx.state().steps.has("delete-offsets");
    const removed = await removeConnector(connector, ctx, async () =>
      cleared && (await hasOffsets(connector, ctx))
        ? `offsets of ${connector} are stored again: another user or process has run it, or a task of it was left ` +
          "behind"
        : undefined,
    );
    if (removed.result !== "done")
      return notMade(removed, { error: `Connect did not delete ${connector}`, code: "APL815" });
    return cleared ? lookedAfter(connector, ctx) : { result: "done", note: `${connector} is deleted` };
  },
};

/**
 * What a task that was left behind may have stored after the offsets were deleted. Connect tells of no connector that
 * is not there what is stored under its name, and deletes nothing of it: where the stop gave rise to doubt, that is
 * said; a cutover to the name looks once more before anything runs (MIG107).
 *
 * Rule: reference: Kafka Connect, "Behaviour to design for".
 */
async function lookedAfter(connector: string, ctx: RunContext): Promise<StepResult> {
  const { stopMillis } = ctx.state();
  const clear = `to remove it, create ${connector} STOPPED, DELETE its offsets, then delete it`;
  const note = `${connector} is deleted`;
  const isStored = await offsetsOfGone(connector, ctx);
  if (isStored === true)
    return {
      result: "done",
      note,
      unproven:
        `that no offset is left: one is stored again under the name of ${connector}: a task was left behind, or ` +
        `another user or process created it again; ${clear}`,
    };
  if (isStored === false) return { result: "done", note: `${note}, and nothing is stored under its name` };
  const blind = `${note}; whether anything is stored under its name since can't be seen without it`;
  if (stopMillis !== undefined && !isSlow(Number(stopMillis))) return { result: "done", note: blind };
  return {
    result: "done",
    note: blind,
    unproven:
      `that no offset is left: ${connector} took as long to stop as the workers' grace period, and a task that was ` +
      "left behind may store one under its name yet, which can't be seen before a cutover creates it again " +
      `(MIG107); ${clear}`,
  };
}

/** @returns whether there is any; undefined where it can't be seen */
async function offsetsOfGone(connector: string, ctx: RunContext): Promise<boolean | undefined> {
  try {
    return (await ctx.connect.offsets(connector)).some(({ offset }) => !isEmptyOffset(offset));
  } catch (failure) {
    // The deletion is done: that this can't be looked at is no reason to leave the legacy connector standing.
    if (failure instanceof CallFailed) return undefined;
    throw failure;
  }
}

/**
 * Deletes a connector, until a definite answer; done as well where Connect has none of the name. One that was started
 * meanwhile is left alone.
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
  const status = await notAtRest(connector, ctx);
  return status === undefined || status === "gone"
    ? undefined
    : `${whyNotAtRest(connector, status)}; it was not deleted`;
}
