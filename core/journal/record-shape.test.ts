import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readHeader } from "./chunk-record.ts";
import { recordMembers } from "./read-journal.ts";
import { type RecordShape, shapeOf } from "./record-shape.ts";
import { journalRecord } from "./testing/build-journal.ts";

const shapes = suite("the shape of a journal's records");

/** Occasionally with more digits than a shape accepts. */
const number = fc.oneof({ weight: 30, arbitrary: fc.nat(10 ** 9 - 1) }, { weight: 1, arbitrary: fc.nat(2 ** 31 - 1) });
const address = fc.constantFrom(null, "0x00002a.00000f1c.0010");
const value = fc.record({
  first_scn: fc.bigInt(0n, 2n * 10n ** 15n),
  first_rs_id: address,
  last_scn: number,
  last_ssn: number,
  events: number,
  undos: number,
  start_scn: fc.option(number),
  start_ssn: number,
  username: fc.constantFrom(null, "", "APP", 'B"P', "Änne"),
  strange: fc.constantFrom(1, "text", null),
});

shapes("a matching record gives the same result as when it is read member by member", async () => {
  let fitting = 0;
  await fc.assert(
    fc.property(value, value, fc.boolean(), fc.boolean(), (one, other, enveloped, alike) => {
      const bytes = (parts: typeof one) => journalRecord({ value: parts, enveloped }).value as Uint8Array;
      const members = recordMembers("either");
      const shape = shapeOf(bytes(one), members(bytes(one)));
      const record = bytes(alike ? { ...one, events: other.events, last_scn: other.last_scn } : other);
      if (shape?.fits(record, 0, record.length) !== true) return;
      fitting += 1;
      assert.equal(
        readHeader(record, () => shape),
        readHeader(record, members),
      );
      assert.is(shape.get("no such member"), undefined);
    }),
    { numRuns: 1000 },
  );
  assert.ok(fitting > 30, `${fitting} fitted`);
});

shapes("with one byte changed, a record does not match, or is read the same", () => {
  const members = recordMembers("either");
  for (const enveloped of [false, true]) {
    const record = journalRecord({ enveloped, value: { username: null, client_id: "batch-7" } }).value as Uint8Array;
    const shape = shapeOf(record, members(record)) as RecordShape;
    let matching = 0;
    for (let at = 0; at < record.length; at++)
      for (const byte of Buffer.from('\x00 "+-0:A\\}\x80')) {
        const changed = record.slice();
        changed[at] = byte;
        if (!shape.fits(changed, 0, changed.length)) continue;
        matching += 1;
        assert.equal(
          readHeader(changed, () => shape),
          readHeader(changed, members),
        );
      }
    assert.ok(matching > 100 && matching < 10 * record.length);
  }
});

shapes.run();
