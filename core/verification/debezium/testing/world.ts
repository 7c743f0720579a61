import fc from "fast-check";
import type { RecordFormat } from "../../../../schemas/generated/verification-job.ts";
import { inPlace, type RecordParts } from "../../../ports/testing/records-in-place.ts";
import type { PartitionInput, TableInputs } from "../../engine/inputs.ts";
import { FORMAT, ORDERS, type Row } from "../../testing/scene.ts";
import { bytesOf } from "../../testing/work.ts";

const TABLE = { container: "PDB1", owner: "SALES", name: "ORDERS" };
const DEBEZIUM: RecordFormat = {
  decimals: "precise",
  temporals: "by-schema",
  placeholder: "__debezium_unavailable_value",
  debezium: { times: "adaptive", binaries: "base64", lobs: false },
};

/** Content of a record, by which of the connectors it is. */
export interface Told {
  readonly by: "new" | "legacy";
  readonly op: "c" | "u" | "d" | "r" | "t" | "tombstone" | "junk";
  readonly row?: Row;
  readonly before?: Row;
  readonly scn?: number;
  readonly snapshot?: "true" | "last" | "incremental";
  readonly table?: string;
  readonly partition?: number;
}

/** A table `ORDERS (ID, NAME)`, and what was told of it in the order of the records. */
export interface World {
  readonly rows: readonly Row[];
  readonly told: readonly Told[];
  readonly startScn?: bigint;
  readonly compacted?: boolean;
  readonly withoutKey?: boolean;
  readonly skipsTruncates?: boolean;
  readonly lastDelivered?: bigint;
}

const struct = (row: Row | undefined) => (row === undefined ? null : { ID: row[0], NAME: row[1] });

/** Written as by Debezium 3.6 and the new connector, without schemas. */
function recordOf({ by, op, row, before, scn = 10, snapshot, table = "ORDERS" }: Told, withoutKey: boolean) {
  const id = (row ?? before)?.[0];
  const key = id === undefined || op === "t" || withoutKey ? null : bytesOf(JSON.stringify({ ID: id }));
  const headers: Record<string, Uint8Array> =
    by === "new" && op !== "r" ? { "cdc.commit_scn": bytesOf(String(scn)) } : {};
  if (op === "tombstone") return { key, value: null, headers };
  if (op === "junk") return { key, value: bytesOf("no JSON"), headers: {} };
  const position =
    op === "r" && snapshot !== "incremental"
      ? { scn: String(scn), commit_scn: null }
      : { scn: String(scn - 1), commit_scn: String(scn) };
  const source = {
    version: "3.6.1.Final",
    connector: by === "new" ? "oracle-cdc" : "oracle",
    ...{ name: "inv", ts_ms: 1767323045678, snapshot: snapshot ?? (op === "r" ? "true" : "false") },
    ...{
      db: "PDB1",
      sequence: null,
      schema: "SALES",
      table,
      txId: "0a00120034120000",
      ...position,
      lcr_position: null,
    },
  };
  const rows = {
    before: struct(op === "d" ? (before ?? row) : before),
    after: op === "d" || op === "t" ? null : struct(row),
  };
  return { key, value: bytesOf(JSON.stringify({ ...rows, source, transaction: null, op, ts_ms: 1 })), headers };
}

/** Offsets at which records were read, by topic and partition. */
export type Reads = Map<string, bigint[]>;

function topicOf(name: string, { told, withoutKey = false }: World, reads: Reads) {
  const count = told.reduce((most, { partition = 0 }) => Math.max(most, partition + 1), 1);
  return Array.from({ length: count }, (_, partition): PartitionInput => {
    const records = told
      .filter((one) => (one.partition ?? 0) === partition)
      .map((one, at): RecordParts => ({ partition, offset: BigInt(at), ...recordOf(one, withoutKey) }));
    return {
      ...{ partition, from: 0n, to: BigInt(records.length) },
      async *read(from, to = BigInt(records.length)) {
        for (let at = Number(from); at < to; at += 3) {
          const batch = records.slice(at, Math.min(at + 3, Number(to)));
          const of = `${name}-${partition}`;
          reads.set(of, [...(reads.get(of) ?? []), ...batch.map(({ offset }) => offset)]);
          yield inPlace(batch);
        }
      },
    };
  });
}

/** The same records in one topic, or those of each connector in its own. */
export function inputsOf(world: World, topics: "keep" | "new", reads: Reads = new Map()): TableInputs {
  const of = (by: Told["by"]) =>
    topics === "keep" ? world : { ...world, told: world.told.filter((one) => one.by === by) };
  const { compacted = false, rows, startScn, skipsTruncates = true, lastDelivered } = world;
  const kept = topicOf("inv", world, reads);
  const topic = (by: Told["by"]) => {
    const name = topics === "keep" ? "inv" : by;
    return { topic: name, compacted, partitions: topics === "keep" ? kept : topicOf(name, of(by), reads) };
  };
  const own = { table: TABLE, inPdb: true };
  return {
    table: "PDB1.SALES.ORDERS",
    shape: world.withoutKey === true ? { ...ORDERS, key: [] } : ORDERS,
    ...{ checkScn: 100n, startScn },
    rows: {
      expected: rows.length,
      ranges: async () => ["all"],
      async *read() {
        yield rows.map(([id, name]) => [String(id), name]);
      },
    },
    newTopic: { ...topic("new"), format: FORMAT, own: { ...own, connector: "oracle-cdc" } },
    legacyTopic: {
      ...{ ...topic("legacy"), format: DEBEZIUM, own: { ...own, connector: "oracle" } },
      ...{ commitsKnown: true, skipsTruncates, lastDelivered },
    },
  };
}

const rowOf = fc.tuple(fc.nat({ max: 30 }), fc.constantFrom("a", "b", null));
const tellings = fc.array(
  fc.record({
    by: fc.constantFrom("new", "legacy"),
    op: fc.constantFrom("c", "u", "d", "r", "u"),
    row: rowOf,
    scn: fc.integer({ min: 2, max: 110 }),
    table: fc.constantFrom("ORDERS", "ORDERS", "ORDERS", "LINES"),
    partition: fc.nat({ max: 2 }),
    snapshot: fc.constantFrom("true", "incremental"),
    tombstone: fc.boolean(),
  }),
  { maxLength: 120 },
);
/** A delete may be followed by its tombstone. */
export const worlds = fc
  .record({
    rows: fc.uniqueArray(rowOf, { selector: ([id]) => id, maxLength: 30 }),
    changes: tellings,
    skipsTruncates: fc.boolean(),
    lastDelivered: fc.constant(40n),
  })
  .map(
    ({ changes, ...world }): World => ({
      ...world,
      told: changes.flatMap(({ tombstone, snapshot, ...one }): readonly Told[] => {
        const told: Told = one.op === "r" ? { ...one, snapshot } : one;
        return one.op === "d" && tombstone ? [told, { ...told, op: "tombstone" }] : [told];
      }),
    }),
  );
