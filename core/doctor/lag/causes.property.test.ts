import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { LAG_ATTRIBUTES, type LagAttribute, type LargestTransaction } from "../../facts/connector/task-metrics.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Cause } from "./cause.ts";
import { CAUSES } from "./causes.ts";
import { explainLag } from "./explain-lag.ts";
import { readLag } from "./lag-facts.ts";
import {
  BEHIND,
  buildLag,
  CATALOGUE,
  CURRENT,
  DATABASE,
  failedWith,
  type LagParts,
  metrics,
  openAt,
  PURGED,
  RUNNING,
  seen,
  timeOf,
  unseen,
} from "./testing/build-lag.ts";

const property = suite("the causes of a lag, for any facts");

const status: fc.Arbitrary<ConnectorStatus> = fc.constantFrom(
  RUNNING,
  RUNNING,
  RUNNING,
  failedWith("CDC-1001"),
  failedWith("CDC-2002 purged"),
  { ...RUNNING, state: "PAUSED" },
  { ...RUNNING, state: "STOPPED", tasks: [] },
);
const near = (scn: bigint) => fc.bigInt({ min: scn - 40n, max: scn + 40n });
const resume = fc.oneof(near(BEHIND), near(CURRENT - 1_200n), fc.constant(CURRENT), near(2_005_000n));
const values: fc.Arbitrary<Partial<Record<LagAttribute, bigint>>> = fc.record({
  QueueDepth: fc.bigInt({ min: 6_380n, max: 6_420n }),
  StepTimeouts: fc.bigInt({ min: 0n, max: 2n }),
  LastStepMillis: fc.bigInt({ min: 4_990n, max: 5_010n }),
  LagReplays: fc.bigInt({ min: 0n, max: 2n }),
  MinedToScn: fc.oneof(near(BEHIND), near(2_030_000n)),
  OldestOpenScn: fc.oneof(near(BEHIND), fc.constant(-1n), fc.constant(BEHIND + 9_000n)),
  IdlePolls: fc.bigInt({ min: 7n, max: 8n }),
  OpenTransactions: fc.bigInt({ min: 0n, max: 1n }),
});
const largest: fc.Arbitrary<Partial<LargestTransaction>> = fc.record({
  events: fc.bigInt({ min: 99_990n, max: 100_010n }),
  spilledBytes: fc.constantFrom(0n, 0n, 1n),
  heapBytes: fc.bigInt({ min: 249_990n, max: 250_010n }),
});

/** Everything is known. */
const whole = fc.record({
  status,
  resume: fc.tuple(resume, resume),
  written: fc.bigInt({ min: 0n, max: 50n }),
  values: fc.tuple(values, values),
  largest: fc.array(largest, { maxLength: 2 }),
  redo: fc.constantFrom(CATALOGUE, CATALOGUE, PURGED),
  open: fc.array(near(BEHIND), { maxLength: 2 }),
});
type Whole = typeof whole extends fc.Arbitrary<infer T> ? T : never;

/** Which facts are hidden; every other fact is observed. */
const HIDEABLE = [
  "first offset",
  "second offset",
  "first SCN",
  "second SCN",
  "first metrics",
  "second metrics",
  "database",
  "redo",
  "transactions",
  "times",
  "poll.max.records",
  "target.latency",
  ...LAG_ATTRIBUTES,
] as const;
type Hidden = ReadonlySet<(typeof HIDEABLE)[number]>;
const hidden: fc.Arbitrary<Hidden> = fc.subarray([...HIDEABLE]).map((names) => new Set(names));
const NOTHING: Hidden = new Set();

function partsOf(one: Whole, hide: Hidden): LagParts {
  const shown = <T>(name: (typeof HIDEABLE)[number], value: Observed<T>): Observed<T> =>
    hide.has(name) ? unseen(`${name} is hidden`) : value;
  const attributes = (at: 0 | 1) => {
    const gone = LAG_ATTRIBUTES.filter((name) => hide.has(name)).map((name) => [name, undefined] as const);
    return metrics({ ...one.values[at], ...Object.fromEntries(gone) }, one.largest);
  };
  const [first, second] = one.resume;
  return {
    status: one.status,
    resume: [shown("first offset", seen(first)), shown("second offset", seen(second))],
    current: [shown("first SCN", seen(CURRENT - one.written)), shown("second SCN", seen(CURRENT))],
    metrics: [shown("first metrics", attributes(0)), shown("second metrics", attributes(1))],
    database: shown("database", seen(DATABASE)),
    redo: shown("redo", seen(one.redo)),
    transactions: shown("transactions", seen(one.open.map((scn) => openAt(scn)))),
    times: shown("times", seen([first, second, CURRENT].map((scn) => ({ scn, at: timeOf(scn) })))),
    connector: {
      pollMaxRecords: shown("poll.max.records", seen(2000n)),
      targetLatency: shown("target.latency", seen(undefined)),
    },
  };
}

function holding(parts: LagParts, which: "all" | "certain" = "all"): ReadonlySet<Cause> {
  const reading = readLag(buildLag(parts));
  return new Set(
    CAUSES.flatMap(({ cause, judge }) => {
      const judged = judge(reading);
      return judged.verdict === "yes" && (which === "all" || judged.certain) ? [cause] : [];
    }),
  );
}

property("there is one answer: the first cause that holds, or none only if everything was observed", async () => {
  await fc.assert(
    fc.property(whole, hidden, (one, hide) => {
      const parts = partsOf(one, hide);
      const { answer, also, ruledOut, unseen: unknown } = explainLag(buildLag(parts));
      const first = CAUSES.find(({ cause }) => holding(parts).has(cause));
      assert.is(answer.is === "cause" ? answer.rule : undefined, first);
      if (answer.is !== "cause") assert.is(answer.is, unknown.length === 0 ? "none" : "unclear");
      const placed = [...(answer.is === "cause" ? [answer] : []), ...also, ...ruledOut, ...unknown];
      assert.is(new Set(placed.map(({ rule }) => rule.cause)).size, placed.length);
      for (const found of [...(answer.is === "cause" ? [answer] : []), ...also]) assert.ok(found.evidence.length > 0);
    }),
    { numRuns: 1_000 },
  );
});

property("an unknown is never a certain cause: hiding facts makes no other cause certain", async () => {
  let fewer = 0;
  await fc.assert(
    fc.property(whole, hidden, (one, hide) => {
      const all = holding(partsOf(one, NOTHING), "certain");
      const left = holding(partsOf(one, hide), "certain");
      for (const cause of left) assert.ok(all.has(cause), `${cause} holds only without ${[...hide].join(", ")}`);
      if (left.size < all.size) fewer++;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(fewer > 100);
});

property("nothing is ruled out that would hold if everything were observed", async () => {
  await fc.assert(
    fc.property(whole, hidden, (one, hide) => {
      const all = holding(partsOf(one, NOTHING));
      const reading = readLag(buildLag(partsOf(one, hide)));
      for (const { cause, judge } of CAUSES)
        if (judge(reading).verdict === "no") assert.not.ok(all.has(cause), `${cause} without ${[...hide].join(", ")}`);
    }),
    { numRuns: 2_000 },
  );
});

/** Words that would make a list of what is ruled out a double negation. */
const NEGATION = /\b(?:not|no|none|nothing|never|nor|neither|without|cannot)\b|n't\b/i;

property("what is ruled out is a sentence that says what is, without a negation", async () => {
  const ruledOut = new Set<Cause>();
  await fc.assert(
    fc.property(whole, hidden, (one, hide) => {
      for (const { rule, because } of explainLag(buildLag(partsOf(one, hide))).ruledOut) {
        assert.match(because, /^[A-Z0-9].*\.$/);
        assert.not.match(because, NEGATION);
        ruledOut.add(rule.cause);
      }
    }),
    { numRuns: 1_000 },
  );
  assert.is(ruledOut.size, CAUSES.length);
});

const GROWS: readonly (readonly [Cause, LagAttribute, "both" | "second"])[] = [
  ["kafka", "QueueDepth", "both"],
  ["mining", "LastStepMillis", "second"],
  ["mining", "StepTimeouts", "second"],
  ["replay", "LagReplays", "second"],
];

property("more evidence for a cause never counts against it", async () => {
  let held = 0;
  await fc.assert(
    fc.property(
      whole,
      fc.constantFrom(...GROWS),
      fc.bigInt({ min: 1n, max: 30n }),
      (one, [cause, name, where], more) => {
        const raised = (at: 0 | 1) => ({ ...one.values[at], [name]: (one.values[at][name] ?? 0n) + more });
        const grown: Whole = { ...one, values: [where === "both" ? raised(0) : one.values[0], raised(1)] };
        if (!holding(partsOf(one, NOTHING)).has(cause)) return;
        held++;
        assert.ok(holding(partsOf(grown, NOTHING)).has(cause));
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(held > 50);
});

property("a transaction that grows stays large", async () => {
  await fc.assert(
    fc.property(whole, fc.bigInt({ min: 1n, max: 30n }), (one, more) => {
      const grown: Whole = {
        ...one,
        largest: one.largest.map((each) => ({ ...each, events: (each.events ?? 0n) + more })),
      };
      const [before, after] = [holding(partsOf(one, NOTHING)), holding(partsOf(grown, NOTHING))];
      assert.ok(!before.has("large transaction") || after.has("large transaction"));
    }),
  );
});

property.run();
