import { isStopped } from "../../facts/connector.ts";
import { sameOffsets } from "../../facts/stored-offset.ts";
import { phaseSubject } from "../../run/subject.ts";
import type { RunContext } from "../context.ts";

/**
 * What speaks against letting the new connector go on from where the legacy one stopped: that it runs again, by another hand, or has run since.
 * Both would then deliver, or the start would be older than it was checked for. Reads only.
 */
export async function legacyNotAtRest(ctx: RunContext): Promise<string | undefined> {
  const state = ctx.state();
  const { legacy } = phaseSubject(state);
  const [status, offsets] = [await ctx.connect.status(legacy), await ctx.connect.offsets(legacy)];
  if (status === undefined) return `${legacy} is gone: another hand than this run's has deleted it`;
  if (!isStopped(status))
    return `${legacy} is ${status.state} again, by another hand than this run's: does an operator (Strimzi and the like) manage it?`;
  if (state.takeover !== undefined && !sameOffsets(offsets, state.takeover.offsets))
    return `the stored offsets of ${legacy} are no longer those that it stopped with: another hand has run it, or changed them`;
  return undefined;
}
