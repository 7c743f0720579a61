import type { HistoryTable, Row, RowChange, Transaction } from "../change-history.ts";
import { fieldsOf, keyFields } from "../change-records.ts";
import { absent, type Converted, convert, int64, struct, text } from "../connect-json.ts";
import type { NewRecord } from "../kafka/encode-batch.ts";

type Config = Readonly<Record<string, string>>;

/** What the `source` of a record says of its change. Rule: reference: Debezium, "Records, for verification", source. */
export interface SourceOf {
  readonly snapshot: "false" | "true" | "last" | "incremental";
  readonly scn: bigint;
  readonly commitScn: bigint | undefined;
  readonly xid: string | undefined;
  readonly user: string | undefined;
}

/** The topic of a table: prefix, schema and table, without its PDB. Rule: "Property table", topic names. */
export const debeziumTopic = (config: Config, { owner, name }: HistoryTable): string =>
  [config["topic.prefix"] ?? "", owner, name].join(".");

/** The records of one transaction: a delete is followed by a tombstone, as is its default. */
export function debeziumRecords(
  table: HistoryTable,
  { xid, user, commitScn, changes }: Transaction,
  config: Config,
  version: string,
): readonly NewRecord[] {
  return changes.flatMap((change): NewRecord[] => {
    const source: SourceOf = { snapshot: "false", scn: change.scn, commitScn, xid: txIdOf(xid), user };
    const record = debeziumRecord(table, change, source, config, version);
    const isGone = change.after === undefined && (config["tombstones.on.delete"] ?? "true") === "true";
    return isGone ? [record, { key: record.key, value: null }] : [record];
  });
}

/** A row that a snapshot has read, initial or incremental. */
export function snapshotRecord(
  table: HistoryTable,
  row: Row,
  source: SourceOf,
  config: Config,
  version: string,
): NewRecord {
  return debeziumRecord(table, { scn: source.scn, before: undefined, after: row }, source, config, version);
}

/** A row without its event, as `ExtractNewRecordState` leaves it. Rule: "Property table", Connect framework. */
export function rowAlone(table: HistoryTable, row: Row, config: Config): NewRecord {
  const topic = debeziumTopic(config, table);
  const key = struct(`${topic}.Key`, keyFields(table, row, config));
  const value = struct(`${topic}.Value`, fieldsOf(table.columns, row, config));
  return { key: convert(key, config, "key"), value: convert(value, config, "value") };
}

/** One change event. It has no header of its own: before 3.2.2 none but those of a changed key. */
function debeziumRecord(
  table: HistoryTable,
  { before, after }: RowChange,
  source: SourceOf,
  config: Config,
  version: string,
): NewRecord {
  const row = after ?? before ?? [];
  const topic = debeziumTopic(config, table);
  const image = (of: Row | undefined): Converted => {
    const whole = struct(`${topic}.Value`, fieldsOf(table.columns, of ?? row, config));
    return of === undefined ? absent(whole) : { ...whole, schema: { ...whole.schema, optional: true } };
  };
  const isRead = source.snapshot !== "false";
  const op = isRead ? "r" : before === undefined ? "c" : after === undefined ? "d" : "u";
  const value = struct(`${topic}.Envelope`, {
    before: image(before),
    after: image(after),
    source: sourceOf(table, source, config, version),
    op: text(op),
    ts_ms: int64(BigInt(Date.now())),
  });
  const key = struct(`${topic}.Key`, keyFields(table, row, config));
  return { key: convert(key, config, "key"), value: convert(value, config, "value") };
}

/** Members since 3.1 and 3.2 come with such a version alone: commit_ts_ms, start_scn, start_ts_ms; txSeq. */
function sourceOf(table: HistoryTable, source: SourceOf, config: Config, version: string): Converted {
  const { snapshot, scn, commitScn, xid, user } = source;
  const isLater = !version.startsWith("1.") && !version.startsWith("2.");
  return struct("io.debezium.connector.oracle.Source", {
    version: text(version),
    connector: text("oracle"),
    name: text(config["topic.prefix"] ?? ""),
    ts_ms: int64(BigInt(Date.now())),
    snapshot: text(snapshot),
    db: text(table.pdb),
    sequence: text(null),
    schema: text(table.owner),
    table: text(table.name),
    txId: text(xid ?? null),
    scn: text(String(scn)),
    commit_scn: text(commitScn === undefined ? null : String(commitScn)),
    lcr_position: text(null),
    rs_id: text(null),
    ssn: int64(0n),
    redo_thread: int64(1n),
    user_name: text(user ?? null),
    redo_sql: text(null),
    row_id: text(snapshot === "false" ? "AAAR3qAAMAAAACHAAA" : null),
    ...(isLater ? { start_scn: text(null), txSeq: int64(1n) } : {}),
  });
}

/** `10.18.4660` as Debezium writes it: 16 hexadecimal digits, each part with its lowest byte first. */
export function txIdOf(xid: string): string {
  const [usn = 0, slot = 0, sequence = 0] = xid.split(".").map(Number);
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(usn, 0);
  bytes.writeUInt16LE(slot, 2);
  bytes.writeUInt32LE(sequence, 4);
  return bytes.toString("hex");
}
