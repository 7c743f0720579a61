import type { OffsetEntry } from "../../../core/facts/offset.ts";
import { type OffsetStore, offsetStore } from "./offset-store.ts";
import type { SandboxTask, TaskedConnector } from "./task.ts";

export type TargetState = "RUNNING" | "PAUSED" | "STOPPED";

export interface ShownStatus {
  readonly state: string;
  readonly trace?: string;
  readonly tasks: readonly { readonly id: number; readonly state: string; readonly trace?: string }[];
}

export interface SandboxConnector extends TaskedConnector {
  config: Record<string, string>;
  target: TargetState;
  /** What `status` answers: behind the truth by the lag of the status topic. */
  shown: ShownStatus | undefined;
  /** The worker's herder works on one thing at a time: while a task is being stopped, changes of offsets wait. */
  settled: Promise<void>;
  running: { readonly task: SandboxTask; readonly end: () => void } | undefined;
  /** Of the task that failed last. */
  trace: string | undefined;
}

export interface ClusterOptions {
  readonly task: (connector: TaskedConnector) => SandboxTask;
  /** Milliseconds between two commits of a task. */
  readonly commitInterval: number;
  /** How far `status` is behind, in ms. */
  readonly statusLag: number;
  /** `task.shutdown.graceful.timeout.ms` */
  readonly graceful: number;
  /** How long a task hangs when it is stopped: ms, or until the promise resolves. */
  readonly hang: (connector: string) => number | Promise<void> | undefined;
  /** The last commit of a task is stored so many ms after its connector is seen STOPPED without tasks, as happens with two workers. */
  readonly lastCommitLag: number;
  /** A PATCH fences tasks that were given up: their late commits are lost. */
  readonly exactlyOnce: boolean;
  /** An operator puts a stopped connector back to RUNNING after so many ms. */
  readonly operatorMillis: number | undefined;
}

/** Connectors, tasks and offsets of a connect cluster; what the REST API and a scenario act upon. */
export interface Cluster {
  readonly connectors: ReadonlyMap<string, SandboxConnector>;
  readonly offsets: OffsetStore;
  create(name: string, config: Record<string, string>, state: TargetState): SandboxConnector;
  reconfigure(connector: SandboxConnector, config: Record<string, string>): void;
  aim(connector: SandboxConnector, target: TargetState): void;
  restart(connector: SandboxConnector): void;
  remove(connector: SandboxConnector): void;
  alter(connector: string, entries: readonly OffsetEntry[]): void;
  /** A state that nothing here leads to, such as UNASSIGNED. Stays until the next change. */
  show(connector: string, status: ShownStatus): void;
  close(): void;
}

export function openCluster(options: ClusterOptions): Cluster {
  const connectors = new Map<string, SandboxConnector>();
  const offsets = offsetStore();
  const timers = new Set<NodeJS.Timeout>();
  /** Rises with every change of offsets over REST: a task started before is fenced with exactly-once support. */
  const epochs = new Map<string, number>();
  const epochOf = (name: string): number => epochs.get(name) ?? 0;
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

  const show = (connector: SandboxConnector, status: ShownStatus, lag = options.statusLag): void => {
    if (lag === 0) connector.shown = status;
    else
      later(lag, () => {
        connector.shown = status;
      });
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
    connector.running = { task, end: () => clearTimeout(timer) };
    show(connector, { state: "RUNNING", tasks: [{ id: 0, state: "RUNNING" }] });
    const commit = (): void => {
      try {
        offsets.write(connector.name, task.tick(), task.keys);
        timer = later(options.commitInterval, commit);
      } catch (error) {
        fail(connector, error);
      }
    };
    try {
      task.start(offsets.toTask(connector.name));
      timer = later(options.commitInterval, commit);
    } catch (error) {
      fail(connector, error);
    }
  };

  /** Resolves when the worker considers the task stopped, or gives it up. */
  const endTask = async (connector: SandboxConnector): Promise<void> => {
    const running = connector.running;
    if (running === undefined) return;
    connector.running = undefined;
    running.end();
    const { name } = connector;
    let last: readonly OffsetEntry[];
    try {
      last = running.task.tick();
    } catch {
      return;
    }
    const epoch = epochOf(name);
    const commit = (): void => {
      if (closed || (options.exactlyOnce && epoch !== epochOf(name))) return;
      offsets.write(name, last, running.task.keys);
    };
    const hang = options.hang(name);
    if (hang !== undefined) {
      const hung = (typeof hang === "number" ? wait(hang) : hang).then(commit);
      await Promise.race([hung, wait(options.graceful)]);
    } else if (options.lastCommitLag > 0) later(options.statusLag + options.lastCommitLag, commit);
    else commit();
  };

  const settle = (connector: SandboxConnector): void => {
    const { target } = connector;
    const before = connector.settled;
    connector.settled = before.then(async () => {
      if (closed || connectors.get(connector.name) !== connector) return;
      if (target === "RUNNING") return startTask(connector);
      if (target === "STOPPED" && connector.running !== undefined)
        show(connector, { state: "STOPPED", tasks: connector.shown?.tasks ?? [] });
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
    if (target === "STOPPED" && options.operatorMillis !== undefined)
      later(options.operatorMillis, () => {
        if (connector.target === "STOPPED") enter(connector, "RUNNING");
      });
  };

  const aim = (connector: SandboxConnector, target: TargetState): void => {
    // A resume starts what is stopped or paused. To what is neither, its task failed or not, it does nothing.
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
        shown: undefined,
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
      connector.settled = connector.settled.then(() => endTask(connector));
      settle(connector);
    },
    restart(connector) {
      connector.settled = connector.settled.then(() => endTask(connector));
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
      connector.shown = status;
    },
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
