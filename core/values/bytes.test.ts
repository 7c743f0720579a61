import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  ByteReader,
  bigintOf,
  compare64,
  compareBytes,
  memoryOf,
  read64,
  sameWords,
  viewOf,
  write64,
} from "./bytes.ts";

const reader = suite("a reader of bytes");

/** The same bytes in the middle of others. */
const within = (bytes: readonly number[]) => Uint8Array.from([7, 7, 7, ...bytes, 7]).subarray(3, 3 + bytes.length);

reader("reads numbers, most significant byte first, and text, wherever the bytes are in memory", () => {
  const numbers = [0xfe, 0xfe, 0xff, 0xfe, 0xff, 0xfe, ...[0xff, 0xff, 0xff, 0xfe], ...[0xff, 0xff, 0xff, 0xfe]];
  const read = new ByteReader(within([...numbers, 0x80, ...Array(7).fill(0), 0xef, 0xbb, 0xbf, 0xc3, 0x89, 0x41]));
  assert.equal(
    [read.int8(), read.uint8(), read.int16(), read.uint16(), read.int32(), read.uint32(), read.int64()],
    [-2, 254, -2, 65534, -2, 4294967294, -(2n ** 63n)],
  );
  assert.is(read.text(5), "\ufeffÉ");
  assert.is(read.left, 1);
  assert.equal([...read.from(1).take(1), read.at], [0xfe, 2]);
});

reader("reads numbers of any length, the least significant byte first", () => {
  const read = new ByteReader(within([0xfe, 0xff, 0xff, 0xff, 0x01, 0x02, 0x03]));
  assert.equal([read.little(4), read.little(3), read.little(0)], [0xfffffffe, 0x030201, 0]);
});

reader("reads integers of variable length, signed ones zig-zag", () => {
  const read = new ByteReader(Uint8Array.of(0xac, 0x02, 0xd7, 0x04, 0xfe, ...Array(8).fill(0xff), 0x01, 0x80, 0x01, 5));
  assert.equal([read.uvarint(), read.varint(), read.varlong()], [300, -300, 2n ** 63n - 1n]);
  read.passVarlong();
  assert.is(read.uint8(), 5);
});

reader("says where the bytes end, and what it wanted there", () => {
  const all: readonly ((read: ByteReader) => unknown)[] = [
    (read) => read.int32(),
    (read) => read.take(4),
    (read) => read.text(4),
  ];
  for (const wanted of all) {
    const read = new ByteReader(within([1, 2, 3, 4, 5])).from(2);
    assert.throws(
      () => wanted(read),
      (error: Error) =>
        error instanceof RangeError && error.message === "it ends after 5 bytes, where 4 more are needed at byte 2",
    );
    assert.is(read.at, 2);
  }
  assert.throws(
    () => new ByteReader(within([1])).take(-1),
    "it ends after 1 bytes, where a length of -1 is stated at byte 0",
  );
  assert.throws(() => new ByteReader(within([])).uint8(), "it ends after 0 bytes");
  const endless = () => new ByteReader(new Uint8Array(20).fill(0xff));
  assert.throws(() => endless().varint(), "more than 32 bits");
  assert.throws(() => endless().varlong(), "more than 64 bits");
});

reader.run();

const memory = suite("bytes at a place");

memory("are found and compared in the memory that holds them", () => {
  const bytes = within([1, 2, 3, 4, 5, 6]);
  const { data, words, base } = memoryOf(bytes);
  assert.is(data.getUint8(base + 4), 5);
  assert.is(words.length, 2);
  assert.is(viewOf(bytes).getInt16(0), 0x0102);
  assert.ok(sameWords(data, base, base + 6, viewOf(bytes), 0));
  assert.not(sameWords(data, base, base + 6, viewOf(Uint8Array.of(1, 2, 3, 4, 5, 7)), 0));
  assert.not(sameWords(data, base, base + 6, viewOf(Uint8Array.of(1, 2, 9, 4, 5, 6)), 0));
  const sorted = [Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(1, 0), Uint8Array.of(1, 255), Uint8Array.of(128)];
  assert.equal([...sorted].reverse().sort(compareBytes), sorted);
});

memory.run();

const numbers = suite("numbers of 64 bits");

numbers("are read and compared as they were written", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (a, b) => {
      const data = viewOf(new Uint8Array(16));
      write64(data, 0, a);
      write64(data, 8, b);
      assert.equal([read64(data, 0), read64(data, 8)], [a, b]);
      assert.is(Math.sign(compare64(data, 0, data, 8)), a < b ? -1 : a > b ? 1 : 0);
    }),
  );
  assert.is(bigintOf(2 ** 53 - 1), 2n ** 53n - 1n);
});

numbers("are written as the sum of two, with the carry", async () => {
  const data = new DataView(new ArrayBuffer(8));
  let carried = 0;
  const more = fc.oneof(fc.nat(), fc.integer({ min: 2 ** 31, max: 2 ** 32 - 1 }));
  await fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), more, (value, added) => {
      write64(data, 0, value, added);
      assert.is(data.getBigUint64(0, true), BigInt.asUintN(64, value + BigInt(added)));
      if ((value & 0xffffffffn) + BigInt(added) > 0xffffffffn) carried++;
    }),
    { numRuns: 500 },
  );
  assert.ok(carried > 20, `${carried}`);
});

numbers.run();
