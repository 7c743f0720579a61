/** The example rules, on plans as they are made. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { asWritten, type Plan } from "../../core/plan/plan.ts";
import { cutoverPlan, offsetPlan, retirementPlan, snapshotPlan } from "../../core/plan/testing/build-plan.ts";
import { judge } from "../../core/policies/judge.ts";
import { parsePolicy } from "../../core/policies/policy.ts";

const FOLDER = fileURLToPath(new URL("../../examples/policies/", import.meta.url));
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
/** A Friday, 12 o'clock in Berlin. */
const NOON = new Date("2026-11-20T11:00:00Z");

function verdict(rule: string, plan: Plan, now = new Date(plan.plannedAt)): string {
  const name = `${rule}.yaml`;
  return judge(parsePolicy(readFileSync(join(FOLDER, name), "utf8"), name), { plan: asWritten(plan), now }).is;
}

const later = (plan: Plan, hours: number) => new Date(Date.parse(plan.plannedAt) + hours * 3_600_000);
const prod = { target: { context: "prod", connectUrl: undefined, connector: "orders-cdc" } };
const forward = offsetPlan({ ...prod, position: { to: "scn", scn: 2_210_000n }, allowSkip: true });
const backward = offsetPlan(prod);

const examples = suite("the example policies");

examples("are six, and each can be evaluated on a plan of every kind", () => {
  assert.is(NAMES.length, 6);
  for (const name of NAMES)
    for (const plan of [backward, forward, snapshotPlan(), cutoverPlan(), retirementPlan()])
      assert.is.not(verdict(name.replace(".yaml", ""), plan), "failed", `${name} on ${plan.intent.kind}`);
});

examples("moves forward in prod are made on weekdays between 9 and 16 o'clock", () => {
  const rule = (plan: Plan, now: Date) => verdict("forward-only-in-window", plan, now);
  assert.is(forward.figures.direction, "forward");
  assert.is(rule(forward, NOON), "passes");
  assert.is(rule(forward, new Date("2026-11-20T20:00:00Z")), "denies");
  assert.is(rule(forward, new Date("2026-11-21T11:00:00Z")), "denies");
  assert.is(rule(backward, new Date("2026-11-21T11:00:00Z")), "passes");
  const at = (target: object) => ({ ...forward, intent: { ...forward.intent, target } }) as Plan;
  const saturday = new Date("2026-11-21T11:00:00Z");
  assert.is(rule(at({ context: "test", connector: "orders-cdc" }), saturday), "passes");
  assert.is(rule(at({ connectUrl: "http://prod:8083", connector: "orders-cdc" }), saturday), "denies");
});

examples("a change names its ticket", () => {
  assert.is(verdict("ticket-required", backward), "passes");
  for (const ticket of [undefined, "CHG", "X-1"])
    assert.is(
      verdict("ticket-required", offsetPlan({ metadata: { name: "a", reason: "b", ticket } })),
      "denies",
      ticket,
    );
});

examples("a move back by more than 6 hours is accepted in the plan file", () => {
  const long = (accept: readonly string[]): Plan => ({
    ...offsetPlan({ accept }),
    figures: { ...backward.figures, seconds: 6n * 3600n + 1n },
  });
  assert.is(verdict("long-way-back-accepted", backward), "passes");
  assert.is(verdict("long-way-back-accepted", long([])), "denies");
  assert.is(verdict("long-way-back-accepted", long(["POL101"])), "passes");
});

examples("evidence is at most 24 hours old", () => {
  const retirement = retirementPlan();
  const { evidenceAt = "" } = retirement.figures;
  const at = Date.parse(evidenceAt);
  assert.is(verdict("evidence-is-fresh", retirement, new Date(at + 24 * 3_600_000)), "passes");
  assert.is(verdict("evidence-is-fresh", retirement, new Date(at + 24 * 3_600_000 + 1)), "denies");
});

examples("no cutover is without a fresh audit", () => {
  const cutover = cutoverPlan();
  const audited = (evidenceAt: string): Plan => ({ ...cutover, figures: { ...cutover.figures, evidenceAt } });
  assert.is(verdict("evidence-is-fresh", cutover), "denies");
  assert.is(verdict("evidence-is-fresh", audited(later(cutover, -23).toISOString())), "passes");
  assert.is(verdict("evidence-is-fresh", audited(later(cutover, -25).toISOString())), "denies");
});

examples("a plan is at most 4 hours old when it is applied", () => {
  assert.is(verdict("plan-is-recent", backward, later(backward, 4)), "passes");
  assert.is(verdict("plan-is-recent", backward, later(backward, 4.1)), "denies");
});

examples("no table loses changes in a gap", () => {
  const unlisted = snapshotPlan({ tables: ["ORCLPDB1.SALES.ORDERS"], skipGapForUnlistedTables: "all" });
  assert.is(verdict("no-unlisted-tables", snapshotPlan()), "passes");
  assert.is(verdict("no-unlisted-tables", unlisted), "denies");
});

examples.run();
