import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Verdict } from "../../schemas/generated/verification-result.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { viewOf } from "../values/bytes.ts";
import { ABSENT, beginValue, endValue, fieldsOf, NULL, UNAVAILABLE } from "./canonical-row.ts";
import { type JoinRules, joinKeys } from "./join-keys.ts";
import { Scratch } from "./scratch.ts";
import { outcomeOf } from "./testing/outcome.ts";
import { work } from "./testing/work.ts";
import { writeTuple } from "./testing/write-tuple.ts";
import {
  type Event,
  GONE,
  hashOf,
  joinPartition,
  LEGACY_TOPIC,
  laterTruncates,
  NEW_TOPIC,
  NO_TRUNCATES,
  nextTuple,
  ROW,
  ROW_IN_PART,
  SNAPSHOT,
  TABLE,
  TRUNCATE,
  truncatesIn,
  UNREADABLE,
} from "./tuple.ts";
import { merged } from "./verdict.ts";

const join = suite("the join of table and topics");

// ---- A small world of keys and rows of two columns ------------------------------------------------------------------

/** `?` is the placeholder, `-` a column that the record is too old to have. */
type Cell = string | null;
type Row = readonly [Cell, Cell];

interface SceneRecord {
  readonly key: string;
  readonly event: Event;
  readonly scn: bigint;
  readonly partition: number;
  readonly offset: bigint;
  readonly row: Row | undefined;
}

interface World {
  readonly table: readonly { readonly key: string; readonly row: Row }[];
  readonly newTopic: readonly SceneRecord[];
  readonly legacyTopic: readonly SceneRecord[];
  readonly newTopicCompacted: boolean;
  readonly legacyTopicCompacted: boolean;
  readonly newTopicForgetsDeletes: boolean;
  readonly legacyCommitsKnown: boolean;
}

const CHECK = 100n;

const cells = (list: readonly Cell[]): ByteSink => {
  const sink = new ByteSink();
  for (const cell of list) {
    if (cell === null) sink.byte(NULL);
    else if (cell === "?") sink.byte(UNAVAILABLE);
    else if (cell === "-") sink.byte(ABSENT);
    else {
      const start = beginValue(sink);
      sink.ascii(cell);
      endValue(sink, start, work);
    }
  }
  return sink;
};

const shown = (key: Uint8Array): string =>
  fieldsOf(key)
    .map((field) => (field.is === "value" ? String.fromCharCode(...field.bytes) : field.is))
    .join();

function tuplesOf({ table, newTopic, legacyTopic }: World) {
  const none = new ByteSink(0);
  const sides = [new ByteSink(), new ByteSink(), new ByteSink()] as const;
  for (const { key, row } of table)
    writeTuple(sides[0], TABLE, ROW, { scn: 0n, partition: 0, offset: 0n }, cells([key]), cells(row));
  for (const [topic, source, side] of [
    [newTopic, NEW_TOPIC, sides[1]],
    [legacyTopic, LEGACY_TOPIC, sides[2]],
  ] as const)
    for (const { key, event, row, ...place } of topic)
      writeTuple(
        side,
        source,
        event,
        place,
        event === TRUNCATE ? none : cells([key]),
        row === undefined ? none : cells(row),
      );
  return { table: sides[0].copied(), new: sides[1].copied(), legacy: sides[2].copied() };
}

function rulesOf(world: World, tuples: ReturnType<typeof tuplesOf>, first = 100): JoinRules {
  return {
    checkScn: CHECK,
    truncates: laterTruncates(truncatesIn(tuples.new, CHECK), truncatesIn(tuples.legacy, CHECK)),
    newTopicCompacted: world.newTopicCompacted,
    legacyTopicCompacted: world.legacyTopicCompacted,
    newTopicForgetsDeletes: world.newTopicForgetsDeletes,
    legacyCommitsKnown: world.legacyCommitsKnown,
    columns: 2,
    first,
  };
}

/** One for all joins, as in a worker: what one leaves there must not be seen by the next. */
const scratch = new Scratch();

const joined = (world: World): Verdict => {
  const tuples = tuplesOf(world);
  return joinKeys(tuples, rulesOf(world, tuples), work, scratch);
};

const world = (parts: Partial<World>): World => ({
  table: [],
  newTopic: [],
  legacyTopic: [],
  newTopicCompacted: false,
  legacyTopicCompacted: false,
  newTopicForgetsDeletes: false,
  legacyCommitsKnown: true,
  ...parts,
});

let nextOffset = 0n;
const told = (key: string, scn: bigint, parts: Partial<SceneRecord> = {}): SceneRecord => ({
  key,
  event: ROW,
  scn,
  partition: 0,
  offset: nextOffset++,
  row: ["a", "b"],
  ...parts,
});
const gone = (key: string, scn: bigint): SceneRecord => told(key, scn, { event: GONE, row: undefined });
const row = (key: string, values: Row = ["a", "b"]) => ({ key, row: values });

const reasons = (verdict: Verdict): readonly string[] =>
  [...verdict.firstFailures, ...verdict.firstDoubts].map(({ key, reason }) => `${shown(key)} ${reason}`);

join("passes if every row of the table is the last one that the new connector delivered", () => {
  const verdict = joined(
    world({
      table: [row("1"), row("2", [null, "x"])],
      newTopic: [
        told("1", 50n, { row: ["old", "b"] }),
        told("1", 60n),
        told("2", 100n, { row: [null, "x"] }),
        told("3", 10n),
        gone("3", 20n),
      ],
    }),
  );
  assert.is(outcomeOf(verdict), "pass");
  assert.equal([verdict.compared, verdict.table.keys, verdict.topics.keys], [2, 2, 2]);
  assert.equal(verdict.table, verdict.topics);
});

join("finds a lost row, a stale value, a row only the legacy topic has, and a deleted one still there", () => {
  const verdict = joined(
    world({
      table: [row("lost"), row("stale", ["a", "c"]), row("deleted")],
      newTopic: [told("stale", 60n), told("still", 70n), told("deleted", 60n), gone("deleted", 61n)],
      legacyTopic: [told("only", 5n), told("deleted", 5n)],
    }),
  );
  assert.is(outcomeOf(verdict), "fail");
  assert.equal(reasons(verdict).toSorted(), [
    "deleted deleted-in-topic",
    "lost in-neither-topic",
    "only only-in-legacy-topic",
    "stale values-differ",
    "still still-in-topic",
  ]);
  const stale = verdict.firstFailures.find(({ reason }) => reason === "values-differ");
  assert.equal(stale?.columns, [1]);
  assert.is(stale?.place?.scn, 60n);
});

join("treats a key that only the legacy topic has as present, whatever its values", () => {
  const verdict = joined(world({ table: [row("1")], legacyTopic: [told("1", 5n, { row: undefined })] }));
  assert.is(outcomeOf(verdict), "pass");
  assert.equal([verdict.byLegacy, verdict.compared], [1, 0]);
});

join("does not count what was committed above the check SCN", () => {
  const verdict = joined(
    world({
      table: [row("1"), row("2")],
      newTopic: [told("1", 50n), told("1", 101n, { row: ["later", "b"] }), told("new", 150n), told("2", 101n)],
    }),
  );
  assert.equal(reasons(verdict), ["2 in-neither-topic"]);
});

join("is in doubt about a key whose only record on a compacted topic is above the check SCN", () => {
  const newTopic = [told("1", 101n), told("2", 50n), told("2", 101n)];
  const compacted = world({ table: [row("1"), row("2")], newTopic, newTopicCompacted: true });
  assert.equal(reasons(joined(compacted)), ["1 only-above-check-scn"]);
  assert.is(outcomeOf(joined(compacted)), "inconclusive");
  const legacyTopic = [told("1", 101n)];
  const old = world({ table: [row("1")], legacyTopic, legacyTopicCompacted: true });
  assert.equal(reasons(joined(old)), ["1 only-above-check-scn"]);
  assert.equal(reasons(joined({ ...old, legacyTopicCompacted: false })), ["1 in-neither-topic"]);
});

join("is in doubt about a key that only the legacy topic holds if the new one may have lost its deletion", () => {
  const lost = world({ table: [row("1")], legacyTopic: [told("1", 5n), told("gone", 5n)] });
  assert.equal(reasons(joined(lost)), ["gone only-in-legacy-topic"]);
  const forgetful = { ...lost, newTopicForgetsDeletes: true };
  assert.equal(reasons(joined(forgetful)), ["gone delete-not-kept"]);
  assert.is(outcomeOf(joined(forgetful)), "inconclusive");
  const kept = { ...forgetful, newTopic: [told("gone", 60n)] };
  assert.equal(reasons(joined(kept)), ["gone still-in-topic"], "what the new topic still says is no question");
});

join("fails no key by a legacy record that may not have been committed by the check SCN", () => {
  const open = world({
    table: [row("deleted later"), row("lost"), row("there")],
    legacyTopic: [
      told("deleted later", 5n),
      gone("deleted later", 90n),
      told("inserted later", 91n),
      told("there", 5n),
    ],
  });
  assert.equal(reasons(joined(open)).toSorted(), [
    "deleted later in-neither-topic",
    "inserted later only-in-legacy-topic",
    "lost in-neither-topic",
  ]);
  const unknown = { ...open, legacyCommitsKnown: false };
  assert.equal(reasons(joined(unknown)).toSorted(), [
    "deleted later commit-unknown",
    "inserted later commit-unknown",
    "lost in-neither-topic",
  ]);
  assert.is(joined(unknown).byLegacy, 1);
});

join("is in doubt about a key whose last legacy record cannot be read, and about no other", () => {
  const unreadable = (key: string, partition = 0) => told(key, 0n, { event: UNREADABLE, row: undefined, partition });
  const verdict = joined(
    world({
      table: [row("lost"), row("open"), row("moved"), row("again"), row("delivered")],
      newTopic: [told("delivered", 60n)],
      legacyTopic: [
        ...[told("lost", 5n), gone("lost", 6n), told("open", 5n), unreadable("open"), unreadable("not there")],
        ...[told("moved", 7n), unreadable("moved", 1), unreadable("again"), told("again", 8n), unreadable("delivered")],
      ],
    }),
  );
  assert.equal(reasons(verdict), [
    "lost in-neither-topic",
    "open legacy-unreadable",
    "moved legacy-unreadable",
    "not there legacy-unreadable",
  ]);
  assert.equal([verdict.compared, verdict.byLegacy], [1, 1]);
  const { topic, partition, scn } = verdict.firstDoubts[1]?.place ?? {};
  assert.equal([topic, partition, scn], ["legacy", 1, undefined]);
});

join("is in doubt about a row that the snapshot read after the check SCN", () => {
  const verdict = joined(world({ table: [row("1")], newTopic: [told("1", 101n, { event: SNAPSHOT })] }));
  assert.equal(reasons(verdict), ["1 snapshot-after-check-scn"]);
});

join("keeps the earlier value where a record holds the placeholder, and counts what cannot be compared", () => {
  const inPart = (key: string, scn: bigint): SceneRecord => told(key, scn, { event: ROW_IN_PART, row: ["a", "?"] });
  const verdict = joined(
    world({
      table: [row("same"), row("stale", ["a", "x"]), row("unseen"), row("again")],
      newTopic: [
        told("same", 10n),
        inPart("same", 20n),
        told("stale", 10n),
        inPart("stale", 20n),
        inPart("unseen", 20n),
        told("again", 10n, { row: ["a", "lost with the delete"] }),
        gone("again", 20n),
        inPart("again", 30n),
      ],
    }),
  );
  assert.equal(reasons(verdict), ["stale values-differ"]);
  assert.equal(verdict.unavailable, [0, 2]);
});

for (const [what, now, newTopic, expected] of [
  ["NULL since", null, [["a", "-"]], []],
  ["a value since", "x", [["a", "-"]], ["1 column-added"]],
  ["a value since, and another in an older column", "x", [["b", "-"]], ["1 values-differ"]],
  [
    "a value that a later record has",
    "x",
    [
      ["a", "-"],
      ["a", "x"],
    ],
    [],
  ],
  [
    "NULL in a later record",
    null,
    [
      ["a", "-"],
      ["a", null],
    ],
    [],
  ],
  [
    "another value than a later record",
    "y",
    [
      ["a", "-"],
      ["a", "x"],
    ],
    ["1 values-differ"],
  ],
  [
    "what an earlier record had, which is superseded",
    null,
    [
      ["a", "x"],
      ["a", "-"],
    ],
    [],
  ],
] as readonly (readonly [string, Cell, readonly Row[], readonly string[]])[])
  join(`judges a column that was added after the key's first record: ${what}`, () => {
    const verdict = joined(
      world({
        table: [row("1", ["a", now])],
        newTopic: newTopic.map((values, at) => told("1", 50n + BigInt(at), { row: values })),
      }),
    );
    assert.equal(reasons(verdict), expected);
    assert.is(verdict.failures["in-neither-topic"], 0);
    if (expected.length === 0) assert.equal(verdict.table, verdict.topics);
  });

for (const [what, now, last, expected, taken] of [
  ["its default", "x", "-", [], 1],
  ["NULL, set later or from the beginning", null, "-", [], 0],
  ["another value than its default", "y", "-", ["1 column-added"], 0],
  ["its default, where a later record has another value", "x", "y", ["1 values-differ"], 0],
] as const)
  join(`treats a column that was added since as its default: ${what}`, () => {
    const one = world({
      table: [row("1", ["a", now])],
      newTopic: [told("1", 50n, { row: ["a", "-"] }), told("1", 51n, { row: ["a", last] })],
    });
    const tuples = tuplesOf(one);
    const verdict = joinKeys(tuples, { ...rulesOf(one, tuples), defaults: [undefined, cells(["x"]).copied()] }, work);
    assert.equal(reasons(verdict), expected);
    assert.equal(verdict.byDefault, [0, taken]);
    if (expected.length === 0) assert.equal(verdict.table, verdict.topics);
  });

join("treats a truncate as the end of every row before it, on either topic", () => {
  const before = [told("1", 40n), told("2", 40n)];
  const truncate = told("", 50n, { event: TRUNCATE, row: undefined });
  const records = [...before, told("2", 60n)];
  const both = world({
    table: [row("2")],
    newTopic: [...records, truncate],
    legacyTopic: [told("3", 30n), told("4", 30n)],
  });
  assert.equal(reasons(joined(both)), []);
  assert.equal(reasons(joined({ ...both, newTopic: records })).toSorted(), [
    "1 still-in-topic",
    "3 only-in-legacy-topic",
    "4 only-in-legacy-topic",
  ]);
});

for (const [what, order, table, expected] of [
  ["a row delivered again behind it counts", ["truncate", "row"], true, []],
  ["a row delivered again behind it is still there", ["truncate", "row"], false, ["1 still-in-topic"]],
  ["a row before it is gone, whatever its SCN", ["row", "truncate"], false, []],
  ["a row before it is gone for every consumer", ["row", "truncate"], true, ["1 deleted-in-topic"]],
] as const)
  for (const [scns, rowScn] of [
    ["an earlier SCN", 40n],
    ["a later SCN", 60n],
  ] as const)
    join(`follows the order of the log within the partition of a truncate, with ${scns}: ${what}`, () => {
      const newTopic = order.map((one) =>
        one === "row" ? told("1", rowScn) : told("", 50n, { event: TRUNCATE, row: undefined }),
      );
      assert.equal(reasons(joined(world({ table: table ? [row("1")] : [], newTopic }))), expected);
    });

join("follows the order of the log within a partition, and the SCN between partitions", () => {
  const table = [row("1", ["now", "b"])];
  const now: Row = ["now", "b"];
  const replayed = [told("1", 60n), told("1", 50n, { row: now })];
  assert.equal(reasons(joined(world({ table, newTopic: replayed }))), []);
  const moved = [told("1", 60n, { row: now }), told("1", 50n, { partition: 1, offset: 0n })];
  assert.equal(reasons(joined(world({ table, newTopic: moved }))), []);
  const tied = [told("1", 60n, { row: now }), told("1", 60n, { partition: 1, offset: 0n })];
  assert.equal(reasons(joined(world({ table, newTopic: tied }))), ["1 partitions-disagree"]);
});

join("is in doubt where the table has a key twice", () => {
  assert.equal(reasons(joined(world({ table: [row("1"), row("1")], newTopic: [told("1", 1n)] }))), [
    "1 key-not-unique",
  ]);
});

join("rejects truncated tuples", () => {
  const whole = tuplesOf(world({ table: [row("1"), row("2")] }));
  const rules = rulesOf(world({}), whole);
  for (let cut = 1; cut < whole.table.length; cut++) {
    const table = whole.table.subarray(0, cut);
    if (cut === nextTuple(viewOf(whole.table), 0)) continue;
    assert.throws(() => joinKeys({ ...whole, table }, rules, work), /cut|beyond/, String(cut));
  }
});

// ---- Against a naive reference --------------------------------------------------------------------------------------

const KEYS = ["1", "2", "3", "4", "5", "66"] as const;
const anyRow = fc.tuple(fc.constantFrom<Cell>("a", "b", null), fc.constantFrom<Cell>("x", "y", null));
const anyTuple = fc.record({
  key: fc.constantFrom(...KEYS),
  event: fc.constantFrom<Event>(ROW, ROW, ROW, GONE, ROW_IN_PART, SNAPSHOT),
  scn: fc.constantFrom(10n, 20n, 30n, 40n, 99n, 100n, 101n, 2n ** 62n),
  partition: fc.constantFrom(0, 0, 0, 1),
  row: anyRow,
});
const truncateNow = fc.record({
  scn: fc.constantFrom(15n, 35n, 150n),
  at: fc.nat({ max: 9 }),
});

const topic = (
  truncates: fc.Arbitrary<{ readonly scn: bigint; readonly at: number }>,
): fc.Arbitrary<readonly SceneRecord[]> =>
  fc
    .tuple(fc.array(anyTuple, { maxLength: 14 }), fc.option(truncates, { nil: undefined, freq: 3 }))
    .map(([records, truncate]) => {
      const list: Omit<SceneRecord, "offset">[] = records.map((record) => {
        const { event } = record;
        const whole: Row = event === ROW_IN_PART ? [record.row[0], "?"] : record.row;
        return { ...record, row: event === GONE ? undefined : whole };
      });
      if (truncate !== undefined)
        list.splice(truncate.at, 0, { key: "", event: TRUNCATE, scn: truncate.scn, partition: 0, row: undefined });
      return list.map((record, offset) => ({ ...record, offset: BigInt(offset) }));
    });

const worlds: fc.Arbitrary<World> = fc.record({
  table: fc.uniqueArray(fc.record({ key: fc.constantFrom(...KEYS), row: anyRow }), { selector: ({ key }) => key }),
  newTopic: topic(truncateNow),
  legacyTopic: topic(truncateNow).map((records) =>
    records.map((record) => ({
      ...{ ...record, row: undefined },
      ...(record.event === ROW_IN_PART ? { event: UNREADABLE, scn: 0n } : {}),
    })),
  ),
  newTopicCompacted: fc.boolean(),
  legacyTopicCompacted: fc.boolean(),
  newTopicForgetsDeletes: fc.boolean(),
  legacyCommitsKnown: fc.boolean(),
});

type Held = { readonly row: Row | undefined; readonly scn: bigint } | "disagreed" | "unreadable" | undefined;

/** The straightforward way: sort, iterate, keep in a Map. */
function naive(seen: World): readonly string[] {
  const lastTruncate = (records: readonly SceneRecord[]) =>
    records.filter(({ event, scn }) => event === TRUNCATE && scn <= CHECK).at(-1);
  const newTruncate = lastTruncate(seen.newTopic);
  const isAfter = ({ event, partition, offset, scn }: SceneRecord, truncate: SceneRecord | undefined) =>
    truncate === undefined ||
    (partition === truncate.partition ? offset > truncate.offset : event === UNREADABLE || scn > truncate.scn);
  const counting = (records: readonly SceneRecord[], key: string, after: SceneRecord | undefined) =>
    records.filter((told) => told.key === key && told.event !== TRUNCATE && told.scn <= CHECK && isAfter(told, after));

  function held(records: readonly SceneRecord[]): Held {
    const partitions = [...new Set(records.map(({ partition }) => partition))]
      .map((partition) => records.filter((told) => told.partition === partition))
      .sort(
        (a, b) =>
          Number((a.at(-1)?.scn ?? 0n) - (b.at(-1)?.scn ?? 0n)) || (a[0]?.partition ?? 0) - (b[0]?.partition ?? 0),
      );
    if (partitions.some((list) => list.at(-1)?.event === UNREADABLE)) return "unreadable";
    let state: Held;
    for (const list of partitions) {
      const before: Held = state;
      for (const { event, row, scn } of list) {
        const old: Row | undefined = typeof state === "object" ? state.row : undefined;
        state =
          event === GONE
            ? { row: undefined, scn }
            : event === ROW_IN_PART && row !== undefined
              ? { row: [row[0], old === undefined ? "?" : old[1]], scn }
              : { row: row ?? ["", ""], scn };
      }
      if (typeof before === "object" && typeof state === "object" && before.scn === state.scn)
        if (JSON.stringify(before.row) !== JSON.stringify(state.row)) return "disagreed";
    }
    return state;
  }

  function judged(key: string): string | undefined {
    const table = seen.table.find((one) => one.key === key)?.row;
    const fresh = held(counting(seen.newTopic, key, newTruncate));
    const emptied = seen.newTopic.some(
      (told) => told.key === key && told.event !== TRUNCATE && told.scn <= CHECK && !isAfter(told, newTruncate),
    );
    if (fresh === "disagreed" || fresh === "unreadable") return "partitions-disagree";
    if (fresh !== undefined || emptied) {
      const row = fresh?.row;
      if (row === undefined) return table === undefined ? undefined : "deleted-in-topic";
      if (table === undefined) return "still-in-topic";
      return row.every((cell, at) => cell === "?" || cell === table[at]) ? undefined : "values-differ";
    }
    const above = seen.newTopic.filter((told) => told.key === key && told.scn > CHECK);
    const surviving = counting(seen.legacyTopic, key, lastTruncate(seen.legacyTopic));
    const old = held(surviving);
    if (old === "disagreed") return "partitions-disagree";
    if (old === "unreadable") return "legacy-unreadable";
    const inLegacy = old?.row !== undefined && old.scn > (newTruncate?.scn ?? -1n);
    if (table === undefined) {
      if (!inLegacy) return undefined;
      if (above.length > 0 && seen.newTopicCompacted) return "only-above-check-scn";
      if (!seen.legacyCommitsKnown) return "commit-unknown";
      return seen.newTopicForgetsDeletes ? "delete-not-kept" : "only-in-legacy-topic";
    }
    if (above.length > 0 && seen.newTopicCompacted) return "only-above-check-scn";
    if (above.some(({ event }) => event === SNAPSHOT)) return "snapshot-after-check-scn";
    if (inLegacy) return undefined;
    const aboveInLegacy = seen.legacyTopic.some((told) => told.key === key && told.scn > CHECK);
    if (seen.legacyTopicCompacted && aboveInLegacy && surviving.length === 0) return "only-above-check-scn";
    const emptiedByLegacy = lastTruncate(seen.legacyTopic) !== undefined;
    return !seen.legacyCommitsKnown && (surviving.length > 0 || emptiedByLegacy)
      ? "commit-unknown"
      : "in-neither-topic";
  }

  return KEYS.flatMap((key) => {
    const reason = judged(key);
    return reason === undefined ? [] : [`${key} ${reason}`];
  }).toSorted();
}

join("has the same findings as a naive reference for every key", async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.property(worlds, (seen) => {
      const expected = naive(seen);
      for (const line of expected) met.add(line.slice(line.indexOf(" ") + 1));
      assert.equal(reasons(joined(seen)).toSorted(), expected);
    }),
    { numRuns: 5000 },
  );
  assert.is(met.size, 11, `only ${[...met].join(", ")} came up`);
});

/** Divides tuples by their key's hash, each part in another order. */
function divided(bytes: Uint8Array, parts: number, backwards: boolean): readonly Uint8Array[] {
  const sinks = Array.from({ length: parts }, () => [] as Uint8Array[]);
  const data = viewOf(bytes);
  for (let at = 0; at < bytes.length; at = nextTuple(data, at))
    sinks[joinPartition(hashOf(data, at), parts)]?.push(bytes.subarray(at, nextTuple(data, at)));
  return sinks.map((list) => {
    const all = new ByteSink();
    for (const tuple of backwards ? list.toReversed() : list) all.copy(tuple, 0, tuple.length);
    return all.copied();
  });
}

join("has the same findings however the keys are divided and in whatever order the tuples come", async () => {
  await fc.assert(
    fc.property(
      worlds,
      fc.constantFrom(1, 2, 8),
      fc.boolean(),
      fc.constantFrom(1, 2, 100),
      (seen, parts, backwards, first) => {
        const tuples = tuplesOf(seen);
        const rules = rulesOf(seen, tuples, first);
        const whole = joinKeys(tuples, rules, work);
        const sides = [tuples.table, tuples.new, tuples.legacy].map((side) => divided(side, parts, backwards));
        const verdicts = Array.from({ length: parts }, (_, part) => {
          const [table, newTopic, legacyTopic] = sides.map((side) => side[part] ?? new Uint8Array(0));
          const none = new Uint8Array(0);
          return joinKeys({ table: table ?? none, new: newTopic ?? none, legacy: legacyTopic ?? none }, rules, work);
        });
        assert.equal(
          verdicts.reduce((a, b) => merged(a, b, first)),
          whole,
        );
      },
    ),
    { numRuns: 1000 },
  );
});

join("has the same hashes on both sides where nothing differs, and others where anything does", async () => {
  await fc.assert(
    fc.property(worlds, (seen) => {
      const only = { ...seen, legacyTopic: [], newTopicCompacted: false };
      const verdict = joined(only);
      if (outcomeOf(verdict) === "pass") assert.equal(verdict.table, verdict.topics);
      if (verdict.failures["values-differ"] > 0) assert.is.not(verdict.table.rowHash, verdict.topics.rowHash);
    }),
  );
  assert.equal(NO_TRUNCATES, truncatesIn(new Uint8Array(0), CHECK));
});

join.run();
