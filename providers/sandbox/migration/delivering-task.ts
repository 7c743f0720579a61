import type { Json } from "../../../core/values/json.ts";
import { minedFrom } from "../change-history.ts";
import { changeRecords } from "../change-records.ts";
import { oracleTask, type SandboxTask, type TaskedConnector, type TaskSource } from "../connect/task.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { NewRecord } from "../kafka/encode-batch.ts";
import type { Activity } from "./activity.ts";
import { type DeliveryFault, faulty } from "./faults.ts";
import { ORDERS } from "./orders-script.ts";

/**
 * The connector's task if there is something to deliver: the changes committed since its last commit, of transactions
 * that began at or after its start SCN. `oracleTask` keeps its offset.
 */
export function deliveringTask(
  connector: TaskedConnector,
  activity: Activity,
  broker: SandboxBroker,
  identity: Omit<TaskSource, "position">,
  faults: ReadonlySet<DeliveryFault>,
): SandboxTask {
  const { config } = connector;
  const mining = oracleTask(connector, { ...identity, position: () => activity.oldestOpen() ?? activity.currentScn() });
  const topic = topicOf(config);
  let floor = 0n;
  let last: { readonly scn: bigint; readonly xid: string | undefined } = { scn: 0n, xid: undefined };
  return {
    start(stored) {
      const offset = stored.find(({ partition }) => partition["server"] === config["cdc.topic.prefix"])?.offset;
      floor =
        scnIn(offset?.["start_floor_scn"]) ??
        scnIn(offset?.["resume_scn"]) ??
        scnIn(config["cdc.start.scn"]) ??
        activity.currentScn();
      last = { scn: scnIn(offset?.["last_commit_scn"]) ?? 0n, xid: undefined };
      for (const [name, configs] of OWN_TOPICS) make(broker, `${config["cdc.topic.prefix"]}.${name}`, configs);
      mining.start(stored);
    },
    tick() {
      activity.advance("new");
      const due = minedFrom(activity.history(), floor, last.scn, activity.currentScn());
      for (const transaction of due) {
        const records = faulty(transaction, faults).flatMap(({ change, distort }): readonly NewRecord[] =>
          changeRecords(ORDERS, transaction, [change], config, distort),
        );
        make(broker, topic);
        if (records.length > 0) broker.append(topic, records);
        last = { scn: transaction.commitScn, xid: `3:${transaction.xid}` };
      }
      return mining.tick().map(({ partition, offset }) => ({
        partition,
        offset: offset && {
          ...offset,
          start_floor_scn: floor,
          last_commit_scn: last.scn,
          ...(last.xid === undefined ? {} : { last_commit_xid: last.xid }),
        },
      }));
    },
  };
}

const OWN_TOPICS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["cdc.ops", {}],
  ["cdc.signals", {}],
  ["cdc.txjournal", { "cleanup.policy": "compact" }],
];

function make(broker: SandboxBroker, topic: string, configs: Readonly<Record<string, string>> = {}): void {
  if (!broker.state.topics.has(topic)) broker.createTopic(topic, { configs });
}

/** Reference: wire formats, "Topic names". */
export function topicOf(config: Readonly<Record<string, string>>): string {
  const values: Readonly<Record<string, string>> = {
    prefix: config["cdc.topic.prefix"] ?? "",
    pdb: ORDERS.pdb,
    database: ORDERS.database,
    schema: ORDERS.owner,
    table: ORDERS.name,
  };
  const usual = ["prefix", "pdb", "schema", "table"].map((name) => `\${${name}}`).join(".");
  return (config["cdc.topic.template"] ?? usual)
    .replaceAll(/\$\{(\w+)\}/g, (_, name) => values[name] ?? "")
    .replaceAll(/[^A-Za-z0-9._-]/g, "_");
}

function scnIn(json: Json | undefined): bigint | undefined {
  const text = String(json ?? "");
  return /^\d+$/.test(text) ? BigInt(text) : undefined;
}
