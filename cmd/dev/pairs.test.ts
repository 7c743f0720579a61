import { suite } from "uvu";
import * as assert from "uvu/assert";
import { everyOther, holdingAll, pairsOf } from "./pairs.ts";

const pairs = suite("cases that hold every pair");

const CASES = ["a", "b", "c"].flatMap((one) =>
  ["1", "2", "3"].flatMap((two) => ["x", "y", "z"].map((three) => [one, two, three])),
);
const pairsIn = (cases: readonly (readonly string[])[]) =>
  new Set(cases.flatMap(([one, two, three]) => [`${one}${two}`, `${one}${three}`, `${two}${three}`]));

pairs("each pair that occurs anywhere occurs among those chosen, which are few", () => {
  const chosen = holdingAll(CASES, pairsOf);
  assert.equal([...pairsIn(chosen)].sort(), [...pairsIn(CASES)].sort());
  assert.ok(chosen.length < 13, String(chosen.length));
});

pairs("the order of the cases stays, and none is chosen twice", () => {
  const chosen = holdingAll([...CASES, ...CASES], pairsOf);
  assert.equal(chosen, [...chosen].sort());
  assert.is(new Set(chosen).size, chosen.length);
});

pairs("a case with a trait of its own is always chosen", () => {
  const rare = ["b", "2", "never elsewhere"];
  assert.ok(holdingAll([...CASES, rare], pairsOf).includes(rare));
});

pairs("each trait occurs where pairs are not asked for, among fewer", () => {
  assert.equal(new Set(holdingAll(CASES, (one) => one).flat()), new Set(CASES.flat()));
  assert.is(holdingAll(CASES, (one) => one).length, 3);
});

pairs("of no cases none is chosen", () =>
  assert.equal(
    holdingAll([], () => []),
    [],
  ),
);

pairs("of variations every other one is chosen where only a part is run, and all otherwise", () => {
  const part = process.env["CDCCTL_TEST_CASES"] === "pairs";
  assert.equal(everyOther(["a", "b", "c"]), part ? ["a", "c"] : ["a", "b", "c"]);
});

pairs.run();
