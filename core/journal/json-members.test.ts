import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { jsonMembers, NotJson, shortInteger, textOf } from "./json-members.ts";
import { recordMembers } from "./read-journal.ts";

const members = suite("the members of a JSON object, found in its bytes");

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The value of each name, as JSON; undefined if unreadable. */
function found(bytes: Uint8Array, read: typeof jsonMembers = jsonMembers): Record<string, unknown> | undefined {
  try {
    return Object.fromEntries(
      [...read(bytes)].map(([name, span]) => {
        const { kind, start, end } = span;
        const quoted = kind === "text" || kind === "escaped";
        if (quoted) return [name, textOf(bytes, span)];
        return [name, JSON.parse(decoder.decode(bytes.subarray(start, end)))];
      }),
    );
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const anObject = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()).filter((one) => !("__proto__" in one));

members("are those that any JSON parser finds", async () => {
  await fc.assert(
    fc.property(anObject, fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.equal(found(encoder.encode(text)), JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

members("are refused exactly if any JSON parser refuses the object", async () => {
  let refused = 0;
  const ascii = fc.dictionary(
    fc.stringMatching(/^[ -~]{0,6}$/),
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, "a\\b", "x"),
      fc.constant({ a: [1, {}] }),
    ),
  );
  await fc.assert(
    fc.property(ascii, fc.nat(), fc.nat(2), fc.constantFrom(...'{}[]",:0-.eE+ntf \\'), (value, at, cut, put) => {
      const whole = JSON.stringify(value);
      const place = at % (whole.length + 1);
      const text = whole.slice(0, place) + put + whole.slice(place + cut);
      const expected = parsed(text);
      if (expected === undefined) refused += 1;
      assert.equal(found(encoder.encode(text)), expected, text);
    }),
    { numRuns: 5000 },
  );
  assert.ok(refused > 1000, `${refused} were refused`);
});

members("the last one of a name counts", () => {
  assert.equal(found(encoder.encode('{"a":1,"\\u0061":2}')), { a: 2 });
});

members("nesting is limited", () => {
  const deep = encoder.encode(`{"a":${"[".repeat(100_000)}`);
  assert.is(found(deep), undefined);
});

members("short integers are exact, longer ones are left as text", () => {
  const text = '{"a":-12,"b":999999999999999,"c":1000000000000000}';
  const bytes = encoder.encode(text);
  const values = [...jsonMembers(bytes).values()].map((span) => shortInteger(bytes, span));
  assert.equal(values, [-12, 999_999_999_999_999, undefined]);
});

members("of a record like the previous one are the same as when it is read separately", async () => {
  const scalar = fc.oneof(
    fc.integer(),
    fc.constantFrom(null, true, 1.5, "", "text", 'a"\\', "x".repeat(200)),
    fc.constant({ a: 1 }),
  );
  const record = fc.tuple(
    fc.constantFrom("ab", "abc", "ba"),
    fc.array(scalar, { minLength: 3, maxLength: 3 }),
    fc.boolean(),
  );
  let alike = 0;
  await fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (records) => {
      const read = recordMembers("either");
      let before: string | undefined;
      for (const [names, values, enveloped] of records) {
        const data = Object.fromEntries([...names].map((name, at) => [name, values[at]]));
        const bytes = encoder.encode(JSON.stringify(enveloped ? { schema: { names }, payload: data } : data));
        const one = read(bytes);
        const seen = found(
          bytes,
          () =>
            new Map(
              [...names].flatMap((name) => {
                const span = one.get(name);
                return span === undefined ? [] : [[name, span] as const];
              }),
            ),
        );
        assert.equal(seen, data);
        assert.is(one.get("schema"), undefined);
        if (before === `${names}${enveloped}`) alike += 1;
        before = `${names}${enveloped}`;
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(alike > 200);
});

members("a record that only begins or ends like the previous one is read separately", () => {
  const read = recordMembers("plain");
  read(encoder.encode('{"a":1,"b":"x"}'));
  for (const text of [
    '{"a":1,"b":"x"',
    '{"a":1,"b":"x"}}',
    '{"a":01,"b":"x"}',
    '{"a":1.,"b":"x"}',
    '{"a":,"b":"x"}',
    '{"a":1,"b":"x\\"}',
  ])
    assert.throws(
      () => read(encoder.encode(text)),
      (error: unknown) => error instanceof NotJson,
      text,
    );
  const other = encoder.encode('{"a":[1],"b":2.5}');
  assert.is(read(other).get("a")?.kind, "list");
});

members.run();
