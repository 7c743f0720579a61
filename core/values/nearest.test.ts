import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nearest } from "./nearest.ts";

const near = suite("the nearest word");

near("is the one with the fewest letters to change, the first of several", () => {
  assert.is(nearest("resmue", ["restart", "resume", "reset"]), "resume");
  assert.is(nearest("ORDRES", ["orders"]), "orders");
  assert.is(nearest("ab", ["ac", "ad"]), "ac");
});

near("is not further than a third of its letters", () => {
  assert.is(nearest("orders", ["lines", "customers"]), undefined);
  assert.is(nearest("x".repeat(61), ["x".repeat(61)]), undefined);
});

near("has the same distance as a count without limits", async () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "C"), maxLength: 12 });
  await fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (typed, words) => {
      const allowed = (one: string) => Math.max(1, Math.floor(Math.max(typed.length, one.length) / 3));
      const near = words
        .map((one) => ({ one, steps: stepsBetween(typed.toLowerCase(), one.toLowerCase()) }))
        .filter(({ one, steps }) => steps <= allowed(one))
        .sort((a, b) => a.steps - b.steps);
      assert.is(nearest(typed, words), near[0]?.one);
    }),
    { numRuns: 2000 },
  );
});

/** The definition of the distance, by exhaustive search. */
function stepsBetween(a: string, b: string): number {
  const known = new Map<string, number>();
  const steps = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i},${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const least = Math.min(
      steps(i - 1, j) + 1,
      steps(i, j - 1) + 1,
      steps(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      swapped ? steps(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
    );
    known.set(key, least);
    return least;
  };
  return steps(a.length, b.length);
}

near.run();
