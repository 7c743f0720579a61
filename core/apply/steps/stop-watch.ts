import { type ConnectorStatus, isStopped } from "../../facts/connector/connector.ts";
import { type OffsetEntry, sameOffsets } from "../../facts/offset/stored-offset.ts";
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
  /** On which worker each task was last seen at work; undefined where it was not. */
  readonly tasks: ReadonlyMap<bigint, string | undefined>;
  /** Tasks that were seen to end by themselves. */
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
    tasks: atWork(new Map(), before),
    // A task that has failed does nothing any more.
    ended: new Set(before?.tasks.flatMap(({ id, state }) => (state === "FAILED" ? [id] : []))),
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
    tasks: atWork(watch.tasks, status),
    ended: new Set([...watch.ended, ...endedIn(status, watch.tasks)]),
    offsets,
  };
}

/** From when on nothing has changed any more; undefined while it is not STOPPED without tasks. */
export function stillSince({ stoppedSince, committedAt }: StopWatch): number | undefined {
  return stoppedSince === undefined ? undefined : Math.max(stoppedSince, committedAt ?? stoppedSince);
}

/**
 * Whether every task was seen to end by itself: none is left that could commit once more. Where it was not, nothing
 * follows: the leader of the workers removes a task's status as soon as it has stopped it, too soon to be seen mostly.
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
 * A task that ends by itself writes UNASSIGNED after its last commit; one that was given up writes nothing more
 * (`WorkerTask.onShutdown`). What another worker than the one that ran it says is of an earlier life.
 */
function endedIn(status: ConnectorStatus, tasks: StopWatch["tasks"]): readonly bigint[] {
  return status.tasks.flatMap(({ id, state, worker }) =>
    state === "UNASSIGNED" && tasks.get(id) === worker ? [id] : [],
  );
}
