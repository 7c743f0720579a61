import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memorySpool } from "../testing/memory-spool.ts";
import { CHECK, inputsOf, type Scene } from "../testing/scene.ts";
import { scenes } from "../testing/scenes.ts";
import { work } from "../testing/work.ts";
import { laterTruncates, NO_TRUNCATES } from "../truncates.ts";
import { nextTuple } from "../tuple.ts";
import type { TableInputs } from "./inputs.ts";
import { NOTHING_DONE } from "./manifest.ts";
import { mergedReads, NOTHING_READ } from "./unit-result.ts";
import { rangeUnits, runUnit, topicUnits, type Unit } from "./units.ts";

const units = suite("units of reading");

/** What all units of a division come to: their tuples in any order, what they read, and the truncates. */
async function carriedOut(inputs: TableInputs, recordsAUnit?: number) {
  const tuples: string[] = [];
  let read = NOTHING_READ;
  let truncates = NO_TRUNCATES;
  const all = topicUnits(inputs, work, recordsAUnit);
  for (const unit of all) {
    const spool = memorySpool();
    const { done } = await runUnit(spool, unit, { done: NOTHING_DONE, files: [] }, 1, {
      checkScn: CHECK,
      segment: 2 ** 20,
      stopped: () => false,
      seen: () => undefined,
      note: async () => undefined,
    });
    for (const sink of spool.files.values())
      for (let at = 4; at < sink.length; ) {
        const end = nextTuple(sink.bytes, at);
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
    assert.ok(divided > 200, `${divided}`);
  },
);

units("take the SCN of a tombstone from as far back as needed", async () => {
  const tombstones = Array.from({ length: 200 }, () => ({ op: "tombstone", row: [1, null] }) as const);
  const scene: Scene = { rows: [], records: [{ op: "c", row: [1, "a"], scn: 42 }, ...tombstones] };
  const whole = await carriedOut(inputsOf(scene));
  assert.is(whole.found.read.unreadable, 0);
  for (const records of [1, 7, 150]) assert.equal((await carriedOut(inputsOf(scene), records)).found, whole.found);
  const unsaid = { ...scene, records: tombstones };
  const none = await carriedOut(inputsOf(unsaid));
  assert.is(none.found.read.unreadable, 200);
  assert.equal((await carriedOut(inputsOf(unsaid), 13)).found, none.found);
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
  const whole = await carriedOut(own(inputsOf(scene)));
  assert.is(whole.found.read.foreign, 90);
  for (const records of [1, 5, 91]) assert.equal((await carriedOut(own(inputsOf(scene)), records)).found, whole.found);
});

units("are named by their offsets, and a whole partition is one unit by default", async () => {
  const inputs = inputsOf({
    rows: [],
    records: Array.from({ length: 25 }, () => ({ op: "c", row: [1, "a"] }) as const),
  });
  const names = (all: readonly Unit[]) => all.map(({ name }) => name);
  assert.equal(names(rangeUnits(inputs, await inputs.rows.ranges(), work)), ["table-0"]);
  assert.equal(names(topicUnits(inputs, work)), ["new-0"]);
  assert.equal(names(topicUnits(inputs, work, 25)), ["new-0"]);
  assert.equal(names(topicUnits(inputs, work, 10)), ["new-0[0,10)", "new-0[10,20)", "new-0[20,25)"]);
});

units.run();
