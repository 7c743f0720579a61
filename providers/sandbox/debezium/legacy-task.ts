import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import type { Json, JsonObject } from "../../../core/values/json.ts";
import { committedBetween, type Row, rowsAsOf, type Transaction } from "../change-history.ts";
import type { SandboxTask, TaskedConnector } from "../connect/task.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { Activity } from "../migration/activity.ts";
import { ORDERS, order, SNAPSHOT_SCN } from "../migration/orders-script.ts";
import type { Addresses, LegacyActor } from "../migration/stage.ts";
import { debeziumRecords, debeziumTopic, rowAlone, type SourceOf, snapshotRecord, txIdOf } from "./change-records.ts";

export const DEBEZIUM_CONNECTOR = "orders-debezium";
export const DEBEZIUM_CLASS = "io.debezium.connector.oracle.OracleConnector";
export const DEBEZIUM_PREFIX = "shop";
export const DEBEZIUM_TOPIC = `${DEBEZIUM_PREFIX}.${ORDERS.owner}.${ORDERS.name}`;
export const SCHEMA_HISTORY_TOPIC = "ddl.shop";
const SCHEMA_CHANGES_TOPIC = DEBEZIUM_PREFIX;
const HEARTBEAT_TOPIC = `__debezium-heartbeat.${DEBEZIUM_PREFIX}`;

const PARTITION: JsonObject = { server: DEBEZIUM_PREFIX };

type Version = "2.7.3.Final" | "3.6.1.Final";

/** Where a task is. */
export interface Delivered {
  /** SCN at which the oldest open transaction began. */
  readonly oldest: bigint | undefined;
  readonly last: Transaction | undefined;
  readonly snapshotScn: bigint;
  readonly version: Version;
}

/**
 * Its stored offset: `scn` lies one below the start of the oldest open transaction, or is the last commit; `commit_scn`
 * has the thread and the transactions of that commit; `snapshot_scn` stays for ever. Since 3.2 there is the last event
 * sent as well; `snapshot_pending_tx` is never there by default.
 *
 * Rule: reference: Debezium, "Stored offset".
 */
export function debeziumOffset({ oldest, last, snapshotScn, version }: Delivered): JsonObject {
  const commit = last?.commitScn ?? snapshotScn;
  const txId = last === undefined ? "" : txIdOf(last.xid);
  return {
    scn: String(oldest === undefined ? commit : oldest - 1n),
    commit_scn: `${commit}:1:${txId}`,
    snapshot_scn: String(snapshotScn),
    ...(version === "3.6.1.Final" && last !== undefined ? { txId, txSeq: BigInt(last.changes.length) } : {}),
  };
}

function offsetOf(activity: Activity, last: Transaction | undefined, version: Version): readonly OffsetEntry[] {
  const offset = debeziumOffset({ oldest: activity.oldestOpen(), last, snapshotScn: SNAPSHOT_SCN, version });
  return [{ partition: PARTITION, offset }];
}

/** A task like Debezium's: it delivers commit by commit, and stores an offset with each. */
function debeziumTask(
  { config }: TaskedConnector,
  activity: Activity,
  broker: SandboxBroker,
  version: Version,
): SandboxTask {
  let last: Transaction | undefined;
  return {
    start(stored) {
      const commit = commitIn(stored.find(({ partition }) => partition["server"] === DEBEZIUM_PREFIX)?.offset);
      last = activity.history().transactions.findLast(({ commitScn }) => commitScn <= (commit ?? SNAPSHOT_SCN));
    },
    tick() {
      activity.advance("legacy");
      const from = last?.commitScn ?? SNAPSHOT_SCN;
      for (const transaction of committedBetween(activity.history(), from, activity.currentScn())) {
        broker.append(debeziumTopic(config, ORDERS), debeziumRecords(ORDERS, transaction, config, version));
        last = transaction;
      }
      // An offset is stored with a record only: its heartbeat sends one.
      return offsetOf(activity, last, version);
    },
  };
}

export function commitIn(offset: JsonObject | null | undefined): bigint | undefined {
  const text: Json = offset?.["commit_scn"] ?? "";
  const [scn = ""] = String(text).split(":");
  return /^\d+$/.test(scn) ? BigInt(scn) : undefined;
}

/** Rows that an initial snapshot read, and that a truncate removed: it is skipped by default (`skipped.operations`). */
const TRUNCATED = [991, 992];
/** The row that an incremental snapshot has read again. */
const READ_AGAIN = "1008";

/** Transactions that never reached the topic: one was lost in an early restart, one was abandoned. */
const LOST = ["5.19.871", "1.7.1180"];
/** The row that was written alone while a transformation unwrapped the events. */
const UNWRAPPED = "1001";

/** What Debezium leaves in its topic, beside the changes of the script. */
export interface DebeziumPast {
  readonly version?: Version;
  readonly connector?: string;
  /** Rows of a time before a truncate, which was not delivered. */
  readonly skippedTruncate?: true;
  /** It has lost changes without a word, and one of its records has no envelope; truncates it delivers. */
  readonly lossy?: true;
}

/** Debezium's Oracle connector, in the form of a version. */
export function debezium({
  version = "2.7.3.Final",
  connector = DEBEZIUM_CONNECTOR,
  skippedTruncate,
  lossy,
}: DebeziumPast = {}): LegacyActor {
  return {
    connector,
    className: DEBEZIUM_CLASS,
    version,
    topic: DEBEZIUM_TOPIC,
    required: "database.hostname",
    configuration: (addresses) => ({
      ...configuration(addresses),
      ...(lossy ? { "skipped.operations": "none" } : {}),
    }),
    past(broker, activity, config) {
      const history = activity.history();
      const transactions = history.transactions.filter(({ commitScn }) => commitScn > SNAPSHOT_SCN);
      const last = transactions.at(-1);
      const initial: SourceOf = {
        ...{ snapshot: "true", scn: SNAPSHOT_SCN, commitScn: undefined, xid: undefined, user: undefined },
      };
      const read = (rows: readonly Row[], source: SourceOf) =>
        rows.map((row) => snapshotRecord(ORDERS, row, source, config, version));
      const there = rowsAsOf(history, SNAPSHOT_SCN);
      const again = rowsAsOf(history, last?.commitScn ?? SNAPSHOT_SCN).filter(([id]) => id === READ_AGAIN);
      const records = [
        ...(skippedTruncate
          ? read(
              TRUNCATED.map((id) => order(id, "NEW", "1.00")),
              initial,
            )
          : []),
        ...read(there, initial),
        ...transactions
          .filter(({ xid }) => !(lossy && LOST.includes(xid)))
          .flatMap((transaction) => debeziumRecords(ORDERS, transaction, config, version)),
        ...(lossy ? there.filter(([id]) => id === UNWRAPPED).map((row) => rowAlone(ORDERS, row, config)) : []),
        // The row of an incremental snapshot has the SCNs and the transaction of the last streamed event.
        ...read(again, {
          ...{ snapshot: "incremental", scn: last?.changes.at(-1)?.scn ?? SNAPSHOT_SCN, commitScn: last?.commitScn },
          ...{ xid: last === undefined ? undefined : txIdOf(last.xid), user: last?.user },
        }),
      ];
      for (const topic of [DEBEZIUM_TOPIC, SCHEMA_HISTORY_TOPIC, SCHEMA_CHANGES_TOPIC, HEARTBEAT_TOPIC])
        broker.createTopic(topic);
      broker.append(DEBEZIUM_TOPIC, records);
      return { records: BigInt(records.length), offsets: offsetOf(activity, last, version) };
    },
    task: (running, activity, broker) => debeziumTask(running, activity, broker, version),
  };
}

/** A realistic configuration, with a database on loopback. */
function configuration({ databasePort, brokers, user, password }: Addresses): Readonly<Record<string, string>> {
  return {
    "connector.class": DEBEZIUM_CLASS,
    "tasks.max": "1",
    "topic.prefix": DEBEZIUM_PREFIX,
    "database.hostname": "127.0.0.1",
    "database.port": String(databasePort),
    "database.user": user,
    "database.password": password,
    "database.dbname": ORDERS.database,
    "database.pdb.name": ORDERS.pdb,
    "table.include.list": `${ORDERS.owner}.${ORDERS.name}`,
    "snapshot.mode": "initial",
    "log.mining.strategy": "online_catalog",
    "heartbeat.interval.ms": "10000",
    "schema.history.internal.kafka.topic": SCHEMA_HISTORY_TOPIC,
    "schema.history.internal.kafka.bootstrap.servers": brokers,
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "topic.creation.default.partitions": "1",
    "topic.creation.default.replication.factor": "1",
  };
}
