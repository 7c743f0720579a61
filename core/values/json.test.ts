import fc from "fast-check";
import { stringify } from "lossless-json";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf, parseDigest } from "./digest.ts";
import { UNSEEN } from "./escape.ts";
import { canonicalJson, DEEPEST_JSON, isDecimal, isObject, parseJson, printJson, writeJson } from "./json.ts";
import { processorMillis } from "./testing/processor-time.ts";

const json = suite("JSON without doubles");

const anyJson = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("1000.0", "1e400", "-0.1", "1E-7").map(parseJson),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ unit: "binary" }), fc.constant("__proto__")), tie("json"), { maxKeys: 4 }),
  ),
})).json;

json("printed JSON is read back unchanged, indented or not", async () => {
  await fc.assert(
    fc.property(anyJson, fc.constantFrom(0, 2), (value, indent) => {
      const text = printJson(value, indent);
      assert.is(printJson(parseJson(text), indent), text);
      assert.is(canonicalJson(parseJson(text)), canonicalJson(value));
    }),
  );
});

/** Invisible characters are escaped; the line ends are those between the members. */
const withEscapes = (text: string | undefined): string | undefined =>
  text?.replace(UNSEEN, (character) =>
    character === "\n"
      ? character
      : character
          .split("")
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          .join(""),
  );

json("is printed as by the library that reads it, without values that have no JSON form", async () => {
  const odd = fc.constantFrom(undefined, Symbol("none"), () => 1, new Date(0), 0.5, Number.NaN, "\ud800");
  await fc.assert(
    fc.property(anyJson, odd, fc.constantFrom(0, 2), (value, more, indent) => {
      for (const all of [value, [value, more], { more, value, none: [], nothing: {} }])
        assert.is(printJson(all, indent), withEscapes(stringify(all, undefined, indent)));
    }),
  );
  for (const none of [undefined, Symbol("none"), () => 1]) assert.throws(() => printJson(none), TypeError);
});

json("a long document is written in pieces, and only the required elements of a list are produced", () => {
  const pieces: string[] = [];
  let made = 0;
  const list = {
    *[Symbol.iterator]() {
      for (; made < 50_000; made++) yield { scn: BigInt(made), name: `row ${made}` };
    },
  };
  writeJson({ list }, (piece) => {
    if (pieces.length === 0) assert.ok(made < 5_000, "the list was not made beforehand");
    pieces.push(piece);
  });
  assert.ok(pieces.length > 20 && Math.max(...pieces.map(({ length }) => length)) < 70_000, `${pieces.length} pieces`);
  const whole = { list: Array.from({ length: 50_000 }, (_, row) => ({ scn: BigInt(row), name: `row ${row}` })) };
  assert.ok(pieces.join("") === printJson(whole));
});

json("an SCN beyond 2^53 keeps its last digit", () => {
  assert.is(parseJson("9007199254740993"), 9007199254740993n);
  assert.is(canonicalJson({ scn: 18446744073709551615n }), '{"scn":18446744073709551615}');
});

json("a number that is not a plain integer keeps its text", () => {
  for (const text of ["1000.0", "1e5", "-0.10", "1E400", "9".repeat(81)]) {
    const value = parseJson(text);
    assert.ok(isDecimal(value));
    assert.not(isObject(value));
    assert.is(printJson(value), text);
  }
});

json("canonical form: the sorting example of RFC 8785, by UTF-16 code units", () => {
  const value = parseJson(
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",' +
      '"\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
  );
  assert.equal(Object.values(JSON.parse(canonicalJson(value)) as object).length, 7);
  assert.is(
    canonicalJson(value),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

json("canonical form: the string and literal example of RFC 8785", () => {
  const text =
    '{ "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false] }';
  assert.is(
    canonicalJson(parseJson(text)),
    '{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

json("undefined members are absent; a value that has no exact form is refused", () => {
  assert.is(canonicalJson({ b: undefined, a: 1, c: [undefined] }), '{"a":1,"c":[null]}');
  for (const value of [0.5, Number.NaN, 2 ** 53, () => 1, Symbol("s")])
    assert.throws(() => canonicalJson(value), TypeError);
});

json("the order of members never changes a digest, any value does", () => {
  assert.is(digestOf({ a: 1n, b: [2n, 3n] }), digestOf({ b: [2n, 3n], a: 1n }));
  assert.is.not(digestOf({ a: 1n }), digestOf({ a: "1" }));
  assert.is(
    digestOf({}),
    "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "the SHA-256 of {}",
  );
});

json("a digest is 64 hexadecimal digits in lower case", () => {
  assert.is(parseDigest(digestOf({})), digestOf({}));
  for (const text of ["", "sha256:", `sha256:${"A".repeat(64)}`, `sha1:${"a".repeat(64)}`, `${digestOf({})} `])
    assert.is(parseDigest(text), undefined);
});

const hostile: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["NaN", "NaN"],
  ["a number with a leading zero", "01"],
  ["a key twice with different values", '{"a":1,"a":2}'],
  ["a comma too many", "[1,]"],
  ["two values", "{} {}"],
  ["a byte order mark", "\ufeff{}"],
  ["a control character in a string", '"\u0001"'],
  ["half an escape", '"\\u12"'],
  ["an unterminated string", `"${"a".repeat(1_000_000)}`],
  ["a million digits and a letter", `${"1".repeat(1_000_000)}x`],
  ["a million brackets", "[".repeat(1_000_000)],
  ["a million objects", '{"a":'.repeat(1_000_000)],
  ["a million quotation marks", '"'.repeat(1_000_000)],
];
for (const [name, text] of hostile)
  json(`refuses ${name} as a syntax error, quickly`, () => {
    const began = processorMillis();
    assert.throws(
      () => parseJson(text),
      (error: unknown) => error instanceof SyntaxError,
    );
    assert.ok(processorMillis() - began < 20_000);
  });

json("a million digits are still a number, kept as text", () => {
  assert.ok(isDecimal(parseJson("1".repeat(1_000_000))));
});

json("the deepest value that is read can be printed and digested; one deeper is refused", () => {
  const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${"}]".repeat(levels / 2)}`;
  const value = parseJson(nested(DEEPEST_JSON));
  assert.is(canonicalJson(value), nested(DEEPEST_JSON));
  assert.is(printJson(value, 0), nested(DEEPEST_JSON));
  assert.throws(() => parseJson(nested(DEEPEST_JSON + 2)), /nested more than 500 levels/);
});

json("brackets and escaped quotation marks in strings are not nesting", () => {
  const text = `"${'[{\\"'.repeat(1000)}\\\\"`;
  assert.is(printJson(parseJson(text)), text);
});

json("any text is read or refused as a syntax error, never anything else", async () => {
  const pieces = fc.array(
    fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "1", "-", "e", ".", "null", " ", "\ud800"),
  );
  await fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((all) => all.join("")),
      ),
      (text) => {
        try {
          printJson(parseJson(text));
        } catch (error) {
          assert.instance(error, SyntaxError);
        }
      },
    ),
    { numRuns: 500 },
  );
});

json("a key called __proto__ is a member like any other", () => {
  const value = parseJson('{"__proto__":{"admin":true}}');
  assert.is((value as { admin?: unknown }).admin, undefined);
  assert.is(canonicalJson(value), '{"__proto__":{"admin":true}}');
});

json.run();
