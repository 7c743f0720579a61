import type { RecordFormat, TableShape } from "../../../schemas/generated/verification-job.ts";
import type { OracleValue } from "../../ports/oracle.ts";
import { inPlace, type RecordParts } from "../../ports/testing/records-in-place.ts";
import type { LegacyTopicInput, PartitionInput, RowsInput, TableInputs, TopicInput } from "../engine/inputs.ts";
import { bytesOf } from "./work.ts";

/** A small table `ORDERS (ID, NAME)` with its topics, written as JSON, as input of an engine. */
export interface Scene {
  readonly rows: readonly Row[];
  readonly records: readonly SceneRecord[];
  readonly legacy?: readonly SceneRecord[];
  readonly checkScn?: bigint;
  readonly startScn?: bigint;
  readonly compacted?: boolean;
  readonly legacyCompacted?: boolean;
  readonly withoutKey?: boolean;
}

export type Row = readonly [id: number, name: string | null];

/** Content of a record. Offsets count up in each partition. */
export interface SceneRecord {
  readonly op: "c" | "u" | "d" | "r" | "t" | "tombstone" | "junk";
  readonly row?: Row;
  readonly before?: Row;
  readonly scn?: number;
  readonly partition?: number;
}

export const FORMAT: RecordFormat = { decimals: "precise", temporals: "adaptive", placeholder: "?" };
const ID = { name: "ID", kind: "number", precision: 9, scale: 0 } as const;
const NAME = { name: "NAME", kind: "text", precision: undefined, scale: undefined } as const;
export const ORDERS: TableShape = { key: [ID], columns: [ID, NAME] };
export const CHECK = 100n;

/** How a scene is divided into units and batches. */
export interface Cut {
  readonly ranges?: number;
  readonly batch?: number;
  /** Called before every batch. If it throws, the reader fails. */
  readonly before?: (unit: string, offset: bigint) => void;
}

export function inputsOf(scene: Scene, { ranges = 1, batch = 3, before }: Cut = {}): TableInputs {
  const topic = (name: string, told: readonly SceneRecord[], write: (one: SceneRecord) => Written): TopicInput => ({
    topic: name,
    format: FORMAT,
    compacted: false,
    partitions: partitionsOf(name, told, write, batch, before),
  });
  const legacy: LegacyTopicInput | undefined =
    scene.legacy === undefined
      ? undefined
      : { ...topic("legacy", scene.legacy, legacyRecord), compacted: scene.legacyCompacted ?? false };
  return {
    table: "SALES.ORDERS",
    shape: scene.withoutKey === true ? { ...ORDERS, key: [] } : ORDERS,
    checkScn: scene.checkScn ?? CHECK,
    startScn: scene.startScn,
    rows: rowsOf(scene.rows, ranges, batch, before),
    newTopic: { ...topic("new", scene.records, changeRecord), compacted: scene.compacted ?? false },
    legacyTopic: legacy,
  };
}

function rowsOf(rows: readonly Row[], ranges: number, batch: number, before: Cut["before"]): RowsInput {
  const names = Array.from({ length: ranges }, (_, at) => `range ${at} of ${ranges}`);
  return {
    expected: rows.length,
    ranges: async () => names,
    async *read(name) {
      const [at = 0, of = 1] = (name.match(/\d+/g) ?? []).map(Number);
      const own = rows.slice(Math.floor((rows.length * at) / of), Math.floor((rows.length * (at + 1)) / of));
      for (let from = 0; from < own.length; from += batch) {
        before?.(`table-${at}`, BigInt(from));
        yield own.slice(from, from + batch).map(([id, value]): readonly OracleValue[] => [String(id), value]);
      }
    },
  };
}

interface Written {
  readonly key: string | null;
  readonly value: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

function partitionsOf(
  topic: string,
  told: readonly SceneRecord[],
  write: (one: SceneRecord) => Written,
  batch: number,
  before: Cut["before"],
): readonly PartitionInput[] {
  const count = told.reduce((most, { partition = 0 }) => Math.max(most, partition + 1), 1);
  return Array.from({ length: count }, (_, partition): PartitionInput => {
    const records = told
      .filter((one) => (one.partition ?? 0) === partition)
      .map((one, at): RecordParts => {
        const { key, value, headers = {} } = write(one);
        return {
          partition,
          offset: BigInt(at),
          key: key === null ? null : bytesOf(key),
          value: value === null ? null : bytesOf(value),
          headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, bytesOf(text)])),
        };
      });
    return {
      partition,
      from: 0n,
      to: BigInt(records.length),
      async *read(from, to = BigInt(records.length)) {
        for (let at = Number(from); at < to; at += batch) {
          before?.(`${topic}-${partition}`, BigInt(at));
          yield inPlace(records.slice(at, Math.min(at + batch, Number(to))));
        }
      },
    };
  });
}

const struct = (row: Row | undefined): string =>
  row === undefined ? "null" : JSON.stringify({ ID: row[0], NAME: row[1] });
const keyOf = (one: SceneRecord): string | null => {
  const row = one.row ?? one.before;
  return row === undefined ? null : `{"ID":${row[0]}}`;
};

function changeRecord(one: SceneRecord): Written {
  const { op, scn = 10 } = one;
  if (op === "tombstone") return { key: keyOf(one), value: null };
  if (op === "junk") return { key: keyOf(one), value: "no JSON" };
  const source = op === "r" ? { scn: String(scn), snapshot: "true" } : { commit_scn: String(scn) };
  const row = op === "d" ? undefined : one.row;
  const before = op === "d" ? (one.before ?? one.row) : one.before;
  return {
    key: op === "t" ? null : keyOf(one),
    value: `{"before":${struct(before)},"after":${struct(row)},"source":${JSON.stringify(source)},"op":"${op}"}`,
  };
}

const LEGACY_OP = { c: "I", u: "U", d: "D", r: "R", t: "T" } as const;

function legacyRecord(one: SceneRecord): Written {
  const { op, scn = 5 } = one;
  if (op === "tombstone") return { key: String(one.row?.[0]), value: null };
  if (op === "junk") return { key: String(one.row?.[0]), value: "\u0000\u0001Avro" };
  const [id, name] = one.row ?? [null, null];
  return {
    key: op === "t" ? null : String(id),
    value: JSON.stringify({ ID: id, NAME: name, table: "SALES.ORDERS", scn: String(scn), op_type: LEGACY_OP[op] }),
  };
}
