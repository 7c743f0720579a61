import { isObject, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import { type SandboxBroker, startBroker } from "../../kafka/broker.ts";
import type { NewTopic } from "../../kafka/broker-state.ts";
import { healthyWorld, type OracleWorld } from "../../oracle/world.ts";
import { captured } from "../../tables.ts";
import { offsetStore } from "../offset-store.ts";
import { oracleTask, type SandboxTask, type TaskedConnector } from "../task.ts";
import { connectorTask } from "./connector-task.ts";
import { readProgress, type SnapshotProgress } from "./snapshot-progress.ts";
import { minedUpTo } from "./topology.ts";

/** The connector's task of a test, without a worker: each call is carried out at once, and each tick is a commit. */
export interface TaskHarness {
  readonly broker: SandboxBroker;
  readonly oracle: OracleWorld;
  /** Starts the task, or restarts it from what it has committed. @throws Error whose message is the trace */
  start(): void;
  tick(times?: number): void;
  stored(): JsonObject | undefined;
  /** Replaces the stored offset, as a PATCH does while the connector is stopped. */
  store(offset: JsonObject | null): void;
  snapshot(): SnapshotProgress | undefined;
  /** Appends a record to the signals topic. Default key: the connector's name. @returns its offset */
  signal(value: unknown, to?: { readonly key?: string | null; readonly partition?: number }): bigint;
  /** The details of the ops events of one type, in order. */
  events(type: string): readonly JsonObject[];
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly config?: Readonly<Record<string, string>>;
  readonly oracle?: (world: OracleWorld) => void;
  /** Null: nothing is stored. Default: an offset that the connector may have stored. */
  readonly offset?: JsonObject | null;
  readonly topics?: Readonly<Record<string, NewTopic>>;
  readonly mining?: (connector: TaskedConnector, world: OracleWorld, broker: SandboxBroker) => SandboxTask;
}

export const PREFIX = "orders";
export const SIGNALS = `${PREFIX}.cdc.signals`;
export const ORDERS = "ORCLPDB1.SALES.ORDERS";
export const LINES = "ORCLPDB1.SALES.LINES";
export const MINED_SCN = 2_044_511n;

/** The offset of a connector that has delivered a commit and mined everything. */
export function offsetOf({ database: { dbid, resetlogsScn } }: OracleWorld, changes: JsonObject = {}): JsonObject {
  return {
    v: 1n,
    resume_scn: MINED_SCN,
    last_commit_scn: MINED_SCN - 13n,
    last_commit_xid: "3:7.22.1180",
    last_commit_thread: 1n,
    event_index: 14n,
    journal_generation: 7n,
    schema_epoch: 0n,
    dbid,
    resetlogs_scn: resetlogsScn,
    released_xids: null,
    ...changes,
  };
}

export async function openTask(options: HarnessOptions = {}): Promise<TaskHarness> {
  const broker = await startBroker({ clusterId: "harness", topics: options.topics ?? {} });
  const oracle = healthyWorld();
  oracle.tables = [captured(oracle, "ORDERS"), captured(oracle, "LINES")];
  options.oracle?.(oracle);
  const connector = {
    name: "orders-cdc",
    config: {
      "cdc.topic.prefix": PREFIX,
      "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
      "cdc.stream.bootstrap.servers": broker.address,
      "cdc.snapshot.mode": "none",
      ...options.config,
    },
  };
  const partition = { server: PREFIX };
  const offsets = offsetStore();
  const { dbid, resetlogsScn } = oracle.database;
  const mining =
    options.mining ??
    ((one) =>
      oracleTask(one, {
        dbid,
        resetlogsScn,
        position: () => minedUpTo(one.config, oracle, MINED_SCN),
        firstStart: oracle,
      }));
  const offset = options.offset === undefined ? offsetOf(oracle) : options.offset;
  if (offset !== null) offsets.write(connector.name, [{ partition, offset }]);
  let task: SandboxTask | undefined;
  const stored = (): JsonObject | undefined => offsets.of(connector.name)[0]?.offset ?? undefined;
  return {
    broker,
    oracle,
    stored,
    start() {
      task = connectorTask(mining(connector, oracle, broker), connector, { oracle, broker, manner: () => "answering" });
      offsets.write(connector.name, task.start(offsets.toTask(connector.name)) ?? []);
    },
    tick(times = 1) {
      for (let i = 0; i < times; i++) offsets.write(connector.name, task?.tick() ?? []);
    },
    store: (wanted) => offsets.write(connector.name, [{ partition, offset: wanted }]),
    snapshot() {
      const block = stored()?.["snapshot"];
      return typeof block === "string" ? readProgress(block) : undefined;
    },
    signal(value, { key = connector.name, partition: to = 0 } = {}) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const record = { key: key === null ? null : Buffer.from(key), value: Buffer.from(text) };
      return broker.append(SIGNALS, record, { partition: to });
    },
    events: (type) =>
      broker
        .committed(`${PREFIX}.cdc.ops`)
        .map(({ value }) => parseJson(Buffer.from(value ?? []).toString("utf8")) as JsonObject)
        .filter((event) => event["type"] === type)
        .map(({ details }) => (details !== undefined && isObject(details) ? details : {})),
    close: () => broker.close(),
  };
}

/** Runs a test with a task of its own. */
export async function withTask(options: HarnessOptions, use: (task: TaskHarness) => void): Promise<void> {
  const task = await openTask(options);
  try {
    use(task);
  } finally {
    await task.close();
  }
}
