import { setTimeout as pause } from "node:timers/promises";
import { connectVersion, isAtLeast } from "../../../core/facts/connector/connector.ts";
import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { carriedOut } from "./carry-out.ts";
import {
  type Cluster,
  openCluster,
  type Place,
  type ReportedStatus,
  type SandboxConnector,
  type TargetState,
} from "./cluster.ts";
import type { FaultRule } from "./fault.ts";
import { openGroup, type Span } from "./group.ts";
import { type Listener, type ListenerTls, listen } from "./listener.ts";
import { type AlterOffsets, type Answer, answerTo, type ConfigError, type Plugin, type RestRequest } from "./routes.ts";
import { type Login, type SeenRequest, serve } from "./serve.ts";
import { answerBefore, type Phase } from "./starting-worker.ts";
import { oracleTask, type SandboxTask, type TaskedConnector } from "./task.ts";

export interface StartConnectOptions {
  /**
   * The version that `GET /` reports; determines the supported calls: `3.4.0` no stop and offsets, `3.5.1` no PATCH.
   * Default 3.9.2.
   */
  readonly version?: string;
  /** `kafka_cluster_id` */
  readonly clusterId?: string;
  /** Default 0: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  /** Connectors that exist from the start, with their stored offsets. */
  readonly connectors?: readonly (TaskedConnector & {
    readonly state?: TargetState;
    readonly offsets?: readonly OffsetEntry[];
  })[];
  readonly plugins?: readonly Plugin[];
  readonly validate?: (className: string, config: Readonly<Record<string, string>>) => readonly ConfigError[];
  /** Default: accepts offsets with a resume_scn, checks no others. */
  readonly alterOffsets?: AlterOffsets;
  /** Default: `oracleTask` towards `position`. */
  readonly task?: (connector: TaskedConnector) => SandboxTask;
  /** SCN up to which the default task can mine; by default it rises with every read. */
  readonly position?: () => bigint;
  /** ms; default 50. */
  readonly commitInterval?: number;
  /** ms by which `status` is behind; default 50. */
  readonly statusLag?: number;
  /** `task.shutdown.graceful.timeout.ms`; default 5000. */
  readonly graceful?: number;
  /** How long tasks hang when they are stopped, before they commit their last offset. */
  readonly hang?: Span | ((connector: string) => Span | undefined);
  /**
   * ms after the connector is seen without tasks until a task's last commit is stored, as with a task of a follower;
   * default 0: before.
   */
  readonly lastCommitLag?: number;
  /** `exactly.once.source.support=enabled`; default false. */
  readonly exactlyOnce?: boolean;
  /**
   * An operator of Kubernetes resumes every stopped connector: after 200 ms (true), or after the given ms. `before
   * PATCH`: once, when the first PATCH arrives.
   */
  readonly operator?: boolean | number | "before PATCH";
  /** The name of each worker in `worker_id`, as set by `rest.advertised.host.name`; default: its address. */
  readonly advertised?: (worker: number) => string;
  /** Default 1. Worker 0 leads first. */
  readonly workers?: number;
  /**
   * The workers that run the connectors and their tasks; default 0 for both. Those not on the leader stop as on a
   * follower.
   */
  readonly place?: Place;
  /**
   * How long until a follower takes part in the next rebalance. Default 3000 ms, the worker's heartbeat.interval.ms.
   */
  readonly nextRebalance?: Span | (() => Span);
  /**
   * ms after which a 4.x follower answers 500 for a leader that does not answer; default 30,000. A 3.x follower waits.
   */
  readonly idleTimeout?: number;
  /** Requests to `url` go to the workers that are not down in turn, as through a load balancer. */
  readonly balanced?: boolean;
  readonly faults?: FaultRule;
  readonly auth?: Login;
  readonly tls?: ListenerTls;
  /** Path prefix, as of a gateway: `/kafka-connect`. */
  readonly prefix?: string;
}

/** One of the workers, and its faults. */
export interface SandboxWorker {
  readonly url: string;
  /** ms of the status topic that it has not read yet: it reports the status as of then. */
  behind: number;
  /** Stops it like SIGSTOP: it keeps its connections and answers nothing, and its tasks commit nothing. */
  freeze(): void;
  /**
   * Continues it like SIGCONT: it carries out every call that it received, even if another worker leads by now, and its
   * replaced tasks commit once more.
   */
  thaw(): void;
  /** Kills it like SIGKILL: connections are refused, and its tasks end without a commit. */
  kill(): Promise<void>;
  /**
   * Starts a killed worker on its old port. While it is `starting` it answers 404 to every path; while it is `joining`
   * it knows no connector and no status yet, and calls that need the group wait. Both default to 0 ms. Resolves when it
   * is ready.
   */
  start(phases?: { readonly starting?: Span; readonly joining?: Span }): Promise<void>;
}

/** An operator of the workers, while they run. */
export interface SandboxOperator {
  /** ms after which it resumes a stopped connector; undefined: it is paused, or does not exist. */
  resumeMillis: number | undefined;
  /** The names of the workers; undefined: their addresses. */
  advertised: ((worker: number) => string) | undefined;
}

export interface SandboxConnect {
  readonly url: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  readonly cluster: Cluster;
  readonly workers: readonly SandboxWorker[];
  readonly operator: SandboxOperator;
  /** Makes a worker the leader; it takes over the connectors of frozen and killed workers. */
  elect(worker: number): void;
  /**
   * Begins a rebalance: until the returned function is called, changes are answered with 409, and connectors and tasks
   * are reported in this state.
   *
   * @param state default UNASSIGNED
   */
  rebalance(state?: "UNASSIGNED" | "RESTARTING"): () => void;
  /** Replaces the rule for faults; undefined removes it. */
  fail(rule: FaultRule | undefined): void;
  /** Makes `status` answer this until the next change. */
  show(connector: string, status: ReportedStatus): void;
  stored(connector: string): readonly OffsetEntry[];
  close(): Promise<void>;
}

const CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";

/** Starts loopback Connect workers that answer as real ones do, with injected faults. */
export async function startConnect(options: StartConnectOptions = {}): Promise<SandboxConnect> {
  const version = options.version ?? "3.9.2";
  const release = connectVersion(version);
  if (release === undefined) throw new Error(`the sandbox does not know Connect version ${version}`);
  let scn = 2_204_511n;
  const position = options.position ?? (() => (scn += 10n));
  const { hang, nextRebalance = 3000 } = options;
  const operator: SandboxOperator = {
    resumeMillis: options.operator === true ? 200 : typeof options.operator === "number" ? options.operator : undefined,
    advertised: options.advertised,
  };
  const count = options.workers ?? 1;
  const group = openGroup(count);
  const cluster = openCluster({
    group,
    place: options.place ?? { connector: 0, task: 0 },
    nextRebalance: typeof nextRebalance === "function" ? nextRebalance : () => nextRebalance,
    task: options.task ?? ((connector) => oracleTask(connector, { dbid: 2_873_049_183n, resetlogsScn: 1n, position })),
    commitInterval: options.commitInterval ?? 50,
    statusLag: options.statusLag ?? 50,
    graceful: options.graceful ?? 5000,
    hang: typeof hang === "function" ? hang : () => hang,
    lastCommitLag: options.lastCommitLag ?? 0,
    exactlyOnce: options.exactlyOnce ?? false,
    operatorMillis: () => operator.resumeMillis,
  });
  const prefix = (options.prefix ?? "").replace(/\/+$/, "");
  const seen: SeenRequest[] = [];
  let faults = options.faults;
  let resumesOnce = options.operator === "before PATCH";
  let turn = -1;
  const nodes: Node[] = [];
  const idOf = (worker: number): string => operator.advertised?.(worker) ?? `127.0.0.1:${nodes[worker]?.listener.port}`;
  const shared = {
    cluster,
    version,
    release,
    idOf,
    clusterId: options.clusterId ?? "c2FuZGJveC1jbHVzdGVyMQ",
    plugins: options.plugins ?? [{ class: CLASS, type: "source", version: "1.0.0" }],
    alterOffsets:
      options.alterOffsets ??
      ((_, entries) => entries.every(({ offset }) => offset === null || "resume_scn" in offset)),
    exactlyOnce: options.exactlyOnce ?? false,
    validate: options.validate ?? missingPrefix,
  } satisfies Partial<Parameters<typeof answerTo>[0]>;
  const idleTimeout = isAtLeast(release, 4, 0) ? (options.idleTimeout ?? 30_000) : undefined;

  const answer = async (request: RestRequest, worker: number): Promise<Answer> => {
    const node = nodes[worker];
    if (node === undefined) throw new RangeError(`this sandbox has no worker ${worker}`);
    const early = answerBefore(node.phase, request);
    if (typeof early === "object") return early;
    const behind = (): number | undefined => (node.phase === "joining" ? undefined : node.behind);
    const carryOut = async (): Promise<Answer> => {
      if (resumesOnce && request.method === "PATCH") {
        resumesOnce = false;
        for (const connector of cluster.connectors.values()) cluster.aim(connector, "RUNNING");
      }
      return answerTo({ ...shared, behind }, request);
    };
    return early === undefined && node.phase === "joining"
      ? carryOut()
      : carriedOut(group, { request, worker, idleTimeout, carryOut });
  };
  const listenAs = (port: number, worker: () => number): Promise<Listener> => {
    const serving = { prefix, auth: options.auth, faults: () => faults, seen, worker, answer };
    return listen(port, options.tls, serve(serving));
  };
  for (let worker = 0; worker < count; worker++) {
    const port = worker === 0 && !options.balanced ? (options.port ?? 0) : 0;
    nodes.push({ listener: await listenAs(port, () => worker), phase: "ready", behind: 0 });
  }
  const nextTurn = (): number => {
    do turn++;
    while (group.isDown(turn % count) && nodes.some((_, worker) => !group.isDown(worker)));
    return turn % count;
  };
  const front = options.balanced ? await listenAs(options.port ?? 0, nextTurn) : undefined;
  const urlOf = ({ port }: Listener): string => `${options.tls ? "https" : "http"}://127.0.0.1:${port}${prefix}`;
  const [first] = nodes;
  if (first === undefined) throw new RangeError("a sandbox needs at least one worker");
  const { port } = front ?? first.listener;

  for (const { name, config, state, offsets } of options.connectors ?? []) {
    cluster.offsets.write(name, offsets ?? []);
    const connector = cluster.create(name, { "connector.class": CLASS, ...config }, state ?? "RUNNING");
    await connector.settled;
    const status = connector.reported ?? {
      state: state ?? "RUNNING",
      tasks: state === "STOPPED" ? [] : [{ id: 0, ...firstTask(connector, state ?? "RUNNING") }],
    };
    connector.reported = status;
    connector.statusLog.push({ at: Number.NEGATIVE_INFINITY, status });
  }

  const listeners = (): readonly Listener[] => [...nodes.map(({ listener }) => listener), ...(front ? [front] : [])];
  return {
    url: urlOf(front ?? first.listener),
    port,
    requests: seen,
    connections: () => listeners().reduce((sum, { connections }) => sum + connections(), 0),
    cluster,
    operator,
    workers: nodes.map((node, worker) => ({
      url: urlOf(node.listener),
      get behind() {
        return node.behind;
      },
      set behind(millis) {
        node.behind = millis;
      },
      freeze: () => group.freeze(worker),
      thaw: () => group.thaw(worker),
      async kill() {
        group.kill(worker);
        cluster.kill(worker);
        await node.listener.close();
      },
      async start({ starting = 0, joining = 0 } = {}) {
        node.phase = "starting";
        await node.listener.reopen();
        await (typeof starting === "number" ? pause(starting) : starting);
        group.start(worker);
        node.phase = "joining";
        await (typeof joining === "number" ? pause(joining) : joining);
        node.phase = "ready";
        cluster.replace(worker, worker);
        group.thaw(worker);
      },
    })),
    elect(worker) {
      group.elect(worker);
      for (let lost = 0; lost < count; lost++) if (group.isFrozen(lost)) cluster.replace(lost, worker);
    },
    rebalance(state = "UNASSIGNED") {
      const end = group.rebalance();
      const restore = cluster.unsettle(state);
      return () => {
        end();
        restore();
      };
    },
    fail(rule) {
      faults = rule;
    },
    show: cluster.show,
    stored: cluster.offsets.of,
    async close() {
      cluster.close();
      await Promise.all(listeners().map((listener) => listener.close()));
    },
  };
}

interface Node {
  readonly listener: Listener;
  phase: Phase;
  behind: number;
}

/** A task that fails at its start has failed before the first request. */
function firstTask({ running, trace }: SandboxConnector, state: TargetState) {
  return state === "RUNNING" && running === undefined && trace !== undefined ? { state: "FAILED", trace } : { state };
}

function missingPrefix(_class: string, config: Readonly<Record<string, string>>): readonly ConfigError[] {
  return config["cdc.topic.prefix"] === undefined
    ? [
        {
          name: "cdc.topic.prefix",
          errors: ['Missing required configuration "cdc.topic.prefix" which has no default value.'],
        },
      ]
    : [];
}
