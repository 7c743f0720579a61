import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import type { Group, Span } from "./group.ts";
import { type OffsetStore, offsetStore } from "./offset-store.ts";
import type { SandboxTask, TaskedConnector } from "./task.ts";

export type TargetState = "RUNNING" | "PAUSED" | "STOPPED";

export interface ReportedStatus {
  readonly state: string;
  readonly trace?: string;
  readonly tasks: readonly { readonly id: number; readonly state: string; readonly trace?: string }[];
}

export interface SandboxConnector extends TaskedConnector {
  config: Record<string, string>;
  target: TargetState;
  /** The content of the status topic, which lags behind the actual status. */
  reported: ReportedStatus | undefined;
  /** The history of the status topic, oldest first: see `statusBehind`. */
  readonly statusLog: { readonly at: number; readonly status: ReportedStatus }[];
  /**
   * Resolves when the herder is idle: it does one thing at a time, so changes of offsets wait while a task is being
   * stopped.
   */
  settled: Promise<void>;
  /** The workers that run the connector and its task. */
  place: Place;
  running: { readonly task: SandboxTask; readonly worker: number; readonly end: () => void } | undefined;
  /** Trace of the last failed task. */
  trace: string | undefined;
}

export interface Place {
  readonly connector: number;
  readonly task: number;
}

export interface ClusterOptions {
  readonly group: Group;
  /** Where connectors and their tasks are at first. */
  readonly place: Place;
  /**
   * How long until a follower takes part in the next rebalance: until then it does not know that a connector was
   * stopped.
   */
  readonly nextRebalance: () => Span;
  readonly task: (connector: TaskedConnector) => SandboxTask;
  /** Milliseconds between two commits of a task. */
  readonly commitInterval: number;
  /** How far `status` is behind, in ms. */
  readonly statusLag: number;
  /** `task.shutdown.graceful.timeout.ms` */
  readonly graceful: number;
  /** How long a task hangs when it is stopped: ms, or until the promise resolves. */
  readonly hang: (connector: string) => Span | undefined;
  /** ms between the status without tasks and the last commit of a task, as with a task of a follower. */
  readonly lastCommitLag: number;
  /** A PATCH fences abandoned tasks: their late commits are lost. */
  readonly exactlyOnce: boolean;
  /**
   * ms after which an operator of Kubernetes resumes a stopped connector; undefined without one, or while it is paused.
   */
  readonly operatorMillis: () => number | undefined;
}

/** Connectors, tasks and offsets of a Connect cluster, changed by the REST API and by scenarios. */
export interface Cluster {
  readonly connectors: ReadonlyMap<string, SandboxConnector>;
  readonly offsets: OffsetStore;
  create(name: string, config: Record<string, string>, state: TargetState): SandboxConnector;
  reconfigure(connector: SandboxConnector, config: Record<string, string>): void;
  aim(connector: SandboxConnector, target: TargetState): void;
  restart(connector: SandboxConnector): void;
  remove(connector: SandboxConnector): void;
  alter(connector: string, entries: readonly OffsetEntry[]): void;
  /** Reports a state that does not occur here by itself, such as UNASSIGNED, until the next change. */
  show(connector: string, status: ReportedStatus): void;
  /**
   * Starts the connectors of a lost worker on another one, or again on the same one. Its own tasks, if they still run,
   * commit once more when it is awake again.
   */
  replace(lost: number, by: number): void;
  /** Reports every connector and its tasks in this state. The returned function restores those that still report it. */
  unsettle(state: string): () => void;
  /** The worker's tasks end without another commit. */
  kill(worker: number): void;
  close(): void;
}

/** The status reported by a worker that has not read the last `millis` of the status topic. */
export function statusBehind({ reported, statusLog }: SandboxConnector, millis: number): ReportedStatus | undefined {
  if (millis === 0) return reported;
  const readTo = performance.now() - millis;
  return statusLog.findLast(({ at }) => at <= readTo)?.status;
}

export function openCluster(options: ClusterOptions): Cluster {
  const connectors = new Map<string, SandboxConnector>();
  const offsets = offsetStore();
  const timers = new Set<NodeJS.Timeout>();
  /** Rises with every change of offsets over REST: a task started before is fenced with exactly-once support. */
  const epochs = new Map<string, number>();
  const epochOf = (name: string): number => epochs.get(name) ?? 0;
  const { group } = options;
  let closed = false;

  const later = (millis: number, what: () => void): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!closed) what();
    }, millis);
    timers.add(timer);
    return timer;
  };
  const wait = (millis: number): Promise<void> => new Promise((resolve) => later(millis, resolve));

  const span = (of: Span): Promise<void> => (typeof of === "number" ? wait(of) : of);

  const report = (connector: SandboxConnector, status: ReportedStatus): void => {
    connector.reported = status;
    connector.statusLog.push({ at: performance.now(), status });
  };
  /** Connector and tasks each have a record in the status topic; the others are unchanged. */
  const show = (connector: SandboxConnector, part: Partial<ReportedStatus>, lag = options.statusLag): void => {
    const write = (): void => {
      const { state = "UNASSIGNED", tasks = [] } = connector.reported ?? {};
      report(connector, { state, tasks, ...part });
    };
    if (lag === 0) write();
    else later(lag, write);
  };

  const fail = (connector: SandboxConnector, error: unknown): void => {
    const trace = error instanceof Error ? error.message : String(error);
    connector.running?.end();
    connector.running = undefined;
    connector.trace = trace;
    show(connector, { state: "RUNNING", tasks: [{ id: 0, state: "FAILED", trace }] });
  };

  const startTask = (connector: SandboxConnector): void => {
    if (connector.running !== undefined || connector.target !== "RUNNING") return;
    let timer: NodeJS.Timeout | undefined;
    const task = options.task(connector);
    const worker = connector.place.task;
    const running = { task, worker, end: () => clearTimeout(timer) };
    connector.running = running;
    show(connector, { state: "RUNNING", tasks: [{ id: 0, state: "RUNNING" }] });
    const commit = (): void => {
      if (group.isFrozen(worker)) {
        void group.awake(worker).then(() => connector.running === running && commit());
        return;
      }
      try {
        offsets.write(connector.name, task.tick(), task.keys);
        timer = later(options.commitInterval, commit);
      } catch (error) {
        fail(connector, error);
      }
    };
    try {
      const first = task.start(offsets.toTask(connector.name));
      if (first !== undefined) offsets.write(connector.name, first, task.keys);
      timer = later(options.commitInterval, commit);
    } catch (error) {
      fail(connector, error);
    }
  };

  /**
   * Ends a task as far as its worker is concerned. Returns its last commit, to be made now or later; undefined if it
   * fails.
   */
  const lastCommit = (connector: SandboxConnector): { readonly worker: number; commit(): void } | undefined => {
    const { name, running } = connector;
    if (running === undefined) return undefined;
    connector.running = undefined;
    running.end();
    const { task, worker } = running;
    let last: readonly OffsetEntry[];
    try {
      last = task.tick();
    } catch {
      return undefined;
    }
    const epoch = epochOf(name);
    return {
      worker,
      commit() {
        if (closed || (options.exactlyOnce && epoch !== epochOf(name))) return;
        offsets.write(name, last, task.keys);
      },
    };
  };

  /** Resolves when the worker considers the task ended: true if it has ended, false if the worker abandons it. */
  const endTask = async (connector: SandboxConnector): Promise<boolean> => {
    const last = lastCommit(connector);
    if (last === undefined) return true;
    const { worker, commit } = last;
    const hang = options.hang(connector.name);
    if (hang !== undefined || group.isFrozen(worker)) {
      const hung = Promise.all([span(hang ?? 0), group.awake(worker)]).then(() => {
        commit();
        return true;
      });
      return Promise.race([hung, wait(options.graceful).then(() => false)]);
    }
    const lag = options.lastCommitLag > 0 ? options.statusLag + options.lastCommitLag : 0;
    if (lag > 0 && worker === group.leader) later(lag, commit);
    else {
      if (lag > 0) await wait(lag);
      commit();
    }
    return true;
  };

  /**
   * Stops a connector with a task. Each worker writes the status of what it runs. The leader removes those of tasks
   * that are no longer configured, even if they still run, and a follower learns of the stop in a later rebalance (seen
   * on 3.9.2 and 4.3.1).
   */
  const stop = async (connector: SandboxConnector, stands: () => boolean): Promise<void> => {
    const onLeader = (worker: number): boolean => worker === group.leader;
    const { connector: here, task: there } = connector.place;
    if (onLeader(here)) show(connector, { state: "STOPPED" });
    const end = endTask(connector);
    const showEnd = (ended: boolean): void => {
      if (ended && stands()) show(connector, { tasks: [{ id: 0, state: "UNASSIGNED" }] });
    };
    if (onLeader(there)) await end;
    if (!stands()) return;
    show(connector, { tasks: [] });
    if (!onLeader(there)) void end.then(showEnd);
    if (!onLeader(here) || !onLeader(there))
      void Promise.all([end, span(options.nextRebalance())]).then(() => {
        if (stands()) show(connector, { state: "STOPPED", tasks: [] });
      });
  };

  const settle = (connector: SandboxConnector): void => {
    const { target } = connector;
    const isThere = (): boolean => !closed && connectors.get(connector.name) === connector;
    const stands = (): boolean => isThere() && connector.target === target;
    const before = connector.settled;
    connector.settled = before.then(async () => {
      if (!isThere()) return;
      if (target === "RUNNING") {
        await group.led();
        if (stands()) startTask(connector);
        return;
      }
      if (target === "STOPPED" && connector.running !== undefined) return stop(connector, stands);
      await endTask(connector);
      if (closed || connector.target !== target) return;
      show(connector, {
        state: target,
        tasks: target === "PAUSED" ? [{ id: 0, state: "PAUSED" }] : [],
      });
    });
  };

  const enter = (connector: SandboxConnector, target: TargetState): void => {
    connector.target = target;
    settle(connector);
    const millis = options.operatorMillis();
    if (target === "STOPPED" && millis !== undefined)
      later(millis, () => {
        if (connector.target === "STOPPED" && options.operatorMillis() !== undefined) enter(connector, "RUNNING");
      });
  };

  const aim = (connector: SandboxConnector, target: TargetState): void => {
    // A resume starts a stopped or paused connector. For any other it does nothing, even if its task has failed.
    if (connector.target !== "RUNNING" || target !== "RUNNING") enter(connector, target);
  };

  return {
    connectors,
    offsets,
    aim,
    create(name, config, state) {
      const connector: SandboxConnector = {
        name,
        config: { ...config, name },
        target: state,
        reported: undefined,
        statusLog: [],
        place: options.place,
        settled: Promise.resolve(),
        running: undefined,
        trace: undefined,
      };
      connectors.set(name, connector);
      enter(connector, state);
      return connector;
    },
    reconfigure(connector, config) {
      connector.config = { ...config, name: connector.name };
      if (connector.target !== "RUNNING") return;
      connector.settled = connector.settled.then(async () => void (await endTask(connector)));
      settle(connector);
    },
    restart(connector) {
      connector.settled = connector.settled.then(async () => void (await endTask(connector)));
      settle(connector);
    },
    remove(connector) {
      connectors.delete(connector.name);
      void endTask(connector);
    },
    alter(name, entries) {
      epochs.set(name, epochOf(name) + 1);
      offsets.write(name, entries);
    },
    show(name, status) {
      const connector = connectors.get(name);
      if (connector === undefined) throw new Error(`no connector ${name} in this sandbox`);
      report(connector, status);
    },
    replace(lost, by) {
      const moved = (worker: number): number => (worker === lost ? by : worker);
      for (const connector of connectors.values()) {
        const { place } = connector;
        connector.place = { connector: moved(place.connector), task: moved(place.task) };
        if (place.task !== lost || connector.target !== "RUNNING") continue;
        const last = lastCommit(connector);
        // The task that replaces another one fences it if exactly-once support is on.
        epochs.set(connector.name, epochOf(connector.name) + 1);
        if (last !== undefined) void group.awake(lost).then(last.commit);
        settle(connector);
      }
    },
    unsettle(state) {
      const unsettled = [...connectors.values()].flatMap((connector) => {
        const { reported } = connector;
        if (reported === undefined) return [];
        const status = { state, tasks: reported.tasks.map(({ id }) => ({ id, state })) };
        report(connector, status);
        return [{ connector, reported, status }];
      });
      return () => {
        for (const { connector, reported, status } of unsettled)
          if (connector.reported === status) report(connector, reported);
      };
    },
    kill(worker) {
      for (const connector of connectors.values()) {
        if (connector.running?.worker !== worker) continue;
        connector.running.end();
        connector.running = undefined;
      }
    },
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
