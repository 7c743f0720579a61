import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { base64Bytes, endOfBase64, isBase64 } from "./base64.ts";

const base64 = suite("base64");

const FORM = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

base64("is decoded with or without padding, at any position in memory", () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(8), fc.boolean(), (bytes, before, padded) => {
      const encoded = Buffer.from(bytes).toString("base64");
      const text = padded ? encoded : encoded.replace(/=+$/, "");
      const all = new TextEncoder().encode(`${"-".repeat(before)}${text}"after`);
      assert.is(endOfBase64(all, before, all.length), before + text.length);
      assert.equal(base64Bytes(all.subarray(before, before + text.length)), bytes);
    }),
  ),
);

base64("with an invalid character, or truncated within a byte, is invalid", () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(..."AZaz09+/=AZaz09+/-_@[`{:. \n\u00ff"), { maxLength: 24 }),
      fc.nat(3),
      (letters, before) => {
        const text = letters.join("");
        const bytes = Uint8Array.from(`${"A".repeat(before)}${text}`, (letter) => letter.charCodeAt(0)).subarray(
          before,
        );
        assert.is(isBase64(bytes), FORM.test(text), text);
      },
    ),
    { numRuns: 2000 },
  ),
);

base64.run();
