import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import { sameOffsets } from "../../facts/offset/stored-offset.ts";
import { nothingSent } from "../../run/sentences.ts";
import { phaseSubject } from "../../run/subject.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import { type Failed, failed } from "./step.ts";

/**
 * A rebalance is over in a few seconds; one that waits for a lost worker takes longer, and the connector is then left
 * alone.
 */
const REBALANCE_MILLIS = 120_000;

/**
 * How long a connector has to be observed as started before it counts as started. Each worker reads the status topic at
 * its own pace, so a request to another worker may show an earlier state.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers": up to 3 s with two workers.
 */
const STARTED_MILLIS = 5000;

/** A connector that is not at rest: its status, or `gone` if Connect reports no connector of that name. */
export type NotAtRest = ConnectorStatus | "gone";

/**
 * Whether a status is transient, as during the stop or rebalance of a connector that was not started: the connector or
 * all tasks UNASSIGNED or RESTARTING, STOPPED with tasks that are not gone yet, or RUNNING without any. It passes by
 * itself.
 *
 * Rule: every worker writes the status of what it runs, and a worker that is not the leader learns of the stop up to
 * one heartbeat (3 s) later (Kafka Connect 3.9 and 4.3, seen record by record).
 */
export function isPassing({ state, tasks }: ConnectorStatus): boolean {
  return PASSING.has(state) || (state === "RUNNING" && tasks.every((task) => PASSING.has(task.state)));
}

const PASSING: ReadonlySet<string> = new Set(["STOPPED", "UNASSIGNED", "RESTARTING"]);

/**
 * Checks whether a stopped connector is still stopped. Transient states of a rebalance are waited out, and only a
 * lasting state counts as a start, so that a rebalance is not blamed on another user.
 *
 * @returns undefined once it is STOPPED without tasks
 */
export async function notAtRest(connector: string, ctx: RunContext): Promise<NotAtRest | undefined> {
  let last: NotAtRest = "gone";
  let startedSince: number | undefined;
  const seen = await until(
    ctx,
    Math.min(REBALANCE_MILLIS, ctx.limits.stop),
    async (): Promise<{ readonly not: NotAtRest | undefined } | undefined> => {
      const status = await ctx.connect.status(connector);
      if (status === undefined) return { not: "gone" };
      if (isStopped(status)) return { not: undefined };
      last = status;
      if (isPassing(status)) {
        startedSince = undefined;
        return undefined;
      }
      startedSince ??= ctx.clock.elapsed();
      return ctx.clock.elapsed() - startedSince >= startedMillis(ctx) ? { not: status } : undefined;
    },
    () => printStatus(last),
  );
  return seen === undefined ? last : seen.not;
}

/** How long a state has to last to count as a start, milliseconds. */
export function startedMillis({ limits }: RunContext): number {
  return Math.min(STARTED_MILLIS, limits.settle);
}

/** `STOPPED, task 0 UNASSIGNED`; `gone`. */
export function printStatus(status: NotAtRest): string {
  if (status === "gone") return "gone";
  return [status.state, ...status.tasks.map(({ id, state }) => `task ${id} ${state}`)].join(", ");
}

/** Explains in one sentence why nothing is sent to a connector that is not at rest. */
export function whyNotAtRest(connector: string, status: NotAtRest): string {
  if (status === "gone") return `${connector} no longer exists: another user or process deleted it`;
  if (!isPassing(status))
    return `${connector} is ${printStatus(status)}: another user or process started it after the stop`;
  return (
    `${connector} is ${printStatus(status)}, and the workers' rebalance has not ended within ` +
    `${printDuration(REBALANCE_MILLIS)}`
  );
}

/** What an operator does about a connector that was started during a run. */
export const STARTED_REMEDIES: readonly string[] = [
  "Find out who started it. If an operator such as Strimzi manages the connector, stop it there. Then plan again.",
];

/** The failure of a step that requires the connector at rest; nothing was sent. */
export function failedNotAtRest(connector: string, status: NotAtRest, ctx: RunContext): Failed {
  return failed(
    `${whyNotAtRest(connector, status)}; ${nothingSent(ctx.state(), ctx.recovering)}`,
    "APL804",
    STARTED_REMEDIES,
  );
}

/**
 * Why the new connector can't continue from where the legacy one stopped: it runs again, or has run since. Both would
 * then deliver, or the start would be older than the one checked. Only reads.
 */
export async function legacyNotAtRest(ctx: RunContext): Promise<string | undefined> {
  const state = ctx.state();
  const { legacy } = phaseSubject(state);
  const status = await notAtRest(legacy, ctx);
  if (status !== undefined) return whyNotAtRest(legacy, status);
  if (state.takeover !== undefined && !sameOffsets(await ctx.connect.offsets(legacy), state.takeover.offsets))
    return (
      `the stored offsets of ${legacy} are no longer those it stopped with: another user or process has run it or ` +
      "changed them"
    );
  return undefined;
}
