import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal, UsageError } from "../errors.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import { facts, intent, toScn } from "../kinds/offset-change/testing/build-facts.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, type JsonObject, parseJson, printJson } from "../values/json.ts";
import { decisionOf, looksResolved, parseResolvedPlan, printResolvedPlan, resolvedPlan } from "./resolved-plan.ts";
import { anyPlan } from "./testing/any-plan.ts";

const file = suite("a resolved plan");

const one = planOffsetChange(intent(), facts());
const two = planOffsetChange(toScn(2190000n), facts());
const text = printResolvedPlan(resolvedPlan([one], "0.1.0"));

function refuses(content: string): void {
  assert.throws(
    () => parseResolvedPlan(content, "orders.plan.json"),
    (error: unknown) => error instanceof UsageError || error instanceof Refusal,
  );
}

/** A file with another content and a digest that fits. */
function forged(change: JsonObject): string {
  const { digest: _digest, ...body } = { ...(parseJson(text) as JsonObject), ...change };
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

file("reads back as it was written, whatever the plan holds", () => {
  fc.assert(
    fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 3 }), (plans) => {
      const printed = printResolvedPlan(resolvedPlan(plans, "0.1.0"));
      assert.is(printResolvedPlan(parseResolvedPlan(printed, "x")), printed);
      assert.ok(looksResolved(printed));
    }),
    { numRuns: 30 },
  );
});

file("survives line ends of another system", () => {
  assert.is(canonicalJson(parseResolvedPlan(text.replaceAll("\n", "\r\n"), "x").plans), canonicalJson([one]));
});

file("any one character changed, removed or added is refused", () => {
  const place = fc.nat(text.length - 1);
  const other = fc.constantFrom("0", "1", "a", " ", '"', "}", "\n");
  fc.assert(
    fc.property(place, other, fc.nat(2), (at, character, how) => {
      const edited = text.slice(0, at) + (how === 0 ? "" : character) + text.slice(how === 2 ? at : at + 1);
      if (edited !== text) refuses(edited);
    }),
    { numRuns: 150 },
  );
});

file("cut off anywhere is refused as such", () => {
  for (const share of [0, 0.1, 0.5, 0.9, 0.999])
    assert.throws(
      () => parseResolvedPlan(text.slice(0, Math.floor(text.length * share)), "orders.plan.json"),
      (error: unknown) => error instanceof UsageError && error.message.startsWith("the file is cut off"),
    );
});

file("an edit of a value is a refusal, not a slip of the pen", () => {
  assert.throws(
    () => parseResolvedPlan(text.replaceAll("2169287", "2169288"), "x"),
    (error: unknown) => error instanceof Refusal && error.code === "APL802",
  );
});

file("of a later format names the cdcctl that wrote it", () => {
  assert.throws(
    () => parseResolvedPlan(forged({ formatVersion: 2n, cdcctl: "9.9.9" }), "x"),
    (error: unknown) =>
      error instanceof UsageError && /version 2/.test(error.message) && /9\.9\.9/.test(error.problems[0]?.remedy ?? ""),
  );
});

const others: readonly (readonly [string, string])[] = [
  ["no plan in it", forged({ plans: [] })],
  ["a plan that is none", forged({ plans: [null] })],
  ["a plan without its intent", forged({ plans: [{}] })],
  ["another kind", forged({ kind: "Facts" })],
  ["another apiVersion", forged({ apiVersion: "cdcctl/v2" })],
  ["a list", "[]\n"],
  ["YAML", "kind: Plan\n"],
];
for (const [name, content] of others) file(`is refused: ${name}`, () => refuses(content));

file("a decision that does not fit what was decided is refused, though the file's digest fits", () => {
  const plan = { ...(parseJson(printJson(one)) as JsonObject), decision: two.decision };
  refuses(forged({ plans: [plan], decision: two.decision }));
});

file("the decision over one plan is its own; over several it tells their order", () => {
  assert.is(decisionOf([one]), one.decision);
  assert.is.not(decisionOf([one, two]), decisionOf([two, one]));
  assert.is.not(decisionOf([one, one]), decisionOf([one]));
});

file("a plan file in YAML is not taken for one", () => {
  for (const content of ["kind: Plan", 'apiVersion: cdcctl/v1\nkind: "Plan"', '{"kind":"OffsetChange"}', ""])
    assert.not(looksResolved(content));
});

file.run();
