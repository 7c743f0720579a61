import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { CallFailed } from "../../errors.ts";
import { hasFailed, isRunning, isStopped } from "../../facts/connector/connector.ts";
import { errorLine } from "../../facts/connector/traces.ts";
import {
  canHaveStartedAt,
  decodeOffset,
  offsetUnder,
  sameOffset,
  sameOffsets,
} from "../../facts/offset/stored-offset.ts";
import { callName } from "../../plan/steps.ts";
import { phaseSubject } from "../../run/subject.ts";
import { printDuration } from "../../values/duration.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Advice, Remedy } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import { connectorsLine, curlLine, shellWord } from "../../values/shell-word.ts";
import { ONCE_FIXED, type RunContext, toRecover, until } from "../context.ts";
import { legacyNotAtRest, STARTED_REMEDIES } from "./at-rest.ts";
import { isAccepted } from "./create-connector.ts";
import { type CallOutcome, untilDefinite } from "./definite-call.ts";
import { done, failed, type Step, type StepResult, type Unclear, unclear } from "./step.ts";

/**
 * Asks a connector to run, until the call is answered; a running one is asked only if an earlier attempt was never
 * answered. It does not wait until the connector runs.
 *
 * @param obstacle why it must not be started; called before each attempt
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
 * The result of a step whose connector was not started. The earlier steps remain, so a refusal is not a failure of the
 * change.
 */
export function notStarted(connector: string, started: Exclude<CallOutcome, { readonly result: "done" }>): Unclear {
  return started.result === "unclear"
    ? started
    : unclear(`${connector} was not started: ${started.error}`, [ONCE_FIXED]);
}

/**
 * What an operator does about a connector that a run does not start, by its state now: another run, user or process may
 * have started it.
 */
export async function howToStart(connector: string, ctx: RunContext): Promise<readonly Advice[]> {
  const seen = await ctx.connect.status(connector).catch((failure: unknown) => {
    if (failure instanceof CallFailed) return "unknown" as const;
    throw failure;
  });
  if (seen === undefined || (seen !== "unknown" && seen.state === "RUNNING")) return [];
  const now = seen === "unknown" ? `whether ${connector} runs is unknown` : `${connector} is ${seen.state}`;
  const command = connectorsLine("resume", connector, ctx.state().started.subject);
  return [{ text: `${now}. To start it`, command }];
}

const GO_ON = toRecover("To go on waiting");

/** The state that a connector that was asked to run has to reach. */
interface Wanted {
  readonly asked: "started" | "resumed";
  /** The result once its task runs; undefined: not yet. */
  running(): Promise<StepResult | undefined>;
  readonly gone: Unclear;
  /** What an operator does if it, or its task, has failed. */
  readonly failed: readonly Advice[];
  /** What has not happened, to be followed by the time waited. */
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
    if (hasFailed(status)) return unclear(`${connector} failed after it was ${asked}${whyFailed(status)}`, failed);
    return isRunning(status) ? running() : undefined;
  });
  return (
    result ??
    unclear(`${connector} was ${asked}, but ${late} ${printDuration(ctx.limits.resume)}`, [
      "Inspect its task and log.",
      GO_ON,
      ...instead,
    ])
  );
}

/** The error of a failed connector, after a colon; empty if it reports none. */
export function whyFailed({ trace, tasks }: ConnectorStatus): string {
  const reason = errorLine(tasks.find(({ state }) => state === "FAILED")?.trace ?? trace);
  return reason === "" ? "" : `: ${reason}`;
}

/** Starts a connector whose offset did not change; only its running task can be verified. */
export const startConnector: Step<"start-connector"> = {
  async run({ connector }, ctx) {
    const up = await isUp(connector, ctx);
    const started = await startConnectorCall(connector, ctx);
    if (started.result !== "done") return notStarted(connector, started);
    if (up) return done(`${connector} is running`);
    return untilItRuns(
      connector,
      {
        asked: "started",
        running: async () => done(`${connector} is started`),
        gone: unclear(`${connector} no longer exists`, [GO_ON]),
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

export async function isUp(connector: string, { connect }: RunContext): Promise<boolean> {
  const status = await connect.status(connector);
  return status !== undefined && isRunning(status);
}

/**
 * Resumes the legacy connector from the offsets it stopped with, which are checked first: they prove that nothing
 * is lost.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const resumeLegacy: Step<"resume-legacy"> = {
  async run({ connector }, ctx) {
    const { returning } = ctx.state();
    const status = await ctx.connect.status(connector);
    if (status !== undefined && isStopped(status)) {
      const now = await ctx.connect.offsets(connector);
      if (returning === undefined || !sameOffsets(now, returning.offsets))
        return unclear(
          returning === undefined
            ? `the journal does not hold the offsets that ${connector} stopped with: another process has continued`
            : `the stored offsets of ${connector} are no longer those it stopped with: another user or process has ` +
                "changed them",
          [toRecover("Compare them with the run's journal, then resume it manually, or restore them and")],
        );
      ctx.report(`  the offsets of ${connector} are those it stopped with`);
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
        running: async () => done(`${connector} is running again, from the offsets it stopped with`),
        gone: unclear(`${connector} no longer exists`),
        failed: [toRecover("Fix what made it fail, restart it, then")],
        late: "its task does not run after",
      },
      ctx,
    );
  },
};

/**
 * Fails if the deleted connector runs again: it was created since, by another user or process or by an unanswered
 * attempt.
 */
async function newRuns(ctx: RunContext): Promise<StepResult | undefined> {
  const { connector, legacy } = phaseSubject(ctx.state());
  const status = await ctx.connect.status(connector);
  if (status === undefined || isStopped(status)) return undefined;
  return unclear(`${connector} is ${status.state} again: ${legacy} was not resumed, because both would deliver`, [
    toRecover(`Find out who created ${connector}, and stop it; then`),
  ]);
}

/**
 * Starts the new connector and waits until its task runs and its first offset is stored: a running task does not prove
 * that it started at the requested position. The legacy connector is checked first, so that both never run.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const startNew: Step<"start-new"> = {
  async run({ connector }, ctx) {
    const status = await ctx.connect.status(connector);
    if (status === undefined) return gone(connector, ctx);
    // An offset stored before it has run is from an earlier connector of that name, and was accepted.
    const left = isStopped(status) ? await stored(connector, ctx) : undefined;
    const refused = await start(connector, ctx);
    if (refused !== undefined) return refused;
    return untilItRuns(
      connector,
      {
        asked: "started",
        running: () => firstOffset(connector, left, ctx),
        gone: gone(connector, ctx),
        failed: [toRecover("Fix what made it fail, restart its task, then"), goBack(ctx)],
        late: "has not stored an offset within",
        instead: [goBack(ctx)],
      },
      ctx,
    );
  },
};

/**
 * Starts the new connector. @returns why it was not started; once a call that might start it was sent, the run is past
 * the point of no return
 */
async function start(connector: string, ctx: RunContext): Promise<StepResult | undefined> {
  const started = await startConnectorCall(connector, ctx, () => legacyNotAtRest(ctx));
  if (started.result === "done") return undefined;
  if (started.result === "failed" && started.rejected === undefined)
    return failed(started.error, "APL804", STARTED_REMEDIES);
  return notStarted(connector, started);
}

function startScn(ctx: RunContext): Scn {
  const { takeover } = ctx.state();
  if (takeover === undefined) throw new Error("a connector is started without its start");
  return takeover.startScn;
}

/** Waits for the first stored offset. @param left what was stored before the start; undefined if unknown */
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
  // If an earlier connector's offset was accepted, it continues from that, not from its start.
  if (!canHaveStartedAt(decoded.offset, start) && (left === null || !isAccepted(ctx)))
    return unclear(`${connector} stored an offset at ${resumeScn}, before its start ${start}`, [
      "It did not start at the requested position: inspect its configuration and log.",
      goBack(ctx),
    ]);
  const note = `${connector} is running; its first offset is at ${resumeScn}`;
  if (left === null || !isAccepted(ctx)) return done(note);
  const unproven =
    left === undefined
      ? `${connector} began at its start, and not from an earlier connector's offset`
      : `${connector} began at its start: it continues from ${whereStood(left)}, which an earlier connector of ` +
        "that name had stored";
  return done(note, { unproven });
}

function whereStood(left: JsonObject): string {
  const decoded = decodeOffset(left);
  return decoded.ok ? String(decoded.offset.resumeScn) : "an offset that can't be read";
}

/** What is stored for its prefix; null while nothing is. */
async function stored(connector: string, ctx: RunContext): Promise<JsonObject | null> {
  const { prefix } = ctx.state().started.subject;
  return offsetUnder(await ctx.connect.offsets(connector), prefix);
}

function gone(connector: string, ctx: RunContext): Unclear {
  return unclear(`${connector} no longer exists: another user or process deleted it`, [goBack(ctx)]);
}

function goBack({ run }: RunContext): Remedy {
  return {
    text: "To roll back to the legacy connector",
    command: `cdcctl recover ${shellWord(run)} --abandon`,
    note: "then cdcctl plan FILE --phase rollback",
  };
}
