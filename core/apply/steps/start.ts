import { type ConnectorStatus, hasFailed, isRunning, isStopped } from "../../facts/connector/connector.ts";
import { decodeOffset, sameOffset, sameOffsets } from "../../facts/offset/stored-offset.ts";
import { callName } from "../../plan/calls.ts";
import { phaseSubject } from "../../run/subject.ts";
import { printDuration } from "../../values/duration.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Advice, Remedy } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import { connectorsLine, curlLine, shellWord } from "../../values/shell-word.ts";
import { firstLine } from "../../values/truncate.ts";
import { type RunContext, until } from "../context.ts";
import { legacyNotAtRest, STARTED_REMEDIES } from "./at-rest.ts";
import { isAccepted } from "./create-connector.ts";
import { type CallOutcome, untilDefinite } from "./definite-call.ts";
import type { Step, StepResult, Unclear } from "./step.ts";

/**
 * Asks a connector to run, until that is answered; one that runs is asked only where an earlier attempt was never
 * answered. It does not wait until the connector runs.
 *
 * @param obstacle what speaks against it; asked before each time
 */
export function startConnectorCall(
  connector: string,
  ctx: RunContext,
  obstacle?: () => Promise<string | undefined>,
): Promise<CallOutcome> {
  const runs = async () => (await ctx.connect.status(connector))?.state === "RUNNING";
  return untilDefinite(
    {
      call: callName("start", connector),
      send: () => ctx.connect.resume(connector),
      isDone: runs,
      hasEffect: runs,
      stands: runs,
      ...(obstacle === undefined ? {} : { obstacle }),
    },
    ctx,
  );
}

/**
 * The result of a step whose connector was not started. What is done before stands, so that a no is no failure of the
 * change.
 */
export function notStarted(connector: string, started: Exclude<CallOutcome, { readonly result: "done" }>): Unclear {
  return started.result === "unclear"
    ? started
    : {
        result: "unclear",
        why: `${connector} was not started: ${started.error}`,
        remedies: [{ text: "Fix that, then", command: "cdcctl recover" }],
      };
}

/** What an operator does about a connector that a run leaves stopped. */
export function howToStart(connector: string, ctx: RunContext): Remedy {
  return {
    text: `${connector} stays stopped. To start it`,
    command: connectorsLine("resume", connector, ctx.state().started.subject),
  };
}

const GO_ON = { text: "To go on waiting", command: "cdcctl recover" };

/** What is waited for of a connector that was asked to run. */
interface Wanted {
  readonly asked: "started" | "resumed";
  /** What comes of it once its task runs; undefined: not yet. */
  running(): Promise<StepResult | undefined>;
  readonly gone: Unclear;
  /** What an operator does where it, or its task, has failed. */
  readonly failed: readonly Advice[];
  /** What has not come, before how long it was waited for. */
  readonly late: string;
  /** What else an operator can do then. */
  readonly instead?: readonly Advice[];
}

async function untilItRuns(
  connector: string,
  { asked, running, gone, failed, late, instead = [] }: Wanted,
  ctx: RunContext,
): Promise<StepResult> {
  const result = await until(ctx, ctx.limits.resume, async (): Promise<StepResult | undefined> => {
    const status = await ctx.connect.status(connector);
    if (status === undefined) return gone;
    if (hasFailed(status))
      return {
        result: "unclear",
        why: `${connector} failed after it was ${asked}${whyFailed(status)}`,
        remedies: failed,
      };
    return isRunning(status) ? running() : undefined;
  });
  return (
    result ?? {
      result: "unclear",
      why: `${connector} was ${asked}, and ${late} ${printDuration(ctx.limits.resume)}`,
      remedies: ["Look at its task and log.", GO_ON, ...instead],
    }
  );
}

/** What a connector that has failed says itself, behind a colon; empty where it says nothing. */
export function whyFailed({ trace, tasks }: ConnectorStatus): string {
  const said = firstLine(tasks.find(({ state }) => state === "FAILED")?.trace ?? trace);
  return said === "" ? "" : `: ${said}`;
}

/** Starts a connector whose offset was left as it is: that its task runs is all there is to see. */
export const startConnector: Step<"start-connector"> = {
  async run({ connector }, ctx) {
    const up = await isUp(connector, ctx);
    const started = await startConnectorCall(connector, ctx);
    if (started.result !== "done") return notStarted(connector, started);
    if (up) return { result: "done", note: `${connector} runs` };
    return untilItRuns(
      connector,
      {
        asked: "started",
        running: async () => ({ result: "done", note: `${connector} is started` }),
        gone: { result: "unclear", why: `${connector} is gone`, remedies: [GO_ON] },
        // A resume starts no task that has failed: only a restart does. `connectors restart` waits until this run is
        // settled.
        failed: [
          {
            text: "Fix what made it fail, then",
            command: curlLine("POST", ctx.connect.url, connector, "/restart?includeTasks=true&onlyFailed=true"),
          },
          GO_ON,
        ],
        late: "its task does not run after",
      },
      ctx,
    );
  },
};

async function isUp(connector: string, ctx: RunContext): Promise<boolean> {
  const status = await ctx.connect.status(connector);
  return status !== undefined && isRunning(status);
}

/**
 * Resumes the legacy connector from the offsets that it stopped with, which is looked at first: it is the proof that
 * nothing is lost.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const resumeLegacy: Step<"resume-legacy"> = {
  async run({ connector }, ctx) {
    const { returning } = ctx.state();
    const status = await ctx.connect.status(connector);
    if (status !== undefined && isStopped(status)) {
      const now = await ctx.connect.offsets(connector);
      if (returning !== undefined && !sameOffsets(now, returning.offsets))
        return {
          result: "unclear",
          why:
            `the stored offsets of ${connector} are no longer those that it stopped with: another user or process ` +
            "has changed them",
          remedies: [
            {
              text: "Compare them with the run's journal, then resume it by hand, or put them back and",
              command: "cdcctl recover",
            },
          ],
        };
      ctx.report(`  the offsets of ${connector} are those that it stopped with`);
    }
    if (status?.state !== "RUNNING") {
      const why = await newRuns(ctx);
      if (why !== undefined) return why;
    }
    const started = await startConnectorCall(connector, ctx);
    if (started.result !== "done") return notStarted(connector, started);
    return untilItRuns(
      connector,
      {
        asked: "resumed",
        running: async () => ({
          result: "done",
          note: `${connector} runs again, from the offsets that it stopped with`,
        }),
        gone: { result: "unclear", why: `${connector} is gone` },
        failed: [{ text: "Fix what made it fail, restart it, then", command: "cdcctl recover" }],
        late: "its task does not run after",
      },
      ctx,
    );
  },
};

/**
 * It was deleted: one that runs was created since, by another user or process or by an attempt that nobody answered.
 */
async function newRuns(ctx: RunContext): Promise<StepResult | undefined> {
  const { connector, legacy } = phaseSubject(ctx.state());
  const status = await ctx.connect.status(connector);
  if (status === undefined || isStopped(status)) return undefined;
  return {
    result: "unclear",
    why: `${connector} is ${status.state} again: ${legacy} was not resumed, both would deliver`,
    remedies: [{ text: `Find out who created ${connector}, and stop it; then`, command: "cdcctl recover" }],
  };
}

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
    return untilItRuns(
      connector,
      {
        asked: "started",
        running: () => firstOffset(connector, left, ctx),
        gone: gone(connector, ctx),
        failed: [{ text: "Fix what made it fail, restart its task, then", command: "cdcctl recover" }, goBack(ctx)],
        late: "has not stored an offset within",
        instead: [goBack(ctx)],
      },
      ctx,
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
async function firstOffset(
  connector: string,
  left: JsonObject | null | undefined,
  ctx: RunContext,
): Promise<StepResult | undefined> {
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

function gone(connector: string, ctx: RunContext): Unclear {
  return {
    result: "unclear",
    why: `${connector} no longer exists: another user or process deleted it`,
    remedies: [goBack(ctx)],
  };
}

function goBack({ run }: RunContext): Remedy {
  return {
    text: "To go back to the legacy connector",
    command: `cdcctl recover ${shellWord(run)} --abandon`,
    note: "then cdcctl plan FILE --phase rollback",
  };
}
