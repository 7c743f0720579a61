import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ChunkKey } from "./chunk-record.ts";
import { keyOf, keyReader } from "./key-numbers.ts";
import { recordMembers } from "./read-journal.ts";

const keys = suite("keys of chunks as numbers");

const part = fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: 9_999_999_999n }));
const PLAIN = { noNullPrototype: true };
const KEY: fc.Arbitrary<ChunkKey> = fc.record(
  {
    xid: fc.record({ container: fc.bigInt({ min: 0n, max: 2_147_483_647n }), usn: part, slot: part, sqn: part }, PLAIN),
    chunk: fc.integer({ min: 0, max: 2_147_483_647 }),
    generation: fc.oneof(part, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  },
  PLAIN,
);
const FORMS = fc.constantFrom<(key: ChunkKey) => string>(
  ({ xid: { container, usn, slot, sqn }, chunk, generation }) =>
    `{"server":"orders","con_id":${container},"xid":"${usn}.${slot}.${sqn}",` +
    `"chunk":${chunk},"generation":${generation}}`,
  ({ xid: { container, usn, slot, sqn }, chunk, generation }) =>
    ` { "generation": ${generation}, "chunk": ${chunk}, "xid": "${usn}.0${slot}.${sqn}", "con_id": ${container}, ` +
    `"server": "orders" }`,
);

keys("are read back as they were written, in any order and form, after any other keys", () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(KEY, FORMS), { minLength: 1, maxLength: 8 }), (written) => {
      const reader = keyReader("orders", recordMembers("either"));
      for (const [key, form] of written) {
        if (key.xid.slot > 999_999_999n) continue;
        const text = new TextEncoder().encode(`..${form(key)}.`);
        assert.is(reader.read(text, 2, text.length - 1), "own");
        assert.equal(keyOf(reader.numbers), key);
      }
    }),
  ),
);

keys("that name another server, or none, are skipped", () => {
  const reader = keyReader("orders", recordMembers("either"));
  const of = (text: string) => reader.read(new TextEncoder().encode(text), 0, text.length);
  const own = '{"server":"orders","con_id":3,"xid":"1.2.3","chunk":0,"generation":7}';
  assert.equal(
    [own, own.replace("orders", "billing"), own.replace("orders", "order"), own.replace('"server"', '"name"')].map(of),
    ["own", "other", "other", "none"],
  );
  assert.throws(() => of(own.replace("1.2.3", "1.2.")), /USN.SLOT.SQN/);
  // Also of a shape that is known by now.
  for (const xid of [" 1.2.3", "1.2.3 ", "1.2.3\\t"])
    assert.throws(() => of(own.replace("1.2.3", xid)), /USN.SLOT.SQN/);
  assert.throws(() => reader.read(new Uint8Array(), -1, -1), /there is none/);
});

keys.run();
