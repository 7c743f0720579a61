import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Scratch } from "./scratch.ts";

const scratch = suite("memory reused for the arrays of joins");

/** Three arrays, filled with values that the next ones must not show. */
function dirtied(from: Scratch, length: number): readonly ArrayBufferLike[] {
  const arrays = [from.bytes(length), from.ints(length, -1), from.doubles(length)];
  assert.equal(
    arrays.map((array) => [array.length, new Set(array)]),
    [
      [length, new Set([0])],
      [length, new Set([-1])],
      [length, new Set([0])],
    ],
  );
  for (const array of arrays) array.fill(77);
  return arrays.map((array) => array.buffer);
}

scratch("arrays begin with their values, however the memory was used before", () => {
  const one = new Scratch();
  for (const length of [5, 5, 3, 11, 12]) {
    one.clear();
    dirtied(one, length);
  }
});

scratch("arrays do not overlap", () => {
  const one = new Scratch();
  for (let turn = 0; turn < 2; turn++) {
    one.clear();
    const [a, b, c] = [one.bytes(3), one.ints(3, 1), one.doubles(3)] as const;
    a.fill(9);
    b.fill(8);
    c.fill(7);
    assert.equal([[...a], [...b], [...c]], [new Array(3).fill(9), new Array(3).fill(8), new Array(3).fill(7)]);
  }
});

scratch("the second time, the same memory serves all arrays, also larger ones by an eighth", () => {
  const one = new Scratch();
  dirtied(one, 800);
  one.clear();
  const [memory] = dirtied(one, 800);
  for (const length of [800, 1, 880]) {
    one.clear();
    for (const buffer of dirtied(one, length)) assert.is(buffer, memory);
  }
});

scratch.run();
