import { type ConnectorStatus, isStopped } from "../../facts/connector.ts";
import type { OffsetEntry } from "../../facts/offset.ts";
import { sameOffsets } from "../../facts/stored-offset.ts";
import { isPassing } from "./at-rest.ts";

/** One look at a connector that was asked to stop. Times are milliseconds that only go forward. */
export interface StopLook {
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
  readonly at: number;
}

/** What all looks together tell. */
export interface StopWatch {
  /** When it was asked to stop. */
  readonly askedAt: number;
  /** Since when it has been STOPPED without tasks at every look; undefined while it is not. */
  readonly stoppedSince: number | undefined;
  readonly wasStopped: boolean;
  /** Since when it has been seen started at every look; what a rebalance shows is neither. */
  readonly startedSince: number | undefined;
  /** When an offset was last seen to have changed. */
  readonly committedAt: number | undefined;
  readonly commits: number;
  /** Tasks that were seen, and those of them that were seen to end by themselves. */
  readonly tasks: ReadonlySet<bigint>;
  readonly ended: ReadonlySet<bigint>;
  readonly offsets: readonly OffsetEntry[] | undefined;
}

/** @param before as it was before it was asked */
export function stopWatch(askedAt: number, before: ConnectorStatus | undefined): StopWatch {
  return {
    askedAt,
    stoppedSince: undefined,
    wasStopped: false,
    startedSince: undefined,
    committedAt: undefined,
    commits: 0,
    tasks: new Set(before?.tasks.map(({ id }) => id)),
    // A task that has failed does nothing any more.
    ended: tasksIn("FAILED", before),
    offsets: undefined,
  };
}

/** Adds one look. */
export function watched(watch: StopWatch, { status, offsets, at }: StopLook): StopWatch {
  const stopped = isStopped(status);
  const moved = watch.offsets !== undefined && !sameOffsets(offsets, watch.offsets);
  return {
    ...watch,
    stoppedSince: stopped ? (watch.stoppedSince ?? at) : undefined,
    wasStopped: watch.wasStopped || stopped,
    startedSince: stopped || isPassing(status) ? undefined : (watch.startedSince ?? at),
    committedAt: moved ? at : watch.committedAt,
    commits: watch.commits + (moved ? 1 : 0),
    tasks: new Set([...watch.tasks, ...status.tasks.map(({ id }) => id)]),
    // A task that ends by itself writes this after its last commit; one that was given up writes nothing more (`WorkerTask.onShutdown`).
    ended: new Set([...watch.ended, ...tasksIn("UNASSIGNED", status)]),
    offsets,
  };
}

/** From when on nothing has changed any more; undefined while it is not STOPPED without tasks. */
export function stillSince({ stoppedSince, committedAt }: StopWatch): number | undefined {
  return stoppedSince === undefined ? undefined : Math.max(stoppedSince, committedAt ?? stoppedSince);
}

/**
 * Whether every task was seen to end by itself: none is left that could commit once more. Where it was not, nothing follows: the leader of the workers
 * removes a task's status as soon as it has stopped it, too soon to be seen mostly.
 */
export function endedCleanly({ tasks, ended }: StopWatch): boolean {
  return [...tasks].every((task) => ended.has(task));
}

function tasksIn(wanted: string, status: ConnectorStatus | undefined): ReadonlySet<bigint> {
  return new Set(status?.tasks.flatMap(({ id, state }) => (state === wanted ? [id] : [])));
}
