import { isStopped } from "../../facts/connector.ts";
import type { OffsetEntry } from "../../facts/offset.ts";
import { sameOffset } from "../../facts/stored-offset.ts";
import { printDuration } from "../../values/duration.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import type { RunContext } from "../context.ts";
import type { Step, StepResult } from "./step.ts";

const LONGEST_PAUSE = 10_000;

/**
 * Sends the journalled body. Where no answer comes it is neither done nor undone: the body is absolute, so the identical PATCH is sent again
 * until a definite answer.
 *
 * Rule: architecture, "What apply promises", 4; reference: Kafka Connect, "Seen on real workers".
 */
export const patchOffset: Step<"patch-offset"> = {
  name: "patch-offset",

  describe: () => "patch the stored offset, read it back",

  async run({ connector }, ctx) {
    const { body } = ctx.state();
    if (body === undefined) throw new Error("a PATCH without a body");
    const start = ctx.clock.elapsed();
    // Answered with 200 before this sitting, and only the read-back is missing: the connector may run again by now.
    if (
      ctx.state().attempts > 0n &&
      !ctx.state().patchInDoubt &&
      sameOffset(await storedUnder(body.entry, connector, ctx), body.entry.offset)
    )
      return asPlanned("");
    for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const obstacle = await obstacleToSending(connector, ctx);
      if (obstacle !== undefined)
        return ctx.state().patchInDoubt
          ? { result: "unclear", why: obstacle }
          : { result: "failed", error: obstacle, code: "APL804" };
      const earlierInDoubt = ctx.state().patchInDoubt;
      const attempt = ctx.state().attempts + 1n;
      await ctx.record({ type: "patch-sent", attempt });
      const answer = await ctx.connect.patchOffsets(connector, [body.entry]);
      if (answer.answer === "applied") {
        await ctx.record({ type: "patch-applied", attempt });
        return readBack(connector, ctx, answer.checked);
      }
      // Status 0: nothing was sent, so that another try may help. Not a refusal.
      if (answer.answer === "rejected" && answer.status !== 0 && !earlierInDoubt) {
        return {
          result: "failed",
          error: `Connect refused the offset (${answer.status}): ${answer.message}`,
          code: "APL806",
        };
      }
      const why =
        answer.answer === "unanswered"
          ? answer.why
          : `${answer.status === 0 ? "" : `${answer.status} `}${answer.message}${earlierInDoubt ? ", while an earlier attempt is unanswered" : ""}`;
      await ctx.record({ type: "patch-unanswered", attempt, why });
      ctx.report(`no definite answer to the PATCH (${why}); sending the identical one again`);
      if (ctx.interrupt.aborted || ctx.clock.elapsed() - start > ctx.limits.patch) return inDoubt(why, ctx);
      await ctx.clock.sleep(pause * (0.5 + ctx.clock.random() / 2), ctx.interrupt);
      if (ctx.interrupt.aborted) return inDoubt(why, ctx);
    }
  },
};

function inDoubt(why: string, { interrupt, limits }: RunContext): StepResult {
  const when = interrupt.aborted
    ? "interrupted before a definite answer"
    : `no definite answer within ${printDuration(limits.patch)}`;
  return {
    result: "unclear",
    why: `whether the offset was changed is not known: ${when} (${why}). It may be applied later`,
    remedies: ["When the workers answer again:  cdcctl recover"],
  };
}

/** Before each sending the connector is STOPPED and its offset is the journalled previous or new one; else nothing is sent. */
export async function obstacleToSending(connector: string, ctx: RunContext): Promise<string | undefined> {
  const { body } = ctx.state();
  const [status, stored] = await Promise.all([
    ctx.connect.status(connector),
    body && storedUnder(body.entry, connector, ctx),
  ]);
  if (status === undefined || !isStopped(status)) {
    return `${connector} is ${status?.state ?? "gone"}, not STOPPED: somebody else started it (an operator such as Strimzi?); nothing was sent`;
  }
  if (body === undefined || sameOffset(stored ?? null, body.previous) || sameOffset(stored ?? null, body.entry.offset))
    return undefined;
  return `the stored offset is neither the previous nor the new one: ${canonicalJson(stored)}; nothing was sent`;
}

function asPlanned(remark: string): StepResult {
  return { result: "done", note: `the stored offset is as planned${remark}` };
}

async function readBack(connector: string, ctx: RunContext, checked: boolean): Promise<StepResult> {
  const { body } = ctx.state();
  const stored = body && (await storedUnder(body.entry, connector, ctx));
  if (body !== undefined && sameOffset(stored ?? null, body.entry.offset)) {
    return asPlanned(checked ? "" : " (the connector class does not check offsets)");
  }
  return overwritten(stored ?? null);
}

/** The result for an offset that was patched and then changed again. */
export function overwritten(stored: JsonObject | null): StepResult {
  return {
    result: "unclear",
    why: `the offset was patched, and then overwritten: it is ${canonicalJson(stored)}. A task that had not really stopped has committed once more`,
    remedies: ["cdcctl recover"],
  };
}

/** What is stored under the partition of the body; null when nothing is. */
export async function storedUnder(
  { partition }: OffsetEntry,
  connector: string,
  ctx: RunContext,
): Promise<JsonObject | null> {
  const entries = await ctx.connect.offsets(connector);
  return entries.find((entry) => canonicalJson(entry.partition) === canonicalJson(partition))?.offset ?? null;
}
