import { CallFailed } from "../../errors.ts";
import { isStopped } from "../../facts/connector.ts";
import { sameOffsets } from "../../facts/stored-offset.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import type { Step, StepResult } from "./step.ts";

/**
 * How long a worker waits for a task that is asked to stop (`task.shutdown.graceful.timeout.ms`). It can't be seen over REST; this is
 * its default. A stop that took that long may have left a task behind that commits once more.
 */
const GRACE_MILLIS = 5000;

/**
 * With several workers a connector can be seen STOPPED, without tasks, a moment before its task's last commit is stored: the status was written
 * before the rebalance ended. After a stop of any length the offset has to stay the same for so long.
 */
const STEADY_MILLIS = 1500;

export const stopConnector: Step<"stop-connector"> = {
  name: "stop-connector",

  describe: ({ connector }) => `stop ${connector}, wait until it has stopped`,

  async run({ connector }, ctx) {
    const start = ctx.clock.elapsed();
    const refused = await askToStop(connector, ctx);
    if (refused === "stopped already") {
      // A run that is gone on with does not know how long its stop took.
      if (ctx.recovering)
        ctx.report(
          `how long its stop took is not known; watching the ${offsets(ctx)} for ${printDuration(ctx.limits.settle)}`,
        );
      if (ctx.recovering && !(await settle(connector, ctx.limits.settle, ctx))) return neverStill(connector, ctx);
      return { result: "done", note: `${connector} was stopped already`, millis: 0 };
    }
    if (refused !== undefined) return refused;
    let last = "";
    const stopped = await until(ctx, ctx.limits.stop, async (): Promise<StepResult | true | undefined> => {
      const status = await ctx.connect.status(connector);
      if (status !== undefined && isStopped(status)) return true;
      if (last === "STOPPED" && status?.state === "RUNNING") return startedAgain(connector, status.state);
      last = status?.state ?? "gone";
      return undefined;
    });
    if (typeof stopped === "object") return stopped;
    const millis = ctx.clock.elapsed() - start;
    if (stopped === undefined) {
      return {
        result: "unclear",
        why: `${connector} has not stopped within ${printDuration(ctx.limits.stop)}; the stop stays requested${last === "RUNNING" ? ", unless another hand (an operator such as Strimzi) has withdrawn it: it is RUNNING" : ""}`,
        remedies: [
          `To withdraw it:  PUT ${ctx.connect.url}/connectors/${encodeURIComponent(connector)}/resume`,
          "To go on waiting:  cdcctl recover",
        ],
      };
    }
    const slow = isSlow(millis);
    if (slow)
      ctx.report(
        `the stop took as long as the workers' grace period; watching the ${offsets(ctx)} for ${printDuration(ctx.limits.settle)}`,
      );
    if (!(await settle(connector, slow ? ctx.limits.settle : Math.min(STEADY_MILLIS, ctx.limits.settle), ctx))) {
      return neverStill(connector, ctx);
    }
    return { result: "done", note: `${connector} stopped after ${printDuration(millis)}`, millis };
  },
};

/** Whether a stop took so long that the worker may have given up waiting for its task. */
export function isSlow(millis: number): boolean {
  return millis >= GRACE_MILLIS * 0.9;
}

/** Of a migration's connectors the legacy one has an offset for each partition. */
function offsets(ctx: RunContext): string {
  return ctx.state().started.subject.command === "migrate" ? "offsets" : "offset";
}

/** After these answers to the stop nothing was stopped. */
const REFUSALS: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "missing", "unsupported"]);

/** @returns undefined once it is asked for; a failure where it is certain that nothing was */
async function askToStop(connector: string, ctx: RunContext): Promise<StepResult | "stopped already" | undefined> {
  try {
    const status = await ctx.connect.status(connector);
    if (status !== undefined && isStopped(status)) return "stopped already";
  } catch (failure) {
    // When the run is gone on with, an earlier stop may have been answered by nobody.
    if (ctx.recovering || !(failure instanceof CallFailed)) throw failure;
    return notAsked(failure);
  }
  try {
    await ctx.connect.stop(connector);
    return undefined;
  } catch (failure) {
    if (ctx.recovering || !(failure instanceof CallFailed) || !REFUSALS.has(failure.kind)) throw failure;
    return notAsked(failure);
  }
}

function notAsked({ message, code, remedy }: CallFailed): StepResult {
  return {
    result: "failed",
    error: message,
    ...(code === undefined ? {} : { code }),
    remedies: remedy === undefined ? [] : [remedy],
  };
}

/** Somebody set back what this run had just changed. */
export function startedAgain(connector: string, state: string): StepResult {
  return {
    result: "failed",
    error: `${connector} is ${state} again, by another hand than this run's: does an operator (Strimzi and the like) manage it?`,
    code: "APL804",
    remedies: ["Stop it where it is managed, then plan again."],
  };
}

async function neverStill(connector: string, ctx: RunContext): Promise<StepResult> {
  const status = await ctx.connect.status(connector);
  if (status !== undefined && !isStopped(status)) return startedAgain(connector, status.state);
  return {
    result: "unclear",
    why: `${connector} is STOPPED, and its ${offsets(ctx)} still changed within ${printDuration(ctx.limits.stop)}: something goes on committing`,
    remedies: ["Find the task that was left behind (its worker's log says so) and end it; then:  cdcctl recover"],
  };
}

/**
 * Waits until what is stored, in every partition, has stayed the same for the whole window: a task that outlived its stop may commit once more.
 *
 * @returns false when it never did
 */
async function settle(connector: string, window: number, ctx: RunContext): Promise<boolean> {
  let seen = await ctx.connect.offsets(connector);
  let since = ctx.clock.elapsed();
  const still = await until(ctx, ctx.limits.stop + window, async () => {
    const now = await ctx.connect.offsets(connector);
    if (!sameOffsets(now, seen)) {
      ctx.report(`the ${offsets(ctx)} changed after the stop: a task was still committing; watching anew`);
      since = ctx.clock.elapsed();
    }
    seen = now;
    return ctx.clock.elapsed() - since >= window ? true : undefined;
  });
  return still === true;
}
