import fc from "fast-check";
import { type Instant, instantOf } from "../../values/instant.ts";
import { MARKS, type Mark, REDO_STATES, type Stretch, type Timeline } from "../timeline.ts";

/** Near each other, far apart, and at the ends of what an SCN can be. */
export const anyScn = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 2_200_000n, max: 2_200_040n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 2_000_000n, max: 2_300_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }) },
);

const anyTime: fc.Arbitrary<Instant | undefined> = fc.option(
  fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }).map(instantOf),
  { nil: undefined },
);

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("APP", "\u202e<b>", "a".repeat(300)),
);

/** Stretches that follow each other, some with room between them. */
const anyStretches = fc
  .tuple(
    anyScn,
    fc.array(
      fc.tuple(
        fc.constantFrom(...REDO_STATES),
        fc.oneof(fc.bigInt({ min: 1n, max: 5n }), fc.bigInt({ min: 1n, max: 100_000n })),
        fc.constantFrom(0n, 0n, 7n),
        anyTime,
      ),
      { maxLength: 64 },
    ),
  )
  .map(([start, parts]): readonly Stretch[] => {
    let at = start;
    return parts.map(([state, length, room, time], i) => {
      const from = at + room;
      at = from + length;
      const sequence = state === "missing" && i % 2 === 0 ? undefined : BigInt(i);
      return { state, from, to: at, fromSequence: sequence, toSequence: sequence, fromTime: time, toTime: time };
    });
  });

/** Any picture whatever, with texts as the worst world would send them. */
export const anyTimeline: fc.Arbitrary<Timeline> = fc.record({
  marks: fc
    .uniqueArray(
      fc
        .tuple(
          fc.record({ mark: fc.constantFrom(...MARKS), scn: anyScn, at: anyTime }),
          fc.record(
            { of: anyText, more: fc.bigInt({ min: 1n, max: 5000n }), leftOut: fc.constant(true as const) },
            { requiredKeys: ["of"] },
          ),
        )
        .map(([mark, more]): Mark => ({ ...mark, ...(mark.mark === "stored scn" ? more : {}) })),
      { selector: ({ mark, scn }) => (mark === "stored scn" ? `${mark} ${scn}` : mark) },
    )
    .map((marks) => [...marks].sort((a, b) => (a.scn < b.scn ? -1 : a.scn > b.scn ? 1 : 0))),
  threads: fc
    .uniqueArray(fc.record({ thread: fc.bigInt({ min: 1n, max: 9999n }), stretches: anyStretches }), {
      selector: ({ thread }) => thread,
      maxLength: 15,
    })
    .map((threads) => [...threads].sort((a, b) => (a.thread < b.thread ? -1 : 1))),
  transactions: fc
    .array(
      fc.record({
        xid: fc.oneof(fc.constantFrom("1:4.9.771", "5.2.802"), anyText),
        firstScn: anyScn,
        at: anyTime,
        user: fc.option(anyText, { nil: undefined }),
        clientId: fc.option(anyText, { nil: undefined }),
        seenIn: fc.subarray(["database", "journal", "task"] as const, { minLength: 1 }),
      }),
      { maxLength: 10 },
    )
    .map((all) => [...all].sort((a, b) => (a.firstScn < b.firstScn ? -1 : a.firstScn > b.firstScn ? 1 : 0))),
  moreTransactions: fc.bigInt({ min: 0n, max: 1_000_000n }),
  unseen: fc.array(
    fc.record({
      what: fc.constantFrom(
        "redo" as const,
        "open transactions" as const,
        "journaled transactions" as const,
        "time zone rules" as const,
        "times" as const,
      ),
      why: anyText,
    }),
    { maxLength: 2 },
  ),
});
