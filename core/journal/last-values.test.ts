import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lastValues } from "./fold-records.ts";
import { KEY_NUMBERS } from "./key-numbers.ts";

const values = suite("the last value of each key");

/** Few enough keys to repeat, and beyond 32 bits, so that some have the same hash. */
const KEY = fc
  .tuple(fc.nat(40), fc.constantFrom(0, 1, 2 ** 32, 3 * 2 ** 32))
  .map(([sqn, usn]) => Float64Array.of(3, usn, 9, sqn, 0, 0, 7));
const ACT = fc.tuple(KEY, fc.boolean());

values("are those of a map, whatever is set and removed", async () => {
  await fc.assert(
    fc.property(fc.array(ACT, { maxLength: 300, size: "max" }), (acts) => {
      const expected = new Map<string, number>();
      const table = lastValues();
      acts.forEach(([key, isSet], value) => {
        const name = key.join();
        assert.is(isSet ? table.set(key, value) : table.remove(key), expected.get(name) ?? -1);
        if (isSet) expected.set(name, value);
        else expected.delete(name);
      });
      assert.equal(
        [...table.entries()].map(([key, value]) => `${key.join()} ${value}`).sort(),
        [...expected].map(([name, value]) => `${name} ${value}`).sort(),
      );
    }),
    { numRuns: 300 },
  );
});

values("are found in a table that has grown", () => {
  const table = lastValues();
  const key = (number: number) => new Float64Array(KEY_NUMBERS).fill(number);
  for (let number = 0; number < 5000; number++) assert.is(table.set(key(number), number), -1);
  for (let number = 0; number < 5000; number++) assert.is(table.remove(key(number)), number);
  assert.equal([...table.entries()], []);
});

values.run();
