import type { JsonObject } from "../../core/values/json.ts";
import { type SandboxConnect, type StartConnectOptions, startConnect } from "./connect/start-connect.ts";
import { connectorTask } from "./connect/task/connector-task.ts";
import type { SignalManner } from "./connect/task/signals.ts";
import { stoppingTask } from "./connect/task/stopping-task.ts";
import { minedUpTo } from "./connect/task/topology.ts";
import { oracleTask, type TaskedConnector } from "./connect/task.ts";
import type { LoopbackJvm } from "./jmx/loopback-jvm.ts";
import { startTaskExporter, type TaskExporter } from "./jmx/task-exporter.ts";
import { startTaskJvm, type TaskJvmOptions, type TaskValues } from "./jmx/task-jvm.ts";
import { type BrokerOptions, type Fault, type RequestSeen, type SandboxBroker, startBroker } from "./kafka/broker.ts";
import type { NewTopic } from "./kafka/broker-state.ts";
import type { NewRecord } from "./kafka/encode-batch.ts";
import { type LegacyActor, type MigrationStage, migrationStage } from "./migration/stage.ts";
import { startOracleDatabase } from "./oracle/database.ts";
import type { OracleServer } from "./oracle/server.ts";
import { healthyWorld, type OracleWorld } from "./oracle/world.ts";
import { changed } from "./tables.ts";

export const CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw";
export const CONNECTOR = "orders-cdc";
export const PREFIX = "orders";
const JOURNAL_TOPIC = `${PREFIX}.cdc.txjournal`;
/** The stored resume SCN: the connector has mined all redo. */
export const STORED_SCN = 2_044_511n;
export const LOGIN = { user: "C##CDC", password: "cdc-secret" };

/**
 * A loopback world in one process: Connect's REST API, a Kafka broker and an Oracle database over their real protocols.
 */
export interface Sandbox {
  readonly connect: SandboxConnect;
  readonly broker: SandboxBroker;
  readonly oracle: OracleWorld;
  /** The port of the database, independent of the connector's configuration. */
  readonly databasePort: number;
  /** The worker's JVM, if requested. */
  readonly jvm: LoopbackJvm | undefined;
  /** The JMX exporter in that JVM. */
  readonly exporter: TaskExporter | undefined;
  /** The migration, if requested: the legacy connector then replaces the other one. */
  readonly migration: MigrationStage | undefined;
  /** The connector's configuration, as stored by its worker. */
  readonly config: Readonly<Record<string, string>>;
  /** Sets how the connector treats signals from now on. */
  treatSignals(manner: SignalManner): void;
  /** Replaces the rule for faults of the broker; undefined removes it. */
  failBroker(rule: ((request: RequestSeen) => Fault | undefined) | undefined): void;
  /** The stored offset of the connector; undefined without one. */
  stored(): JsonObject | undefined;
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Changes the healthy database before the first connection. */
  readonly oracle?: (world: OracleWorld) => void;
  /** A running legacy connector, and only the class of the new one. The options of the connector are then ignored. */
  readonly migration?: true | LegacyActor;
  /** Further connectors, with a different name and prefix and topics of their own. */
  readonly more?: readonly {
    readonly name: string;
    readonly prefix: string;
    /** Overrides the first connector's. */
    readonly config?: Readonly<Record<string, string>>;
  }[];
  /** Null: nothing is stored. */
  readonly offset?: JsonObject | null;
  readonly state?: "RUNNING" | "PAUSED" | "STOPPED";
  /** Overrides the connector's configuration; undefined removes a setting. */
  readonly config?: Readonly<Record<string, string | undefined>>;
  /** The initial content of the transaction journal. Default clean-up policy: `compact`. */
  readonly journal?: { readonly records: readonly NewRecord[]; readonly cleanupPolicy?: string };
  /** Enables JMX of the worker: the attributes of its task's MBean. Default `prefix`: the connector's. */
  readonly jmx?: Omit<TaskJvmOptions, "prefix" | "values"> & {
    readonly prefix?: string;
    readonly values: (world: OracleWorld) => TaskValues;
  };
  /** Conditions under which the task stops at its start. */
  readonly stops?: Parameters<typeof stoppingTask>[3];
  /** How the connector treats signals. Default: `answering`. */
  readonly signals?: SignalManner;
  /** Its tasks behave like the connector's, except for mining. */
  readonly connect?: Partial<Omit<StartConnectOptions, "connectors">>;
  readonly broker?: Partial<Omit<BrokerOptions, "faults">>;
}

/** The stored offset that a sandbox starts with. */
export function storedOffset(oracle: OracleWorld): JsonObject {
  return {
    v: 1n,
    resume_scn: STORED_SCN,
    resume_rs_id: "0x00002a.00000f1c.0010",
    resume_ssn: 3n,
    last_commit_scn: STORED_SCN - 13n,
    last_commit_xid: "3:7.22.1180",
    last_commit_thread: 1n,
    event_index: 14n,
    journal_generation: 7n,
    schema_epoch: 0n,
    dbid: oracle.database.dbid,
    resetlogs_scn: oracle.database.resetlogsScn,
    released_xids: "3:4.9.771,3:5.2.802",
    snapshot: '{"v":1,"complete":true,"tables":{},"scope":[]}',
  };
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const oracle = liveWorld();
  options.oracle?.(oracle);
  let manner: SignalManner = options.signals ?? "answering";
  let brokerFault: ((request: RequestSeen) => Fault | undefined) | undefined;
  const [database, broker] = await Promise.all([
    startOracleDatabase(oracle),
    startBroker({
      clusterId: CLUSTER_ID,
      topics: options.migration
        ? {}
        : {
            ...Object.fromEntries((options.more ?? []).flatMap(({ prefix }) => Object.entries(topicsOf(prefix)))),
            ...topicsOf(PREFIX, options.journal?.cleanupPolicy),
          },
      ...options.broker,
      faults: (request) => brokerFault?.(request),
    }),
  ]);
  const { jmx } = options;
  const task = jmx === undefined ? undefined : { prefix: PREFIX, ...jmx, values: () => jmx.values(oracle) };
  const [jvm, exporter] = task === undefined ? [] : await Promise.all([startTaskJvm(task), startTaskExporter(task)]);
  if (options.journal !== undefined) broker.append(JOURNAL_TOPIC, options.journal.records);
  const migration = options.migration
    ? migrationStage(
        oracle,
        broker,
        { databasePort: database.port, brokers: broker.address, ...LOGIN },
        options.migration === true ? undefined : options.migration,
      )
    : undefined;
  const config = migration?.legacyConfig ?? configuration(database, broker, options.config ?? {});
  const offset = options.offset === undefined ? storedOffset(oracle) : options.offset;
  const mined =
    options.connect?.task ??
    migration?.newTask ??
    ((connector) =>
      oracleTask(connector, {
        ...identity(oracle),
        position: () => minedUpTo(connector.config, oracle, position()),
        firstStart: oracle,
      }));
  const mining = (connector: TaskedConnector) => stoppingTask(mined(connector), connector, oracle, options.stops ?? {});
  const connect = await startConnect({
    clusterId: CLUSTER_ID,
    ...(migration === undefined
      ? {}
      : { plugins: migration.plugins, validate: migration.validate, alterOffsets: migration.alterOffsets }),
    ...options.connect,
    task: (connector) =>
      migration?.legacyTask(connector) ??
      connectorTask(mining(connector), connector, { oracle, broker, manner: () => manner }),
    connectors: migration?.connectors ?? [
      {
        name: CONNECTOR,
        config,
        state: options.state ?? "RUNNING",
        offsets: offset === null ? [] : [{ partition: { server: PREFIX }, offset }],
      },
      ...(options.more ?? []).map(({ name, prefix, config: own = {} }) => ({
        name,
        config: { ...config, "cdc.topic.prefix": prefix, ...own },
        state: options.state ?? "RUNNING",
        offsets: offset === null ? [] : [{ partition: { server: prefix }, offset }],
      })),
    ],
  });
  return {
    connect,
    broker,
    oracle,
    databasePort: database.port,
    jvm,
    exporter,
    migration,
    config,
    treatSignals(wanted) {
      manner = wanted;
    },
    failBroker(rule) {
      brokerFault = rule;
    },
    stored: () => connect.stored(CONNECTOR)[0]?.offset ?? undefined,
    async close() {
      await Promise.all([connect.close(), broker.close(), database.close(), jvm?.stop(), exporter?.close()]);
    },
  };
}

function topicsOf(prefix: string, cleanupPolicy = "compact"): Record<string, NewTopic> {
  return {
    [`${prefix}.cdc.ops`]: { partitions: 1 },
    [`${prefix}.cdc.signals`]: { partitions: 1 },
    [`${prefix}.cdc.heartbeat`]: { partitions: 1 },
    [`${prefix}.cdc.txjournal`]: { partitions: 1, configs: { "cleanup.policy": cleanupPolicy } },
  };
}

/** No redo exists beyond this SCN. */
const position = (): bigint => STORED_SCN;
const identity = ({ database: { dbid, resetlogsScn } }: OracleWorld) => ({ dbid, resetlogsScn });

/** The healthy database, with its current SCN reached when the sandbox started. */
function liveWorld(): OracleWorld {
  const world = healthyWorld();
  // Whole seconds, so that the printed times of SCNs differ only by the shift between sandboxes.
  const shift = Math.floor((Date.now() - world.now()) / 1000) * 1000;
  const { timeOf, scnAt } = world.scnTimes;
  for (const log of world.archivedLogs) {
    log.firstTime += shift;
    log.nextTime += shift;
  }
  for (const log of world.onlineLogs) log.firstTime += shift;
  world.now = Date.now;
  world.scnTimes = { ...world.scnTimes, timeOf: (scn) => timeOf(scn) + shift, scnAt: (time) => scnAt(time - shift) };
  world.tables = [changed(world, "ORDERS", 2_044_000n, 1_204n, 3n), changed(world, "LINES", 2_044_000n, 5_310n, 9n)];
  world.users = { [LOGIN.user]: { password: LOGIN.password } };
  return world;
}

function configuration(
  database: OracleServer,
  broker: SandboxBroker,
  changes: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const config: Readonly<Record<string, string | undefined>> = {
    "connector.class": "sh.oso.connect.oracle.OracleCdcSourceConnector",
    "tasks.max": "1",
    "cdc.topic.prefix": PREFIX,
    "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
    "cdc.database.host": "127.0.0.1",
    "cdc.database.port": String(database.port),
    "cdc.database.service": "ORCLCDB",
    "cdc.database.user": LOGIN.user,
    "cdc.database.password": LOGIN.password,
    "cdc.database.pdbs": "ORCLPDB1",
    "cdc.stream.bootstrap.servers": broker.address,
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(config).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
