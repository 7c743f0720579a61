// biome-ignore lint/style/noRestrictedImports: the test prints as a console does
import { format, inspect } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { canonicalJson, printJson } from "./json.ts";
import { secret } from "./secret.ts";

const sealed = suite("a secret");

const CANARY = "c4n4ry";

sealed("gives its value to the code that opens it", () => {
  assert.is(secret(CANARY).open(), CANARY);
});

const shown: readonly (readonly [string, (value: unknown) => string])[] = [
  ["String()", String],
  ["a template", (value) => `${value}`],
  ["concatenation", (value) => "".concat(value as string)],
  ["JSON.stringify", (value) => JSON.stringify({ value })],
  ["printJson", (value) => printJson({ value })],
  ["canonicalJson", (value) => canonicalJson({ value })],
  ["inspect", (value) => inspect({ value }, { depth: 9, showHidden: true, getters: true })],
  ["inspect without custom forms", (value) => inspect(value, { customInspect: false, showHidden: true })],
  ["the console's formats", (value) => format("%s %o %O %j %d", value, value, value, value, value)],
  ["spreading", (value) => JSON.stringify({ ...(value as object) })],
  ["Object.entries", (value) => JSON.stringify(Object.entries(value as object))],
  ["a clone", (value) => inspect(structuredClone(value))],
  ["an error's message and stack", (value) => new Error(`${value}`).stack ?? ""],
];
for (const [name, show] of shown)
  sealed(`is hidden by ${name}`, () => {
    assert.not.match(show(secret(CANARY)), CANARY);
  });

sealed.run();
