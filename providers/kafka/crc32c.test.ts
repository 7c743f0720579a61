import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { crc32c } from "./crc32c.ts";

const checksum = suite("CRC-32C");

/** Vectors of RFC 3720, appendix B.4, and the usual check value. */
const KNOWN: readonly (readonly [bytes: Uint8Array, crc: number])[] = [
  [Buffer.from("123456789"), 0xe3069283],
  [new Uint8Array(32), 0x8a9136aa],
  [new Uint8Array(32).fill(0xff), 0x62a8ab43],
  [Uint8Array.from({ length: 32 }, (_, at) => at), 0x46dd794e],
  [new Uint8Array(0), 0],
];

checksum("matches its specification", () => {
  for (const [bytes, crc] of KNOWN) assert.is(crc32c(bytes), crc);
});

/** Computes the checksum bit by bit. */
function naive(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

checksum("matches a bitwise computation, whatever the length, at any position in memory", () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 130 }), fc.nat(20), (bytes, from) => {
      assert.is(crc32c(bytes.subarray(from)), naive(bytes.slice(from)));
    }),
  ),
);

/** Where words begin to be moved, how many are moved at once, and what is left. */
const LONG = fc.oneof(fc.integer({ min: 84_000, max: 85_000 }), fc.integer({ min: 115_000, max: 185_000 }));

checksum("of a long message is the same, at any position in memory", () =>
  fc.assert(
    fc.property(LONG, fc.nat(20), fc.integer(), (length, from, seed) => {
      let state = seed;
      const bytes = Uint8Array.from({ length }, () => {
        state = Math.imul(state, 1_103_515_245) + 12_345;
        return state >>> 16;
      });
      assert.is(crc32c(bytes.subarray(from)), naive(bytes.slice(from)));
    }),
    { numRuns: 60 },
  ),
);

checksum.run();
