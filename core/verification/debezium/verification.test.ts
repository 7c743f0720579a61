import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { fieldsOf } from "../canonical-row.ts";
import { NOTHING_DONE } from "../engine/manifest.ts";
import { mergedReads } from "../engine/unit-result.ts";
import { runUnit, topicUnits } from "../engine/units.ts";
import { type VerifyOptions, verifyTable } from "../engine/verify-table.ts";
import { memorySpool } from "../testing/memory-spool.ts";
import type { Row } from "../testing/scene.ts";
import { textOf, work } from "../testing/work.ts";
import { NOTHING_READ, type VerifiedKeys } from "../verdict.ts";
import { inputsOf, type Reads, type Told, type World, worlds } from "./testing/world.ts";

const verification = suite("the verification of what Debezium delivered");

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

verification("takes the row of an incremental snapshot for none where another partition decides", async () => {
  for (const topics of ["keep", "new"] as const)
    for (const [decides, other] of [
      [0, 1],
      [1, 0],
      [2, 1],
      [2, 0],
    ]) {
      const told = [
        legacy("c", [2, "b"], { scn: 9, partition: decides as number }),
        legacy("r", [2, "b"], { scn: 5, partition: other as number, snapshot: "incremental" }),
      ];
      const found = await verified({ rows: [], told, skipsTruncates: false, lastDelivered: 40n }, topics);
      assert.equal(findings(found), ["only-in-legacy-topic 2"], `${topics}: ${decides} over ${other}`);
    }
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
  const world: World = { rows, told, skipsTruncates: false, lastDelivered: 60n };
  const reads: Reads = new Map();
  const found = await verified(world, "keep", reads);
  assert.equal([...findings(found)].sort(), [...expected].sort());
  assert.equal(
    reads.get("inv-0"),
    told.map((_, at) => BigInt(at)),
    "every record is read once",
  );
  assert.equal([found.newTopic.count, found.newTopic.foreign], [told.filter(({ by }) => by === "new").length, 0]);
  assert.is(found.newTopic.repeated, 5, "the overlap");
  assert.is(found.legacyTopic?.count, told.filter(({ by }) => by === "legacy").length);
});

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

verification("looks back once where it goes on with a topic of both connectors", async () => {
  const told = Array.from({ length: 9 }, (_, id): Told => (id % 2 === 0 ? legacy : ours)("c", [id, "a"]));
  const inputs = inputsOf({ rows: [], told }, "keep", new Map());
  let reads = 0;
  const partitions = inputs.newTopic.partitions.map((one) => ({
    ...one,
    read(from: bigint, to?: bigint) {
      reads += 1;
      return one.read(from, to);
    },
  }));
  const units = topicUnits({ ...inputs, newTopic: { ...inputs.newTopic, partitions } }, work, 3);
  const context = { checkScn: 100n, segment: 2 ** 20, stopped: () => false, seen: () => {}, note: async () => {} };
  const found = { read: NOTHING_READ, legacyRead: NOTHING_READ };
  for (const unit of units) {
    const { done } = await runUnit(memorySpool(), unit, { done: NOTHING_DONE, files: [] }, 1, context);
    found.read = mergedReads(found.read, done.read);
    found.legacyRead = mergedReads(found.legacyRead, done.legacyRead ?? NOTHING_READ);
  }
  assert.equal([units.length, reads], [3, 5]);
  assert.equal([found.read.count, found.legacyRead.count, found.read.foreign], [4, 5, 0]);
});

verification.run();
