import type { Transaction } from "../change-history.ts";
import { changeRecords } from "../change-records.ts";
import type { RedoScript, ScriptedTransaction } from "../connect/task/redo-script.ts";
import { scriptedTask } from "../connect/task/scripted-task.ts";
import type { SandboxTask, TaskedConnector } from "../connect/task.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { NewRecord } from "../kafka/encode-batch.ts";
import type { OracleWorld } from "../oracle/world.ts";
import type { Activity } from "./activity.ts";
import { type DeliveryFault, faulty } from "./faults.ts";
import { ORDERS } from "./orders-script.ts";

/** The connector's task if there is something to deliver: it mines the activity, and writes its change records. */
export function deliveringTask(
  connector: TaskedConnector,
  activity: Activity,
  broker: SandboxBroker,
  oracle: OracleWorld,
  faults: ReadonlySet<DeliveryFault>,
): SandboxTask {
  const { config } = connector;
  const topic = topicOf(config);
  const task = scriptedTask(connector, {
    database: oracle.database,
    currentScn: activity.currentScn,
    get transactions() {
      return oracle.transactions;
    },
    redo: () => redoOf(activity),
    deliver(delivery) {
      const transaction = activity.history().transactions.find((one) => xidOf(one) === delivery.xid);
      if (transaction === undefined) return;
      const changes = transaction.changes.slice(delivery.firstMined + delivery.delivered);
      const records = faulty({ ...transaction, changes }, faults).flatMap(({ change, distort }): readonly NewRecord[] =>
        changeRecords(ORDERS, transaction, [change], config, distort),
      );
      if (!broker.state.topics.has(topic)) broker.createTopic(topic);
      if (records.length > 0) broker.append(topic, records);
    },
  });
  return {
    ...task,
    tick() {
      activity.advance("new");
      return task.tick();
    },
  };
}

const xidOf = ({ xid }: Pick<Transaction, "xid">): string => `3:${xid}`;
const place = (scn: bigint) => ({ scn, rsId: undefined, ssn: 0n });

function redoOf(activity: Activity): RedoScript {
  const committed = activity.history().transactions.map(
    (one): ScriptedTransaction => ({
      xid: xidOf(one),
      thread: 1n,
      start: place(one.startScn),
      changes: one.changes.map(({ scn }) => place(scn)),
      end: { is: "commit", at: place(one.commitScn) },
    }),
  );
  const open = activity.open().map(
    ({ xid, startScn }): ScriptedTransaction => ({
      ...{ xid: xidOf({ xid }), thread: 1n, start: place(startScn) },
      // Its changes are not written down before it ends; the first of them comes with its start.
      changes: [place(startScn)],
      end: undefined,
    }),
  );
  return { transactions: [...committed, ...open], ddl: [], end: activity.currentScn() };
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
