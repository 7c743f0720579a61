import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MigrationPhase } from "../../core/document/intent.ts";
import { planFor } from "../../core/kinds/catalogue.ts";
import {
  cutoverFacts,
  retirementFacts,
  returnFacts,
  verificationFacts,
} from "../../core/kinds/migration/testing/build-facts.ts";
import { intent } from "../../core/kinds/migration/testing/build-readings.ts";
import { unseen } from "../../core/kinds/offset-change/testing/build-facts.ts";
import { table as stored } from "../../core/legacy/testing/build-legacy.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { resolvedPlan } from "../../core/plan/resolved-plan.ts";
import { anyMigrationPlan } from "../../core/plan/testing/any-plan.ts";
import { cutoverPlan, retirementPlan, verificationPlan } from "../../core/plan/testing/build-plan.ts";
import {
  cutover,
  cutoverBlocked,
  cutoverUnseen,
  enormousCutover,
  enormousRetirement,
  goingBack,
  goingBackWhole,
  LEGACY_CONFIG,
  MIGRATION_EXAMPLES,
  retirement,
  retirementBlocked,
  verification,
} from "../../core/plan/testing/example-migrations.ts";
import { printJson } from "../../core/values/json.ts";
import { planDocument, questionOf } from "./plan.ts";
import { assertGolden } from "./testing/golden.ts";
import { renderPlansMarkdown, renderPlanText } from "./testing/plan-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const plans = suite("a plan of a migration");

/** The text on one line, so that it does not matter where it is wrapped. */
const text = (plan: Plan<"Migration">) => renderPlanText(plan, { colour: false, full: true }).replaceAll(/\s+/g, " ");
const markdown = (plan: Plan<"Migration">) => renderPlansMarkdown([plan]);
const forms = (plan: Plan<"Migration">) => [
  renderPlanText(plan, { colour: false }),
  renderPlanText(plan, { colour: false, full: true }),
  markdown(plan),
  printJson(planDocument([plan])),
  printJson(resolvedPlan([plan], "0.1.0")),
];

plans("shows no secret, in any form", async () => {
  await fc.assert(
    fc.property(fc.oneof(anyMigrationPlan, fc.constantFrom(...Object.values(MIGRATION_EXAMPLES))), (plan) => {
      for (const shown of forms(plan)) assert.not.match(shown, /hunter2/);
    }),
    { numRuns: 100 },
  );
  assert.match(LEGACY_CONFIG["oracle.password"] ?? "", "hunter2");
  assert.match(markdown(cutover), /\| `cdc\.database\.password` \| (\\\*){8} \|/);
});

plans("states only what is known", async () => {
  await fc.assert(
    fc.property(anyMigrationPlan, (plan) => {
      for (const shown of forms(plan)) assert.not.match(shown, /undefined|NaN|\[object/);
    }),
    { numRuns: 200 },
  );
});

plans("on a narrow terminal in colour it matches the expected text", () => {
  const next = ["cdcctl apply orders-to-cdc.yaml"];
  assertGolden(renderPlanText(cutover, { colour: true, width: 80, next }), "plan/cutover-80-colour.txt");
  assertGolden(renderPlanText(retirement, { colour: true, width: 80, next }), "plan/retirement-80-colour.txt");
});

plans("names every property of the source with its translation, in every form", () => {
  const json = printJson(planDocument([cutover]));
  for (const name of Object.keys(LEGACY_CONFIG)) {
    assert.ok(text(cutover).includes(name), name);
    assert.ok(markdown(cutover).includes(name), name);
    assert.match(json, new RegExp(`"(?:label": "|note": "was )${name.replaceAll(".", "[.]")}["; ]`));
  }
  assert.match(text(cutover), /translation 19 properties: 1 manual, 4 changed, 5 dropped, 9 mapped/);
});

plans("names the open manual properties, and those that the plan file accepts", () => {
  assert.match(text(cutover), /key\.template \$\{primaryKeyStructOrValue\} → removed accepted; /);
  assert.match(text(cutoverBlocked), /1 manual one is open, and blocks/);
  assert.match(markdown(cutoverBlocked), /\| `key\.template` \| [^|]* \| removed \| open; /);
  assert.not.match(text(cutover), /manual one is open|ones are open/);
});

plans("says that the start moves while the legacy connector runs, and stays once that is stopped", () => {
  assert.match(text(cutover), /2169287, 2026-11-20 18:30:00Z: the lowest scn; it moves while orders-legacy runs/);
  const stopped = cutoverPlan();
  assert.match(text(stopped), /orders-legacy is stopped, so it is final/);
  assert.not.match(text(stopped), /it moves/);
});

plans("says of a start that the plan file gives that it does not move", () => {
  const given = text(cutoverPlan({ from: { startScn: 2169000n } }));
  assert.match(given, /cdc\.start\.scn 2169000[^:]*: given by the plan file, so it is final/);
  assert.not.match(given, /the lowest scn/);
});

plans("marks the stored partition that determines the start, and those that are left out", () => {
  const shown = renderPlanText(cutover, { colour: false, full: true });
  assert.match(shown, /^ {2}ORCLCDB\.ORCLPDB1 +2169287 .* the lowest$/m);
  assert.match(shown, /^ {2}ORCLPDB1\.SALES\.OLD_ORDERS +1200000 +left out, last commit 1199000$/m);
  assert.match(text(cutover), /overlap 35,211 SCNs, 32 min 8 s: commits from 2169287 to 2204498/);
});

plans("names a start outside the incarnation", () => {
  const startingAt = (scn: bigint) => text(cutoverPlan({}, { legacy: { offsets: [stored("ORDERS", scn)] } }));
  assert.match(startingAt(1n), /refused: 1 was taken in an earlier incarnation/);
  assert.match(startingAt(2241021n), /refused: 2241021 is above the current SCN/);
  assert.not.match(startingAt(2241020n), /incarnation|above the current SCN/);
});

plans("never passes an unknown", () => {
  const shown = text(cutoverUnseen);
  assert.match(shown, /cdc\.start\.scn unknown/);
  assert.match(shown, /redo whether it is complete is unknown/);
  assert.match(text(retirementBlocked), /the topics of the legacy connector are unknown/);
  assert.not.match(text(retirementBlocked), /no topic is deleted/);
});

plans(
  "shows the settings that do not come from the translation, and in Markdown all of them, without the start",
  () => {
    assert.match(text(cutover), /cdc\.database\.password \$\{file:\S+ your file for the connector/);
    assert.match(text(cutover), /cdc\.lob\.mode reselect spec\.to\.config/);
    for (const name of Object.keys(cutover.decided.configuration)) assert.match(markdown(cutover), `| \`${name}\` | `);
    for (const shown of forms(cutover)) assert.not.match(shown, /cdc\.start\.scn"?:? = /);
  },
);

plans("of a verification names each table with its topics, the check SCN and the file", () => {
  assert.match(
    text(verification),
    /ORCLPDB1\.SALES\.LINES with orders\.ORCLPDB1\.SALES\.LINES, without a legacy topic/,
  );
  assert.match(
    text(verification),
    /check SCN the SCN of 30 s before it begins; apply waits until orders-cdc has passed it/,
  );
  assert.match(text(verification), /evidence orders-to-cdc\.evidence\.json/);
});

plans("of a rollback shows what is deleted, and deletes topics on request only", () => {
  assert.match(text(goingBack), /4 topics below orders stay \(spec\.deleteTopics: true deletes those of orders-cdc\)/);
  assert.not.match(text(goingBack), /will be deleted, with everything/);
  assert.match(text(goingBackWhole), / stays 1 topic below orders stays .* stays 1 topic: orders\.cdc\.ops /);
  assert.match(text(goingBackWhole), /2 topics will be deleted, with everything in them/);
  assert.match(text(goingBackWhole), /its stored offsets first: they would outlive it/);
});

plans("are asked for by what they do; what is deleted for good, by the name of the connector", () => {
  assert.equal(questionOf([retirement]), {
    question: "Delete orders-legacy and 3 topics on prod, for good? Type orders-legacy: ",
    answer: "orders-legacy",
  });
  assert.is(questionOf([cutover]).answer, "yes");
  assert.match(
    questionOf([cutover]).question,
    /^Stop orders-legacy on prod and start orders-cdc in its place \(2 warnings\)\? Type "yes": $/,
  );
  assert.match(questionOf([cutover, retirement]).question, /^Apply 2 plans \(2 warnings\)\? Type orders-legacy: $/);
});

plans("of a retirement lists everything that is deleted, and states that it cannot be rolled back", () => {
  assert.match(text(retirement), /this cannot be rolled back/);
  assert.match(text(retirement), /orders-redo removed redo log topic/);
  assert.match(text(retirement), /the licence topic _confluent-command/);
  const many = renderPlanText(enormousRetirement(5000), { colour: false });
  assert.is(many.match(/^! ORCLPDB1\.SALES\.TABLE_\d+ +removed {2}changes of/gm)?.length, 5000);
  const table = markdown(enormousRetirement(300));
  assert.is(table.match(/\| `ORCLPDB1\.SALES\.TABLE_\d+` \|.* changes of/gm)?.length, 300);
  assert.not.match(table, /left out/);
});

plans("of a retirement and a verification report a missing new connector", () => {
  for (const plan of [retirementPlan, verificationPlan]) {
    assert.match(text(plan({}, { next: null })), / new orders-cdc does not exist /);
    assert.match(text(plan()), / new orders-cdc RUNNING, task 0 RUNNING on worker-2:8083 /);
  }
});

plans("of very many tables and properties stays readable, and counts what is left out", () => {
  const plan = enormousCutover(10_000);
  const shown = renderPlanText(plan, { colour: false, full: true });
  assert.ok(shown.length < 40_000, `${shown.length}`);
  assert.match(shown, /and 9,9\d\d more stored partitions; --format json has them all/);
  assert.match(text(plan), /10,000 manual ones are open/);
  assert.ok(markdown(plan).length <= 65_535);
  assert.match(markdown(plan), /\*\d+ more settings left out\*/);
  assert.match(markdown(plan), /more stored partitions left out/);
  assert.is(JSON.parse(printJson(planDocument([plan]))).plans[0].diff[0].rows.length, 10_004);
});

plans("of the kind itself matches the published schema, whatever was observed", () => {
  const fits = schemaTester("plan.schema.json");
  const phase = (of: MigrationPhase) => intent({ phase: of });
  for (const plan of [
    planFor(phase("cutover"), cutoverFacts()),
    planFor(phase("cutover"), cutoverFacts({ installed: unseen(), problems: unseen(), topics: unseen() })),
    planFor(phase("verify"), verificationFacts()),
    planFor(phase("verify"), verificationFacts({ dictionary: unseen(), topics: unseen() })),
    planFor(phase("rollback"), returnFacts()),
    planFor(phase("rollback"), returnFacts({ topics: unseen() })),
    planFor(phase("retire"), retirementFacts()),
    planFor(phase("retire"), retirementFacts({ topics: unseen(), evidence: unseen() })),
  ]) {
    for (const shown of forms(plan)) assert.not.match(shown, /undefined|NaN|\[object/);
    fits(printJson(planDocument([plan])));
    fits(printJson(resolvedPlan([plan], "0.1.0")));
  }
});

plans("that is not a plan does not match the published schema", () => {
  const fits = schemaTester("plan.schema.json");
  const document = planDocument([cutover]);
  fits(printJson(document));
  for (const wrong of [
    { ...cutover, decided: { ...cutover.decided, phase: "verification" } },
    { ...cutover, figures: { ...cutover.figures, targetScn: "1" } },
    { ...cutover, steps: [{ step: "create-connector", connector: "orders-cdc" }] },
    { ...cutover, decided: { ...cutover.decided, kind: "OffsetChange" } },
    { ...cutover, connectors: [{ ...cutover.connectors[0], role: "old" }] },
  ])
    assert.throws(() => fits(printJson({ ...document, plans: [wrong] })), /must/);
});

plans.run();
