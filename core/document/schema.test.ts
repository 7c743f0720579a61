/** What stands beside a reference: this reader and any other of JSON Schema 2020-12 say the same of a document. */

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../values/json.ts";
import { fitsJson, problemsOfJson, type Schema } from "./schema.ts";

const references = suite("references in a schema");

const text = { type: "string" };
const SCHEMA: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    whole: {
      $ref: "#/$defs/middle",
      type: "object",
      unevaluatedProperties: false,
      required: ["own"],
      properties: { own: { type: "boolean" } },
    },
    open: { $ref: "#/$defs/base", type: "object", required: ["own"], properties: { own: text } },
    renamed: { $ref: "#/$defs/base", type: "object", unevaluatedProperties: false },
    seen: {
      description: "Says more of the value.",
      $ref: "#/$defs/observed",
      type: "object",
      properties: { value: { $ref: "#/$defs/word" } },
    },
  },
  $defs: {
    word: { type: "string", minLength: 1, enum: ["a", "b"] },
    base: { type: "object", required: ["name"], properties: { name: text, note: text } },
    middle: { $ref: "#/$defs/base", type: "object", required: ["count"], properties: { count: { type: "integer" } } },
    observed: {
      oneOf: [
        {
          type: "object",
          additionalProperties: false,
          required: ["known", "value"],
          properties: { known: { type: "boolean", const: true }, value: {} },
        },
        {
          type: "object",
          additionalProperties: false,
          required: ["known", "why"],
          properties: { known: { type: "boolean", const: false }, why: text },
        },
      ],
    },
  },
};

const ajv = new Ajv2020({ strict: true, strictRequired: false }).compile(SCHEMA);
const problems = (document: object) =>
  problemsOfJson(parseJson(JSON.stringify(document)), SCHEMA, "a.json").map(({ message }) => message);

references("are followed as every reader of JSON Schema follows them", () => {
  const value = fc.constantFrom("a", "c", 1, true, false, null);
  const names = ["name", "note", "count", "own", "known", "value", "why", "other"] as const;
  const members = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  const sound = fc.record(
    {
      name: fc.constant("n"),
      count: fc.constant(1),
      own: fc.constantFrom(true, "x"),
      known: fc.boolean(),
      value: fc.constant("a"),
      why: fc.constant("w"),
    },
    { requiredKeys: [] },
  );
  const verdicts = { fits: 0, not: 0 };
  fc.assert(
    fc.property(fc.constantFrom("whole", "open", "renamed", "seen"), fc.oneof(members, sound), (name, of) => {
      const document = { [name]: of };
      const fits = ajv(document);
      verdicts[fits ? "fits" : "not"]++;
      assert.is(fitsJson(parseJson(JSON.stringify(document)), SCHEMA), fits, JSON.stringify(document));
    }),
    { numRuns: 2000 },
  );
  assert.ok(verdicts.fits > 50 && verdicts.not > 50, JSON.stringify(verdicts));
});

references("give the members of what they refer to first, and no others where the schema is closed", () => {
  assert.equal(problems({ whole: { name: "a", count: 1n.toString(), own: true, extra: 1 } }), [
    'whole.count is text ("1"), where a whole number is wanted',
    'whole has no key "extra"',
  ]);
  assert.equal(problems({ whole: {} }), ["whole.name is missing", "whole.count is missing", "whole.own is missing"]);
  assert.equal(problems({ renamed: { name: "a", own: true } }), ['renamed has no key "own"']);
  assert.equal(problems({ open: { name: "a", own: "b", extra: 1 } }), []);
});

references("say more of a value only where the alternative has one", () => {
  assert.equal(problems({ seen: { known: true, value: "c" } }), ['seen.value is "c"']);
  assert.equal(problems({ seen: { known: false, why: "w" } }), []);
  assert.equal(problems({ seen: { known: false, why: "w", value: "a" } }), ['seen has no key "value"']);
});

references.run();
