import { hasFailed, isRunning } from "../../facts/connector.ts";
import { decodeOffset, sameOffset } from "../../facts/stored-offset.ts";
import { printDuration } from "../../values/duration.ts";
import type { Scn } from "../../values/scn.ts";
import { type RunContext, until } from "../context.ts";
import type { Step, StepResult } from "./step.ts";
import { firstLine } from "./told.ts";

/**
 * Starts the new connector and waits until its task runs and its first offset is stored: that it runs does not prove that it began where it was
 * told to.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const startNew: Step<"start-new"> = {
  name: "start-new",

  describe: ({ connector }) =>
    `start ${connector}, wait until its task runs and its first offset is stored at or after the start`,

  async run({ connector }, ctx) {
    const start = startScn(ctx);
    const status = await ctx.connect.status(connector);
    if (status?.state !== "RUNNING") await ctx.connect.resume(connector);
    const result = await until(ctx, ctx.limits.resume, () => look(connector, start, ctx));
    return (
      result ?? {
        result: "unclear",
        why: `${connector} was started, and has not stored an offset within ${printDuration(ctx.limits.resume)}`,
        remedies: ["Look at its task and log.", "To go on waiting:  cdcctl recover", goBack(ctx)],
      }
    );
  },
};

function startScn(ctx: RunContext): Scn {
  const { takeover } = ctx.state();
  if (takeover === undefined) throw new Error("a connector is started without its start");
  return takeover.startScn;
}

async function look(connector: string, start: Scn, ctx: RunContext): Promise<StepResult | undefined> {
  const status = await ctx.connect.status(connector);
  if (status === undefined) return { result: "unclear", why: `${connector} is gone`, remedies: [goBack(ctx)] };
  if (hasFailed(status)) {
    const trace = firstLine(status.tasks.find(({ state }) => state === "FAILED")?.trace ?? status.trace);
    return {
      result: "unclear",
      why: `${connector} failed after it was started${trace === "" ? "" : `: ${trace}`}`,
      remedies: ["Mend what made it fail, restart its task, then:  cdcctl recover", goBack(ctx)],
    };
  }
  if (!isRunning(status)) return undefined;
  const scn = await storedScn(connector, ctx);
  if (scn === undefined) return undefined;
  return scn >= start
    ? { result: "done", note: `${connector} runs; its first offset is at ${scn}` }
    : {
        result: "unclear",
        why: `${connector} stored an offset at ${scn}, before its start ${start}`,
        remedies: ["It did not begin where it was told to: look at its configuration and log.", goBack(ctx)],
      };
}

/** The stored resume SCN; undefined while none is stored. */
async function storedScn(connector: string, ctx: RunContext): Promise<Scn | undefined> {
  const { prefix } = ctx.state().started.subject;
  const mine = (await ctx.connect.offsets(connector)).find(({ partition }) =>
    sameOffset(partition, { server: prefix }),
  );
  const decoded = mine?.offset === undefined || mine.offset === null ? undefined : decodeOffset(mine.offset);
  return decoded?.ok ? decoded.offset.resumeScn : undefined;
}

function goBack({ run }: RunContext): string {
  return `To go back to the legacy connector:  cdcctl recover ${run} --abandon, then a plan with phase: rollback`;
}
