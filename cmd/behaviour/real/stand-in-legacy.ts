import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import type { Json } from "../../../core/values/json.ts";
import type { SandboxTask, TaskedConnector } from "../../../providers/sandbox/connect/task.ts";
import { convert, int64, struct, text } from "../../../providers/sandbox/connect-json.ts";
import type { SandboxBroker } from "../../../providers/sandbox/kafka/broker.ts";
import type { NewRecord } from "../../../providers/sandbox/kafka/encode-batch.ts";

/**
 * What the stand-in of the legacy connector stores and delivers (`providers/real/plugin/legacy/LegacyTask.java`),
 * commit by commit, so that one suite can look at both.
 */
export function standInLegacy({ name, config }: TaskedConnector, broker: SandboxBroker): SandboxTask {
  const sid = config["oracle.sid"] ?? "ORCLCDB";
  const pdb = config["oracle.pdb.name"] ?? "";
  const database = pdb === "" ? sid : `${sid}.${pdb}`;
  const redoTopic = config["redo.log.topic.name"] ?? `${name}-${sid}-redo-log`;
  const tables = (config["standin.tables"] ?? "SALES.ORDERS").split(",").map((table) => table.trim());
  const step = BigInt(config["standin.step.scn"] ?? "10");
  const open = BigInt(config["standin.open.scn"] ?? "0");
  const stored = (number: bigint): Json => (config["standin.numbers"] === "true" ? number : String(number));
  const rows = new Map<string, bigint>();
  let scn = BigInt(config["standin.scn"] ?? "2000000");
  let polled = false;

  const partition = (table: string) => {
    const [schema = "", bare = ""] = table.split(".");
    const catalog = pdb === "" ? sid : pdb;
    return config["standin.keys.as.given"] === "true"
      ? { table: bare, schema, catalog }
      : { catalog, schema, table: bare };
  };
  const position = (): readonly OffsetEntry[] => [
    {
      partition: { sidPdb: database },
      offset: { scn: stored(open > 0n && open < scn ? open : scn), tablePlacement: "{}" },
    },
    ...tables.map((table) => ({
      partition: partition(table),
      offset: {
        ...{ scn: stored(scn), cscn: stored(scn), rows: stored(rows.get(table) ?? 0n) },
        ...{ rps: stored(0n), def: `${table}:1` },
      },
    })),
  ];
  const write = (topic: string, record: NewRecord): void => {
    if (!broker.state.topics.has(topic)) broker.createTopic(topic);
    broker.append(topic, record);
  };
  return {
    ...(config["standin.keys.as.given"] === "true" ? { keys: "as given" as const } : {}),
    start(entries) {
      for (const table of tables) {
        const { schema, table: bare } = partition(table);
        const mine = entries.find((entry) => entry.partition["schema"] === schema && entry.partition["table"] === bare);
        rows.set(table, BigInt(String(mine?.offset?.["rows"] ?? 0)));
        const cscn = BigInt(String(mine?.offset?.["cscn"] ?? 0));
        if (cscn > scn) scn = cscn;
      }
    },
    tick() {
      if (polled && step === 0n) return position();
      if (polled) scn += step;
      polled = true;
      write(redoTopic, {
        key: convert(text(String(scn)), config, "key"),
        value: convert(text(`{"SCN":"${scn}"}`), config, "value"),
      });
      for (const table of tables) {
        const id = (rows.get(table) ?? 0n) + 1n;
        rows.set(table, id);
        const now = text(String(Date.now()));
        const row = struct("ConnectDefault", {
          ...{ ID: int64(id), STATUS: text("NEW"), table: text(`${database}.${table}`), scn: text(String(scn)) },
          ...{ op_type: text("I"), op_ts: now, current_ts: now, row_id: text("AAAR3qAAMAAAACHAAA") },
          username: text("SHOP"),
        });
        const key = convert(int64(id), config, "key");
        write(`${database}.${table}`, { key, value: convert(row, config, "value") });
      }
      return position();
    },
  };
}
