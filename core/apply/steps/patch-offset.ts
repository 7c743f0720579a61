import { isLateCommit } from "../../facts/offset/stored-change.ts";
import { type OffsetEntry, sameOffset } from "../../facts/offset/stored-offset.ts";
import { pulledBackBy } from "../../journal/held-back.ts";
import { PATCH } from "../../plan/steps.ts";
import { storedChangeOf } from "../../run/change.ts";
import { nothingSent } from "../../run/sentences.ts";
import { patchInDoubt } from "../../run/state.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import { shellWord } from "../../values/shell-word.ts";
import { GO_ON, type RunContext, until } from "../context.ts";
import { strayBody } from "../own-body.ts";
import { failedNotAtRest, isPassing, notAtRest, STARTED_REMEDIES, startedMillis, whyNotAtRest } from "./at-rest.ts";
import { notMade, untilDefinite } from "./definite-call.ts";
import { opsOrder, overtaken, printRival } from "./ops-topic.ts";
import { done, failed, type Step, type StepResult, unclear } from "./step.ts";

/**
 * Sends the journaled body. Without an answer the PATCH is neither done nor undone; the body is absolute, so the
 * identical PATCH is sent again until a definite answer. Before the first one the ops topic has to show that no other
 * run came first.
 *
 * Rule: architecture, "What apply promises", 4 and 6; reference: Kafka Connect, "Seen on real workers".
 */
export const patchOffset: Step<"patch-offset"> = {
  async run({ connector }, ctx) {
    const { body, attempts, patchedElsewhere } = ctx.state();
    if (body === undefined) throw new Error("a PATCH without a body");
    if (patchedElsewhere && patchInDoubt(ctx.state()) && (await isSettledElsewhere(connector, ctx))) {
      await ctx.record({ type: "patch-applied", attempt: attempts });
      return asPlanned("; another machine has recorded it");
    }
    if (attempts === 0n) {
      const rival = await overtaken(ctx);
      if (rival !== undefined) return rival;
    }
    return send(connector, ctx, (stored) => sameOffset(stored, body.previous));
  },
};

/**
 * Sends the journaled body again if a late commit of the old task has undone the change: the connector is STOPPED, and
 * no other user has changed it.
 *
 * @returns the step's result if it was not repaired
 * @throws Refusal as `strayBody`
 */
export async function repair(
  connector: string,
  stored: JsonObject | null,
  ctx: RunContext,
): Promise<StepResult | undefined> {
  if (!isLate(stored, ctx)) return overwritten(stored, ctx);
  const { later, events } = await opsOrder(ctx);
  const stray = ctx.recovering ? strayBody(ctx.state(), events, true) : undefined;
  if (stray !== undefined) throw stray;
  if (later !== undefined)
    return unclear(`the stored offset is no longer that of this run: ${printRival(later)} came after it`, [
      { text: "To leave it to that run", command: `cdcctl recover ${shellWord(ctx.run)} --abandon` },
    ]);
  ctx.report(
    "a task that kept running after its stop has committed again and undone the change; sending the same body again",
  );
  const sent = await send(connector, ctx, (now) => isLate(now, ctx));
  return sent.result === "done" ? undefined : sent;
}

/** How long the first PATCH waits for its answer, milliseconds. */
const FIRST_PATIENCE = 15_000;

/**
 * How long an attempt waits for its answer. A follower waits for a frozen leader as long as its own timer allows; the
 * body is absolute, so the same one is soon sent again. Later attempts wait longer, for a cluster that is only slow.
 */
function patienceOf(attempt: bigint): number {
  return FIRST_PATIENCE * 2 ** Math.min(Number(attempt) - 1, 3);
}

/**
 * Sends the body. @param replaces whether the body may replace the stored offset. An equal value is sent again.
 */
async function send(
  connector: string,
  ctx: RunContext,
  replaces: (stored: JsonObject | null) => boolean,
): Promise<StepResult> {
  const { body } = ctx.state();
  if (body === undefined) throw new Error("a PATCH without a body");
  const isStored = async () => isNew(await storedUnder(body.entry, connector, ctx), ctx);
  let checked = true;
  const sent = await untilDefinite(
    {
      call: PATCH,
      effect: "the offset was changed",
      async send() {
        const answer = await ctx.connect.patchOffsets(connector, [body.entry], patienceOf(ctx.state().attempts));
        if (answer.answer === "applied") checked = answer.checked;
        return answer;
      },
      // Answered with 200 before this attempt, and only the read-back is missing: the connector may run again by now.
      stands: isStored,
      // If another machine also works on this run, the number sent is unknown.
      hasEffect: async () => ctx.state().attempts === 1n && !ctx.state().patchedElsewhere && (await isStored()),
      obstacle: () => obstacleToSending(connector, ctx, replaces),
    },
    ctx,
  );
  if (sent.result === "done") return readBack(connector, ctx, checked);
  return sent.result === "failed" && sent.rejected?.reason === "not stopped"
    ? refusedAsRunning(connector, ctx)
    : notMade(sent, { error: "Connect refused the offset", code: "APL806" });
}

/**
 * Connect's refusal because the connector is not stopped is ahead of any status, so this waits for the status to show
 * it.
 */
async function refusedAsRunning(connector: string, ctx: RunContext): Promise<StepResult> {
  const seen = await until(ctx, startedMillis(ctx), async () => {
    const now = (await ctx.connect.status(connector)) ?? "gone";
    return now === "gone" || !isPassing(now) ? now : undefined;
  });
  return failed(
    seen === undefined
      ? `Connect refused the PATCH because ${connector} is not stopped, although its status does not show that yet`
      : `${whyNotAtRest(connector, seen)}; Connect refused the PATCH`,
    "APL804",
    STARTED_REMEDIES,
  );
}

/**
 * Why the offset of a connector must not be moved now; undefined if it may. Before each attempt the connector is
 * STOPPED and its offset is one that the body may replace, or the body's own.
 *
 * @param replaces omitted: only the previous offset
 */
export async function obstacleToSending(
  connector: string,
  ctx: RunContext,
  replaces: (stored: JsonObject | null) => boolean = (stored) => sameOffset(stored, ctx.state().body?.previous ?? null),
): Promise<string | undefined> {
  const { body } = ctx.state();
  const status = await notAtRest(connector, ctx);
  if (status !== undefined) return failedNotAtRest(connector, status, ctx).error;
  const stored = body === undefined ? null : await storedUnder(body.entry, connector, ctx);
  if (body === undefined || replaces(stored) || isNew(stored, ctx)) return undefined;
  const by = isLate(stored, ctx)
    ? "a task that kept running after its stop has committed once more"
    : "another user or process has changed it";
  const sent = nothingSent(ctx.state(), ctx.recovering);
  return `the stored offset is neither the previous nor the new one: ${canonicalJson(stored)}: ${by}; ${sent}`;
}

/**
 * Another machine that recovers this run has recorded it as applied, and it is in effect: nothing is left to be sent.
 */
async function isSettledElsewhere(connector: string, ctx: RunContext): Promise<boolean> {
  const { body } = ctx.state();
  const { outcomes } = await opsOrder(ctx);
  return body !== undefined && outcomes.has("applied") && isNew(await storedUnder(body.entry, connector, ctx), ctx);
}

function isLate(stored: JsonObject | null, ctx: RunContext): boolean {
  const { body } = ctx.state();
  return body !== undefined && isLateCommit(stored, body);
}

function isNew(stored: JsonObject | null, ctx: RunContext): boolean {
  const { body } = ctx.state();
  return body !== undefined && sameOffset(stored, body.entry.offset);
}

function asPlanned(remark: string): StepResult {
  return done(`the stored offset is as planned${remark}`);
}

async function readBack(connector: string, ctx: RunContext, checked: boolean): Promise<StepResult> {
  const { body } = ctx.state();
  const stored = body === undefined ? null : await storedUnder(body.entry, connector, ctx);
  return isNew(stored, ctx)
    ? asPlanned(checked ? "" : " (the connector class does not check offsets)")
    : overwritten(stored, ctx);
}

/** The result for an offset that was patched and then changed again. */
export async function overwritten(stored: JsonObject | null, ctx: RunContext): Promise<StepResult> {
  const by =
    (await pulledBack(stored, ctx)) ??
    "a task that kept running after its stop, or another user or process, has stored it";
  return unclear(`the offset was patched, and then overwritten: it is ${canonicalJson(stored)}; ${by}`, [GO_ON]);
}

export async function pulledBack(stored: JsonObject | null, ctx: RunContext): Promise<string | undefined> {
  const change = storedChangeOf(ctx.state());
  if (change === undefined) return undefined;
  return await pulledBackBy(stored, change, async () => {
    const facts = await ctx.observe();
    return "journaled" in facts ? facts.journaled : undefined;
  });
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
