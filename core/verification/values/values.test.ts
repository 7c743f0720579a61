import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { writeBase64 } from "../../values/base64.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import { bytesOf, textOf } from "../testing/work.ts";
import { writeBinaryNumber } from "./binary-number.ts";
import { dateText, type FractionDigits, writeDateText, writePlainSinceEpoch, writeSinceEpoch } from "./datetime.ts";
import { writeDecimal, writePlainDecimal, writeUnscaled } from "./decimal.ts";
import { writeDayInterval, writeFloatMicros, writeMonthInterval } from "./interval.ts";
import { isUtf8, writePlainText, writeUnescaped } from "./utf8.ts";

const values = suite("canonical values");

type OfBytes = (bytes: Uint8Array, start: number, end: number, sink: ByteSink) => string | undefined;

/** What is written, or why not. Bytes before and after the value are poison: who reads them is found out. */
function written(write: OfBytes, value: string | Uint8Array, show: (bytes: Uint8Array) => string = textOf): string {
  const bytes = typeof value === "string" ? bytesOf(value) : value;
  const padded = new Uint8Array(bytes.length + 8).fill(0x39);
  padded.set(bytes, 4);
  const sink = new ByteSink(1);
  return writtenBy((into) => write(padded, 4, 4 + bytes.length, into), sink, show);
}

function writtenBy(write: (sink: ByteSink) => string | undefined, sink = new ByteSink(1), show = textOf): string {
  const problem = write(sink);
  return problem === undefined ? show(sink.view()) : `not written: ${problem}`;
}

/** The date and time that is written, as text. */
const dated = (write: OfBytes, value: string): string =>
  written(write, value, (bytes) => dateText(bytes, write === zoned));

values("a decimal has one text, whatever its spelling", () => {
  for (const [spelled, canonical] of [
    ["0", "0"],
    ["-0.00", "0"],
    [".5", "0.5"],
    ["-.50", "-0.5"],
    ["+7.", "7"],
    ["007", "7"],
    ["1200", "1200"],
    ["1.2E+3", "1200"],
    ["12e-4", "0.0012"],
    ["9007199254740993", "9007199254740993"],
    ["1E125", `1${"0".repeat(125)}`],
    ["1E-130", `0.${"0".repeat(129)}1`],
    ["0E999999999", "0"],
  ] as const)
    assert.is(written(writeDecimal, spelled), canonical, spelled);
});

values("an invalid decimal is reported, and so is one that no database holds", () => {
  for (const text of ["", "-", ".", "e5", "1e", "1e+", "1 ", "0x1", "1.2.3", "NaN", "~", "1E601", "9".repeat(401)])
    assert.match(written(writeDecimal, text), /^not written/, text);
});

/** A number as its integer digits and a power of ten, and every spelling of it. */
const decimals = fc.record({
  unscaled: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
  scale: fc.integer({ min: -20, max: 40 }),
});

/** Naive: shift the digits as text. */
function naiveDecimal(unscaled: bigint, scale: number): string {
  const magnitude = (unscaled < 0n ? -unscaled : unscaled) * (scale < 0 ? 10n ** BigInt(-scale) : 1n);
  const digits = magnitude.toString().padStart(Math.max(scale, 0) + 1, "0");
  const point = digits.length - Math.max(scale, 0);
  const fraction = digits.slice(point).replace(/0+$/, "");
  const text = digits.slice(0, point) + (fraction === "" ? "" : `.${fraction}`);
  return unscaled < 0n ? `-${text}` : text;
}

function twosComplement(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 8n) {
    bytes.unshift(Number(rest & 0xffn));
    const sign = (bytes[0] as number) >= 0x80;
    if ((rest >> 8n === 0n && !sign) || (rest >> 8n === -1n && sign)) return Uint8Array.from(bytes);
  }
}

values("plain text, an exponent and an unscaled integer with its scale give the same decimal", async () => {
  await fc.assert(
    fc.property(decimals, ({ unscaled, scale }) => {
      const expected = naiveDecimal(unscaled, scale);
      assert.is(written(writeDecimal, expected), expected);
      assert.is(written(writeDecimal, `${unscaled}E${-scale}`), expected);
      const bytes = twosComplement(unscaled);
      assert.is(
        writtenBy((sink) => writeUnscaled(bytes, bytes.length, scale, sink)),
        expected,
      );
    }),
    { numRuns: 1000 },
  );
});

values("an integer since the epoch gives the date that the platform gives", async () => {
  await fc.assert(
    fc.property(
      fc.date({
        min: new Date("0001-01-01T00:00:00Z"),
        max: new Date("9999-12-31T23:59:59.999Z"),
        noInvalidDate: true,
      }),
      fc.constantFrom<FractionDigits>(3, 6, 9),
      fc.integer({ min: 0, max: 999_999 }),
      (date, unit, more) => {
        const extra =
          unit === 3
            ? ""
            : String(more)
                .padStart(6, "0")
                .slice(0, unit - 3);
        const micros = BigInt(date.getTime()) * 10n ** BigInt(unit - 3) + BigInt(extra === "" ? 0 : extra);
        const expected = trimmed(`${date.toISOString().slice(0, -1)}${extra}`);
        const text = String(micros);
        assert.is(
          dated((bytes, start, end, sink) => writeSinceEpoch(bytes, start, end, unit, sink), text),
          expected,
        );
        assert.is(
          dated((bytes, start, end, sink) => writeDateText(bytes, start, end, false, sink), expected),
          expected,
        );
      },
    ),
    { numRuns: 1000 },
  );
});

function trimmed(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  const rest = fraction.replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}

const local: OfBytes = (bytes, start, end, sink) => writeDateText(bytes, start, end, false, sink);
const zoned: OfBytes = (bytes, start, end, sink) => writeDateText(bytes, start, end, true, sink);

values("a local date is read as Oracle prints it, with blank or T, with or without a fraction", () => {
  assert.is(dated(local, " 2026-11-20 18:30:00"), "2026-11-20T18:30:00");
  assert.is(dated(local, "2026-11-20T18:30:00.120000000"), "2026-11-20T18:30:00.12");
  for (const text of [
    "2026-11-20",
    "2026-02-29 00:00:00",
    "2026-13-01 00:00:00",
    "2026-11-20 24:00:00",
    "2026-11-20 18:30:60",
    "2026-11-20T18:30:00Z",
    "2026-11-20 18:30:00.",
    "-4712-01-01 00:00:00",
    "0000-01-01 00:00:00",
    "2026-11-20 18:30",
  ])
    assert.match(dated(local, text), /^not written/, text);
});

values("an instant is the same in any zone", () => {
  for (const text of [
    "2026-11-20T18:30:00.5Z",
    "2026-11-20T20:30:00.500000+02:00",
    "2026-11-20 13:00:00.5 -05:30",
    "2026-11-21T08:30:00.5+14:00",
  ])
    assert.is(dated(zoned, text), "2026-11-20T18:30:00.5Z", text);
  assert.is(dated(zoned, "2026-11-20T18:30Z"), "2026-11-20T18:30:00Z");
  assert.match(dated(zoned, "2026-11-20T18:30:00"), /^not written/);
  assert.match(dated(zoned, "2026-11-20T18:30:00+02:00[Europe/Paris]"), /^not written/);
  assert.match(dated(zoned, "9999-12-31T23:30:00-01:00"), /^not written/);
});

values("a float and a double are their shortest text", async () => {
  const float = (text: string) => writtenBy((sink) => writeBinaryNumber(text, 32, sink));
  const double = (text: string) => writtenBy((sink) => writeBinaryNumber(text, 64, sink));
  assert.is(float("0.10000000149011612"), "0.1");
  assert.is(float("1.0E-1"), "0.1");
  assert.is(double("1.0E-1"), "0.1");
  assert.is(double("0.10000000149011612"), "0.10000000149011612");
  assert.is(double("-0.0"), "0");
  for (const text of ["Nan", "NaN"]) assert.is(float(text), "NaN");
  for (const text of ["-Inf", "-Infinity"]) assert.is(double(text), "-Infinity");
  for (const text of ["", "x", "1 ", "0x10", "constructor", "__proto__"])
    assert.match(double(text), /^not written/, text);
  await fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) => {
      assert.is(Math.fround(Number(float(String(value)))), value === 0 ? 0 : value);
      assert.is(float(String(value)), float(value.toPrecision(12)));
    }),
  );
});

values("an interval is whole microseconds, or nothing", () => {
  const days = (text: string) => writtenBy((sink) => writeDayInterval(text, sink));
  const float = (text: string) => writtenBy((sink) => writeFloatMicros(text, sink));
  assert.is(days("+000000002 03:04:05.123456"), "183845123456");
  assert.is(days("-00 01:30:00.000000"), "-5400000000");
  assert.is(float("5.4E9"), "5400000000");
  assert.is(
    writtenBy((sink) => writeMonthInterval("+01-06", sink)),
    "47336400000000",
  );
  for (const text of ["+000000000 00:00:00.123456789", "+999999999 00:00:00", "1 day"])
    assert.match(days(text), /^not written/, text);
  for (const text of ["0.5", "1e300", "9007199254740993"]) assert.match(float(text), /^not written/, text);
});

values("base64 gives the bytes that were encoded, and is refused if it is not exact base64", async () => {
  await fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = bytesOf(btoa(String.fromCharCode(...bytes)));
      const sink = new ByteSink(1);
      assert.is(writeBase64(text, 0, text.length, sink), undefined);
      assert.equal([...sink.view()], [...bytes]);
    }),
  );
  for (const text of ["A", "AA", "AAA", "AB==A", "A===", "AB==", "AAB=", "AA-_", "AA A"])
    assert.match(written(writeBase64, text), /^not written/, text);
});

values("UTF-8 is validated as the platform validates it", async () => {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const some = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.string({ unit: "binary", maxLength: 4 }).map(bytesOf),
    fc
      .array(fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0xc1, 0x80, 0x9f, 0xa0, 0x8f, 0x90, 0xbf, 0x41), { maxLength: 5 })
      .map((list) => Uint8Array.from(list)),
  );
  await fc.assert(
    fc.property(some, (bytes) => {
      let valid = true;
      try {
        strict.decode(bytes);
      } catch {
        valid = false;
      }
      assert.is(isUtf8(bytes, 0, bytes.length), valid);
    }),
    { numRuns: 3000 },
  );
});

values("a JSON text gives what JSON.parse gives, including escapes; half a pair is not a text", async () => {
  const escaped = fc.string({ unit: "grapheme" }).map((text) => ({
    text,
    json: [...text]
      .flatMap((character) => [...Array(character.length).keys()].map((at) => character.charCodeAt(at)))
      .map((code) => `\\u${code.toString(16).padStart(4, "0")}`)
      .join(""),
  }));
  await fc.assert(
    fc.property(escaped, ({ text, json }) => {
      assert.is(written(writeUnescaped, json), text);
      assert.is(written(writeUnescaped, JSON.stringify(text).slice(1, -1)), text);
    }),
  );
  for (const json of ["\\ud800", "\\udc00", "\\ud800\\u0041", "\\x", "\\u12", "\\"])
    assert.match(written(writeUnescaped, json), /^not written/, json);
});

// ---- What is written while its end is found -------------------------------------------------------------------------

type Plainly = (bytes: Uint8Array, start: number, end: number, sink: ByteSink) => number;

/**
 * What is written of a value that begins a record's rest, and how much of the rest is left; "not plain" where it stops.
 */
function plainly(write: Plainly, rest: string): string {
  const bytes = bytesOf(rest);
  const sink = new ByteSink(1);
  const after = write(bytes, 0, bytes.length, sink);
  if (after === -1) assert.is(sink.length, 0, "nothing is left of what is not plain");
  return after === -1 ? "not plain" : `${textOf(sink.view())}|${textOf(bytes.subarray(after))}`;
}

const mixed = fc.string({ unit: fc.constantFrom(...'00123459-+.eE,}"\\ uü\n'), maxLength: 24 });
const numbers = fc.oneof(
  mixed,
  decimals.map(({ unscaled, scale }) => (scale > 0 ? `${unscaled}.${"0".repeat(scale % 5)}1` : String(unscaled))),
  fc.integer({ min: 0, max: 4_000_000_000_000 }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 65n }).map(String),
);

values("a value that is written while it is read equals the careful writer's", async () => {
  const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
  let plain = 0;
  const agrees = (write: Plainly, careful: OfBytes, text: string): void => {
    const seen = plainly(write, `${text},`);
    if (seen === "not plain") return;
    plain++;
    const number = JSON_NUMBER.exec(text)?.[0] ?? "";
    assert.is(seen, `${written(careful, number)}|${text.slice(number.length)},`, text);
  };
  await fc.assert(
    fc.property(numbers, (text) => {
      agrees(writePlainDecimal, writeDecimal, text);
      for (const unit of [3, 6] as const)
        agrees(
          (bytes, start, end, sink) => writePlainSinceEpoch(bytes, start, end, unit, sink),
          (bytes, start, end, sink) => writeSinceEpoch(bytes, start, end, unit, sink),
          text,
        );
    }),
    { numRuns: 5000 },
  );
  assert.ok(plain > 1000);
  for (const text of ["1", "-1.5", "9".repeat(400)]) assert.is(plainly(writePlainDecimal, text), "not plain", "no end");
});

values(
  "a text that is written while it is read ends at its quotation mark, and has neither escapes nor bytes that " +
    "are no UTF-8",
  async () => {
    await fc.assert(
      fc.property(fc.oneof(mixed, fc.string({ unit: "grapheme" })), (text) => {
        const json = JSON.stringify(text).slice(1);
        assert.is(plainly(writePlainText, `${json},`), json === `${text}"` ? `${text}|",` : "not plain");
      }),
    );
    assert.is(writePlainText(new Uint8Array([0xff, 0x22]), 0, 2, new ByteSink()), -1);
    assert.is(writePlainText(bytesOf("a"), 0, 1, new ByteSink()), -1);
  },
);

values("any byte anywhere in a text is read the same four bytes at a time as by itself", () => {
  for (let byte = 0; byte < 0x80; byte++)
    for (let at = 0; at < 9; at++) {
      const bytes = bytesOf('abcdefghi",');
      bytes[at] = byte;
      const sink = new ByteSink(1);
      const ends = byte < 0x20 || byte === 0x5c ? -1 : byte === 0x22 ? at : 9;
      assert.is(writePlainText(bytes, 0, bytes.length, sink), ends, `${byte} at ${at}`);
      assert.equal(sink.view(), bytes.slice(0, Math.max(0, ends)), `${byte} at ${at}`);
    }
});

values.run();
