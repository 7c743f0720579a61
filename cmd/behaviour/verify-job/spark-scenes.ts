/**
 * Tables of any size with their topics on a real broker: what is verified on Apache Spark and by this process alike.
 */
import type { BrokerAlone } from "../../../providers/real/broker-alone.ts";
import { clientsOf, connected, createTopic } from "../../../providers/real/kafka-clients.ts";
import { healthyWorld, type TableRow } from "../../../providers/sandbox/oracle/world.ts";
import { LOGIN, type Sandbox, startSandbox, storedOffset } from "../../../providers/sandbox/sandbox.ts";

/** Everything of the topics has happened before it. */
export const CHECK_SCN = 2_900_000n;
const START_SCN = 2_200_000n;

/** Passwords that no other test has: whoever looks for them finds these runs alone. */
export const CANARIES = {
  database: `canary-database-${process.pid}`,
  connect: `canary-connect-${process.pid}`,
  brokers: `canary-brokers-${process.pid}`,
} as const;
export const BROKER_LOGIN = { user: "verifier", password: CANARIES.brokers } as const;

/** A table `NAME (ID, NAME)` and the records of its new topic, two partitions. */
export interface Table {
  readonly name: string;
  readonly rows: number;
  readonly withoutKey?: true;
  readonly rowAt: (at: number) => readonly [id: string, name: string];
  readonly records: () => Iterable<Change>;
}

interface Change {
  readonly op: "c" | "u" | "t";
  readonly id?: string;
  readonly name?: string;
}

const change = (op: "c" | "u", [id, name]: readonly [string, string]): Change => ({ op, id, name });
/** Nine digits. */
const idOf = (at: number): string => String(100_000_000 + at);

function table(name: string, rows: number, stale: number, more: Partial<Table> = {}): Table {
  const rowAt = (at: number): readonly [string, string] => [idOf(at), `name ${at} as of the end`];
  return {
    name,
    rows,
    rowAt,
    *records() {
      for (let at = 0; at < rows; at++) yield change("c", [idOf(at), `name ${at} at first`]);
      // Some were not updated: the findings are not empty.
      for (let at = stale; at < rows; at++) yield change("u", rowAt(at));
    },
    ...more,
  };
}

const keys = (rows: number): Table => table("ORDERS", rows, 5);

/** Several rows are equal: rows are counted, not found by a key. One is missing in the topic. */
function withoutKey(rows: number): Table {
  const rowAt = (at: number): readonly [string, string] => [idOf(at >> 1), "twice"];
  return table("EVENTS", rows, 0, {
    withoutKey: true,
    rowAt,
    *records() {
      for (let at = 1; at < rows; at++) yield change("c", rowAt(at));
    },
  });
}

/** What was before the truncate does not count; a row that only stood before it is missing. */
function truncated(rows: number): Table {
  const whole = table("CARTS", rows, 0);
  return {
    ...whole,
    *records() {
      for (let at = 0; at < rows; at++) yield change("c", [idOf(at), "before the truncate"]);
      yield { op: "t" };
      for (let at = 3; at < rows; at++) yield change("c", whole.rowAt(at));
    },
  };
}

/** All updates are of one key, so that one slot has nearly everything. */
function oneKey(updates: number): Table {
  const rowAt = (at: number): readonly [string, string] => [idOf(at), at === 0 ? `update ${updates}` : "as it was"];
  return table("COUNTERS", 20, 0, {
    rowAt,
    *records() {
      for (let at = 0; at < 20; at++) yield change("c", [idOf(at), "as it was"]);
      for (let at = 1; at <= updates; at++) yield change("u", [idOf(0), `update ${at === updates ? at - 1 : at}`]);
    },
  });
}

/** The table of runs: what is verified, by so many keys (or updates). */
export const SCENES: Readonly<Record<string, (size: number) => readonly Table[]>> = {
  "many keys": (size) => [keys(size)],
  "a table without key": (size) => [withoutKey(size)],
  truncates: (size) => [truncated(size)],
  "one key with many updates": (size) => [oneKey(size)],
  "three tables": (size) => [keys(size), truncated(size >> 1), oneKey(size)],
};

/** What a cutover may have got wrong: the five kinds. */
export const FAULTS = ["lost-row", "stale-value", "rounded-value", "legacy-only-row", "deleted-row-kept"] as const;

/** A table with enough rows to be divided into hundreds of ranges; nearly all are missing in the topic. */
export function manyRanges(): readonly Table[] {
  const whole = table("ORDERS", 200_000, 0);
  return [{ ...whole, records: () => [0, 1, 2, 3].map((at) => change("c", whole.rowAt(at))) }];
}

/**
 * The world of a scene.
 *
 * @param prefix of its topics: several scenes may share a broker
 * @param real a real broker: topics are written without a login, and the connector names the listener that takes one
 */
export async function openScene(tables: readonly Table[], prefix: string, real: BrokerAlone): Promise<Sandbox> {
  const topicOf = ({ name }: Table): string => `${prefix}.ORCLPDB1.SALES.${name}`;
  const sandbox = await startSandbox({
    oracle: (world) => {
      world.currentScn = () => CHECK_SCN + 100_000n;
      world.tables = tables.map(tableRow);
    },
    offset: { ...storedOffset(healthyWorld()), resume_scn: CHECK_SCN + 1n },
    state: "STOPPED",
    config: {
      "cdc.topic.prefix": prefix,
      "cdc.start.scn": String(START_SCN),
      "cdc.database.password": CANARIES.database,
      "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
      "key.converter": "org.apache.kafka.connect.json.JsonConverter",
      "key.converter.schemas.enable": "false",
      "cdc.stream.bootstrap.servers": real.secured ?? "",
    },
    connect: { auth: { user: "cdcctl", password: CANARIES.connect } },
  });
  sandbox.oracle.users[LOGIN.user] = { password: CANARIES.database };
  try {
    for (const one of tables) await createTopic(real.bootstrap, topicOf(one), {}, 2);
    await produced(new Map(tables.map((one) => [topicOf(one), one])), real.bootstrap);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function tableRow({ name, rows, withoutKey: keyless, rowAt }: Table): TableRow {
  return {
    owner: "SALES",
    name,
    pdb: "ORCLPDB1",
    columns: [
      { name: "ID", dataType: "NUMBER", precision: 9n, scale: 0n, nullable: false },
      { name: "NAME", dataType: "VARCHAR2", nullable: true },
    ],
    ...(keyless === true ? {} : { primaryKey: { name: `${name}_PK`, columns: ["ID"] } }),
    statistics: { rows: BigInt(rows), rowBytes: 40n },
    generated: { key: keyless === true ? [] : [0], count: rows, valuesAt: rowAt },
  };
}

/** A whole batch may go to one partition, and has to be below what a broker takes (message.max.bytes: 1 MiB). */
const BATCH = 2_000;

async function produced(tables: ReadonlyMap<string, Table>, brokers: string): Promise<void> {
  await using producer = await connected(clientsOf(brokers).producer());
  for (const [topic, one] of tables) {
    let messages: ReturnType<typeof message>[] = [];
    let scn = Number(START_SCN);
    for (const told of one.records()) {
      scn = Math.min(scn + 1, Number(CHECK_SCN) - 1);
      messages.push(message(told, scn, one));
      if (messages.length < BATCH) continue;
      await producer.send({ topic, messages, acks: 1 });
      messages = [];
    }
    if (messages.length > 0) await producer.send({ topic, messages, acks: 1 });
  }
}

/** A message as the new connector writes it. A truncate goes to the first partition. */
function message({ op, id, name }: Change, scn: number, of: Table) {
  const after = id === undefined ? "null" : `{"ID":${id},"NAME":${JSON.stringify(name)}}`;
  const source =
    `{"db":"ORCLPDB1","schema":"SALES","table":"${of.name}","commit_scn":"${scn}","scn":"${scn - 1}",` +
    '"snapshot":"false"}';
  return {
    key: of.withoutKey === true || id === undefined ? null : `{"ID":${id}}`,
    value: `{"before":null,"after":${after},"source":${source},"op":"${op}"}`,
    partition: id === undefined ? 0 : Number(id) % 2,
  };
}
