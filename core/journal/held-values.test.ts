import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LASTING_BUFFERS } from "../ports/kafka.ts";
import { type HeldValue, heldValues } from "./held-values.ts";

const holding = suite("values held in fixed memory");

/** Above 0: a value of this length is held; otherwise one of the held values is released. */
const ACTS = fc.array(fc.integer({ min: -150, max: 300 }), { minLength: 50, maxLength: 400, size: "max" });

holding("are read as they were held, or reported when they are evicted, whatever was released in between", async () => {
  let [left, kept] = [0, 0];
  await fc.assert(
    fc.property(ACTS, (acts) => {
      const expected = new Map<HeldValue, Uint8Array>();
      const gone = new Map<HeldValue, Uint8Array>();
      const held = heldValues((one, value) => gone.set(one, value.slice()), 4096);
      const batches = [new Uint8Array()];
      let [batch, holds] = [new Uint8Array(), 0];
      acts.forEach((act, round) => {
        if (act > 0) {
          const value = new Uint8Array(act).fill(round % 251);
          const start = (holds++ % 4) * 300;
          if (start === 0) {
            batch = new Uint8Array(4 * 300);
            held.arrive(batch.buffer);
            batches.push(batch);
            if (batches.length > LASTING_BUFFERS) batches.shift()?.fill(0xff);
          }
          batch.set(value, start);
          const one = held.hold(start, start + act);
          assert.not(expected.has(one));
          expected.set(one, value);
        } else {
          const one = [...expected.keys()][-act];
          if (one === undefined) return;
          held.release(one);
          expected.delete(one);
          gone.delete(one);
        }
      });
      for (const [one, value] of expected) {
        const read = held.read(one);
        if (read === undefined) left += 1;
        else kept += 1;
        assert.equal([...(read ?? gone.get(one) ?? [])], [...value]);
        assert.is(gone.has(one), read === undefined, "told once, and only of what left");
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(left > 1000 && kept > 1000, `${left} left, ${kept} were kept`);
});

holding("a value larger than the memory is evicted at once", () => {
  const evicted: number[] = [];
  const held = heldValues((_, value) => evicted.push(value.length), 4096);
  held.arrive(new ArrayBuffer(1100));
  const [large, small] = [held.hold(0, 600), held.hold(600, 1100)];
  assert.equal([evicted, held.read(large), held.read(small)?.length], [[600], undefined, 500]);
});

holding.run();
