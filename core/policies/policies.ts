import { asWritten, type Plan } from "../plan/plan.ts";
import { type Digest, digestOf } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import type { Scope } from "./expression.ts";
import { findingOf, type Verdict } from "./finding.ts";
import type { Rule } from "./policy.ts";

/** The rules that hold at a place, and how they are evaluated there: within a time, and without any input. */
export interface Policies {
  readonly rules: readonly Rule[];
  /** @returns a verdict for each rule */
  judge(toJudge: Scope & { readonly rules: readonly Rule[] }): Promise<readonly Verdict[]>;
}

/**
 * Holds a plan against rules. Their verdicts are findings of the plan; its decision has the digest of the rules, and
 * not their verdicts, because those depend on the time.
 *
 * @param plannedAt when the plan that is applied was made
 */
export async function underPolicies<P extends Plan>(
  plan: P,
  policies: Policies | undefined,
  now: Instant,
  plannedAt: Instant = plan.plannedAt,
): Promise<P> {
  if (policies === undefined || policies.rules.length === 0) return plan;
  const { rules } = policies;
  const verdicts = await policies.judge({ rules, plan: { ...asWritten(plan), plannedAt }, now: new Date(now) });
  const own = rules.map((rule, at) => findingOf(rule, verdicts[at] ?? { is: "failed", why: "it gave no verdict" }));
  const blocks = plan.outcome.state === "ready" && own.some(({ effect }) => effect === "blocks");
  const decided = { ...plan.decided, policies: digestOfPolicies(rules) };
  return {
    ...plan,
    decided,
    decision: digestOf(decided),
    findings: [...plan.findings, ...own],
    outcome: blocks ? { state: "blocked" } : plan.outcome,
  };
}

/** What a decision holds of the rules that it was made under: what they say, not where they are written. */
export function digestOfPolicies(rules: readonly Rule[]): Digest {
  const each = rules.map(({ file: _file, lines: _lines, ...said }) => digestOf(said));
  return digestOf([...new Set(each)].toSorted());
}
