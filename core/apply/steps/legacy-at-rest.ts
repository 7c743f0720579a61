import { sameOffsets } from "../../facts/offset/stored-offset.ts";
import { phaseSubject } from "../../run/subject.ts";
import type { RunContext } from "../context.ts";
import { notAtRest, whyNotAtRest } from "./at-rest.ts";

/**
 * What speaks against letting the new connector go on from where the legacy one stopped: that it runs again, or has run
 * since. Both would then deliver, or the start would be older than it was checked for. Reads only.
 */
export async function legacyNotAtRest(ctx: RunContext): Promise<string | undefined> {
  const state = ctx.state();
  const { legacy } = phaseSubject(state);
  const status = await notAtRest(legacy, ctx);
  if (status !== undefined) return whyNotAtRest(legacy, status);
  if (state.takeover !== undefined && !sameOffsets(await ctx.connect.offsets(legacy), state.takeover.offsets))
    return (
      `the stored offsets of ${legacy} are no longer those that it stopped with: another user or process has run ` +
      "it, or changed them"
    );
  return undefined;
}
