import { LosslessNumber } from "lossless-json";
import type { ChangeHistory, HistoryColumn, HistoryTable, Row, RowChange, Transaction } from "./change-history.ts";
import { absent, type Converted, convert, int64, struct, text } from "./connect-json.ts";
import type { NewRecord } from "./kafka/encode-batch.ts";
import type { Cell } from "./table-rows.ts";

type Config = Readonly<Record<string, string>>;

/** Distorts one record, as a fault. */
export type Distortion = (row: Record<string, Converted>) => Record<string, Converted>;

/**
 * The records of one transaction as the connector writes them (reference: wire formats, "Change records"): a delete is
 * followed by a tombstone if the configuration requires it.
 */
export function changeRecords(
  table: HistoryTable,
  transaction: Transaction,
  changes: readonly RowChange[],
  config: Config,
  distort: Distortion = (row) => row,
): readonly NewRecord[] {
  const server = config["cdc.topic.prefix"] ?? "";
  return changes.flatMap(({ scn, before, after }, i): NewRecord[] => {
    const row = after ?? before;
    if (row === undefined) return [];
    const image = (of: Row | undefined): Converted => {
      const whole = struct(`${server}.Value`, distort(fieldsOf(table.columns, of ?? row, config)));
      return of === undefined ? absent(whole) : { ...whole, schema: { ...whole.schema, optional: true } };
    };
    const op = before === undefined ? "c" : after === undefined ? "d" : "u";
    const value = struct(`${server}.Envelope`, {
      before: image(before),
      after: image(after),
      source: struct("sh.oso.cdc.Source", {
        // Rule: reference: Debezium, "Records, for verification", told apart by.
        connector: text("oracle-cdc"),
        name: text(server),
        db: text(table.database),
        pdb: text(table.pdb),
        schema: text(table.owner),
        table: text(table.name),
        scn: text(String(scn)),
        commit_scn: text(String(transaction.commitScn)),
        txId: text(transaction.xid),
        user_name: text(transaction.user),
        snapshot: text("false"),
      }),
      op: text(op),
      ts_ms: int64(BigInt(Date.now())),
    });
    const key = convert(struct(`${server}.Key`, keyFields(table, row, config)), config, "key");
    const headers = {
      "cdc.scn": bytes(String(scn)),
      "cdc.commit_scn": bytes(String(transaction.commitScn)),
      "cdc.xid": bytes(transaction.xid),
      "cdc.event_index": bytes(String(i)),
    };
    const record = { key, value: convert(value, config, "value"), headers };
    return op === "d" && config["cdc.tombstones.on.delete"] === "true" ? [record, { key, value: null }] : [record];
  });
}

/** The fields that the legacy connector adds to a row. */
export interface LegacyRecord {
  readonly operation: "I" | "U" | "D" | "R";
  readonly row: Row;
  readonly scn: bigint;
  readonly user: string;
}

/**
 * A record of a table topic of the legacy connector: the row with fields of its own; the key is the plain value of a
 * one-column key.
 */
export function legacyRecord(
  table: HistoryTable,
  { operation, row, scn, user }: LegacyRecord,
  config: Config,
): NewRecord {
  const now = String(Date.now());
  const keys = keyFields(table, row, config);
  const [only, ...others] = Object.values(keys);
  const value = struct("ConnectDefault", {
    ...fieldsOf(table.columns, row, config),
    table: text(qualified(table)),
    scn: text(String(scn)),
    op_type: text(operation),
    op_ts: text(operation === "R" ? null : now),
    current_ts: text(now),
    row_id: text("AAAR3qAAMAAAACHAAA"),
    username: text(operation === "R" ? null : user),
  });
  const key = only !== undefined && others.length === 0 ? only : struct("ConnectDefault", keys);
  return { key: convert(key, config, "key"), value: convert(value, config, "value") };
}

/** The records of a snapshot of the legacy connector. */
export function legacySnapshot(
  { table }: ChangeHistory,
  rows: readonly Row[],
  scn: bigint,
  config: Config,
): readonly NewRecord[] {
  return rows.map((row) => legacyRecord(table, { operation: "R", row, scn, user: "" }, config));
}

/** The records of one transaction of the legacy connector. */
export function legacyRecords(
  table: HistoryTable,
  { user, changes }: Transaction,
  config: Config,
): readonly NewRecord[] {
  return changes.flatMap(({ scn, before, after }): NewRecord[] => {
    const row = after ?? before;
    if (row === undefined) return [];
    const operation = before === undefined ? "I" : after === undefined ? "D" : "U";
    const record = legacyRecord(table, { operation, row, scn, user }, config);
    return operation === "D" && config["emit.tombstone.on.delete"] === "true"
      ? [record, { key: record.key, value: null }]
      : [record];
  });
}

export const qualified = ({ database, pdb, owner, name }: HistoryTable): string =>
  [database, pdb, owner, name].join(".");

export function fieldsOf(columns: readonly HistoryColumn[], row: Row, config: Config): Record<string, Converted> {
  return Object.fromEntries(columns.map((column, i) => [column.name, converted(column, row[i] ?? null, config)]));
}

export function keyFields(table: HistoryTable, row: Row, config: Config): Record<string, Converted> {
  return Object.fromEntries(
    table.key.flatMap((at) => {
      const column = table.columns[at];
      if (column === undefined) return [];
      const { schema, json } = converted(column, row[at] ?? null, config);
      return [[column.name, { schema: { ...schema, optional: false }, json }]];
    }),
  );
}

/**
 * Reference: wire formats, the table of encodings (precise, adaptive). The legacy connector's `best_fit_or_decimal`
 * gives the same for these.
 */
function converted(column: HistoryColumn, cell: Cell, config: Config): Converted {
  const value = cell === null ? null : String(cell);
  switch (column.type) {
    case "VARCHAR2":
      return text(value);
    case "TIMESTAMP":
      return {
        schema: {
          type: "int64",
          optional: true,
          name: `io.debezium.time.${column.scale === 3 ? "Timestamp" : "MicroTimestamp"}`,
          version: 1,
        },
        json: value === null ? null : sinceEpoch(value, column.scale),
      };
    case "NUMBER": {
      const { precision, scale } = column;
      if (scale === 0 && precision < 19)
        return {
          schema: { type: integerType(precision), optional: true },
          json: value === null ? null : BigInt(value),
        };
      const unscaled = value === null ? null : unscaledOf(value, scale);
      const numeric = config["value.converter.decimal.format"] === "NUMERIC";
      return {
        schema: {
          type: "bytes",
          optional: true,
          name: "org.apache.kafka.connect.data.Decimal",
          version: 1,
          parameters: { scale: String(scale), "connect.decimal.precision": String(precision) },
        },
        json: unscaled === null ? null : numeric ? new LosslessNumber(String(value)) : base64(unscaled),
      };
    }
  }
}

const integerType = (precision: number): string =>
  precision < 3 ? "int8" : precision < 5 ? "int16" : precision < 10 ? "int32" : "int64";

function unscaledOf(value: string, scale: number): bigint {
  const [whole = "0", fraction = ""] = value.replace("-", "").split(".");
  const digits = BigInt(`${whole || "0"}${fraction.padEnd(scale, "0")}`);
  return value.startsWith("-") ? -digits : digits;
}

/** Two's complement, big-endian, with as few bytes as possible. */
function base64(unscaled: bigint): string {
  const bits = (unscaled < 0n ? ~unscaled : unscaled).toString(2).length + 1;
  const length = Math.ceil(bits / 8);
  const hex = BigInt.asUintN(length * 8, unscaled)
    .toString(16)
    .padStart(length * 2, "0");
  return Buffer.from(hex, "hex").toString("base64");
}

/** `2026-11-20 18:30:00.123456`, taken as UTC. */
function sinceEpoch(local: string, scale: 3 | 6): bigint {
  const [seconds = "", fraction = ""] = local.split(".");
  const millis = BigInt(Date.parse(`${seconds.replace(" ", "T")}Z`));
  const micros = millis * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
  return scale === 6 ? micros : micros / 1000n;
}

const bytes = (value: string): Uint8Array => Buffer.from(value, "utf8");
