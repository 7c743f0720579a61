import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ValueKind } from "../../schemas/generated/verification-job.ts";
import type { OracleValue } from "../ports/oracle.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { compareRows, fieldsOf, LONGEST_INLINE, overEarlier, UNAVAILABLE } from "./canonical-row.ts";
import { VALUE_RULES, writeOracleValue } from "./canonical-values.ts";
import { work } from "./testing/work.ts";

const rows = suite("canonical rows");

function rowOf(values: readonly (readonly [ValueKind, OracleValue] | "unavailable")[]): Uint8Array {
  const sink = new ByteSink(1);
  for (const value of values) {
    if (value === "unavailable") sink.byte(UNAVAILABLE);
    else assert.is(writeOracleValue(VALUE_RULES[value[0]], value[1], sink, work), undefined);
  }
  return sink.copied();
}

const one = (kind: ValueKind, value: OracleValue): readonly number[] => [...rowOf([[kind, value]])];

rows("NULL equals empty text in Oracle, and an empty RAW; an empty LOB is not NULL", () => {
  for (const kind of ["text", "padded-text", "raw"] as const) assert.equal(one(kind, ""), one(kind, null));
  for (const kind of ["clob", "blob"] as const) assert.not.equal(one(kind, ""), one(kind, null));
});

rows("the padding of a CHAR is ignored, trailing blanks of a VARCHAR2 are not", () => {
  assert.equal(one("padded-text", "EU  "), one("padded-text", "EU"));
  assert.not.equal(one("padded-text", "   "), one("padded-text", null));
  assert.not.equal(one("padded-text", " EU"), one("padded-text", "EU"));
  assert.not.equal(one("text", "EU "), one("text", "EU"));
});

rows("a large value is its length and SHA-256, whether it was read whole or as a stream", () => {
  for (const length of [0, 1, 123, 124, 127, 128, LONGEST_INLINE - 1, LONGEST_INLINE, LONGEST_INLINE + 1, 70_000]) {
    const bytes = new Uint8Array(length).fill(7);
    const [field] = fieldsOf(rowOf([["blob", bytes]]));
    if (length <= LONGEST_INLINE) assert.equal(field, { is: "value", bytes });
    else {
      const large = { length, sha256: work.sha256(bytes) };
      assert.equal(field, { is: "large", ...large });
      assert.equal(rowOf([["blob", bytes]]), rowOf([["blob", large]]));
    }
  }
  const short = { length: 10, sha256: new Uint8Array(32) };
  assert.match(String(writeOracleValue(VALUE_RULES.clob, short, new ByteSink(), work)), /given whole/);
});

const cell = fc.oneof(
  fc.constant(["text", null] as const),
  fc.constantFrom("a", "b", "x".repeat(123), "x".repeat(124), "y".repeat(5000)).map((text) => ["clob", text] as const),
  fc.constant("unavailable" as const),
);
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

rows("are compared column by column; a column that keeps its earlier value takes it from there", async () => {
  await fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 6 }), (pairs) => {
      const table = rowOf(pairs.map(([value]) => (value === "unavailable" ? ["text", null] : value)));
      const topic = rowOf(pairs.map(([, value]) => value));
      const expected = pairs.flatMap(([left, right], at) =>
        right === "unavailable" || isSame(left === "unavailable" ? ["text", null] : left, right) ? [] : [at],
      );
      const seen = compareRows(table, topic);
      assert.equal(seen.different, expected);
      assert.equal(
        seen.unavailable,
        pairs.flatMap(([, right], at) => (right === "unavailable" ? [at] : [])),
      );
      const whole = new ByteSink();
      overEarlier(topic, table, whole);
      assert.equal(
        [...whole.view()],
        [
          ...rowOf(
            pairs.map(([left, right]) =>
              right !== "unavailable" ? right : left === "unavailable" ? ["text", null] : left,
            ),
          ),
        ],
      );
    }),
  );
});

rows("a damaged row is an error: cut anywhere, or with fewer columns than the other", () => {
  const row = rowOf([
    ["text", "a".repeat(200)],
    ["blob", new Uint8Array(LONGEST_INLINE + 1)],
  ]);
  const [longText] = fieldsOf(row);
  const ends = [0, rowOf([["text", longText?.is === "value" ? new TextDecoder().decode(longText.bytes) : ""]]).length];
  for (let length = 0; length < row.length; length++) {
    const cut = row.subarray(0, length);
    if (!ends.includes(length)) assert.throws(() => fieldsOf(cut), isDamage, `${length}`);
    assert.throws(() => compareRows(row, cut), isDamage, `${length}`);
    assert.throws(() => compareRows(cut, row), isDamage, `${length}`);
    assert.throws(() => overEarlier(cut, row, new ByteSink()), isDamage, `${length}`);
    assert.throws(() => overEarlier(row, cut, new ByteSink()), isDamage, `${length}`);
  }
});

const isDamage = (error: unknown): boolean =>
  error instanceof RangeError && /^a row of \d+ bytes ends/.test(error.message);

rows("a text is its UTF-8, short or long; half a surrogate pair has none", () => {
  const edges = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
  const texts = edges.map((code) => String.fromCodePoint(code));
  for (const text of [...texts, texts.join(""), texts.join("").repeat(20)]) {
    const around = `a${text}b`;
    assert.equal(fieldsOf(rowOf([["text", around]]))[0], { is: "value", bytes: new TextEncoder().encode(around) });
  }
  for (const half of ["\ud800", "\udfff", "\udc00\ud800"])
    for (const text of [`a${half}`, `${half}${"b".repeat(200)}`])
      assert.match(String(writeOracleValue(VALUE_RULES.text, text, new ByteSink(1), work)), /half a surrogate pair/);
});

rows.run();
