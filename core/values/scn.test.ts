import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { endOfLog, MAX_SCN, parseScn } from "./scn.ts";

const scn = suite("an SCN");

scn("reads every SCN that a stored offset can hold, to the last digit", async () => {
  await fc.assert(fc.property(fc.bigInt({ min: 0n, max: MAX_SCN }), (one) => assert.is(parseScn(one.toString()), one)));
  assert.is(parseScn("9223372036854775807"), MAX_SCN);
});

for (const text of [
  "",
  "-1",
  "+1",
  "1e6",
  "1.0",
  " 1",
  "1 ",
  "0x1",
  "1_000",
  "9223372036854775808",
  "18446744073709551615",
  "٣",
])
  scn(`"${text}" is not an SCN`, () => assert.is(parseScn(text), undefined));

scn("a log that is still being written has no end, in old releases and new ones", () => {
  assert.is(endOfLog(18446744073709551615n), undefined);
  assert.is(endOfLog(281474976710655n), undefined);
  assert.is(endOfLog(281474976710654n), 281474976710654n);
});

scn.run();
