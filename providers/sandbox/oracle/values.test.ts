import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeDate, encodeDate, encodeDaysToSeconds, encodeYearsToMonths } from "./datetime.ts";
import { decodeNumber, encodeNumber } from "./number.ts";
import { bindNames, blankLiterals } from "./sql-text.ts";
import { BadWire, NeedMore, Reader, Writer } from "./wire.ts";

const values = suite("values on the wire");

values("a NUMBER of up to 38 digits is read back unchanged", async () => {
  const digits = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
  await fc.assert(
    fc.property(digits, (number) => {
      assert.is(decodeNumber(encodeNumber(number)), String(number));
    }),
  );
  const places = fc.integer({ min: 1, max: 20 });
  await fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), places, (number, scale) => {
      const text = `${String(number)
        .padStart(scale + 1, "0")
        .slice(0, -scale)}.${String(number)
        .padStart(scale + 1, "0")
        .slice(-scale)}`;
      assert.is(decodeNumber(encodeNumber(text)), text.replace(/\.?0+$/, ""));
    }),
  );
});

values("a NUMBER has the bytes that Oracle documents", () => {
  assert.equal([...encodeNumber(0)], [0x80]);
  assert.equal([...encodeNumber(123)], [0xc2, 2, 24]);
  assert.equal([...encodeNumber("-123")], [0x3d, 100, 78, 102]);
  assert.equal([...encodeNumber("0.01")], [0xc0, 2]);
  assert.throws(() => encodeNumber("1e126"), RangeError);
  assert.throws(() => encodeNumber("one"), TypeError);
});

values("a date keeps its seconds, a timestamp its milliseconds", async () => {
  const moments = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  await fc.assert(
    fc.property(moments, (moment) => {
      assert.is(decodeDate(Buffer.from(encodeDate(moment, "TIMESTAMP"))).getTime(), moment.getTime());
      const seconds = Math.floor(moment.getTime() / 1000) * 1000;
      assert.is(decodeDate(Buffer.from(encodeDate(moment, "DATE"))).getTime(), seconds);
    }),
  );
  assert.equal(
    [...encodeDate("2024-01-02 03:04:05+02:00", "TIMESTAMP_TZ")],
    [120, 124, 1, 2, 2, 5, 6, 0, 0, 0, 0, 22, 60],
  );
});

values("intervals are counted from the middle of an unsigned integer", () => {
  assert.is(encodeYearsToMonths("-1-2").toString("hex"), "7fffffff3a");
  assert.is(encodeDaysToSeconds("3 04:05:06.5").toString("hex"), "800000034041429dcd6500");
});

values("integers and texts of any length are read back, and half of one requires more", async () => {
  await fc.assert(
    fc.property(fc.integer(), fc.string({ maxLength: 600 }), (number, text) => {
      const bytes = new Writer(1).ub(number).text(text).done();
      const reader = new Reader(bytes);
      assert.is(reader.ub(), number);
      assert.is((reader.lenBytes() ?? "").toString(), text);
      assert.is(reader.left, 0);
      assert.throws(
        () => {
          const half = new Reader(bytes.subarray(0, -1));
          half.ub();
          half.lenBytes();
        },
        (error: unknown) => error instanceof NeedMore,
      );
    }),
  );
  assert.throws(
    () => new Reader(Buffer.from([0x81, 5])).count(10),
    (error: unknown) => error instanceof BadWire,
  );
  assert.throws(
    () => new Reader(Buffer.from([9, 1])).ub(),
    (error: unknown) => error instanceof BadWire,
  );
});

values("placeholders are found only outside literals and comments", () => {
  const sql = `SELECT ':a', ":b", :c /* :d */, :c -- :e\n, x::y, :1 FROM T`;
  assert.equal(bindNames(sql), ["C", "C", "1"]);
  assert.equal(bindNames("BEGIN :x := :y; :x := 'it''s :z'; END;"), ["X", "Y"]);
  assert.is(blankLiterals("a 'unended").trim(), "a");
});

values.run();
