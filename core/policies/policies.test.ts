import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../errors.ts";
import { findingOf } from "./finding.ts";
import { judge } from "./judge.ts";
import { digestOfPolicies } from "./policies.ts";
import { parsePolicy } from "./policy.ts";

const NOW = new Date("2026-11-28T17:00:00Z");
const PLAN = {
  intent: { target: { context: "prod" }, metadata: { ticket: "CHG-1" } },
  figures: { direction: "forward", targetScn: 9007199254740993n, unlistedTables: ["SALES.ORDERS"], seconds: 5 },
};

const read = (text: string) => parsePolicy(text, "rules/one.yaml");
const rule = (deny: string, more = "") =>
  read(`title: A rule\n${more}deny: ${JSON.stringify(deny)}\nmessage: Ask first.\n`);
const verdictOn = (deny: string, more = "") => judge(rule(deny, more), { plan: PLAN, now: NOW });

function problemsIn(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UsageError)
      return error.problems.map(({ message, line, column }) => `${line}:${column} ${message}`);
    throw error;
  }
  return [];
}

const rules = suite("rules of policies");

rules("deny where their condition is true, and pass where it is not", () => {
  assert.equal(verdictOn('plan.figures.direction == "forward"'), { is: "denies" });
  assert.equal(verdictOn('plan.figures.direction == "backward"'), { is: "passes" });
});

rules("are about the plans of `when` only", () => {
  assert.equal(verdictOn("true", "when: plan.intent.target.context == 'test'\n"), { is: "passes" });
  assert.equal(verdictOn("true", "when: plan.intent.target.context == 'prod'\n"), { is: "denies" });
});

rules("warn", () => {
  const warning = read("title: A rule\nwarn: size(plan.figures.unlistedTables) > 0\nmessage: Look again.\n");
  const verdict = judge(warning, { plan: PLAN, now: NOW });
  assert.equal(verdict, { is: "warns" });
  const { code, effect, seen, at } = findingOf(warning, verdict);
  assert.equal([code, effect, seen], ["POL102", "warns", 'the policy "A rule" is not met']);
  assert.equal(at, { path: "warn", file: "rules/one.yaml", line: 2n });
});

rules("see no member that is undefined, as in the JSON of the plan", () => {
  const plan = { figures: { gapFrom: undefined, tables: ["SALES.ORDERS"] } };
  const on = (deny: string) => judge(rule(deny), { plan, now: NOW }).is;
  assert.is(on("has(plan.figures.gapFrom)"), "passes");
  assert.is(on('"gapFrom" in plan.figures'), "passes");
  assert.is(on("size(plan.figures) == 1"), "denies");
  assert.is(on('plan.figures.exists(name, name == "gapFrom")'), "passes");
});

rules("compare SCNs of full width, and counts as integers", () => {
  assert.equal(verdictOn("plan.figures.targetScn == 9007199254740993"), { is: "denies" });
  assert.equal(verdictOn("plan.figures.targetScn == 9007199254740992"), { is: "passes" });
  assert.equal(verdictOn("plan.figures.seconds + 1 == 6"), { is: "denies" });
});

rules("know the time in the zone that they name", () => {
  assert.equal(verdictOn('now.getHours("Europe/Berlin") == 18 && now.getDayOfWeek("Europe/Berlin") == 6'), {
    is: "denies",
  });
});

rules("fail, and block, where a member is not there or the result is not a condition", () => {
  assert.equal(verdictOn("plan.figures.nothing == 1"), { is: "failed", why: "No such key: nothing" });
  assert.equal(verdictOn("plan.figures.seconds"), { is: "failed", why: "it results in neither true nor false" });
  assert.is(verdictOn("plan.__proto__ == null").is, "failed");
  const broken = rule("plan.figures.nothing == 1");
  const { code, verdict, effect, seen = "" } = findingOf(broken, judge(broken, { plan: PLAN, now: NOW }));
  assert.equal([code, verdict, effect], ["POL103", "unknown", "blocks"]);
  assert.match(seen, /could not be evaluated: No such key: nothing/);
});

rules("name line and column of what is wrong with them, all at once", () => {
  assert.equal(problemsIn('title: ""\nmesage: x\ndeny: plan.a ==\n').length, 3);
  const [first = ""] = problemsIn("title: A\nmessage: M\ndeny: |\n  plan.a == 1\n  && nothing\n");
  assert.match(first, /^3:7 deny is not a condition: Unknown variable: nothing/);
  assert.match(problemsIn('title: A\nmessage: M\ndeny: "1 + 2"\n')[0] ?? "", /results in int, not in true or false/);
  assert.is(problemsIn("title: A\nmessage: M\n").length, 1);
  assert.is(problemsIn("title: A\nmessage: M\ndeny: a\nwarn: b\n").length >= 1, true);
  assert.match(problemsIn("")[0] ?? "", /holds no rule/);
  assert.match(problemsIn("title: A\n---\ntitle: B\n")[0] ?? "", /one rule/);
});

rules("reach nothing but plan and now: no file, no variable of the environment, no code", () => {
  for (const condition of [
    'read("/etc/passwd") == ""',
    'env("HOME") == ""',
    'fetch("http://127.0.0.1") == ""',
    'process.env.HOME == ""',
    'plan.constructor("return process")() == 1',
    'plan.constructor.constructor("return process")() == 1',
    'plan.toString() == ""',
    '"".constructor("x") == ""',
    "this == 1",
    "globalThis == 1",
  ]) {
    const text = `title: A\nmessage: M\ndeny: ${JSON.stringify(condition)}\n`;
    if (problemsIn(text).length === 0) assert.is(verdictOn(condition).is, "failed", condition);
  }
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"])
    assert.is(verdictOn(`plan.${name} != null`).is, "failed", name);
});

rules("are bounded in size and depth before they are evaluated", () => {
  const deep = `${"(".repeat(200)}true${")".repeat(200)}`;
  const long = Array.from({ length: 1500 }, () => "true").join("&&");
  for (const condition of [deep, long])
    assert.is.not(problemsIn(`title: A\nmessage: M\ndeny: "${condition}"\n`).length, 0, condition.slice(0, 20));
});

rules("have a digest of what they say, wherever and in whatever order it is written", () => {
  const [one, other] = [rule("true"), rule("false")];
  const moved = parsePolicy("message: Ask first.\n# a comment\ntitle: A rule\ndeny: 'true'\n", "elsewhere.yaml");
  assert.is(digestOfPolicies([one, other]), digestOfPolicies([other, moved]));
  assert.is.not(digestOfPolicies([one]), digestOfPolicies([other]));
});

rules.run();
