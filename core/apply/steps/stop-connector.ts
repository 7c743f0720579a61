import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { CallFailed } from "../../errors.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import { stoppedBy } from "../../plan/plan.ts";
import { callName } from "../../plan/steps.ts";
import { offsetSubject, startsAgain } from "../../run/subject.ts";
import { printDuration } from "../../values/duration.ts";
import { connectorsLine, shellWord } from "../../values/shell-word.ts";
import { type RunContext, toRecover, until } from "../context.ts";
import { type NotAtRest, printStatus, STARTED_REMEDIES, startedMillis, whyNotAtRest } from "./at-rest.ts";
import { untilDefinite } from "./definite-call.ts";
import { knownChangeByAnotherRun, positionOf, printRival } from "./ops-topic.ts";
import { howToStart, startConnectorCall } from "./start.ts";
import { failed, type Step, type StepResult, type Unclear, unclear } from "./step.ts";
import { endedCleanly, type StopWatch, stillSince, stopWatch, watched } from "./stop-watch.ts";

/**
 * How long a worker waits for a task that is asked to stop (`task.shutdown.graceful.timeout.ms`). REST does not show
 * it; this is its default. A stop that took that long may have left a task that commits once more.
 */
const GRACE_MILLIS = 5000;

/** The most that two machines' timers may differ over that time. */
const TIMER_MILLIS = 50;

/** The longest pause between two looks at a connector that stops: what a look adds to the time of the stop. */
const LOOK_MILLIS = 250;

/**
 * How long status and offset have to stay unchanged after any stop: with several workers a connector can appear
 * STOPPED, without tasks, a moment before its task's last commit is stored.
 */
const STEADY_MILLIS = 1500;

/**
 * The same if the tasks were not observed to end. The leader reports STOPPED without tasks before the worker that runs
 * the task learns of the stop, up to a heartbeat of 3 s later; then the task appears again, UNASSIGNED, until the next
 * rebalance.
 */
const UNSEEN_MILLIS = 4000;

/** Commits this long after the stop was answered come from a connector that was started again. */
const UNDONE_MILLIS = 20_000;

export const stopConnector: Step<"stop-connector"> = {
  async run({ connector }, ctx) {
    const askedAt = ctx.clock.elapsed();
    let before: ConnectorStatus | undefined;
    try {
      before = await ctx.connect.status(connector);
    } catch (failure) {
      // When the run is recovered, an earlier stop may be unanswered.
      if (ctx.recovering || !(failure instanceof CallFailed)) throw failure;
      return failed(failure.message, failure.code, failure.remedies);
    }
    const already = before !== undefined && isStopped(before);
    const asked = await askToStop(connector, ctx);
    if (asked !== undefined) return asked;
    // A recovered run does not know how long its stop took.
    const unknown = already && ctx.recovering;
    if (unknown)
      ctx.report(
        `how long its stop took is unknown; watching the ${offsets(ctx)} for ${printDuration(ctx.limits.settle)}`,
      );
    const rest =
      already && !unknown
        ? { is: "at rest" as const, watch: stopWatch(askedAt, before) }
        : await settle(connector, stopWatch(askedAt, before), unknown, ctx);
    switch (rest.is) {
      case "at rest":
        return already
          ? {
              result: "done",
              note: `${connector} was already stopped`,
              millis: 0,
              ...(unknown ? stopDoubt(undefined, ctx) : {}),
            }
          : {
              result: "done",
              note: `${connector} stopped after ${printDuration(millisOf(rest.watch))}`,
              millis: millisOf(rest.watch),
              ...stopDoubt(rest.watch, ctx),
            };
      case "started":
        return failed(whyNotAtRest(connector, rest.status), "APL804", STARTED_REMEDIES);
      case "never stopped":
        return unclear(
          `${connector} has not stopped within ${printDuration(ctx.limits.stop)}: it is ` +
            `${printStatus(rest.status)}, and the stop remains requested`,
          [
            "If an operator such as Strimzi manages the connector, it may have withdrawn the stop: stop it there.",
            {
              text: "To withdraw it, first abandon the run",
              command: `cdcctl recover ${shellWord(ctx.run)} --abandon`,
            },
            {
              text: "Then start the connector again",
              command: connectorsLine("resume", connector, ctx.state().started.subject),
            },
            toRecover("To continue waiting"),
          ],
        );
      case "not at rest":
        return unclear(
          `${connector} is ${printStatus(rest.status)}, and its status or its ${offsets(ctx)} still changed ` +
            `within ${printDuration(ctx.limits.stop)}: something keeps committing`,
          [toRecover("Find the leftover task (its worker's log names it) and end it; then")],
        );
    }
  },

  /** Resumes a connector that was running and that the plan would have resumed anyway; otherwise it stays stopped. */
  async undo({ connector }, ctx) {
    const { started, steps } = ctx.state();
    const { subject, plan } = started;
    const stop = steps.get("stop-connector");
    if (stop === undefined || stop === "failed") return undefined;
    // A paused connector is stopped now, and was not meant to run.
    if (!subject.ranBefore)
      return plan !== null && stoppedBy(plan)?.state === "PAUSED" ? howToStart(connector, ctx) : undefined;
    const status = await ctx.connect.status(connector);
    if (status === undefined) return undefined;
    const resumed = startsAgain(subject) ? await startAgain(connector, ctx) : status.state === "RUNNING";
    if (typeof resumed === "object") return resumed;
    await ctx.record({ type: "backed-out", resumed });
    return resumed ? undefined : howToStart(connector, ctx);
  },
};

/**
 * Starts the connector again. @returns whether it is started: false if another run has begun to change it since; or why
 * that is unknown
 */
async function startAgain(connector: string, ctx: RunContext): Promise<boolean | Unclear> {
  const since = ctx.state().opsTopicEnd.begun?.map(positionOf);
  const theirs = await knownChangeByAnotherRun(ctx, since);
  if (theirs !== undefined) {
    ctx.report(`  ${connector} is left as it is: ${printRival(theirs)} came in between`);
    return false;
  }
  const started = await startConnectorCall(connector, ctx);
  if (started.result === "unclear") return started;
  if (started.result === "done") ctx.report(`  ${connector} is resumed`);
  return started.result === "done";
}

/**
 * Whether a stop took so long that the worker may have given up waiting for its task. The time runs from before the
 * request until a look shows the connector STOPPED, so it is never less than the worker's own: a shorter one is proof.
 */
export function isSlow(millis: number): boolean {
  return millis >= GRACE_MILLIS - TIMER_MILLIS;
}

function offsets(ctx: RunContext): string {
  return ctx.state().started.subject.command === "migrate" ? "offsets" : "offset";
}

/**
 * Sends the stop until it is answered. The one that begins a change needs no look at the ops topic: nothing of the run
 * is there yet by which another machine could settle it, and a rival's record is found before anything is announced.
 *
 * @returns undefined once it is, or if nothing has to be sent
 */
async function askToStop(connector: string, ctx: RunContext): Promise<StepResult | undefined> {
  const atRest = async () => {
    const status = await ctx.connect.status(connector);
    return status !== undefined && isStopped(status);
  };
  const asked = await untilDefinite(
    {
      call: callName("stop", connector),
      send: () => ctx.connect.stop(connector),
      isDone: atRest,
      hasEffect: atRest,
      stands: atRest,
    },
    ctx,
  );
  if (asked.result === "done") return undefined;
  return asked.result === "unclear" ? asked : failed(`Connect did not stop ${connector}: ${asked.error}`);
}

/**
 * What remains unproven after a stop whose tasks were not observed to end: a hanging task looks the same, however short
 * the stop was. It matters only for a change of an offset.
 *
 * @param watch undefined: it had stopped before it was watched
 */
function stopDoubt(watch: StopWatch | undefined, ctx: RunContext): { readonly unproven?: string } {
  const { subject } = ctx.state().started;
  if ((watch !== undefined && endedCleanly(watch)) || offsetSubject(subject)?.scn === undefined) return {};
  const slow =
    watch !== undefined && !ctx.recovering && isSlow(millisOf(watch))
      ? " (it took as long as the workers' grace period)"
      : "";
  return { unproven: `the old task has ended${slow}; if it has not, its last commit would undo the change` };
}

/** The time from the request until it stayed STOPPED, milliseconds. */
function millisOf({ askedAt, stoppedSince = askedAt }: StopWatch): number {
  return stoppedSince - askedAt;
}

type Rest =
  | { readonly is: "at rest"; readonly watch: StopWatch }
  | { readonly is: "started" | "never stopped" | "not at rest"; readonly status: NotAtRest };

/**
 * Waits until the connector is STOPPED without tasks, and status and offsets, in every partition, have stayed the same
 * for the whole window: a task that kept running may commit once more, and a rebalance may show tasks again.
 *
 * @param whole watch for the whole settle window, however short the stop was
 */
async function settle(connector: string, begun: StopWatch, whole: boolean, ctx: RunContext): Promise<Rest> {
  const { limits, clock } = ctx;
  let watch = begun;
  let last: NotAtRest = "gone";
  let slow = whole;
  const rest = await until(
    ctx,
    limits.stop + limits.settle,
    async (): Promise<Rest | undefined> => {
      const status = await ctx.connect.status(connector);
      if (status === undefined) return { is: "started", status: "gone" };
      const before = watch;
      watch = watched(before, { status, offsets: await ctx.connect.offsets(connector), at: clock.elapsed() });
      last = status;
      const now = clock.elapsed();
      const still = stillSince(watch);
      if (still !== undefined) {
        if (watch.commits > before.commits)
          ctx.report(`the ${offsets(ctx)} changed after the stop: a task was still committing; watching again`);
        if (!slow && isSlow(still - watch.askedAt)) {
          slow = true;
          ctx.report(
            `the stop took as long as the workers' grace period; watching the ${offsets(ctx)} for ` +
              `${printDuration(limits.settle)}`,
          );
        }
        const window = slow
          ? limits.settle
          : Math.min(endedCleanly(watch) ? STEADY_MILLIS : UNSEEN_MILLIS, limits.settle);
        return now - still >= window ? { is: "at rest", watch } : undefined;
      }
      if (isStartedAgain(watch, now, ctx)) return { is: "started", status };
      return !watch.wasStopped && now - watch.askedAt >= limits.stop ? { is: "never stopped", status } : undefined;
    },
    () => printStatus(last),
    LOOK_MILLIS,
  );
  return rest ?? { is: watch.wasStopped ? "not at rest" : "never stopped", status: last };
}

/**
 * Whether it was started after it had stopped, or never stopped and keeps committing long after the stop was answered.
 */
function isStartedAgain(
  { startedSince, wasStopped, commits, askedAt }: StopWatch,
  at: number,
  ctx: RunContext,
): boolean {
  if (startedSince === undefined) return false;
  return wasStopped ? at - startedSince >= startedMillis(ctx) : commits > 1 && at - askedAt >= UNDONE_MILLIS;
}
