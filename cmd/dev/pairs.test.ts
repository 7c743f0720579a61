import { suite } from "uvu";
import * as assert from "uvu/assert";
import { everyPair } from "./pairs.ts";

const pairs = suite("cases that hold every pair");

const CASES = ["a", "b", "c"].flatMap((one) =>
  ["1", "2", "3"].flatMap((two) => ["x", "y", "z"].map((three) => [one, two, three])),
);
const pairsIn = (cases: readonly (readonly string[])[]) =>
  new Set(cases.flatMap(([one, two, three]) => [`${one}${two}`, `${one}${three}`, `${two}${three}`]));

pairs("each pair that occurs anywhere occurs among those chosen, which are few", () => {
  const chosen = everyPair(CASES, (one) => one);
  assert.equal([...pairsIn(chosen)].sort(), [...pairsIn(CASES)].sort());
  assert.ok(chosen.length < 13, String(chosen.length));
});

pairs("the order of the cases stays, and none is chosen twice", () => {
  const chosen = everyPair([...CASES, ...CASES], (one) => one);
  assert.equal(chosen, [...chosen].sort());
  assert.is(new Set(chosen).size, chosen.length);
});

pairs("a case with a trait of its own is always chosen", () => {
  const rare = ["b", "2", "never elsewhere"];
  assert.ok(everyPair([...CASES, rare], (one) => one).includes(rare));
});

pairs("of no cases none is chosen", () =>
  assert.equal(
    everyPair([], () => []),
    [],
  ),
);

pairs.run();
