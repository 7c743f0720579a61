import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { crc32c } from "./crc32c.ts";
import { WireReader, WireWriter } from "./wire.ts";

const wire = suite("Kafka's primitive types");

wire("variable-length integers are zig-zag, as the protocol's description specifies", () => {
  for (const [value, hex] of [
    [0n, "00"],
    [-1n, "01"],
    [1n, "02"],
    [63n, "7e"],
    [64n, "8001"],
    [300n, "d804"],
    [2n ** 63n - 1n, "feffffffffffffffff01"],
    [-(2n ** 63n), "ffffffffffffffffff01"],
  ] as const) {
    assert.is(new WireWriter().varlong(value).toBuffer().toString("hex"), hex);
    assert.is(new WireReader(Buffer.from(hex, "hex")).varlong(), value);
  }
});

wire("written values are read back", () => {
  void fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      fc.option(fc.string({ unit: "grapheme" })),
      fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      (long, safe, string, array) => {
        const writer = new WireWriter().int64(long).varlong(long).varint(safe).string(string);
        const reader = new WireReader(writer.array(array, (one) => writer.int32(one)).toBuffer());
        assert.is(reader.int64(), long);
        assert.is(reader.varlong(), long);
        assert.is(reader.varint(), safe);
        assert.is(reader.nullableString(), string);
        assert.equal(
          reader.array(() => reader.int32()),
          array,
        );
        assert.is(reader.left, 0);
      },
    ),
  );
});

wire("values written in the compact forms are read back, and additions of a later version are skipped", () => {
  void fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.option(fc.string({ unit: "grapheme" })),
      fc.array(fc.string()),
      fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 3 }),
      (unsigned, string, array, added) => {
        const writer = new WireWriter().uvarint(unsigned).compactString(string);
        writer.compactArray(array, (one) => writer.compactString(one)).uvarint(added.length);
        for (const [tag, bytes] of added.entries()) writer.uvarint(tag).uvarint(bytes.length).bytes(bytes);
        const reader = new WireReader(writer.int8(42).toBuffer());
        assert.is(reader.uvarint(), unsigned);
        assert.is(reader.compactNullableString(), string);
        assert.equal(
          reader.compactArray(() => reader.compactString()),
          array,
        );
        reader.tags();
        assert.is(reader.int8(), 42);
        assert.is(reader.left, 0);
      },
    ),
  );
});

wire("a message that ends too early, or declares an impossible length, is a RangeError", () => {
  const cut = (bytes: number[], read: (reader: WireReader) => unknown) =>
    assert.throws(
      () => read(new WireReader(Buffer.from(bytes))),
      (error: unknown) => error instanceof RangeError,
    );
  cut([0, 0], (reader) => reader.int32());
  cut([0, 9, 65], (reader) => reader.string());
  cut([0x7f, 0xff, 0xff, 0xff, 1], (reader) => reader.array(() => reader.int8()));
  cut([0x80], (reader) => reader.varint());
  cut(Array(12).fill(0xff), (reader) => reader.varlong());
  cut(Array(12).fill(0xff), (reader) => reader.varint());
  cut([1], (reader) => reader.take(-1));
  cut(Array(6).fill(0xff), (reader) => reader.uvarint());
  cut([5, 65], (reader) => reader.compactString());
  cut([0xff, 0xff, 0xff, 0x7f, 1], (reader) => reader.compactArray(() => reader.int8()));
  cut([1, 0, 9], (reader) => reader.tags());
});

wire("crc32c gives the check values of RFC 3720", () => {
  assert.is(crc32c(Buffer.from("123456789")), 0xe3069283);
  assert.is(crc32c(Buffer.alloc(32)), 0x8a9136aa);
  assert.is(crc32c(Buffer.alloc(32, 0xff)), 0x62a8ab43);
});

wire.run();
