import type { OffsetEntry } from "../../../../core/facts/offset/stored-offset.ts";
import type { Transaction } from "../../../../providers/sandbox/change-history.ts";
import { changeRecords } from "../../../../providers/sandbox/change-records.ts";
import type { SandboxTask, TaskedConnector } from "../../../../providers/sandbox/connect/task.ts";
import {
  debeziumRecords,
  debeziumTopic,
  type SourceOf,
  snapshotRecord,
  txIdOf,
} from "../../../../providers/sandbox/debezium/change-records.ts";
import { commitIn, debeziumOffset } from "../../../../providers/sandbox/debezium/legacy-task.ts";
import type { SandboxBroker } from "../../../../providers/sandbox/kafka/broker.ts";
import type { NewRecord } from "../../../../providers/sandbox/kafka/encode-batch.ts";
import { standInTask } from "../stand-in-task.ts";
import { rowOf, snapshotAt, tableOfCommits, transactionAt } from "./commits.ts";

/**
 * What the stand-in of Debezium's connector stores and delivers (`providers/real/plugin/debezium/DebeziumTask.java`),
 * commit by commit, so that one suite can look at both. Their forms are the sandbox's.
 */
export function standInDebezium({ config }: TaskedConnector, broker: SandboxBroker): SandboxTask {
  const server = config["topic.prefix"] ?? "";
  const version = config["standin.version"] === "2.7.3.Final" ? "2.7.3.Final" : "3.6.1.Final";
  const isLater = version === "3.6.1.Final";
  const tables = tablesIn(config);
  const numberIn = (name: string): bigint => BigInt(config[name] ?? "0");
  const open = numberIn("standin.open.scn");
  const hangs = config["standin.snapshot.hangs"] === "true";
  let scn = numberIn("standin.scn");
  let snapshotScn = scn;
  let last: Transaction | undefined;
  let stored: OffsetEntry["offset"] = null;

  const write = (topic: string, records: readonly NewRecord[]): void => writeTo(broker, topic, records);
  const read = (row: readonly string[], source: Partial<SourceOf> & Pick<SourceOf, "snapshot" | "scn">): void => {
    for (const table of tables)
      write(debeziumTopic(config, table), [
        snapshotRecord(
          table,
          row,
          { commitScn: undefined, xid: undefined, user: undefined, ...source },
          config,
          version,
        ),
      ]);
  };
  const snapshot = (): void => {
    const rows = snapshotAt(scn).slice(0, hangs ? 1 : undefined);
    for (const row of rows) read(row as readonly string[], { snapshot: "true", scn });
    stored = {
      ...{ scn: String(scn), snapshot_scn: String(scn), snapshot_completed: !hangs },
      ...(isLater ? { snapshot: "INITIAL", commit_scn: null } : { snapshot: true }),
    };
  };
  return {
    start(entries) {
      stored = entries.find(({ partition }) => partition["server"] === server)?.offset ?? null;
      if (stored === null || stored["snapshot_completed"] === false) return;
      snapshotScn = BigInt(String(stored["snapshot_scn"]));
      scn = commitIn(stored) ?? snapshotScn;
      if (scn > snapshotScn) last = transactionAt(scn);
    },
    tick() {
      if (stored === null) snapshot();
      else if (!hangs && config["standin.step.scn"] !== "0") {
        scn++;
        last = transactionAt(scn);
        for (const table of tables) write(debeziumTopic(config, table), debeziumRecords(table, last, config, version));
        const incremental = scn === numberIn("standin.incremental.scn");
        if (incremental)
          read(rowOf(scn, "NEW") as readonly string[], {
            ...{ snapshot: "incremental", scn: scn - 1n, commitScn: scn, xid: txIdOf(last.xid) },
          });
        write(`__debezium-heartbeat.${server}`, [{ key: null, value: Buffer.from("{}") }]);
        const oldest = open > 0n && open <= scn ? open : undefined;
        stored = {
          ...debeziumOffset({ oldest, last, snapshotScn, version }),
          ...(incremental && isLater ? { snapshot: "INCREMENTAL", snapshot_completed: true } : {}),
        };
      }
      return [{ partition: { server }, offset: stored }];
    },
  };
}

/** The stand-in of the product's connector, which delivers the changes of `standin.tables` (`Deliveries.java`). */
export function deliveringTask(connector: TaskedConnector, broker: SandboxBroker): SandboxTask {
  const { config } = connector;
  const task = standInTask(connector, broker);
  const tables = tablesIn(config);
  const start = BigInt(config["cdc.start.scn"] ?? "0");
  let delivered: bigint | undefined;
  return {
    ...task,
    tick() {
      const entries = task.tick();
      const upTo = BigInt(String(entries[0]?.offset?.["resume_scn"] ?? 0)) - 1n;
      for (let scn = (delivered ?? upTo) + 1n; scn <= upTo; scn++)
        for (const table of scn < start ? [] : tables) {
          const transaction = transactionAt(scn);
          writeTo(
            broker,
            `${config["cdc.topic.prefix"]}.${table.owner}.${table.name}`,
            changeRecords(table, transaction, transaction.changes, config),
          );
        }
      delivered = upTo;
      return entries;
    },
  };
}

const tablesIn = (config: Readonly<Record<string, string>>) =>
  (config["standin.tables"] ?? "").split(",").flatMap((name) => (name === "" ? [] : [tableOfCommits(name.trim())]));

function writeTo(broker: SandboxBroker, topic: string, records: readonly NewRecord[]): void {
  if (!broker.state.topics.has(topic)) broker.createTopic(topic);
  if (records.length > 0) broker.append(topic, records);
}
