import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LASTING_BUFFERS } from "../ports/kafka.ts";
import { type HeldValue, heldValues } from "./held-values.ts";

const holding = suite("values held in the buffers in which they arrived");

/** A number above 0 holds a value of this length; others release one of the held values. */
const ACTS = fc.array(fc.integer({ min: -150, max: 300 }), { minLength: 50, maxLength: 400, size: "max" });

holding(
  "are evaluated as they were held, once they are read or their buffer ends, and never if released before",
  () => {
    let [early, late, never] = [0, 0, 0];
    fc.assert(
      fc.property(ACTS, (acts) => {
        const expected = new Map<HeldValue, Uint8Array>();
        let evaluations = 0;
        const held = heldValues((value) => {
          evaluations += 1;
          return [...value];
        });
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
          }
        });
        early += evaluations;
        for (const [one, value] of expected) assert.equal(held.read(one), [...value]);
        late += expected.size;
        never += holds - evaluations;
        assert.ok(evaluations <= holds, "each at most once");
      }),
      { numRuns: 500 },
    );
    assert.ok(early > 1000 && late > 1000 && never > 1000, `${early} early, ${late} at the end, ${never} never`);
  },
);

holding.run();
