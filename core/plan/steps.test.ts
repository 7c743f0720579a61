import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CallDoes, callName, readCall } from "./steps.ts";

const calls = suite("the name of a call in the journal");

const DOES: readonly CallDoes[] = [
  "stop",
  "create",
  "start",
  "delete offsets",
  "delete connector",
  "delete topic",
  "remove records",
];

calls("names the action and its object, whatever the object is called", async () => {
  const named = fc.oneof(fc.string(), fc.constantFrom("connector", "of connector x", "DELETE topic a"));
  await fc.assert(
    fc.property(fc.constantFrom(...DOES), named, (does, of) => {
      assert.equal(readCall(callName(does, of)), { does, of });
    }),
  );
});

calls("is the one in existing journals", () => {
  assert.equal(
    DOES.map((does) => callName(does, "x")),
    [
      "PUT stop x",
      "POST connector x",
      "PUT resume x",
      "DELETE offsets of x",
      "DELETE connector x",
      "DELETE topic x",
      "null records to x",
    ],
  );
  assert.is(readCall("PATCH connector x"), undefined);
});

calls.run();
