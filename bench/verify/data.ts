import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Generated topics and rows. A file holds the records of `template` keys, each `u32 length of the key, u32 length of
 * the value, four u16, key, value, headers`, least significant byte first. The fourth number is the length of the
 * headers, which are encoded as in a record batch: none, or `cdc.commit_scn`. A file is read several times: each pass
 * has other keys, whose first three digits are patched at the places in the other three numbers (0: nowhere).
 */
export interface Data {
  readonly folder: string;
  readonly template: number;
  readonly enveloped: boolean;
  /** `flat` if left out. */
  readonly topics?: Topics;
}

/**
 * What is in which topic. `flat`: the new connector's changes, and the legacy connector's flat rows in another topic;
 * `debezium`: three changes of each key by Debezium, none by the new connector; `apart`: one by Debezium, two by the new
 * connector in another topic; `kept`: the same in one topic.
 */
export type Topics = "flat" | "debezium" | "apart" | "kept";

export const FILES: Readonly<Record<Topics, readonly string[]>> = {
  flat: ["new-0", "new-1", "legacy-0"],
  debezium: ["legacy-0", "legacy-1"],
  apart: ["new-0", "new-1", "legacy-0", "legacy-1"],
  kept: ["kept-0", "kept-1"],
};

/** Where reading a file can begin: the position of every `KEPT_EVERY`th of its records. */
export interface Positions {
  readonly records: number;
  readonly positions: readonly number[];
}

export const KEPT_EVERY = 1000;

export async function positionsOf(folder: string, file: string): Promise<Positions> {
  return JSON.parse(await readFile(join(folder, `${file}.json`), "utf8")) as Positions;
}

/** First three digits of every key of a pass. */
export const digitsOf = (pass: number): string => String(100 + pass);
/** Nine digits: those of the pass, those of the key within. */
export const idOf = (pass: number, n: number): string => String((100 + pass) * 1_000_000 + n);

const NAMES = ["Ångström & Söhne", "O'Neill Trading", "Müller GmbH", 'Smith "Quick" Ltd', "ACME Corporation"] as const;
const STATES = ["NEW", "PAID", "SHIPPED", "RETURNED"] as const;
const NOTES = [
  "",
  "deliver to the back door, ring twice",
  "fragile",
  "gift wrapping; do not enclose the invoice",
] as const;
const DAY = 86_400_000;

/** The row's final state, as JSON members; `before` is the previous one. */
function members(id: string, n: number, before: boolean): string {
  const amount = `${(n * 37) % 1_000_000}.${String((n * (before ? 7 : 13)) % 100).padStart(2, "0")}`;
  return (
    `"ID":${id},"CUSTOMER_ID":${1_000_000 + ((n * 7919) % 900_000)},"STATUS":"${STATES[(n + (before ? 1 : 0)) % 4]}",` +
    `"AMOUNT":${amount},"NAME":${JSON.stringify(NAMES[n % 5])},` +
    `"NOTE":${NOTES[n % 4] === "" ? "null" : JSON.stringify(NOTES[n % 4])},` +
    `"CREATED":${1_700_000_000_000 + (n % 300) * DAY},"UPDATED":${updated(n)}`
  );
}

const isoOf = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ");
const updated = (n: number): number => 1_700_000_000_000_000 + (n % 1000) * 5_000_000_003;
const UPDATED = Array.from({ length: 1000 }, (_, n) => {
  const micros = updated(n);
  return `${isoOf(Math.floor(micros / 1000))}.${String(micros % 1_000_000).padStart(6, "0")}`;
});
const CREATED = Array.from({ length: 300 }, (_, day) => isoOf(1_700_000_000_000 + day * DAY));

const CENTS = Array.from({ length: 100 }, (_, cents) => `.${String(cents).padStart(2, "0")}`);

/** The row of the table, as a driver returns it. */
export function rowOf(pass: number, n: number): readonly (string | null)[] {
  return [
    idOf(pass, n),
    String(1_000_000 + ((n * 7919) % 900_000)),
    STATES[n % 4] as string,
    String((n * 37) % 1_000_000) + (CENTS[(n * 13) % 100] as string),
    NAMES[n % 5] as string,
    NOTES[n % 4] === "" ? null : (NOTES[n % 4] as string),
    CREATED[n % 300] as string,
    UPDATED[n % 1000] as string,
  ];
}

export const COLUMNS = [
  { name: "ID", kind: "number", precision: 9, scale: 0 },
  { name: "CUSTOMER_ID", kind: "number", precision: 9, scale: 0 },
  { name: "STATUS", kind: "text", precision: undefined, scale: undefined },
  { name: "AMOUNT", kind: "number", precision: 12, scale: 2 },
  { name: "NAME", kind: "text", precision: undefined, scale: undefined },
  { name: "NOTE", kind: "text", precision: undefined, scale: undefined },
  { name: "CREATED", kind: "datetime", precision: 0, scale: undefined },
  { name: "UPDATED", kind: "datetime", precision: 6, scale: undefined },
] as const;

const debeziumSource = (scn: number): string =>
  `"source":{"version":"3.6.1.Final","connector":"oracle","name":"inv","ts_ms":1763716540000,"snapshot":"false",` +
  `"db":"ORCLPDB1","sequence":null,"ts_us":1763716540000000,"ts_ns":1763716540000000000,"schema":"SALES",` +
  `"table":"ORDERS","txId":"0a00120034120000","scn":"${scn}","commit_scn":"${scn + 7}","lcr_position":null,` +
  `"rs_id":null,"ssn":0,"redo_thread":1,"user_name":null,"redo_sql":null,"row_id":null,"commit_ts_ms":null,` +
  `"start_scn":null,"start_ts_ms":null,"txSeq":null}`;

function debeziumChange(id: string, n: number, update: boolean): string {
  const before = update ? `{${members(id, n, true)}}` : "null";
  return (
    `{"before":${before},"after":{${members(id, n, !update)}},${debeziumSource(2_000_000 + n)},"transaction":null,` +
    `"op":"${update ? "u" : "c"}","ts_ms":1763716541234,"ts_us":1763716541234000,"ts_ns":1763716541234000000}`
  );
}

const source = (scn: number, snapshot: string): string =>
  `"source":{"version":"1.4.2","connector":"oracle-cdc","name":"orders","ts_ms":1763716540000,` +
  `"snapshot":"${snapshot}","db":"ORCLPDB1","schema":"SALES","table":"ORDERS","txId":"3.7.22.1180",` +
  `"scn":"${scn}","commit_scn":"${scn + 7}","rs_id":"0x00002a.00000f1c.0010","ssn":0,"redo_thread":1,` +
  `"user_name":"APP"}`;

function change(id: string, n: number, update: boolean): string {
  const before = update ? `{${members(id, n, true)}}` : "null";
  return (
    `{"before":${before},"after":{${members(id, n, !update)}},${source(2_200_000 + n, "false")},` +
    `"op":"${update ? "u" : "c"}","ts_ms":1763716541234,"transaction":null}`
  );
}

function legacy(id: string, n: number): string {
  return (
    `{${members(id, n, true)},"SHIPPING_ADDRESS":"Industriestraße 12, Gebäude C, 70565 Stuttgart, ` +
    `Deutschland","BILLING_ADDRESS":"Postfach 10 20 30, 70026 Stuttgart, Deutschland","CARRIER":"express ` +
    `overnight","TRACKING":"1Z999AA10123456784","table":"ORCLCDB.ORCLPDB1.SALES.ORDERS","scn":"${2_100_000 + n}",` +
    `"op_type":"I","op_ts":"1763716540000","current_ts":"1763716541234","row_id":"AAASyHAAHAAAAFfAA${n % 10}",` +
    `"username":"APP"}`
  );
}

/** Debezium-like schema of a change event. */
function schemaOf(): string {
  const types = ["int32", "int32", "string", "double", "string", "string", "int64", "int64"];
  const field = (at: number) => {
    const { name } = COLUMNS[at] as (typeof COLUMNS)[number];
    if (name === "AMOUNT")
      return {
        type: "bytes",
        optional: true,
        name: "org.apache.kafka.connect.data.Decimal",
        version: 1,
        parameters: { scale: "2", "connect.decimal.precision": "12" },
        field: name,
      };
    const semantic = at === 6 ? "io.debezium.time.Timestamp" : at === 7 ? "io.debezium.time.MicroTimestamp" : undefined;
    return {
      type: types[at],
      optional: at > 0,
      ...(semantic === undefined ? {} : { name: semantic, version: 1 }),
      field: name,
    };
  };
  const row = COLUMNS.map((_, at) => field(at));
  const text = (name: string) => ({ type: "string", optional: true, field: name });
  return JSON.stringify({
    type: "struct",
    fields: [
      { type: "struct", fields: row, optional: true, name: "orders.SALES.ORDERS.Value", field: "before" },
      { type: "struct", fields: row, optional: true, name: "orders.SALES.ORDERS.Value", field: "after" },
      {
        type: "struct",
        fields: [
          "version",
          "connector",
          "name",
          "snapshot",
          "db",
          "schema",
          "table",
          "txId",
          "scn",
          "commit_scn",
          "rs_id",
          "user_name",
        ].map(text),
        optional: false,
        name: "sh.oso.cdc.Source",
        field: "source",
      },
      { type: "string", optional: false, field: "op" },
      { type: "int64", optional: true, field: "ts_ms" },
    ],
    optional: false,
    name: "orders.SALES.ORDERS.Envelope",
  });
}

const SCN_HEADER = Buffer.from("cdc.commit_scn");

/** Writes the files. @returns bytes of keys and values of one pass */
export async function writeData({ folder, template, enveloped, topics = "flat" }: Data): Promise<number> {
  const schema = `{"schema":${schemaOf()},"payload":`;
  const keySchema =
    `{"schema":{"type":"struct","fields":[{"type":"int32","optional":false,"field":"ID"}` +
    `],"optional":false,"name":"orders.SALES.ORDERS.Key"},"payload":`;
  let bytes = 0;
  for (const file of FILES[topics]) {
    const stream = createWriteStream(join(folder, file));
    const positions: number[] = [];
    let records = 0;
    let position = 0;
    const write = async (key: string, value: string, id: string, scn: string): Promise<void> => {
      const wrap = enveloped && file !== "legacy-0";
      const [k, v] = [
        Buffer.from(wrap ? `${keySchema}${key}}` : key),
        Buffer.from(wrap ? `${schema}${value}}` : value),
      ];
      const header = Buffer.from(
        scn === "" ? [0] : [2, 2 * SCN_HEADER.length, ...SCN_HEADER, 2 * scn.length, ...Buffer.from(scn)],
      );
      const head = Buffer.alloc(16);
      head.writeUInt16LE(header.length, 14);
      head.writeUInt32LE(k.length, 0);
      head.writeUInt32LE(v.length, 4);
      const first = v.indexOf(`"ID":${id}`);
      const second = v.indexOf(`"ID":${id}`, first + 1);
      head.writeUInt16LE(k.indexOf(id), 8);
      head.writeUInt16LE(first + 5, 10);
      head.writeUInt16LE(second < 0 ? 0 : second + 5, 12);
      bytes += k.length + v.length;
      if (records++ % KEPT_EVERY === 0) positions.push(position);
      position += head.length + k.length + v.length + header.length;
      if (!stream.write(Buffer.concat([head, k, v, header]))) await once(stream, "drain");
    };
    const first = file.endsWith("-0") ? 0 : 1;
    if (topics === "flat" && file === "legacy-0")
      for (let n = 0; n < template; n++) await write(idOf(0, n), legacy(idOf(0, n), n), idOf(0, n), "");
    if (topics !== "flat" && !file.startsWith("new"))
      for (const update of topics === "debezium" ? [false, true, true] : [false])
        for (let n = first; n < template; n += 2) {
          const id = idOf(0, n);
          await write(`{"ID":${id}}`, debeziumChange(id, n, update), id, "");
        }
    if (!file.startsWith("legacy"))
      for (const update of [false, true])
        for (let n = first; n < template; n += 2) {
          const id = idOf(0, n);
          await write(`{"ID":${id}}`, change(id, n, update), id, String(2_200_007 + n));
        }
    stream.end();
    await once(stream, "close");
    await writeFile(join(folder, `${file}.json`), JSON.stringify({ records, positions } satisfies Positions));
  }
  return bytes;
}

/** Rows as lines of JSON, for the peer. */
export async function writeRows({ folder, template }: Data): Promise<void> {
  const stream = createWriteStream(join(folder, "rows"));
  for (let n = 0; n < template; n++) if (!stream.write(`${JSON.stringify(rowOf(0, n))}\n`)) await once(stream, "drain");
  stream.end();
  await once(stream, "close");
}
