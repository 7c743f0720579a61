import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseXid, printXid, printXidAlone, sameXid, type Xid } from "./xid.ts";

const xid = suite("a transaction id");

const number = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
const anyXid: fc.Arbitrary<Xid> = fc.record(
  {
    container: fc.option(number, { nil: undefined }),
    usn: number,
    slot: number,
    sqn: number,
  },
  { noNullPrototype: true },
);

xid("is read back as it was printed, with and without its container", async () => {
  await fc.assert(fc.property(anyXid, (id) => assert.equal(parseXid(printXid(id)), id)));
  assert.is(printXid({ container: 1n, usn: 4n, slot: 9n, sqn: 771n }), "1:4.9.771");
  assert.is(printXid({ container: undefined, usn: 4n, slot: 9n, sqn: 771n }), "4.9.771");
});

xid("blanks around it are ignored", () => assert.equal(parseXid(" 4.9.771 "), parseXid("4.9.771")));

for (const text of [
  "",
  "4.9",
  "4.9.771.1",
  "1:2:4.9.771",
  "a.b.c",
  "-1.2.3",
  "4.9.77111111111",
  "0x4.9.771",
  "1:",
  "4,9,771",
])
  xid(`"${text}" is not a transaction id`, () => assert.is(parseXid(text), undefined));

xid("without its container it matches every container; with one only that container", async () => {
  await fc.assert(
    fc.property(anyXid, number, (id, other) => {
      assert.ok(sameXid(id, { ...id, container: undefined }));
      assert.ok(sameXid({ ...id, container: undefined }, id));
      assert.is(sameXid(id, { ...id, container: other }), id.container === undefined || id.container === other);
      for (const part of ["usn", "slot", "sqn"] as const) assert.not(sameXid(id, { ...id, [part]: id[part] + 1n }));
    }),
  );
});

xid("is printed alone as it is printed with its container, after the colon", () => {
  assert.is(printXidAlone({ container: 3n, usn: 8n, slot: 14n, sqn: 2207n }), "8.14.2207");
  assert.is(printXidAlone({ container: undefined, usn: 8n, slot: 14n, sqn: 2207n }), "8.14.2207");
});

xid.run();
