import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { viewOf } from "../values/bytes.ts";
import { hash32, hash128 } from "./murmur3.ts";
import { bytesOf } from "./testing/work.ts";

const murmur = suite("MurmurHash3");

murmur("returns the published values", () => {
  const text = "I will not buy this record, it is scratched.";
  assert.is(hash32(viewOf(bytesOf(text)), 0, text.length), 2832214938);
  assert.is(hash32(viewOf(bytesOf("hello")), 0, 5), 0x248bfa47);
  assert.is(hash32(viewOf(new Uint8Array(0)), 0, 0), 0);
});

murmur("of 128 bits passes the verification of its own test suite (smhasher, KeysetTest.cpp)", () => {
  const hashes = new Uint8Array(256 * 16);
  const words = new Uint32Array(4);
  for (let length = 0; length < 256; length++) {
    const key = viewOf(Uint8Array.from({ length }, (_, at) => at));
    hash128(key, 0, length, 256 - length, words);
    hashes.set(new Uint8Array(words.buffer), length * 16);
  }
  hash128(viewOf(hashes), 0, hashes.length, 0, words);
  assert.is(words[0], 0xb3ece62a);
});

murmur("depends on the bytes alone, wherever they are", async () => {
  await fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 5 }), (bytes, before) => {
      const still = viewOf(bytes);
      const moved = viewOf(Uint8Array.from([...before, ...bytes, 1, 2, 3]));
      const [here, there] = [new Uint32Array(4), new Uint32Array(4)];
      hash128(still, 0, bytes.length, 0, here);
      hash128(moved, before.length, before.length + bytes.length, 0, there);
      assert.equal([...here], [...there]);
      assert.is(hash32(moved, before.length, before.length + bytes.length), hash32(still, 0, bytes.length));
    }),
  );
});

murmur.run();
