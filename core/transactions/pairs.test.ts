import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { LargestTransaction } from "../facts/connector/task-metrics.ts";
import { printXid } from "../values/xid.ts";
import { type JournaledPart, pairs } from "./inspect.ts";
import { buffered, journaled } from "./testing/build-transactions.ts";

const one = suite("one transaction in two sources");

/** What was paired, as `id of the task/id in the journal`. */
function paired(tasks: readonly LargestTransaction[], parts: readonly JournaledPart[]): readonly string[] {
  return pairs(tasks, parts)
    .map((pair) => `${pair.buffered?.xid ?? "-"}/${pair.journaled === undefined ? "-" : printXid(pair.journaled.xid)}`)
    .sort();
}

const cases: readonly (readonly [
  string,
  readonly LargestTransaction[],
  readonly JournaledPart[],
  readonly string[],
])[] = [
  ["the same id and beginning are one", [buffered("8.14.2207")], [journaled("3:8.14.2207")], ["8.14.2207/3:8.14.2207"]],
  ["other ids are two", [buffered("8.14.2207")], [journaled("3:8.14.2208")], ["-/3:8.14.2208", "8.14.2207/-"]],
  [
    "one that the task reports as journaled is the one in the journal, although its beginning differs",
    [buffered("8.14.2207", { journaled: true, firstScn: 2_020_007n })],
    [journaled("3:8.14.2207")],
    ["8.14.2207/3:8.14.2207"],
  ],
  [
    "one that is not journaled and begins elsewhere belongs to another container",
    [buffered("8.14.2207", { firstScn: 2_030_000n })],
    [journaled("3:8.14.2207")],
    ["-/3:8.14.2207", "8.14.2207/-"],
  ],
  [
    "any SCN that the journal gives for the beginning counts",
    [buffered("8.14.2207", { firstScn: 2_020_004n })],
    [journaled("3:8.14.2207", { begins: [2_020_000n, 2_020_004n] })],
    ["8.14.2207/3:8.14.2207"],
  ],
  [
    "of the same id in two containers, those that begin together match",
    [buffered("8.14.2207", { firstScn: 2_030_000n }), buffered("8.14.2207")],
    [journaled("3:8.14.2207"), journaled("4:8.14.2207", { firstScn: 2_030_000n })],
    ["8.14.2207/3:8.14.2207", "8.14.2207/4:8.14.2207"],
  ],
  [
    "ambiguous ones stay separate",
    [
      buffered("8.14.2207", { firstScn: 1n, journaled: true }),
      buffered("8.14.2207", { firstScn: 2n, journaled: true }),
    ],
    [journaled("3:8.14.2207")],
    ["-/3:8.14.2207", "8.14.2207/-", "8.14.2207/-"],
  ],
  [
    "an id with its container is found too",
    [buffered("3:8.14.2207")],
    [journaled("3:8.14.2207")],
    ["3:8.14.2207/3:8.14.2207"],
  ],
  [
    "an invalid id stays separate",
    [buffered("0x08000e009f080000")],
    [journaled("3:8.14.2207")],
    ["-/3:8.14.2207", "0x08000e009f080000/-"],
  ],
];
for (const [title, tasks, parts, expected] of cases)
  one(title, () => assert.equal(paired(tasks, parts), [...expected].sort()));

one("whatever the sources contain, each of their transactions is listed once, and pairs have one id", async () => {
  const id = fc.record({ sqn: fc.integer({ min: 1, max: 3 }), scn: fc.bigInt(1n, 3n), journaled: fc.boolean() });
  const part = fc.record({
    container: fc.integer({ min: 3, max: 5 }),
    sqn: fc.integer({ min: 1, max: 3 }),
    scn: fc.bigInt(1n, 3n),
  });
  const parts = fc.uniqueArray(part, { selector: ({ container, sqn }) => `${container}:${sqn}`, maxLength: 6 });
  await fc.assert(
    fc.property(fc.array(id, { maxLength: 6 }), parts, (ids, chunks) => {
      const tasks = ids.map(({ sqn, scn, journaled: described }) =>
        buffered(`1.1.${sqn}`, { firstScn: scn, journaled: described }),
      );
      const held = chunks.map(({ container, sqn, scn }) => journaled(`${container}:1.1.${sqn}`, { firstScn: scn }));
      const found = pairs(tasks, held);
      assert.equal(new Set(found.flatMap((pair) => pair.buffered ?? [])), new Set(tasks));
      assert.equal(new Set(found.flatMap((pair) => pair.journaled ?? [])), new Set(held));
      assert.is(found.filter((pair) => pair.buffered !== undefined).length, tasks.length);
      assert.is(found.filter((pair) => pair.journaled !== undefined).length, held.length);
      for (const pair of found)
        if (pair.buffered !== undefined && pair.journaled !== undefined)
          assert.is(pair.buffered.xid, printXid({ ...pair.journaled.xid, container: undefined }));
    }),
  );
});

one.run();
