import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known } from "../../core/kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../../core/kinds/resnapshot/plan.ts";
import { FAILED, facts, intent, PURGED, table } from "../../core/kinds/resnapshot/testing/build-facts.ts";
import { resolvedPlan } from "../../core/plan/resolved-plan.ts";
import { anyPlan } from "../../core/plan/testing/any-plan.ts";
import { offsetPlan } from "../../core/plan/testing/build-plan.ts";
import { backward, EXAMPLES, forwardBlocked, nothingToDo } from "../../core/plan/testing/example-plans.ts";
import { pastGap } from "../../core/plan/testing/example-snapshots.ts";
import { isObject, parseJson, printJson } from "../../core/values/json.ts";
import { MAX_SCN } from "../../core/values/scn.ts";
import schema from "../../schemas/plan.schema.json" with { type: "json" };
import { planDocument } from "./plan.ts";
import { renderPlansMarkdown, renderPlanText } from "./testing/plan-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const json = suite("plans as JSON");

const fits = schemaTester("plan.schema.json");

json("every example matches the published schema, as a report and as a resolved plan", () => {
  for (const plan of Object.values(EXAMPLES)) {
    fits(printJson(planDocument([plan], ["cdcctl apply x"])));
    fits(printJson(resolvedPlan([plan], "0.1.0")));
  }
});

json("any plans match the published schema", async () => {
  await fc.assert(
    fc.property(fc.array(anyPlan, { maxLength: 3 }), (plans) => {
      fits(printJson(planDocument(plans)));
      if (plans.length > 0) fits(printJson(resolvedPlan(plans, "0.1.0")));
    }),
    { numRuns: 300 },
  );
});

json("the outcome of a resnapshot matches the published schema, whatever was observed", () => {
  const changed = { ...table("ITEMS"), lastDdl: "2026-11-20T19:11:00Z", modifications: undefined, analyzed: undefined };
  const unseen = { known: false, source: "ORA_ROWSCN", why: "ORA-01031" } as const;
  for (const parts of [
    {},
    { catalogue: PURGED },
    { catalogue: PURGED, activity: known([changed]), rowScns: known([{ ...table("ITEMS"), scn: 2_210_000n }]) },
    { catalogue: PURGED, activity: known([]), rowScns: unseen },
    { connector: { status: FAILED } },
    { connector: { status: FAILED }, catalogue: PURGED, dictionary: unseen },
    { stored: null },
  ])
    for (const wanted of [
      intent(),
      intent({ skipGapForUnlistedTables: "all", waitForAck: 1n, waitForTransactions: 1n }),
    ]) {
      const plan = planResnapshot(wanted, facts(parts));
      fits(printJson(planDocument([plan])));
      assert.not.match(renderPlanText(plan, { colour: false }), /undefined|NaN|\[object/);
      assert.not.match(renderPlansMarkdown([plan]), /undefined|NaN|\[object/);
    }
});

json("the schema refuses what is not a plan", () => {
  const document = planDocument([backward]);
  for (const wrong of [
    { ...document, kind: "Plans" },
    { ...document, extra: 1 },
    { ...document, plans: [{ ...backward, figures: { ...backward.figures, direction: "sideways" } }] },
    { ...document, plans: [{ ...backward, decision: "sha256:12" }] },
    { ...document, plans: [{ ...backward, plannedAt: "yesterday" }] },
    { ...document, plans: [{ ...pastGap, intent: { ...pastGap.intent, allowSkip: true } }] },
    { ...document, plans: [{ ...pastGap, decided: { ...pastGap.decided, kind: "OffsetChange" } }] },
    { ...document, plans: [{ ...pastGap, diff: [{ title: "Stored offset", rows: [] }] }] },
    { ...document, plans: [{ ...pastGap, steps: [{ step: "write-signal", topic: "t" }] }] },
  ])
    assert.throws(() => fits(printJson(wrong)), /must/);
});

json("an SCN beyond 2^53 is printed to its last digit", () => {
  const plan = { ...backward, figures: { ...backward.figures, targetScn: MAX_SCN } };
  const text = printJson(planDocument([plan]));
  assert.match(text, /"targetScn": 9223372036854775807,/);
  const back = parseJson(text);
  assert.ok(isObject(back));
  assert.is(printJson(back), text);
});

json("every figure of the schema is one that some plan has", () => {
  const plans = [...Object.values(EXAMPLES), offsetPlan({ forgetReleased: "all" })];
  const written = new Set(plans.flatMap(({ figures }) => Object.keys(figures)));
  assert.equal([...written].sort(), Object.keys(schema.$defs.figures.properties).sort());
});

json("the outcomes are counted", () => {
  assert.equal(planDocument([backward, forwardBlocked, nothingToDo]).summary, { ready: 1, blocked: 1, noOp: 1 });
});

json.run();
