import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Verdict } from "../../schemas/generated/verification-result.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { joinCounts } from "./join-counts.ts";
import { Scratch } from "./scratch.ts";
import { outcomeOf } from "./testing/outcome.ts";
import { writeTuple } from "./testing/write-tuple.ts";
import { LEGACY_TOPIC, laterTruncates, NEW_TOPIC, ONE_LESS, ONE_MORE, TABLE, TRUNCATE, truncatesIn } from "./tuple.ts";

const counts = suite("a table without key");

type SceneRecord = readonly [row: string, change: 1 | -1 | "truncate", scn: bigint];

interface World {
  readonly table: readonly string[];
  readonly newTopic: readonly SceneRecord[];
  readonly legacyTopic: readonly SceneRecord[];
  readonly startScn: bigint | undefined;
  readonly legacyCommitsKnown: boolean;
}

const CHECK = 100n;
const ROWS = ["a", "b", "c"] as const;

const bytesOfRow = (row: string): ByteSink => {
  const sink = new ByteSink();
  sink.ascii(row);
  return sink;
};

/** One for all joins, as in a worker: what one leaves there must not be seen by the next. */
const scratch = new Scratch();

function joined(world: World): Verdict {
  const none = new ByteSink(0);
  const table = new ByteSink();
  for (const row of world.table)
    writeTuple(table, TABLE, ONE_MORE, { scn: 0n, partition: 0, offset: 0n }, bytesOfRow(row), none);
  const side = (source: typeof NEW_TOPIC | typeof LEGACY_TOPIC, told: readonly SceneRecord[]): Uint8Array => {
    const sink = new ByteSink();
    for (const [offset, [row, change, scn]] of told.entries()) {
      const event = change === "truncate" ? TRUNCATE : change === 1 ? ONE_MORE : ONE_LESS;
      writeTuple(sink, source, event, { scn, partition: 0, offset: BigInt(offset) }, bytesOfRow(row), none);
    }
    return sink.copied();
  };
  const newTopic = side(NEW_TOPIC, world.newTopic);
  const legacyTopic = side(LEGACY_TOPIC, world.legacyTopic);
  return joinCounts(
    { table: table.copied(), new: newTopic, legacy: legacyTopic },
    {
      checkScn: CHECK,
      truncates: laterTruncates(truncatesIn(newTopic, CHECK), truncatesIn(legacyTopic, CHECK)),
      startScn: world.startScn,
      legacyCommitsKnown: world.legacyCommitsKnown,
      columns: 1,
      first: 100,
    },
    scratch,
  );
}

const reasons = (verdict: Verdict): readonly string[] =>
  [...verdict.firstFailures, ...verdict.firstDoubts]
    .map(({ key, reason }) => `${String.fromCharCode(...key)} ${reason}`)
    .toSorted();

const world = (parts: Partial<World>): World => ({
  table: [],
  newTopic: [],
  legacyTopic: [],
  startScn: 50n,
  legacyCommitsKnown: true,
  ...parts,
});

counts("passes if each row exists as often as it was delivered", () => {
  const newTopic: readonly SceneRecord[] = [
    ["a", 1, 60n],
    ["a", 1, 61n],
    ["b", 1, 62n],
    ["b", -1, 63n],
    ["c", 1, 101n],
  ];
  const verdict = joined(world({ table: ["a", "a"], newTopic }));
  assert.is(outcomeOf(verdict), "pass");
  assert.equal(verdict.table, verdict.topics);
  assert.equal(reasons(joined(world({ table: ["a"], newTopic }))), ["a count-differs"]);
  assert.equal(reasons(joined(world({ table: ["a", "a", "b"], newTopic }))), ["b count-differs"]);
});

counts("counts what both connectors delivered once, and is in doubt where that is ambiguous", () => {
  const overlap = world({ newTopic: [["a", 1, 60n]], legacyTopic: [["a", 1, 60n]] });
  assert.equal(reasons(joined({ ...overlap, table: ["a"] })), []);
  assert.equal(reasons(joined({ ...overlap, table: ["a", "a"] })), ["a overlap"]);
  assert.equal(reasons(joined({ ...overlap, table: ["a", "a", "a"] })), ["a count-differs"]);
  assert.equal(reasons(joined({ ...overlap, table: [] })), ["a count-differs"]);
  assert.equal(reasons(joined({ ...overlap, table: ["a", "a"], startScn: 70n })), []);
});

counts("is in doubt about a legacy record that may not have been committed by the check SCN", () => {
  const legacyTopic: readonly SceneRecord[] = [
    ["a", 1, 10n],
    ["a", 1, 11n],
  ];
  const unknown = world({ table: ["a"], legacyTopic, legacyCommitsKnown: false });
  assert.equal(reasons(joined({ ...unknown, legacyCommitsKnown: true })), ["a count-differs"]);
  assert.equal(reasons(joined(unknown)), ["a commit-unknown"]);
  assert.is(outcomeOf(joined(unknown)), "inconclusive");
  assert.equal(
    reasons(joined({ ...unknown, table: ["a", "a", "a"] })),
    ["a count-differs"],
    "nothing explains one more",
  );
  const emptied: readonly SceneRecord[] = [...legacyTopic, ["", "truncate", 12n]];
  assert.equal(reasons(joined({ ...unknown, legacyTopic: emptied })), ["a commit-unknown"]);
});

counts("begins again after a truncate on either topic", () => {
  const newTopic: readonly SceneRecord[] = [
    ["a", 1, 60n],
    ["", "truncate", 70n],
    ["b", 1, 71n],
  ];
  const legacyTopic: readonly SceneRecord[] = [["c", 1, 10n]];
  assert.equal(reasons(joined(world({ table: ["b"], newTopic, legacyTopic }))), []);
  assert.equal(reasons(joined(world({ table: ["b"], newTopic: [["b", 1, 71n]], legacyTopic }))), ["c count-differs"]);
});

for (const [what, newTopic, table, expected] of [
  [
    "a row delivered again behind the truncate that was delivered again",
    [
      ["a", 1, 60n],
      ["", "truncate", 50n],
      ["a", 1, 60n],
    ],
    ["a"],
    [],
  ],
  [
    "a truncate delivered again behind a row",
    [
      ["a", 1, 60n],
      ["", "truncate", 50n],
    ],
    [],
    [],
  ],
  [
    "a row delivered again behind a truncate",
    [
      ["", "truncate", 70n],
      ["a", 1, 60n],
    ],
    ["a"],
    [],
  ],
  [
    "a row behind the truncate that is lost",
    [
      ["", "truncate", 50n],
      ["a", 1, 60n],
    ],
    [],
    ["a count-differs"],
  ],
] as readonly (readonly [string, readonly SceneRecord[], readonly string[], readonly string[]])[])
  counts(`follows the order of the log within a partition: ${what}`, () => {
    assert.equal(reasons(joined(world({ table, newTopic }))), expected);
  });

counts("has the same counts as adding up every row", async () => {
  const told = fc.tuple(
    fc.constantFrom(...ROWS),
    fc.constantFrom<1 | -1>(1, 1, -1),
    fc.constantFrom(10n, 49n, 50n, 100n, 101n),
  );
  const list = fc.array(told, { maxLength: 8 });
  const worlds = fc.record({
    table: fc.array(fc.constantFrom(...ROWS), { maxLength: 5 }),
    newTopic: list,
    legacyTopic: list,
    startScn: fc.constantFrom(50n, undefined),
    legacyCommitsKnown: fc.boolean(),
  });
  const met = new Set<string>();
  await fc.assert(
    fc.property(worlds, (seen) => {
      const expected = ROWS.flatMap((row) => {
        const of = (all: readonly SceneRecord[]) => all.filter(([name, , scn]) => name === row && scn <= CHECK);
        const sum = (all: readonly SceneRecord[]) => all.reduce((total, [, change]) => total + Number(change), 0);
        const old = of(seen.legacyTopic).filter(([, , scn]) => seen.startScn !== undefined && scn < seen.startScn);
        const both = of(seen.legacyTopic).filter((one) => !old.includes(one));
        const table = seen.table.filter((name) => name === row).length;
        const topics = sum(of(seen.newTopic)) + sum(old);
        if (table === topics) return [];
        const [most, least] = [both.filter(([, change]) => change === 1), both.filter(([, change]) => change === -1)];
        if (table >= topics - least.length && table <= topics + most.length) return [`${row} overlap`];
        const more = most.length + old.filter(([, change]) => change === -1).length;
        const less = least.length + old.filter(([, change]) => change === 1).length;
        return !seen.legacyCommitsKnown && table >= topics - less && table <= topics + more
          ? [`${row} commit-unknown`]
          : [`${row} count-differs`];
      });
      for (const line of expected) met.add(line.slice(2));
      assert.equal(reasons(joined(seen)), expected.toSorted());
    }),
    { numRuns: 2000 },
  );
  assert.is(met.size, 3);
});

counts.run();
