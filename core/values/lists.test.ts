import { suite } from "uvu";
import * as assert from "uvu/assert";
import { highest, largest, lowest, smallest } from "./lists.ts";

const extremes = suite("the largest and the smallest of many values");

extremes("of none the fallback is the largest, and there is no smallest", () => {
  assert.is(largest([]), 0);
  assert.is(largest([], 5), 5);
  assert.is(largest([3], 5), 5);
  assert.is(smallest([]), Number.POSITIVE_INFINITY);
});

extremes("of a million values both are found", () => {
  const many = Array.from({ length: 1_000_000 }, (_, i) => (i * 7_919) % 1_000_003);
  assert.is(
    largest(many),
    many.reduce((a, b) => (a > b ? a : b)),
  );
  assert.is(smallest(many), 0);
});

extremes("the lowest and the highest of SCNs or texts are told, and none of none", () => {
  assert.equal([lowest([7n, 5n, 9n]), highest([7n, 9n, 5n])], [5n, 9n]);
  assert.equal([lowest(["b", "a"]), highest(["b", "a"])], ["a", "b"]);
  assert.equal([lowest([]), highest([])], [undefined, undefined]);
});

extremes("the lowest is told of those that are known", () => {
  assert.is(lowest([undefined, 5n]), 5n);
  assert.is(lowest([7n, undefined, 5n]), 5n);
  assert.is(lowest([undefined]), undefined);
});

extremes.run();
