import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { scaleOf } from "./scale.ts";
import { anyScn } from "./testing/any-timeline.ts";

const scale = suite("the scale of an SCN timeline");

const anyPoints = fc.array(anyScn, { minLength: 1, maxLength: 40 });
const anyColumns = fc.integer({ min: 2, max: 120 });

scale("a higher SCN is never further left, and every column is within the width", async () => {
  await fc.assert(
    fc.property(anyPoints, fc.array(anyScn, { maxLength: 20 }), anyColumns, (points, others, columns) => {
      const { columnOf } = scaleOf(points, columns);
      const sorted = [...points, ...others].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(columnOf);
      sorted.forEach((column, i) => {
        assert.ok(column >= 0 && column < columns, `${column} of ${columns}`);
        assert.ok(column >= (sorted[i - 1] ?? 0));
      });
    }),
  );
});

scale("points with enough room never share a column, however near they are", async () => {
  await fc.assert(
    fc.property(anyPoints, (points) => {
      const distinct = [...new Set(points)];
      const { columnOf } = scaleOf(points, Math.max(distinct.length, 40));
      assert.is(new Set(distinct.map(columnOf)).size, distinct.length);
    }),
  );
});

scale("a column represents the SCNs that are mapped to it", async () => {
  await fc.assert(
    fc.property(anyPoints, anyColumns, fc.nat(), (points, columns, at) => {
      const { columnOf, reach } = scaleOf(points, columns);
      const low = points.reduce((a, b) => (a < b ? a : b));
      const high = points.reduce((a, b) => (a > b ? a : b));
      const scn = low + (BigInt(at) * (high - low)) / 2_147_483_647n;
      const { from, to } = reach(columnOf(scn));
      assert.ok(from <= scn && scn < to, `${scn} is not within ${from} to ${to}`);
    }),
  );
});

scale("the columns between two anchors omit no SCN", async () => {
  await fc.assert(
    fc.property(anyPoints, anyColumns, (points, columns) => {
      const { columnOf, reach } = scaleOf(points, columns);
      const end = columnOf(points.reduce((a, b) => (a > b ? a : b)));
      for (let column = 1; column <= end; column++) assert.ok(reach(column).from <= reach(column - 1).to);
    }),
  );
});

scale("is linear without anything near or far", () => {
  const even = scaleOf([0n, 100n, 50n], 101);
  assert.ok(even.proportional);
  assert.equal([0n, 1n, 33n, 50n, 99n, 100n].map(even.columnOf), [0, 1, 33, 50, 99, 100]);
});

scale("a dominating distance takes half of the width, which is reported", () => {
  const far = scaleOf([0n, 1_000_000_000n, 1_000_000_500n, 1_000_001_000n], 101);
  assert.equal(far.cut, { from: 0n, to: 1_000_000_000n });
  assert.equal([1_000_000_000n, 1_000_000_500n, 1_000_001_000n].map(far.columnOf), [50, 75, 100]);
});

scale("adjacent marks are spread out, which is reported", () => {
  const near = scaleOf([2169287n, 2204498n, 2204511n, 2241020n], 66);
  assert.not(near.proportional);
  assert.is(near.columnOf(2204511n) - near.columnOf(2204498n), 2);
});

scale("a number of columns that is not an integer is refused, since it would never add up", () => {
  for (const count of [79.5, 0, -3, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => scaleOf([1n, 5n, 9n], count), /is not a number of columns/);
    assert.throws(() => scaleOf([1n, 5n, 9n], 80, count), /is not a number of columns/);
  }
});

scale.run();
