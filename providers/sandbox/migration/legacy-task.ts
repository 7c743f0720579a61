import type { Json, JsonObject } from "../../../core/values/json.ts";
import { committedBetween } from "../change-history.ts";
import { legacyRecords, qualified } from "../change-records.ts";
import type { SandboxTask, TaskedConnector } from "../connect/task.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { Activity } from "./activity.ts";
import { ORDERS } from "./orders-script.ts";

export const LEGACY_CLASS = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";
/** Its default, `${fullyQualifiedTableName}`. */
export const LEGACY_TOPIC = qualified(ORDERS);

const DATABASE: JsonObject = { sidPdb: `${ORDERS.database}.${ORDERS.pdb}` };
const TABLE: JsonObject = { catalog: ORDERS.pdb, schema: ORDERS.owner, table: ORDERS.name };

/** Its stored offsets, with SCNs as text (reference: legacy properties, "Stored offsets"). */
export function legacyOffsets(scn: bigint, cscn: bigint, rows: bigint) {
  return [
    { partition: DATABASE, offset: { scn: String(scn), tablePlacement: `{"${qualified(ORDERS)}":0}` } },
    {
      partition: TABLE,
      offset: { scn: String(cscn), cscn: String(cscn), rows: String(rows), rps: "0", def: "ORDERS:1" },
    },
  ];
}

/**
 * A task like the legacy connector's: it delivers commit by commit, and begins each mining session at the oldest open
 * transaction, which is the SCN that it stores for the database.
 */
export function legacyTask({ name, config }: TaskedConnector, activity: Activity, broker: SandboxBroker): SandboxTask {
  let cscn = 0n;
  let rows = 0n;
  const redoTopic = redoTopicOf(name, config);
  const write = (topic: string, records: Parameters<SandboxBroker["append"]>[1]): void => {
    // The workers create missing topics.
    if (!broker.state.topics.has(topic)) broker.createTopic(topic);
    broker.append(topic, records);
  };
  return {
    start(stored) {
      const mine = stored.find(({ partition }) => partition["table"] === ORDERS.name)?.offset;
      cscn = scnIn(mine?.["cscn"]) ?? activity.currentScn();
      rows = scnIn(mine?.["rows"]) ?? 0n;
    },
    tick() {
      activity.advance("legacy");
      for (const transaction of committedBetween(activity.history(), cscn, activity.currentScn())) {
        const records = legacyRecords(ORDERS, transaction, config);
        write(
          redoTopic,
          transaction.changes.map(({ scn }) => redoRecord(scn, transaction.xid)),
        );
        write(LEGACY_TOPIC, records);
        cscn = transaction.commitScn;
        rows += BigInt(transaction.changes.length);
      }
      return legacyOffsets(activity.oldestOpen() ?? activity.currentScn(), cscn, rows);
    },
  };
}

export const redoTopicOf = (name: string, config: Readonly<Record<string, string>>): string =>
  config["redo.log.topic.name"] ?? `${name}-${ORDERS.database}-redo-log`;

/** A row of V$LOGMNR_CONTENTS in the redo log topic, reduced to its identifying columns. */
function redoRecord(scn: bigint, xid: string) {
  const value = JSON.stringify({ SCN: String(scn), XID: xid, SEG_OWNER: ORDERS.owner, TABLE_NAME: ORDERS.name });
  return { key: Buffer.from(String(scn), "utf8"), value: Buffer.from(value, "utf8") };
}

function scnIn(json: Json | undefined): bigint | undefined {
  const text = String(json ?? "");
  return /^\d+$/.test(text) ? BigInt(text) : undefined;
}
