import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal, UsageError } from "../errors.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import { facts, intent, toScn } from "../kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, isObject, type Json, type JsonObject, parseJson, printJson } from "../values/json.ts";
import { lineOf } from "../values/remedy.ts";
import type { Plan } from "./plan.ts";
import { decisionOf, parseResolvedPlan, printResolvedPlan, resolvedPlan, seemsResolved } from "./resolved-plan.ts";
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

/** A file with different content and a digest that fits. */
function forged(change: JsonObject): string {
  const { digest: _digest, ...body } = { ...(parseJson(text) as JsonObject), ...change };
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

file("is read back as it was written, whatever the plan contains", async () => {
  await fc.assert(
    fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 3 }), (plans) => {
      const printed = printResolvedPlan(resolvedPlan(plans, "0.1.0"));
      assert.is(printResolvedPlan(parseResolvedPlan(printed, "x")), printed);
      assert.ok(seemsResolved(printed));
    }),
    { numRuns: 30 },
  );
});

const MISSING = { known: true, value: "missing", source: "cdc.signals", at: "2026-11-21T09:14:02Z" } as const;

const SNAPSHOTS: readonly (readonly [string, Plan])[] = [
  ["a signals topic is created", planResnapshot(resnapshot.intent(), resnapshot.facts({ signalsTopic: MISSING }))],
  ["an earlier snapshot is waited for", snapshotWith({ waitForSnapshot: 60_000n })],
  ["the running snapshot is stopped", snapshotWith({ stopRunningSnapshot: true })],
  ["its completion is waited for", snapshotWith({ waitForCompletion: 60_000n })],
];

function snapshotWith(parts: Parameters<typeof resnapshot.intent>[0]): Plan {
  return planResnapshot(resnapshot.intent(parts), resnapshot.facts());
}

for (const [what, plan] of SNAPSHOTS)
  file(`of a resnapshot is read back where ${what}`, () => {
    const printed = printResolvedPlan(resolvedPlan([plan], "0.1.0"));
    assert.is(printResolvedPlan(parseResolvedPlan(printed, "x")), printed);
  });

file("survives converted line ends", () => {
  assert.is(canonicalJson(parseResolvedPlan(text.replaceAll("\n", "\r\n"), "x").plans), canonicalJson([one]));
});

file("any one character changed, removed or added is refused", async () => {
  const place = fc.nat(text.length - 1);
  const other = fc.constantFrom("0", "1", "a", " ", '"', "}", "\n");
  await fc.assert(
    fc.property(place, other, fc.nat(2), (at, character, how) => {
      const edited = text.slice(0, at) + (how === 0 ? "" : character) + text.slice(how === 2 ? at : at + 1);
      if (edited !== text) refuses(edited);
    }),
    { numRuns: 150 },
  );
});

file("truncated anywhere is refused as such", () => {
  for (const share of [0, 0.1, 0.5, 0.9, 0.999])
    assert.throws(
      () => parseResolvedPlan(text.slice(0, Math.floor(text.length * share)), "orders.plan.json"),
      (error: unknown) =>
        error instanceof UsageError && error.message.startsWith("orders.plan.json: the file is truncated"),
    );
});

file("an edited value is a refusal, not a syntax error", () => {
  assert.throws(
    () => parseResolvedPlan(text.replaceAll("2169287", "2169288"), "x"),
    (error: unknown) => error instanceof Refusal && error.code === "APL802",
  );
});

file("of a later format names the cdcctl that wrote it", () => {
  assert.throws(
    () => parseResolvedPlan(forged({ formatVersion: 3n, cdcctl: "9.9.9" }), "x"),
    (error: unknown) =>
      error instanceof UsageError &&
      /version 3/.test(error.message) &&
      /9\.9\.9/.test(lineOf(error.problems[0]?.remedy ?? "")),
  );
});

const others: readonly (readonly [string, string])[] = [
  ["no plan in it", forged({ plans: [] })],
  ["an invalid plan", forged({ plans: [null] })],
  ["a plan without its intent", forged({ plans: [{}] })],
  ["another kind", forged({ kind: "Facts" })],
  ["another apiVersion", forged({ apiVersion: "cdcctl/v2" })],
  ["a list", "[]\n"],
  ["YAML", "kind: Plan\n"],
];
for (const [name, content] of others) file(`is refused: ${name}`, () => refuses(content));

file("a decision that does not match its content is refused, although the file's digest is valid", () => {
  const plan = { ...(parseJson(printJson(one)) as JsonObject), decision: two.decision };
  refuses(forged({ plans: [plan], decision: two.decision }));
});

// ---- Edited by somebody who can reckon a digest ---------------------------------------------------------------------

const ALL = resnapshot.intent({ skipGapForUnlistedTables: "all", waitForAck: 300_000n });
const SIGNAL = planResnapshot(resnapshot.intent(), resnapshot.facts());
const PAST = planResnapshot(ALL, resnapshot.facts({ catalogue: resnapshot.PURGED }));

/** A plan as a file holds it, with different content and digests that fit. */
function edited(plan: Plan, change: (plan: Record<string, Json>) => void): string {
  const copy = parseJson(printJson(plan)) as Record<string, Json>;
  change(copy);
  if (isObject(copy["decided"])) copy["decision"] = digestOf(copy["decided"]);
  return forged({ plans: [copy], decision: copy["decision"] ?? "" });
}

/** Sets, or with undefined removes, what stands at a path: `intent.origin.by`. */
function withValue(plan: Plan, path: string, value: Json | undefined): string {
  return edited(plan, (copy) => {
    const members = path.split(".");
    const last = members.pop() ?? "";
    const at = members.reduce((one, member) => one[member] as Record<string, Json>, copy);
    if (value === undefined) delete at[last];
    else at[last] = value;
  });
}

for (const [name, plan] of [
  ["a signal alone", SIGNAL],
  ["a resnapshot past a gap", PAST],
] as const) {
  file(`of ${name} is read back as it was written`, () => {
    const printed = printResolvedPlan(resolvedPlan([plan], "0.1.0"));
    assert.is(printResolvedPlan(parseResolvedPlan(printed, "x")), printed);
    assert.is(parseResolvedPlan(printed, "x").plans[0]?.decision, plan.decision);
    parseResolvedPlan(
      edited(plan, () => undefined),
      "x",
    );
  });
}

const hostile: readonly (readonly [Plan, string, Json | undefined])[] = [
  ...[one, SIGNAL, PAST].flatMap((plan): (readonly [Plan, string, Json | undefined])[] => [
    [plan, "intent", undefined],
    [plan, "intent", "OffsetChange"],
    [plan, "intent.kind", "Migration"],
    [plan, "intent.kind", "constructor"],
    [plan, "intent.origin.by", "admin"],
    [plan, "intent.origin", undefined],
    [plan, "intent.target.connector", 7n],
    [plan, "intent.target.connectUrl", {}],
    [plan, "intent.metadata.reason", undefined],
    [plan, "intent.accept", "TRX501"],
    [plan, "intent.accept", [7n]],
    [plan, "intent.resume", "yes"],
    [plan, "intent.opsFormat", "avro"],
    [plan, "decided", undefined],
    [plan, "decided.kind", "Migration"],
    [plan, "decided.configuration", undefined],
    [plan, "decided.configuration", { a: 7n }],
    [plan, "world", undefined],
    [plan, "world.clusterId", undefined],
    [plan, "connectors", undefined],
    [plan, "connectors", [{ name: 7n }]],
    [plan, "move", { to: 2169287n }],
    [plan, "outcome", { state: "done" }],
    [plan, "steps", undefined],
    [plan, "findings", {}],
  ]),
  [one, "intent.position", { to: "scn" }],
  [one, "intent.position", { to: "scn", scn: "5" }],
  [one, "intent.position", { to: "restore", run: "a" }],
  [one, "intent.forgetReleased", true],
  [one, "snapshot", {}],
  [PAST, "intent.tables", "ORCLPDB1.SALES.ORDERS"],
  [PAST, "intent.tables", [7n]],
  [PAST, "intent.skipGapForUnlistedTables", true],
  [PAST, "intent.readRowScns", undefined],
  [PAST, "intent.waitForAck", "5m"],
  [PAST, "diff", undefined],
  [PAST, "diff", [{ title: "Stored offset", what: "field", rows: [null] }]],
  [PAST, "notes", [{ label: "skipped" }]],
  [PAST, "figures.targetScn", "2169287"],
  [PAST, "figures.anything", 7n],
];
for (const [plan, path, value] of hostile)
  file(
    `of ${plan.intent.metadata.name} is refused with ${path} ${value === undefined ? "removed" : printJson(value, 0)}`,
    () => {
      assert.throws(
        () => parseResolvedPlan(withValue(plan, path, value), "x"),
        (error: unknown) => error instanceof UsageError,
      );
    },
  );

file("an intent of one kind with the decision of another kind is refused", () => {
  refuses(withValue(SIGNAL, "intent", parseJson(printJson(one.intent))));
});

file("with any member replaced by anything is read or refused, never a bug", async () => {
  const strange = fc.constantFrom<Json | undefined>(undefined, null, true, 7n, "", "x", [], [null], {}, { to: 5n });
  const places = [one, PAST].flatMap((plan) =>
    paths(parseJson(printJson(plan)) as JsonObject).map((path) => [plan, path] as const),
  );
  await fc.assert(
    fc.property(fc.constantFrom(...places), strange, ([plan, path], value) => {
      try {
        parseResolvedPlan(withValue(plan, path, value), "x");
      } catch (error) {
        if (!(error instanceof UsageError || error instanceof Refusal)) throw error;
      }
    }),
    { numRuns: 300 },
  );
});

function paths(value: JsonObject, deep = 3): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) =>
    name.includes(".")
      ? []
      : [name, ...(isObject(member) && deep > 1 ? paths(member, deep - 1).map((path) => `${name}.${path}`) : [])],
  );
}

file("has the digest of the single plan; several plans have one that depends on their order", () => {
  assert.is(decisionOf([one]), one.decision);
  assert.is.not(decisionOf([one, two]), decisionOf([two, one]));
  assert.is.not(decisionOf([one, one]), decisionOf([one]));
});

file("is never a plan file in YAML", () => {
  for (const content of ["kind: Plan", 'apiVersion: cdcctl/v1\nkind: "Plan"', '{"kind":"OffsetChange"}', ""])
    assert.not(seemsResolved(content));
});

file.run();
