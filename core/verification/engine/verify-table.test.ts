import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../errors.ts";
import { linesOf } from "../../values/remedy.ts";
import { fieldsOf } from "../canonical-row.ts";
import { memorySpool } from "../testing/memory-spool.ts";
import { type Cut, inputsOf, type Row, type Scene, type SceneRecord } from "../testing/scene.ts";
import { cuts, scenes, truncate, ways } from "../testing/scenes.ts";
import { textOf, work } from "../testing/work.ts";
import type { VerifiedKeys } from "../verdict.ts";
import type { TableInputs } from "./inputs.ts";
import { interruptedRun } from "./manifest.ts";
import { runHere, type UnitRunner } from "./unit-runner.ts";
import { type VerifyOptions, verifyTable } from "./verify-table.ts";
import type { VerifyNotice } from "./watch.ts";

const engine = suite("the verification of a table");

const options = (parts: Partial<VerifyOptions> = {}): VerifyOptions => ({
  work,
  clock: { elapsed: () => 0 },
  memory: 64 * 2 ** 20,
  ranges: 2,
  partitions: 2,
  first: 100,
  disk: { place: "memory", free: undefined },
  ...parts,
});

async function verified(scene: Scene, cut: Cut = {}, parts: Partial<VerifyOptions> = {}): Promise<VerifiedKeys> {
  const spool = memorySpool();
  const found = await verifyTable(inputsOf(scene, cut), spool, options(parts));
  if (found.is !== "verified") throw new Error(found.is);
  assert.equal([spool.files.size, spool.notesSeen.length], [0, 0], "the spool is empty again");
  return found;
}

/** Short form of what is wrong: `in-neither-topic 2` of the first keys that are named. */
const findings = ({ verdict }: VerifiedKeys): readonly string[] =>
  [...verdict.firstFailures, ...verdict.firstDoubts].map(({ key, reason }) => {
    const [field] = fieldsOf(key);
    return `${reason} ${field?.is === "value" ? textOf(field.bytes) : field?.is}`;
  });

const A: Row = [1, "a"];
const B: Row = [2, "b"];
const C: Row = [3, "c"];
const told = (row: Row, parts: Partial<SceneRecord> = {}): SceneRecord => ({ op: "c", row, ...parts });

engine("finds no differences if the topics contain what the table has", async () => {
  const found = await verified({ rows: [A, B, C], records: [told(A), told(B)], legacy: [told(B), told(C)] });
  assert.equal(findings(found), []);
  assert.equal([found.verdict.compared, found.verdict.byLegacy], [2, 1]);
  assert.equal(found.verdict.table.keys, 3);
  assert.equal(found.verdict.table.keyHash, found.verdict.topics.keyHash);
  assert.equal([found.table.count, found.newTopic.count, found.legacyTopic?.count], [3, 2, 2]);
});

const FAULTS: readonly (readonly [string, Scene, readonly string[]])[] = [
  ["a lost row", { rows: [A, B], records: [told(A)] }, ["in-neither-topic 2"]],
  ["a stale value", { rows: [A, [2, "new"]], records: [told(A), told(B)] }, ["values-differ 2"]],
  ["a NULL that is a text", { rows: [[1, null]], records: [told([1, "null"])] }, ["values-differ 1"]],
  ["a deleted row still present", { rows: [A], records: [told(A), told(B)] }, ["still-in-topic 2"]],
  [
    "a row that only the legacy topic has",
    { rows: [A], records: [told(A)], legacy: [told(B)] },
    ["only-in-legacy-topic 2"],
  ],
  ["a row deleted by mistake", { rows: [A], records: [told(A), told(A, { op: "d" })] }, ["deleted-in-topic 1"]],
];
for (const [fault, scene, expected] of FAULTS)
  engine(`finds ${fault}`, async () => {
    assert.equal(findings(await verified(scene)), expected);
  });

engine("removes all rows at a truncate, wherever in the topics its keys are", async () => {
  const rows: readonly Row[] = Array.from({ length: 40 }, (_, id): Row => [id, "kept"]);
  const before = rows.map(([id]) => told([id, "gone"], { partition: id % 3 }));
  const after = rows.slice(0, 20).map((row) => told(row, { scn: 30, partition: row[0] % 3 }));
  const truncate: SceneRecord = { op: "t", scn: 20, partition: 1 };
  const scene: Scene = {
    rows: rows.slice(0, 20),
    records: [...before, truncate, ...after],
    legacy: [told([77, "x"], { scn: 3 })],
  };
  assert.equal(findings(await verified(scene)), []);
  const kept = await verified({ ...scene, rows });
  assert.is(kept.verdict.failures["deleted-in-topic"], 20);
  assert.equal(findings(await verified({ ...scene, records: [...before, ...after] })).length, 21);
});

engine("treats a tombstone as a deletion at the SCN of the record before it", async () => {
  const deleted = [told(A), told(B), told(B, { op: "d", scn: 20 }), { op: "tombstone", row: B } as const];
  assert.equal(findings(await verified({ rows: [A], records: deleted })), []);
  const compacted: Scene = { rows: [A], records: [told(A), { op: "tombstone", row: B }], compacted: true };
  assert.equal(findings(await verified({ ...compacted, legacy: [told(B)] })), []);
  const above = [told(A), told(B), told(C, { scn: 101 }), { op: "tombstone", row: B } as const];
  assert.equal(findings(await verified({ rows: [A, B], records: above })), []);
});

engine("is in doubt about a key whose last record on a compacted topic is above the check SCN", async () => {
  const scene: Scene = { rows: [A], records: [told([1, "later"], { scn: 101 })] };
  assert.equal(findings(await verified({ ...scene, compacted: true })), ["only-above-check-scn 1"]);
  assert.equal(findings(await verified(scene)), ["in-neither-topic 1"]);
});

engine("skips records above the check SCN, and a snapshot row that was read after it is a doubt", async () => {
  const later: Scene = { rows: [A], records: [told(A), told([1, "later"], { op: "u", scn: 101 })] };
  assert.equal(findings(await verified(later)), []);
  const snapshot: Scene = { rows: [A], records: [told(A, { op: "r", scn: 101 })] };
  assert.equal(findings(await verified(snapshot)), ["snapshot-after-check-scn 1"]);
});

engine("counts the rows of a table without key", async () => {
  const scene: Scene = { withoutKey: true, startScn: 8n, rows: [A, A, B], records: [told(A), told(A), told(B)] };
  assert.equal(findings(await verified(scene)), []);
  assert.equal(findings(await verified({ ...scene, rows: [A, B] })).length, 1);
  const legacy = { ...scene, records: [told(B)], legacy: [told(A), told(A)] };
  assert.equal(findings(await verified(legacy)), []);
});

engine("counts and names what could not be read, on every side", async () => {
  const found = await verified({
    rows: [A, [2, "half \ud800"]],
    records: [told(A), { op: "junk", row: B }, { op: "junk", row: C, partition: 1 }],
    legacy: [{ op: "junk", row: B }],
  });
  assert.equal([found.table.unreadable, found.newTopic.unreadable, found.legacyTopic?.unreadable], [1, 2, 1]);
  assert.equal(found.newTopic.reasons, [
    {
      why: "no JSON in UTF-8 (is it another converter's?)",
      count: 2,
      ...{ place: { partition: 0, offset: 1n }, key: undefined },
    },
  ]);
  assert.match(found.table.reasons[0]?.why ?? "", /column NAME/);
});

engine(
  "leaves out the records of other tables in the same topic, and doubts one that does not say its table",
  async () => {
    const inputs = inputsOf({ rows: [A], records: [told(A), told(B), told(C)] });
    const isOfTable = (bytes: Uint8Array, start: number, end: number) => {
      const value = textOf(bytes.subarray(start, end));
      return value.includes(`"NAME":"${A[1]}"`) ? true : value.includes(`"NAME":"${B[1]}"`) ? false : undefined;
    };
    const found = await verifyTable(
      { ...inputs, newTopic: { ...inputs.newTopic, isOfTable } },
      memorySpool(),
      options(),
    );
    assert.is(found.is, "verified");
    if (found.is !== "verified") return;
    assert.equal(findings(found), []);
    assert.equal([found.newTopic.count, found.newTopic.foreign, found.newTopic.unreadable], [2, 1, 1]);
  },
);

engine(
  "counts another table's legacy record as that, and its tombstone, unless compaction may have removed the delete",
  async () => {
    // The tombstone has the key of A, which the other table has as well.
    const legacy: Scene["legacy"] = [told(A), told([1, "another table's"], { op: "d" }), { op: "tombstone", row: A }];
    const ways = [
      [legacy, false, 1, 2, 0],
      [legacy, true, 2, 1, 1],
      [[told(A), told(A, { op: "d" }), { op: "tombstone", row: A } as const, told(A)], true, 4, 0, 0],
    ] as const;
    for (const [records, legacyCompacted, ...counts] of ways) {
      const inputs = inputsOf({ rows: [A], records: [], legacy: records, legacyCompacted });
      const isOfTable = (bytes: Uint8Array, start: number, end: number) =>
        start < 0 || !textOf(bytes.subarray(start, end)).includes("another table's");
      const legacyTopic = inputs.legacyTopic && { ...inputs.legacyTopic, isOfTable };
      const found = await verifyTable({ ...inputs, legacyTopic }, memorySpool(), options());
      if (found.is !== "verified" || found.legacyTopic === undefined) throw new Error("not verified");
      const { count, foreign, unreadable } = found.legacyTopic;
      assert.equal([count, foreign, unreadable], counts);
      if (!legacyCompacted) assert.equal(findings(found), []);
    }
  },
);

// ---- Every way of running it ----------------------------------------------------------------------------------------

engine("gives the same findings whatever the memory, the division and the number of readers", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(scenes, cuts, ways, async (scene, cut, way) => {
      const one = await verified(scene);
      assert.equal(await verified(scene, cut, way), one);
      if (findings(one).length > 0) found += 1;
    }),
    { numRuns: 150 },
  );
  assert.ok(found > 50, "most have something wrong");
});

engine("names the smallest keys, so that it names the same ones however the work is divided", async () => {
  const scene: Scene = { rows: Array.from({ length: 60 }, (_, id): Row => [id, "a"]), records: [] };
  const one = await verified(scene, {}, { first: 7 });
  const other = await verified(scene, { ranges: 5 }, { first: 7, memory: 32_000 });
  assert.is(findings(one).length, 7);
  assert.equal(findings(other), findings(one));
});

engine("carries its units out anywhere: inputs and results are plain values", async () => {
  const rows = Array.from({ length: 200 }, (_, id): Row => [id, "a"]);
  const scene: Scene = {
    rows,
    records: [
      ...rows.slice(0, 190).map((row, at) => told(row, { partition: at % 3 })),
      told([5, "stale"], { op: "u" }),
    ],
    legacy: rows.slice(1).map((row) => told(row)),
  };
  const cut = { ranges: 3, batch: 20 };
  const spool = memorySpool();
  const inputs = inputsOf(scene, cut);
  // Each on its own machine, which has the inputs and the files and nothing else.
  const elsewhere: UnitRunner = {
    joins: 2,
    read: async (unit, left, partitions, context) =>
      structuredClone(
        await runHere(inputs, spool, work).read(unit, structuredClone(left), partitions, {
          ...context,
          note: (done) => context.note(structuredClone(done)),
        }),
      ),
    join: async (join) => structuredClone(await runHere(inputs, spool, work).join(structuredClone(join))),
  };
  const found = await verifyTable(inputs, spool, options({ runner: elsewhere, memory: 400_000 }));
  assert.equal(found, await verified(scene, cut));
  assert.is(found.is === "verified" && findings(found).length > 0, true);
});

engine("reads the topics while the table is still being divided, and divides it once", async () => {
  const scene: Scene = { rows: [A, B, C], records: [told(A), told(B), told(C)] };
  const inputs = inputsOf(scene, { ranges: 3 });
  let divided = 0;
  let recordsRead = 0;
  const rows: TableInputs["rows"] = {
    ...inputs.rows,
    async ranges() {
      divided += 1;
      // Never ends if the topics wait for it.
      while (recordsRead < 3) await new Promise((resolve) => setImmediate(resolve));
      return inputs.rows.ranges();
    },
  };
  const spool = memorySpool();
  const stop = new AbortController();
  const first = await verifyTable(
    { ...inputs, rows },
    spool,
    options({
      stop: stop.signal,
      progress(seen) {
        recordsRead = seen.newRecords;
        if (seen.rows > 0) stop.abort();
      },
    }),
  );
  assert.equal(first, { is: "interrupted" });
  const other = { ...rows, ranges: async () => assert.unreachable("divided again") as never };
  assert.equal(await verifyTable({ ...inputs, rows: other }, spool, options()), await verified(scene));
  assert.is(divided, 1);
});

engine("passes on why a table cannot be divided, and keeps what the topics gave", async () => {
  const scene: Scene = { rows: [A], records: [told(A)] };
  const inputs = inputsOf(scene);
  const spool = memorySpool();
  const lost = new CallFailed("oracle", "lost", { message: "the connection was lost" });
  const rows = { ...inputs.rows, ranges: () => Promise.reject(lost) };
  const failed = await verifyTable({ ...inputs, rows }, spool, options()).catch((error: unknown) => error);
  assert.is(failed, lost);
  assert.equal(await verifyTable(inputs, spool, options()), await verified(scene));
});

// ---- Memory ---------------------------------------------------------------------------------------------------------

engine("joins no more at once than fits into memory, however the keys are distributed", async () => {
  const many = Array.from({ length: 4000 }, (_, id): Row => [id, "a".repeat(id % 50)]);
  const spool = memorySpool();
  const memory = 16 * 20_000;
  const inputs = inputsOf({ rows: many, records: many.map((row) => told(row)) }, { batch: 500 });
  const seen: number[] = [];
  const found = await verifyTable(
    // An estimate that is far too low: too few hash partitions, so that each must be divided again.
    { ...inputs, rows: { ...inputs.rows, expected: 0 } },
    spool,
    options({ memory, progress: ({ phase, joined }) => phase === "joining" && seen.push(joined) }),
  );
  assert.is(found.is, "verified");
  if (found.is === "verified") assert.is(found.verdict.compared, 4000);
  assert.ok(spool.largestRead <= memory / 16, `${spool.largestRead} bytes were read at once`);
  assert.ok(seen.length >= 16);
});

engine("holds one key that was updated far more often than the memory holds", async () => {
  const updates = Array.from(
    { length: 3000 },
    (_, at): SceneRecord => told([1, `value ${at}`], { op: "u", scn: 10 + (at % 5) === 0 ? 20 : 30 }),
  );
  const above = Array.from({ length: 3000 }, (_, at): SceneRecord => told([2, `value ${at}`], { op: "u", scn: 101 }));
  const scene: Scene = {
    rows: [[1, "value 2999"], B],
    records: [told(B), ...updates, ...above],
  };
  assert.equal(findings(await verified(scene, { batch: 100 }, { memory: 16 * 20_000 })), []);
});

engine("drops only what the join would ignore, if one key has more records than the memory holds", async () => {
  const records = (...more: readonly "junk"[]) =>
    fc.array(
      fc.record({
        op: fc.constantFrom("u", "u", "u", "c", "d", "r", ...more),
        row: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.constantFrom("a", "b", "a", "b", null, "?")),
        scn: fc.oneof(fc.integer({ min: 1, max: 105 }), fc.constant(30)),
        partition: fc.nat({ max: 1 }),
      }),
      { minLength: 60, maxLength: 90 },
    );
  const truncates = fc.oneof(fc.constant([]), fc.tuple(truncate));
  const hot = fc.record({
    rows: fc.constantFrom<readonly Row[]>([], [A], [A, B], [[1, "b"]]),
    ...{ truncates, records: records() },
    legacy: fc.oneof(fc.constant([]), fc.tuple(truncates, records("junk"))).map((parts) => parts.flat()),
  });
  let dropped = 0;
  await fc.assert(
    fc.asyncProperty(hot, fc.boolean(), fc.boolean(), async ({ truncates, records, ...world }, compacted, late) => {
      const told = records.map((one): SceneRecord => (late && one.row[0] === 2 ? { ...one, scn: one.scn + 100 } : one));
      const inPart: SceneRecord = { op: "u", row: [1, "?"], scn: 99 };
      const scene: Scene = { ...world, compacted, records: [...truncates, ...told, ...(late ? [inPart, inPart] : [])] };
      const small = await verified(scene, { batch: 10 }, { memory: 48_000 }).catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error;
        return undefined;
      });
      if (small === undefined) return;
      dropped += 1;
      assert.equal(small, await verified(scene));
    }),
    { numRuns: 200 },
  );
  assert.ok(dropped > 60, `${dropped} fitted`);
  const updates = Array.from({ length: 200 }, () => told(A, { op: "u", scn: 102 }));
  const scene: Scene = { rows: [A], records: [told(A, { op: "r", scn: 101 }), ...updates] };
  assert.equal(findings(await verified(scene, {}, { memory: 48_000 })), ["snapshot-after-check-scn 1"]);
});

engine("keeps an unreadable record of a key that has more records than the memory holds", async () => {
  const updates = Array.from({ length: 200 }, () => told(A, { op: "u", partition: 1 }));
  const legacy: Scene["legacy"] = [{ op: "t", scn: 20 }, { op: "junk", row: A, partition: 1 }, ...updates];
  const scene: Scene = { rows: [A, B], records: [told(B)], legacy };
  const small = await verified(scene, { batch: 10 }, { memory: 48_000 });
  // It may be one that was written after the truncate.
  assert.equal(findings(small), ["legacy-unreadable 1"]);
  assert.equal(small, await verified(scene));
});

engine("refuses to continue, with a remedy, if even that does not help", async () => {
  const rows = Array.from({ length: 3000 }, (): Row => [1, "the same row"]);
  const scene: Scene = { withoutKey: true, rows, records: rows.map((row) => told(row)) };
  try {
    await verified(scene, { batch: 100 }, { memory: 16 * 20_000 });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, CallFailed);
    assert.match(linesOf((error as CallFailed).remedies), /--memory/);
  }
  assert.equal(findings(await verified(scene, { batch: 100 })), []);
});

// ---- Interrupted ----------------------------------------------------------------------------------------------------

class Killed extends Error {}

/** The same note with the names that members had in earlier versions. */
function ofEarlierVersion(note: string): string {
  return note.replaceAll('"tableUnknown":', '"unsaid":');
}

engine("resumes after a kill at any moment, with the same findings", async () => {
  let resumed = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      scenes,
      cuts,
      ways,
      fc.nat({ max: 60 }),
      fc.nat({ max: 9 }),
      async (scene, cut, way, life, torn) => {
        const expected = await verified(scene);
        const spool = memorySpool();
        let left = life;
        const dies = () => {
          if (left-- === 0) throw new Killed();
        };
        const killed = await verifyTable(inputsOf(scene, { ...cut, before: dies }), spool, options(way)).catch(
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            return undefined;
          },
        );
        if (killed !== undefined) return;
        // What was written after the last note may be torn.
        for (const file of spool.files.values()) if (torn > 0) file.copy(new Uint8Array(torn), 0, torn);
        if (torn === 9) spool.notesSeen.pop();
        if (torn % 2 === 0) spool.notesSeen.splice(0, Infinity, ...spool.notesSeen.map(ofEarlierVersion));
        if (torn === 8) for (const file of spool.files.values()) file.length = Math.max(0, file.length - 30);
        const notices: VerifyNotice[] = [];
        const again = { ...way, memory: 2 ** 26, notice: (notice: VerifyNotice) => notices.push(notice) };
        const starts: string[] = [];
        const found = await verifyTable(
          inputsOf(scene, { ...cut, before: (unit, offset) => starts.push(`${unit} ${offset}`) }),
          spool,
          options(again),
        );
        assert.equal(found, expected);
        const notice = notices.find(({ is }) => is === "resumed");
        if (notice?.is === "resumed") {
          resumed += 1;
          kept += notice.finished + notice.begun;
        }
      },
    ),
    { numRuns: 200 },
  );
  assert.ok(resumed > 20 && kept > 50, `${resumed} resumed, ${kept} units kept`);
});

for (const [why, ends] of [
  ["an interruption", (stop: AbortController) => stop.abort()],
  ["a topic that can't be read", () => assert.unreachable("not to be read")],
] as const)
  engine(`${why} ends the division at once`, async () => {
    const stop = new AbortController();
    const inputs = inputsOf({ rows: [A], records: [told(A)] }, { before: () => ends(stop) });
    const rows: TableInputs["rows"] = {
      ...inputs.rows,
      ranges: (asked) =>
        new Promise((_, reject) => asked?.addEventListener("abort", () => reject(asked.reason), { once: true })),
    };
    const spool = memorySpool();
    const found = await verifyTable({ ...inputs, rows }, spool, options({ stop: stop.signal })).catch(String);
    if (stop.signal.aborted) assert.equal(found, { is: "interrupted" });
    else assert.match(String(found), "not to be read");
    assert.equal(
      await verifyTable(inputsOf({ rows: [A], records: [told(A)] }), spool, options()),
      await verified({ rows: [A], records: [told(A)] }),
    );
  });

engine("stops between two batches on request, and resumes from there without reading twice", async () => {
  const scene: Scene = {
    rows: [A, B],
    records: Array.from({ length: 90 }, (_, at) => told([at % 2 === 0 ? 1 : 2, at % 2 === 0 ? "a" : "b"])),
  };
  const spool = memorySpool();
  const stop = new AbortController();
  const first = await verifyTable(
    inputsOf(scene, {
      before: (unit, offset) => {
        if (unit === "new-0" && offset === 30n) stop.abort();
      },
    }),
    spool,
    options({ stop: stop.signal }),
  );
  assert.is(first.is, "interrupted");
  const starts: bigint[] = [];
  const found = await verifyTable(
    inputsOf(scene, { before: (unit, offset) => unit === "new-0" && starts.push(offset) }),
    spool,
    options(),
  );
  assert.equal(found, await verified(scene));
  assert.is(starts[0], 33n);
});

engine("starts again, and reports why, where something has changed since the run began", async () => {
  const scene: Scene = { rows: [A, B], records: [told(A), told(B)], legacy: [told(A)] };
  const begun = async () => {
    const spool = memorySpool();
    const stop = AbortSignal.abort();
    assert.is((await verifyTable(inputsOf(scene), spool, options({ stop }))).is, "interrupted");
    return spool;
  };
  const changes: readonly (readonly [string, Scene])[] = [
    ["the check SCN has changed", { ...scene, checkScn: 99n }],
    ["the columns compared have changed", { ...scene, withoutKey: true }],
    ["the new topic has changed", { ...scene, records: [...scene.records, told(B)] }],
    ["the legacy topic has changed", { rows: scene.rows, records: scene.records }],
  ];
  for (const [why, changed] of changes) {
    const spool = await begun();
    const notices: VerifyNotice[] = [];
    const found = await verifyTable(inputsOf(changed), spool, options({ notice: (notice) => notices.push(notice) }));
    assert.equal(found, await verified(changed));
    const afresh = notices.find(({ is }) => is === "afresh");
    assert.ok(afresh?.is === "afresh" && afresh.why.startsWith(why), `${why}: ${JSON.stringify(afresh)}`);
  }
  const spool = await begun();
  assert.equal(await interruptedRun(spool), {
    checkScn: 100n,
    newTopic: [{ partition: 0, from: 0n, to: 2n }],
    legacyTopic: [{ partition: 0, from: 0n, to: 1n }],
  });
});

engine("reports that flashback does not reach the check SCN, and passes other failures on", async () => {
  const failing = (code: string) =>
    inputsOf(
      { rows: [A], records: [told(A)] },
      {
        before: (unit) => {
          if (unit === "table-0") throw new CallFailed("oracle", "rejected", { message: `${code}: as it is`, code });
        },
      },
    );
  for (const code of ["ORA-01555", "ORA-08181", "ORA-01466", "ORA-22924"]) {
    const spool = memorySpool();
    const found = await verifyTable(failing(code), spool, options());
    assert.equal(found, { is: "unreachable", code, message: `${code}: as it is` });
    assert.is(spool.notesSeen.length, 0);
  }
  const spool = memorySpool();
  try {
    await verifyTable(failing("ORA-03113"), spool, options());
    assert.unreachable();
  } catch (error) {
    assert.is((error as CallFailed).code, "ORA-03113");
  }
  assert.ok(spool.notesSeen.length > 0, "what was done is kept");
});

engine("reports its progress, and beforehand how much disk it may take", async () => {
  const notices: VerifyNotice[] = [];
  const phases = new Set<string>();
  let last: { rows: number; newRecords: number; spooled: number; bytes: number } | undefined;
  await verified(
    { rows: [A, B], records: [told(A), told(B)] },
    {},
    {
      notice: (notice) => notices.push(notice),
      progress: (progress) => {
        phases.add(progress.phase);
        last = progress;
      },
    },
  );
  assert.equal([...phases], ["reading", "joining"]);
  assert.equal([last?.rows, last?.newRecords], [2, 2]);
  assert.ok((last?.spooled ?? 0) > 0 && (last?.bytes ?? 0) > 0);
  const [disk] = notices;
  assert.ok(disk?.is === "disk" && disk.estimated > 0);
});

engine("rejects records out of order, or beyond the extent", async () => {
  const inputs = inputsOf({ rows: [], records: [told(A), told(B)] });
  const [partition] = inputs.newTopic.partitions;
  const cut = {
    ...inputs,
    newTopic: { ...inputs.newTopic, partitions: [{ ...(partition as NonNullable<typeof partition>), to: 1n }] },
  };
  try {
    await verifyTable(cut, memorySpool(), options());
    assert.unreachable();
  } catch (error) {
    assert.instance(error, RangeError);
  }
});

engine.run();
