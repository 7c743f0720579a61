import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { UsageError } from "../../../core/errors.ts";
import type { Verdict } from "../../../core/policies/finding.ts";
import type { Rule } from "../../../core/policies/policy.ts";
import { isObject, type JsonObject, jsonObjectIn } from "../../../core/values/json.ts";
import { readPolicies } from "../../../providers/policies/read-policies.ts";
import { EXIT } from "../../command.ts";
import type { Host } from "../../host.ts";
import type { Flags } from "../../options/common.ts";
import type { policyTestOptions, policyTestPositional } from "../../options/policies/policy.ts";
import {
  hasFailed,
  type PolicyTested,
  policyTestDocument,
  policyTestReport,
} from "../../views/policies/policy-test.ts";
import { readText } from "../files.ts";
import { reported, writeInForm } from "../report-forms.ts";
import { judgeInThread } from "./policies.ts";

type TestFlags = Flags<typeof policyTestOptions & typeof policyTestPositional>;

/** `RULE.EXPECTED.json` or `RULE.CASE.EXPECTED.json`, beside `RULE.yaml`. */
const RECORDED = /^(?<rule>[^.]+)\.(?:.+\.)?(?<expected>pass|deny|warn)\.json$/;
const VERDICTS = { pass: "passes", deny: "denies", warn: "warns" } as const;

const MAX_PLAN_BYTES = 64 * 1024 * 1024;

/** A recorded plan, and what a rule is to say of it. */
interface Recorded {
  readonly file: string;
  readonly rule: string;
  readonly expected: Exclude<Verdict["is"], "failed">;
}

/**
 * `policy test`: holds every rule of a folder against the plans recorded beside it. Asks no system.
 *
 * @returns 1 where a verdict is not as expected
 * @throws UsageError for a rule or a plan that can't be read, and for a plan of no rule
 */
export async function testPolicies(flags: TestFlags, host: Host): Promise<number> {
  const { dir } = flags;
  const rules = await readPolicies(dir);
  const judge = judgeInThread();
  const recorded = await recordedIn(dir);
  const tested: PolicyTested[] = [];
  for (const rule of rules) {
    const ofRule = recorded.filter((one) => one.rule === nameOf(rule));
    for (const { file, expected } of ofRule)
      for (const { plan, now } of await plansIn(join(dir, file))) {
        const [verdict = NONE] = await judge({ rules: [rule], plan, now });
        tested.push({ rule: nameOf(rule), file, expected, verdict });
      }
    if (ofRule.length === 0) tested.push({ rule: nameOf(rule) });
  }
  const names = new Set(rules.map(nameOf));
  const stray = recorded.find(({ rule }) => !names.has(rule));
  if (stray !== undefined)
    throw new UsageError({
      message: `${stray.file} is a plan for the rule ${stray.rule}, which is not there`,
      remedy: "Name it RULE.EXPECTED.json, with pass, deny or warn expected.",
      file: dir,
    });
  writeInForm(flags.format, reported(policyTestReport, policyTestDocument, dir, tested), host);
  return tested.some(hasFailed) ? EXIT.refused : EXIT.done;
}

const NONE: Verdict = { is: "failed", why: "it gave no verdict" };

function nameOf({ file }: Rule): string {
  return basename(file).replace(/\.ya?ml$/, "");
}

async function recordedIn(dir: string): Promise<readonly Recorded[]> {
  return (await readdir(dir)).toSorted().flatMap((file) => {
    const { rule, expected } = RECORDED.exec(file)?.groups ?? {};
    return rule === undefined ? [] : [{ file, rule, expected: VERDICTS[expected as keyof typeof VERDICTS] }];
  });
}

/** The plans of a file that `cdcctl plan` printed or wrote, each with the time at which it was made. */
async function plansIn(file: string): Promise<readonly { readonly plan: JsonObject; readonly now: Date }[]> {
  const document = jsonObjectIn(await readText(file, MAX_PLAN_BYTES, "outside"));
  const plans = Array.isArray(document?.["plans"]) ? document["plans"].filter(isObject) : [];
  if (plans.length === 0)
    throw new UsageError({ message: "it holds no plan", remedy: "Record one:  cdcctl plan FILE --format json", file });
  return plans.map((plan) => {
    const now = new Date(String(plan["plannedAt"]));
    if (Number.isNaN(now.getTime()))
      throw new UsageError({ message: "a plan of it has no time (plannedAt)", remedy: "Record it again.", file });
    return { plan, now };
  });
}
