import { hasFailed, isRunning, isStopped } from "../../facts/connector/connector.ts";
import { decodeOffset, sameOffset } from "../../facts/offset/stored-offset.ts";
import { printDuration } from "../../values/duration.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { shellWord } from "../../values/shell-word.ts";
import { firstLine } from "../../values/truncate.ts";
import { type RunContext, until } from "../context.ts";
import { STARTED_REMEDIES } from "./at-rest.ts";
import { isAccepted } from "./create-connector.ts";
import { legacyNotAtRest } from "./legacy-at-rest.ts";
import { notStarted, startConnectorCall } from "./start.ts";
import type { Step, StepResult } from "./step.ts";

/**
 * Starts the new connector and waits until its task runs and its first offset is stored: that it runs does not prove
 * that it began where it was told to. The legacy connector is looked at first: never do both run.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const startNew: Step<"start-new"> = {
  async run({ connector }, ctx) {
    const status = await ctx.connect.status(connector);
    if (status === undefined) return gone(connector, ctx);
    // What is stored while it has not run is from an earlier connector of the name, and was accepted.
    const left = isStopped(status) ? await stored(connector, ctx) : undefined;
    const refused = await start(connector, ctx);
    if (refused !== undefined) return refused;
    const result = await until(ctx, ctx.limits.resume, () => look(connector, left, ctx));
    return (
      result ?? {
        result: "unclear",
        why: `${connector} was started, and has not stored an offset within ${printDuration(ctx.limits.resume)}`,
        remedies: ["Look at its task and log.", "To go on waiting:  cdcctl recover", goBack(ctx)],
      }
    );
  },
};

/** @returns why it is not started; once something was sent that might start it, that is past the point of no return */
async function start(connector: string, ctx: RunContext): Promise<StepResult | undefined> {
  const started = await startConnectorCall(connector, ctx, () => legacyNotAtRest(ctx));
  if (started.result === "done") return undefined;
  if (started.result === "failed" && started.rejected === undefined)
    return { result: "failed", error: started.error, code: "APL804", remedies: STARTED_REMEDIES };
  return notStarted(connector, started);
}

function startScn(ctx: RunContext): Scn {
  const { takeover } = ctx.state();
  if (takeover === undefined) throw new Error("a connector is started without its start");
  return takeover.startScn;
}

/** @param left what was stored before it was started; undefined where that was not seen */
async function look(
  connector: string,
  left: JsonObject | null | undefined,
  ctx: RunContext,
): Promise<StepResult | undefined> {
  const status = await ctx.connect.status(connector);
  if (status === undefined) return gone(connector, ctx);
  if (hasFailed(status)) {
    const trace = firstLine(status.tasks.find(({ state }) => state === "FAILED")?.trace ?? status.trace);
    return {
      result: "unclear",
      why: `${connector} failed after it was started${trace === "" ? "" : `: ${trace}`}`,
      remedies: ["Mend what made it fail, restart its task, then:  cdcctl recover", goBack(ctx)],
    };
  }
  if (!isRunning(status)) return undefined;
  const offset = await stored(connector, ctx);
  if (offset === null || sameOffset(offset, left ?? null)) return undefined;
  const decoded = decodeOffset(offset);
  if (!decoded.ok) return undefined;
  const { resumeScn } = decoded.offset;
  const start = startScn(ctx);
  // Where an earlier connector's offset was accepted it goes on from that, and not from its start.
  if (resumeScn < start && (left === null || !isAccepted(ctx)))
    return {
      result: "unclear",
      why: `${connector} stored an offset at ${resumeScn}, before its start ${start}`,
      remedies: ["It did not begin where it was told to: look at its configuration and log.", goBack(ctx)],
    };
  const note = `${connector} runs; its first offset is at ${resumeScn}`;
  if (left === null || !isAccepted(ctx)) return { result: "done", note };
  const unproven =
    left === undefined
      ? `that ${connector} began at its start, and not at what an earlier one had stored`
      : `that ${connector} began at its start: it goes on from ${whereStood(left)}, which an earlier one of its ` +
        "name had stored";
  return { result: "done", note, unproven };
}

function whereStood(left: JsonObject): string {
  const decoded = decodeOffset(left);
  return decoded.ok ? String(decoded.offset.resumeScn) : "an offset that can't be read";
}

/** What is stored for its prefix; null while nothing is. */
async function stored(connector: string, ctx: RunContext): Promise<JsonObject | null> {
  const { prefix } = ctx.state().started.subject;
  const entries = await ctx.connect.offsets(connector);
  return entries.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset ?? null;
}

function gone(connector: string, ctx: RunContext): StepResult {
  return {
    result: "unclear",
    why: `${connector} no longer exists: another user or process deleted it`,
    remedies: [goBack(ctx)],
  };
}

function goBack({ run }: RunContext): string {
  return (
    `To go back to the legacy connector:  cdcctl recover ${shellWord(run)} --abandon, then a plan with phase: ` +
    "rollback"
  );
}
