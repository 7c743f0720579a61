import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { rowsAsOf } from "../change-history.ts";
import { legacyRecords, legacySnapshot } from "../change-records.ts";
import type { Plugin } from "../connect/routes.ts";
import type { StartConnectOptions } from "../connect/start-connect.ts";
import type { SandboxTask, TaskedConnector } from "../connect/task.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { OracleWorld } from "../oracle/world.ts";
import { type Activity, ordersActivity } from "./activity.ts";
import { deliveringTask } from "./delivering-task.ts";
import type { DeliveryFault } from "./faults.ts";
import { LEGACY_CLASS, LEGACY_TOPIC, legacyOffsets, legacyTask, redoTopicOf } from "./legacy-task.ts";
import { BEGINNING_SCN, ORDERS, SNAPSHOT_SCN } from "./orders-script.ts";

export const LEGACY_CONNECTOR = "orders-legacy";
export const LICENCE_TOPIC = "_confluent-command";
/** The consumer group of the legacy topic, until it is moved. */
export const CONSUMERS = "orders-billing";
export const NEW_CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";

/** The addresses of the database and the brokers in a configuration. */
export interface Addresses {
  readonly databasePort: number;
  readonly brokers: string;
  readonly user: string;
  readonly password: string;
}

/** A running legacy connector, its topics, and the class of the new connector. */
export interface MigrationStage {
  readonly activity: Activity;
  readonly plugins: readonly Plugin[];
  readonly legacyConfig: Readonly<Record<string, string>>;
  readonly connectors: NonNullable<StartConnectOptions["connectors"]>;
  readonly validate: NonNullable<StartConnectOptions["validate"]>;
  readonly alterOffsets: NonNullable<StartConnectOptions["alterOffsets"]>;
  /** Injects a fault into the new connector, from its next commit on. */
  plant(fault: DeliveryFault): void;
  /** Moves the consumers of the legacy topic to the new one. */
  moveConsumers(topic: string): void;
  legacyTask(connector: TaskedConnector): SandboxTask | undefined;
  newTask(connector: TaskedConnector): SandboxTask;
}

/** A connector that is migrated from: what it has, what it does, and where it starts. */
export interface LegacyActor {
  readonly connector: string;
  readonly className: string;
  readonly version: string;
  /** The topic of its table. */
  readonly topic: string;
  /** A setting without which its class refuses a configuration. */
  readonly required: string;
  configuration(addresses: Addresses): Readonly<Record<string, string>>;
  /** Writes the topics that it has written until the beginning. @returns the records of its table's, its offsets */
  past(
    broker: SandboxBroker,
    activity: Activity,
    config: Readonly<Record<string, string>>,
  ): { readonly records: bigint; readonly offsets: readonly OffsetEntry[] };
  task(connector: TaskedConnector, activity: Activity, broker: SandboxBroker): SandboxTask;
}

/** The Confluent connector. */
const CONFLUENT: LegacyActor = {
  connector: LEGACY_CONNECTOR,
  className: LEGACY_CLASS,
  version: "2.14.3",
  topic: LEGACY_TOPIC,
  required: "oracle.server",
  configuration,
  past(broker, activity, config) {
    const { cscn, records } = legacyTopics(broker, activity, config);
    return { records, offsets: legacyOffsets(BEGINNING_SCN, cscn, records) };
  },
  task: legacyTask,
};

/** Sets up the state in which the legacy connector has delivered everything up to the beginning of the script. */
export function migrationStage(
  oracle: OracleWorld,
  broker: SandboxBroker,
  addresses: Addresses,
  actor: LegacyActor = CONFLUENT,
): MigrationStage {
  const activity = ordersActivity(oracle);
  const legacyConfig = actor.configuration(addresses);
  const planted = new Set<DeliveryFault>();
  const delivered = actor.past(broker, activity, legacyConfig);
  broker.state.groups.set(CONSUMERS, {
    state: "Stable",
    members: [[actor.topic]],
    committed: { [actor.topic]: delivered.records },
  });
  return {
    activity,
    legacyConfig,
    plugins: [
      { class: actor.className, type: "source", version: actor.version },
      { class: NEW_CLASS, type: "source", version: "1.0.0" },
    ],
    connectors: [
      {
        name: actor.connector,
        config: legacyConfig,
        offsets: delivered.offsets,
      },
    ],
    validate(className, config) {
      const required = className === actor.className ? actor.required : "cdc.topic.prefix";
      const error = `Missing required configuration "${required}" which has no default value.`;
      return config[required] === undefined ? [{ name: required, errors: [error] }] : [];
    },
    // The legacy class does not check offsets.
    alterOffsets: ({ config }, entries) =>
      config["connector.class"] !== actor.className &&
      entries.every(({ offset }) => offset === null || "resume_scn" in offset),
    plant: (fault) => void planted.add(fault),
    moveConsumers(topic) {
      const committed = { [actor.topic]: delivered.records, [topic]: 0n };
      broker.state.groups.set(CONSUMERS, { state: "Stable", members: [[topic]], committed });
    },
    legacyTask: (connector) =>
      connector.config["connector.class"] === actor.className ? actor.task(connector, activity, broker) : undefined,
    newTask: (connector) => deliveringTask(connector, activity, broker, oracle, planted),
  };
}

/** The topics that the legacy connector has written. */
function legacyTopics(broker: SandboxBroker, activity: Activity, config: Readonly<Record<string, string>>) {
  const history = activity.history();
  const transactions = history.transactions.filter(({ commitScn }) => commitScn > SNAPSHOT_SCN);
  const records = [
    ...legacySnapshot(history, rowsAsOf(history, SNAPSHOT_SCN), SNAPSHOT_SCN, config),
    ...transactions.flatMap((transaction) => legacyRecords(ORDERS, transaction, config)),
  ];
  const topics = [LEGACY_TOPIC, redoTopicOf(LEGACY_CONNECTOR, config), LICENCE_TOPIC];
  for (const topic of topics)
    broker.createTopic(topic, topic === LICENCE_TOPIC ? { configs: { "cleanup.policy": "compact" } } : {});
  broker.append(LEGACY_TOPIC, records);
  broker.append(LICENCE_TOPIC, { key: Buffer.from('{"keytype":"LICENSE"}'), value: Buffer.from("{}") });
  return { cscn: transactions.at(-1)?.commitScn ?? SNAPSHOT_SCN, records: BigInt(records.length) };
}

/** A realistic configuration, with a database on loopback. */
function configuration({ databasePort, brokers, user, password }: Addresses): Readonly<Record<string, string>> {
  return {
    "connector.class": LEGACY_CLASS,
    "tasks.max": "2",
    "oracle.server": "127.0.0.1",
    "oracle.port": String(databasePort),
    "oracle.sid": ORDERS.database,
    "oracle.pdb.name": ORDERS.pdb,
    "oracle.username": user,
    "oracle.password": password,
    "start.from": "snapshot",
    "use.transaction.begin.for.mining.session": "true",
    "table.inclusion.regex": "ORCLPDB1[.]SALES[.]ORDERS",
    "redo.log.topic.name": "orders-legacy-redo-log",
    "redo.log.consumer.bootstrap.servers": brokers,
    "redo.log.row.fetch.size": "1000",
    "max.batch.size": "1000",
    "poll.linger.ms": "5000",
    "numeric.mapping": "best_fit_or_decimal",
    "emit.tombstone.on.delete": "true",
    "behavior.on.dictionary.mismatch": "fail",
    "connection.pool.max.size": "20",
    "confluent.topic": LICENCE_TOPIC,
    "confluent.topic.bootstrap.servers": brokers,
    "confluent.topic.replication.factor": "1",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "topic.creation.default.partitions": "1",
    "topic.creation.default.replication.factor": "1",
  };
}
