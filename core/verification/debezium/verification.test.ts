import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RecordFormat } from "../../../schemas/generated/verification-job.ts";
import { inPlace, type RecordParts } from "../../ports/testing/records-in-place.ts";
import { fieldsOf } from "../canonical-row.ts";
import type { PartitionInput, TableInputs } from "../engine/inputs.ts";
import { type VerifyOptions, verifyTable } from "../engine/verify-table.ts";
import { memorySpool } from "../testing/memory-spool.ts";
import { FORMAT, ORDERS, type Row } from "../testing/scene.ts";
import { bytesOf, textOf, work } from "../testing/work.ts";
import type { VerifiedKeys } from "../verdict.ts";

const verification = suite("the verification of what Debezium delivered");

const TABLE = { container: "PDB1", owner: "SALES", name: "ORDERS" };
const DEBEZIUM: RecordFormat = {
  decimals: "precise",
  temporals: "by-schema",
  placeholder: "__debezium_unavailable_value",
  debezium: { times: "adaptive", binaries: "base64", lobs: false },
};

interface Told {
  readonly by: "new" | "legacy";
  readonly op: "c" | "u" | "d" | "r" | "t" | "tombstone" | "junk";
  readonly row?: Row;
  readonly before?: Row;
  readonly scn?: number;
  readonly snapshot?: "true" | "last" | "incremental";
  readonly table?: string;
  readonly partition?: number;
}

interface World {
  readonly rows: readonly Row[];
  readonly told: readonly Told[];
  readonly startScn?: bigint;
  readonly compacted?: boolean;
  readonly withoutKey?: boolean;
  readonly skipsTruncates?: boolean;
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
type Reads = Map<string, bigint[]>;

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
function inputsOf(world: World, topics: "keep" | "new", reads: Reads): TableInputs {
  const of = (by: Told["by"]) =>
    topics === "keep" ? world : { ...world, told: world.told.filter((one) => one.by === by) };
  const { compacted = false, rows, startScn, skipsTruncates = true } = world;
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
      ...{ commitsKnown: true, skipsTruncates },
    },
  };
}

const options = (parts: Partial<VerifyOptions> = {}): VerifyOptions => ({
  ...{ work, clock: { elapsed: () => 0 }, memory: 64 * 2 ** 20, ranges: 1, partitions: 2, first: 100 },
  disk: { place: "memory", free: undefined },
  ...parts,
});

async function verified(world: World, topics: "keep" | "new" = "new", reads: Reads = new Map()): Promise<VerifiedKeys> {
  const found = await verifyTable(inputsOf(world, topics, reads), memorySpool(), options());
  if (found.is !== "verified") throw new Error(found.is);
  return found;
}

const findings = ({ verdict }: VerifiedKeys): readonly string[] =>
  [...verdict.firstFailures, ...verdict.firstDoubts].map(({ key, reason }) => {
    const [field] = fieldsOf(key);
    return `${reason} ${field?.is === "value" ? textOf(field.bytes) : field?.is}`;
  });

const A: Row = [1, "a"];
const B: Row = [2, "b"];
const legacy = (op: Told["op"], row: Row, parts: Partial<Told> = {}): Told => ({ by: "legacy", op, row, ...parts });
const ours = (op: Told["op"], row: Row, parts: Partial<Told> = {}): Told => ({ by: "new", op, row, ...parts });

const CASES: readonly (readonly [what: string, World, readonly string[]])[] = [
  ["compares a key that only Debezium delivered", { rows: [A], told: [legacy("r", A)] }, []],
  [
    "finds its stale value, as after a transaction that was open at its snapshot",
    { rows: [[1, "new"]], told: [legacy("r", A)] },
    ["stale-in-legacy-topic 1"],
  ],
  ["finds a key that nobody delivered", { rows: [A, B], told: [legacy("c", A)] }, ["in-neither-topic 2"]],
  [
    "takes the last of its records at the check SCN",
    {
      rows: [B],
      told: [legacy("c", A), legacy("d", A, { scn: 20 }), legacy("u", B), legacy("u", [2, "x"], { scn: 101 })],
    },
    [],
  ],
  [
    "doubts the row of an incremental snapshot that differs: its commit is unknown",
    { rows: [[1, "new"]], told: [legacy("c", A), legacy("r", [1, "old"], { snapshot: "incremental" })] },
    ["commit-unknown 1"],
  ],
  [
    "is content with the row of an incremental snapshot that is the table's",
    { rows: [A], told: [legacy("r", A, { snapshot: "incremental" })] },
    [],
  ],
  [
    "doubts a key of an incremental snapshot that the table lost",
    { rows: [], told: [legacy("r", A, { snapshot: "incremental" })], skipsTruncates: false },
    ["commit-unknown 1"],
  ],
  [
    "doubts a key that a skipped truncate may have removed",
    { rows: [], told: [legacy("r", A)] },
    ["truncate-skipped 1"],
  ],
  [
    "fails a key that the table lost where truncates are delivered",
    { rows: [], told: [legacy("r", A)], skipsTruncates: false },
    ["only-in-legacy-topic 1"],
  ],
  ["takes a truncate of 1.9, whose key is null", { rows: [], told: [legacy("r", A), legacy("t", A, { scn: 20 })] }, []],
  [
    "leaves a tombstone to the delete before it",
    { rows: [], told: [legacy("c", A), legacy("d", A, { scn: 20 }), legacy("tombstone", A)] },
    [],
  ],
  [
    "reads nothing of another table, nor its tombstones",
    {
      rows: [A],
      told: [legacy("c", A), legacy("d", A, { table: "LINES" }), legacy("tombstone", A, { table: "LINES" })],
    },
    [],
  ],
  [
    "doubts only the key of a record that can't be read",
    { rows: [A, B], told: [legacy("c", A), legacy("junk", B), ours("u", A)] },
    ["legacy-unreadable 2"],
  ],
  [
    "counts the rows of a table without key",
    {
      rows: [A, A, B],
      told: [legacy("c", A), legacy("c", A), legacy("c", [3, "z"]), legacy("u", B, { before: [3, "z"], scn: 12 })],
      ...{ withoutKey: true, startScn: 50n },
    },
    [],
  ],
  [
    "doubts rows without key that a skipped truncate may have removed",
    { rows: [A], told: [legacy("c", A), legacy("c", B)], withoutKey: true, startScn: 50n },
    ["truncate-skipped 2"],
  ],
];
for (const [what, world, expected] of CASES)
  verification(what, async () => {
    assert.equal(findings(await verified(world)), expected);
  });

verification("finds planted faults in a topic that both connectors write to", async () => {
  const rows: readonly Row[] = Array.from({ length: 30 }, (_, id): Row => [id, `row ${id}`]);
  const good = (id: number) => rows[id] as Row;
  const told: readonly Told[] = [
    ...rows.slice(0, 20).map((row) => legacy("r", row, { scn: 5 })),
    legacy("c", [40, "lost to the table"], { scn: 30 }),
    legacy("u", [3, "stale in Debezium"], { scn: 31 }),
    // The overlap: both deliver the same commits.
    ...rows.slice(15, 20).flatMap((row) => [legacy("u", row, { scn: 60 }), ours("u", row, { scn: 60 })]),
    ...rows.slice(20, 28).map((row) => ours("c", row, { scn: 70 })),
    ours("u", [21, "wrong"], { scn: 71 }),
    ours("d", good(22), { scn: 72 }),
    ours("c", [41, "still here"], { scn: 73 }),
    ours("c", good(29), { scn: 74 }),
  ];
  const expected = [
    "stale-in-legacy-topic 3",
    "values-differ 21",
    "deleted-in-topic 22",
    "in-neither-topic 28",
    "only-in-legacy-topic 40",
    "still-in-topic 41",
  ];
  const world: World = { rows, told, skipsTruncates: false };
  const reads: Reads = new Map();
  const found = await verified(world, "keep", reads);
  assert.equal([...findings(found)].sort(), [...expected].sort());
  assert.equal(
    reads.get("inv-0"),
    told.map((_, at) => BigInt(at)),
    "every record is read once",
  );
  assert.equal([found.newTopic.count, found.newTopic.foreign], [told.filter(({ by }) => by === "new").length, 0]);
  assert.is(found.legacyTopic?.count, told.filter(({ by }) => by === "legacy").length);
});

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
const worlds = fc
  .record({
    rows: fc.uniqueArray(rowOf, { selector: ([id]) => id, maxLength: 30 }),
    changes: tellings,
    skipsTruncates: fc.boolean(),
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

verification("finds in one topic of both connectors what it finds in two", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const one = await verified(world, "keep");
      const two = await verified(world, "new");
      // Records have other offsets in another topic.
      const plain = ({ verdict, newTopic, legacyTopic }: VerifiedKeys) => ({
        ...verdict,
        firstFailures: verdict.firstFailures.map(({ place: _, ...rest }) => rest),
        firstDoubts: verdict.firstDoubts.map(({ place: _, ...rest }) => rest),
        counts: [newTopic.count, legacyTopic?.count, newTopic.unreadable, legacyTopic?.unreadable],
      });
      assert.equal(plain(one), plain(two));
    }),
    { numRuns: 150 },
  );
});

verification("goes on with a topic of both connectors where it was interrupted", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.nat({ max: 30 }), async (world, after) => {
      const stop = new AbortController();
      const inputs = inputsOf(world, "keep", new Map());
      const { newTopic, legacyTopic } = inputs;
      let batches = 0;
      const partitions = newTopic.partitions.map((one) => ({
        ...one,
        async *read(from: bigint, to?: bigint) {
          for await (const batch of one.read(from, to)) {
            if (batches++ === after) stop.abort();
            yield batch;
          }
        },
      }));
      const spool = memorySpool();
      const stopped = { ...inputs, newTopic: { ...newTopic, partitions }, legacyTopic };
      const first = await verifyTable(stopped, spool, options({ stop: stop.signal }));
      const found = first.is === "interrupted" ? await verifyTable(inputs, spool, options()) : first;
      assert.equal(found, await verified(world, "keep"));
    }),
    { numRuns: 100 },
  );
});

verification.run();
