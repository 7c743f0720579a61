import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memorySpool } from "../testing/memory-spool.ts";
import { CHECK, inputsOf, type Scene } from "../testing/scene.ts";
import { scenes } from "../testing/scenes.ts";
import { work } from "../testing/work.ts";
import { laterTruncates, NO_TRUNCATES, nextTuple } from "../tuple.ts";
import { NOTHING_READ } from "../verdict.ts";
import type { TableInputs } from "./inputs.ts";
import { LaneBuffers } from "./lane.ts";
import { NOTHING_DONE } from "./manifest.ts";
import { mergedReads } from "./unit-result.ts";
import { rangeUnits, runUnit, topicUnits, type Unit } from "./units.ts";

const units = suite("units of reading");

/** What all units of a division come to: their tuples in any order, what they read, and the truncates. */
async function carriedOut(inputs: TableInputs, recordsAUnit?: number) {
  const tuples: string[] = [];
  let read = NOTHING_READ;
  let truncates = NO_TRUNCATES;
  const all = topicUnits(inputs, work, recordsAUnit);
  const buffers = new LaneBuffers();
  for (const unit of all) {
    const spool = memorySpool();
    const context = {
      checkScn: CHECK,
      segment: 2 ** 20,
      stopped: () => false,
      seen: () => undefined,
      note: async () => undefined,
    };
    const { done } = await runUnit(spool, unit, { done: NOTHING_DONE, files: [] }, 1, context, buffers);
    for (const sink of spool.files.values())
      for (let at = 4; at < sink.length; ) {
        const end = nextTuple(sink.data, at);
        tuples.push(Buffer.from(sink.bytes.subarray(at, end)).toString("hex"));
        at = end;
      }
    read = mergedReads(read, done.read);
    truncates = laterTruncates(truncates, done.truncates);
  }
  return { units: all.length, found: { tuples: tuples.sort(), read, truncates } };
}

units(
  "smaller than a partition read what the whole partition contains, also a tombstone at their beginning",
  async () => {
    let divided = 0;
    await fc.assert(
      fc.asyncProperty(scenes, fc.integer({ min: 1, max: 6 }), async (scene, records) => {
        const whole = await carriedOut(inputsOf(scene));
        const parts = await carriedOut(inputsOf(scene), records);
        assert.equal(parts.found, whole.found);
        divided += parts.units - whole.units;
      }),
      { numRuns: 200 },
    );
    assert.ok(divided > 100, `${divided}`);
  },
);

units("take the SCN of a tombstone from as far back as needed", async () => {
  const tombstones = Array.from({ length: 200 }, () => ({ op: "tombstone", row: [1, null] }) as const);
  const scene: Scene = { rows: [], records: [{ op: "c", row: [1, "a"], scn: 42 }, ...tombstones] };
  const whole = await carriedOut(inputsOf(scene));
  assert.is(whole.found.read.unreadable, 0);
  for (const records of [1, 7, 150]) assert.equal((await carriedOut(inputsOf(scene), records)).found, whole.found);
  const ofNoTable = { ...scene, records: tombstones };
  const none = await carriedOut(inputsOf(ofNoTable));
  assert.is(none.found.read.unreadable, 200);
  assert.equal((await carriedOut(inputsOf(ofNoTable), 13)).found, none.found);
});

units("skip the records of other tables when searching backwards, as the whole partition does", async () => {
  const scene: Scene = {
    rows: [],
    records: [],
    legacy: [
      { op: "c", row: [1, "a"], scn: 42 },
      ...Array.from({ length: 90 }, () => ({ op: "c", row: [99, "theirs"], scn: 77 }) as const),
      { op: "tombstone", row: [1, null] },
    ],
  };
  const own = (inputs: TableInputs): TableInputs => ({
    ...inputs,
    legacyTopic: inputs.legacyTopic && {
      ...inputs.legacyTopic,
      isOfTable: (bytes, start, end) => start < 0 || !Buffer.from(bytes.subarray(start, end)).includes("theirs"),
    },
  });
  // The tombstone follows a record of another table, and is of that one, unless compaction removed its delete.
  for (const [legacyCompacted, foreign] of [
    [true, 90],
    [false, 91],
  ] as const) {
    const inputs = own(inputsOf({ ...scene, legacyCompacted }));
    const whole = await carriedOut(inputs);
    assert.is(whole.found.read.foreign, foreign);
    for (const records of [1, 5, 91]) assert.equal((await carriedOut(inputs, records)).found, whole.found);
  }
});

units("leave a tombstone after a record that cannot be read without an SCN, as the whole partition does", async () => {
  const junk = Array.from({ length: 100 }, () => ({ op: "junk", row: [1, null] }) as const);
  const tombstone = { op: "tombstone", row: [1, null] } as const;
  const scene: Scene = { rows: [], records: [{ op: "c", row: [1, "a"], scn: 42 }, ...junk, tombstone] };
  const whole = await carriedOut(inputsOf(scene));
  assert.is(whole.found.read.unreadable, 101);
  for (const records of [1, 7, 101]) assert.equal((await carriedOut(inputsOf(scene), records)).found, whole.found);
});

units("are named by their offsets, and only a large partition is divided by default", async () => {
  const inputs = inputsOf({
    rows: [],
    records: Array.from({ length: 25 }, () => ({ op: "c", row: [1, "a"] }) as const),
  });
  const names = (all: readonly Unit[]) => all.map(({ name }) => name);
  assert.equal(names(rangeUnits(inputs, await inputs.rows.ranges(), work)), ["table-0"]);
  assert.equal(names(topicUnits(inputs, work)), ["new-0"]);
  const extending = (...ends: readonly bigint[]) => {
    const partitions = ends.map((to, partition) => ({ partition, from: 0n, to, read: async function* () {} }));
    return names(topicUnits({ ...inputs, newTopic: { ...inputs.newTopic, partitions } }, work));
  };
  assert.equal(extending(100_000n), ["new-0"]);
  assert.equal(extending(100_001n, 5n), ["new-0[0,100000)", "new-0[100000,100001)", "new-1"]);
  assert.is(extending(10n ** 10n).length, 64);
  assert.is(extending(10n ** 9n, 10n ** 9n, 7n).length, 65);
  assert.equal(names(topicUnits(inputs, work, 25)), ["new-0"]);
  assert.equal(names(topicUnits(inputs, work, 10)), ["new-0[0,10)", "new-0[10,20)", "new-0[20,25)"]);
});

/** A unit whose writes wait until they are let through. */
function slowWrites(records: number) {
  const spool = memorySpool();
  const waiting: (() => void)[] = [];
  const world = { read: 0, most: 0, noted: [] as number[], failing: false, closed: false };
  const scene: Scene = {
    rows: [],
    records: Array.from({ length: records }, (_, at) => ({ op: "c", row: [at, "a"], scn: 42 + at }) as const),
  };
  const inputs = inputsOf(scene);
  const isOfTable = () => {
    world.read += 1;
    return true;
  };
  const [unit] = topicUnits({ ...inputs, newTopic: { ...inputs.newTopic, isOfTable } }, work);
  const done = runUnit(
    {
      ...spool,
      create: async (name) => {
        const file = await spool.create(name);
        return {
          ...file,
          write: async (parts) => {
            world.most = Math.max(world.most, waiting.length + 1);
            await new Promise<void>((resolve) => waiting.push(resolve));
            if (world.failing) throw new Error("no space left");
            await file.write(parts);
          },
          close: async () => {
            world.closed = true;
          },
        };
      },
    },
    unit as Unit,
    { done: NOTHING_DONE, files: [] },
    1,
    {
      checkScn: CHECK,
      segment: 1,
      stopped: () => false,
      seen: () => undefined,
      note: async ({ read, files }) => {
        world.noted.push(read.count);
        assert.is(files[0]?.bytes, spool.files.values().next().value?.length);
      },
    },
  );
  return { world, done, letThrough: () => waiting.shift()?.() };
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 5));

units("read on while a segment is written, and note only what has been written", async () => {
  const { world, done, letThrough } = slowWrites(2_000);
  await aWhile();
  // Two of the scene's batches: one is being written, the other waits.
  assert.equal([world.noted, world.read], [[], 6]);
  const ended = setInterval(letThrough, 1);
  const { done: result } = await done;
  clearInterval(ended);
  assert.is(world.most, 1, "one segment at a time");
  assert.is(result.read.count, 2_000);
  assert.is(world.noted.at(-1), 2_000);
  assert.ok(world.noted.length > 2, `${world.noted}`);
  assert.equal(
    world.noted,
    world.noted.toSorted((a, b) => a - b),
  );
});

units("end with the failure of a write that nobody waited for, and close the file after it", async () => {
  const { world, done, letThrough } = slowWrites(2_000);
  await aWhile();
  world.failing = true;
  assert.not.ok(world.closed);
  const ended = setInterval(letThrough, 1);
  await done.then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, "no space left"),
  );
  clearInterval(ended);
  assert.equal(world.noted, []);
  assert.ok(world.closed);
});

units.run();
