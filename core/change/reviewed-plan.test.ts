import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Intent } from "../document/intent.ts";
import { DOCUMENT_KINDS, KINDS } from "../document/kinds.ts";
import { parsePlanFile } from "../document/plan-file.ts";
import { moveOffset } from "../facts/offset/moved-offset.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { kindOf, planFor } from "../kinds/catalogue.ts";
import {
  cutoverFacts,
  retirementFacts,
  returnFacts,
  verificationFacts,
} from "../kinds/migration/testing/build-facts.ts";
import { intent as phase } from "../kinds/migration/testing/build-readings.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import { facts, intent, STORED, toScn } from "../kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import type { Plan } from "../plan/plan.ts";
import { parseResolvedPlan, printResolvedPlan, resolvedPlan } from "../plan/resolved-plan.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { canonicalJson } from "../values/json.ts";
import { reviewedPlans } from "./reviewed-plan.ts";

const reviewed = suite("a plan that was reviewed");

const moved = (() => {
  const decoded = decodeOffset(STORED);
  if (!decoded.ok) throw new Error("the stored offset of the tests can't be read");
  return moveOffset(decoded.offset, { scn: 2_150_000n, forget: "none" });
})();

/** What `rollback` asks for, while the connector has not run since. */
const restore = intent({
  position: { to: "restore", run: "2026-11-21T09-15-40Z-7f3a", offset: STORED, replacing: moved },
  by: "rollback",
  allowSkip: true,
});

const PLANS: Readonly<Record<string, Plan>> = {
  "an SCN": planOffsetChange(toScn(2_190_000n), facts()),
  "a target of its own": planOffsetChange(intent(), facts()),
  "the earliest position": planOffsetChange(intent({ position: { to: "earliestAvailable" } }), facts()),
  "ids to forget": planOffsetChange(intent({ forgetReleased: ["1:4.9.771"], accept: ["TRX501"] }), facts()),
  "an offset to restore": planOffsetChange(restore, facts({ stored: moved })),
  "a signal": planResnapshot(resnapshot.intent(), resnapshot.facts()),
  "a gap": planResnapshot(
    resnapshot.intent({ skipGapForUnlistedTables: "all", waitForAck: 300_000n, waitForTransactions: 86_400_001n }),
    resnapshot.facts({ catalogue: resnapshot.PURGED }),
  ),
  cutover: planFor(phase(), cutoverFacts()),
  verify: planFor(phase({ phase: "verify" }), verificationFacts()),
  rollback: planFor(phase({ phase: "rollback" }), returnFacts()),
  retire: planFor(phase({ phase: "retire" }), retirementFacts()),
};

for (const [name, plan] of Object.entries(PLANS)) {
  reviewed(`of ${name} is read back, and its intent contains what was decided`, () => {
    for (const [member, value] of Object.entries(kindOf(plan.intent).byIntent(plan.intent).decided))
      assert.is(
        canonicalJson(value ?? null),
        canonicalJson((plan.decided as unknown as Readonly<Record<string, unknown>>)[member] ?? null),
        member,
      );
    const [one] = reviewedPlans(
      parseResolvedPlan(printResolvedPlan(resolvedPlan([plan], "0.1.0")), "x"),
      "x",
      undefined,
    );
    assert.is(canonicalJson(one?.intent), canonicalJson(plan.intent));
    assert.is(one?.decision, plan.decision);
  });
}

reviewed("shows its settings as the decision does", () => {
  const wanted = phase();
  const { configuration } = planFor(wanted, cutoverFacts()).decided;
  const { settings: named = {} } = kindOf(wanted).byIntent(wanted);
  assert.ok(Object.keys(named).length > 0);
  const shown = redactConfiguration({ ...configuration, ...named });
  for (const name of Object.keys(named)) assert.is(configuration[name], shown[name]);
});

for (const kind of KINDS)
  reviewed(`from the template of ${kind} has the intent that its file gives`, () => {
    const { template, document } = DOCUMENT_KINDS[kind];
    const [given] = parsePlanFile(template, "x.yaml").intents;
    const { intent: read } = DOCUMENT_KINDS[kind];
    assert.ok(given !== undefined);
    const plain = JSON.parse(
      JSON.stringify((document as (of: Intent) => unknown)(given), (_name, value: unknown) =>
        typeof value === "bigint" ? `${value}n` : value,
      ),
      (_name, value: unknown) =>
        typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    ) as unknown;
    assert.is(canonicalJson(read(plain, given.origin)), canonicalJson(given));
  });

reviewed.run();
