import { isObject, type JsonObject, parseJson, printJson } from "../../../../core/values/json.ts";
import type { SandboxBroker } from "../../kafka/broker.ts";
import type { NewRecord } from "../../kafka/encode-batch.ts";
import type { OracleWorld, TableRow } from "../../oracle/world.ts";
import { capturedTables } from "./captured-tables.ts";
import { internalTopic, readsBrokers } from "./internal-topics.ts";
import { stopWith } from "./stopped-task.ts";

/** The layouts of captured tables, as the schema topic holds them. */
export interface Layouts {
  /** @throws Error with CDC-6003 for one that differs from the dictionary, and no DDL ahead explains it */
  check(resumeScn: bigint): void;
  /** Writes those that are new, or changed by a DDL that was mined. */
  update(resumeScn: bigint): void;
}

/** `LAST_DDL_TIME` and the time of an SCN are not exact. */
const TOLERANCE_MILLIS = 10_000;

/** Rule: reference, connector rules, "Where the database may be mined"; source: `SchemaRecords`, `SchemaRegistry`. */
export function layoutsOf(
  config: Readonly<Record<string, string>>,
  broker: SandboxBroker,
  oracle: OracleWorld,
): Layouts {
  const server = config["cdc.topic.prefix"] ?? "";
  const topic = internalTopic(config, "schema");
  const isMinedPast = (resumeScn: bigint, { lastDdl }: TableRow): boolean =>
    lastDdl === undefined || lastDdl <= oracle.scnTimes.timeOf(resumeScn) - TOLERANCE_MILLIS;
  const stored = (): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (const { key, value } of broker.committed(topic)) {
      const { server: owner, pdb, owner: schema, table } = objectIn(key);
      if (owner !== server) continue;
      const name = [pdb, schema, table].filter((part) => typeof part === "string").join(".");
      if (value === null) found.delete(name);
      else found.set(name, lastLayoutIn(value));
    }
    return found;
  };
  /** What the dictionary held when the topic was last compared with it. */
  let compared = "";
  return {
    check(resumeScn) {
      if (!readsBrokers(config)) return;
      const layouts = stored();
      for (const { name, row } of capturedTables(config, oracle)) {
        const layout = layouts.get(name);
        if (layout === undefined || layout === layoutOf(row) || !isMinedPast(resumeScn, row)) continue;
        throw stopWith(
          "CDC-6003",
          `The layout of ${name} on the schema topic differs from the dictionary, and no DDL ahead of SCN ` +
            `${resumeScn} explains it.`,
          "Move the offset back before the DDL, or tombstone the table's key on the schema topic and " +
            "snapshot the table.",
        );
      }
    },
    update(resumeScn) {
      if (!readsBrokers(config) || !broker.state.topics.has(topic)) return;
      const now = oracle.tables.map(({ name, lastDdl }) => `${name} ${lastDdl}`).join();
      if (now === compared) return;
      const layouts = stored();
      const differing = capturedTables(config, oracle).filter(({ name, row }) => layouts.get(name) !== layoutOf(row));
      const due = differing.filter(({ name, row }) => !layouts.has(name) || isMinedPast(resumeScn, row));
      if (due.length > 0)
        broker.append(
          topic,
          due.map(({ row }) => schemaRecord(server, row, resumeScn)),
        );
      if (due.length === differing.length) compared = now;
    },
  };
}

/** The record of a table's layout, plain JSON. */
export function schemaRecord(server: string, row: TableRow, validFrom: bigint): NewRecord {
  const value = {
    v: 1,
    versions: [
      {
        ...{ version: 1, valid_from_scn: validFrom, key_source: "PRIMARY_KEY", key: row.primaryKey?.columns ?? [] },
        ...{ supplemental_all: false, supplemental_pk: true, columns: columnsOf(row), exact: true },
      },
    ],
  };
  return { key: schemaKey(server, row), value: Buffer.from(printJson(value, 0)) };
}

export function schemaKey(server: string, { pdb, owner, name }: Pick<TableRow, "pdb" | "owner" | "name">): Uint8Array {
  return Buffer.from(printJson({ server, pdb, owner, table: name }, 0));
}

const columnsOf = ({ columns }: TableRow) =>
  columns.map(({ name, dataType, precision = 0n, scale = 0n, nullable }, i) => ({
    ...{ name, position: i + 1, type: dataType.replace(/\(.*$/, ""), type_text: dataType, length: 0 },
    ...{ precision, scale, nullable },
  }));

/** What is compared: the columns. */
const layoutOf = (row: TableRow): string => printJson(columnsOf(row), 0);

function lastLayoutIn(value: Uint8Array): string {
  const versions = objectIn(value)["versions"];
  const last = Array.isArray(versions) ? versions.at(-1) : undefined;
  return printJson((isObject(last) ? last["columns"] : undefined) ?? null, 0);
}

/** The object, with or without the schema envelope. */
function objectIn(bytes: Uint8Array | null): JsonObject {
  const json = parseJson(Buffer.from(bytes ?? []).toString("utf8"));
  if (!isObject(json)) return {};
  return "schema" in json && isObject(json["payload"]) ? json["payload"] : json;
}
