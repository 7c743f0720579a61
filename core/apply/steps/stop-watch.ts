import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import { type OffsetEntry, sameOffsets } from "../../facts/offset/stored-offset.ts";
import { isPassing } from "./at-rest.ts";

/** One observation of a connector that was asked to stop. Times are monotonic milliseconds. */
export interface StopObservation {
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
  readonly at: number;
}

export interface StopWatch {
  readonly askedAt: number;
  /** When it was first seen STOPPED without tasks, as in every observation after that; undefined while it is not. */
  readonly stoppedSince: number | undefined;
  readonly wasStopped: boolean;
  /**
   * When it was first seen started, as in every observation after that; transient states of a rebalance count as
   * neither.
   */
  readonly startedSince: number | undefined;
  /** When an offset was last observed to have changed. */
  readonly committedAt: number | undefined;
  readonly commits: number;
  /** The worker on which each task was last observed running; undefined if it was not. */
  readonly tasks: ReadonlyMap<bigint, string | undefined>;
  /** Tasks that were observed to end by themselves. */
  readonly ended: ReadonlySet<bigint>;
  readonly offsets: readonly OffsetEntry[] | undefined;
}

/** Starts a watch. @param before its status before the stop was requested */
export function stopWatch(askedAt: number, before: ConnectorStatus | undefined): StopWatch {
  return {
    askedAt,
    stoppedSince: undefined,
    wasStopped: false,
    startedSince: undefined,
    committedAt: undefined,
    commits: 0,
    tasks: atWork(new Map(), before),
    // A failed task does nothing any more.
    ended: new Set(before?.tasks.flatMap(({ id, state }) => (state === "FAILED" ? [id] : []))),
    offsets: undefined,
  };
}

export function watched(watch: StopWatch, { status, offsets, at: now }: StopObservation): StopWatch {
  const stopped = isStopped(status);
  const moved = watch.offsets !== undefined && !sameOffsets(offsets, watch.offsets);
  return {
    ...watch,
    stoppedSince: stopped ? (watch.stoppedSince ?? now) : undefined,
    wasStopped: watch.wasStopped || stopped,
    startedSince: stopped || isPassing(status) ? undefined : (watch.startedSince ?? now),
    committedAt: moved ? now : watch.committedAt,
    commits: watch.commits + (moved ? 1 : 0),
    tasks: atWork(watch.tasks, status),
    ended: new Set([...watch.ended, ...endedIn(status, watch.tasks)]),
    offsets,
  };
}

/** When the last change was seen; undefined while it is not STOPPED without tasks. */
export function stillSince({ stoppedSince, committedAt }: StopWatch): number | undefined {
  return stoppedSince === undefined ? undefined : Math.max(stoppedSince, committedAt ?? stoppedSince);
}

/**
 * Whether every task was observed to end by itself, so that none is left that could commit once more. If not, nothing
 * follows: the leader removes a task's status as soon as it has stopped it, usually too soon to be observed.
 */
export function endedCleanly({ tasks, ended }: StopWatch): boolean {
  return [...tasks.keys()].every((task) => ended.has(task));
}

function atWork(known: StopWatch["tasks"], status: ConnectorStatus | undefined): StopWatch["tasks"] {
  return new Map([
    ...known,
    ...(status?.tasks ?? []).map(({ id, state, worker }) =>
      state === "UNASSIGNED" ? ([id, known.get(id)] as const) : ([id, worker] as const),
    ),
  ]);
}

/**
 * A task that ends by itself writes UNASSIGNED after its last commit; a cancelled one writes nothing more
 * (`WorkerTask.onShutdown`). A status from a worker other than the one that ran it is older.
 */
function endedIn(status: ConnectorStatus, tasks: StopWatch["tasks"]): readonly bigint[] {
  return status.tasks.flatMap(({ id, state, worker }) =>
    state === "UNASSIGNED" && tasks.get(id) === worker ? [id] : [],
  );
}
