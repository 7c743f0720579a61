import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { indexOfBytes, wantedBytes } from "./byte-work.ts";

const search = suite("search of bytes");

/** Few different bytes, so that parts of the wanted ones are met often. */
const bytes = (maxLength: number, minLength = 0) =>
  fc.array(fc.integer({ min: 0, max: 2 }), { minLength, maxLength }).map((list) => Uint8Array.from(list));

search("finds the first place within its bounds, or none", async () => {
  let [found, none] = [0, 0];
  await fc.assert(
    fc.property(bytes(40), bytes(3, 1), fc.nat(10), fc.nat(10), (all, wanted, from, less) => {
      const to = Math.max(from, all.length - less);
      const within = Buffer.from(all.subarray(0, to)).indexOf(wanted, from);
      const expected = from > to ? -1 : within;
      assert.is(indexOfBytes(all, wantedBytes(wanted), from, to), expected);
      if (expected < 0) none++;
      else found++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(found > 100 && none > 100, `${found} found, ${none} not`);
});

search("finds what is longer than a step of one byte can say", () => {
  const wanted = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
  assert.is(indexOfBytes(Uint8Array.of(...[9, 9, 9], ...wanted), wantedBytes(wanted), 0, wanted.length + 3), 3);
});

search.run();
