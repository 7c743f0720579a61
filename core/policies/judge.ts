import type { Finding } from "../checks/finding.ts";
import { holds, type Scope } from "./expression.ts";
import type { Rule } from "./policy.ts";

/** What a rule says of one plan. */
export type Verdict = { readonly is: "passes" | "denies" | "warns" } | { readonly is: "failed"; readonly why: string };

/** Evaluates one rule. Whoever calls it bounds the time. */
export function judge({ when, deny, warn }: Rule, scope: Scope): Verdict {
  try {
    if (when !== undefined && !holds(when, scope)) return { is: "passes" };
    if (deny !== undefined && holds(deny, scope)) return { is: "denies" };
    return { is: warn !== undefined && holds(warn, scope) ? "warns" : "passes" };
  } catch (error) {
    return { is: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

/** The finding of a rule, among those of the checks. A rule is never accepted: its owner changes it. */
export function findingOf(rule: Rule, verdict: Verdict): Finding {
  const { title, message, file, lines, deny } = rule;
  const path = deny === undefined ? "warn" : "deny";
  const line = lines[path];
  const at = { path, file, ...(line === undefined ? {} : { line: BigInt(line) }) };
  const unmet = `the policy "${title}" is not met`;
  switch (verdict.is) {
    case "passes":
      return { code: deny === undefined ? "POL102" : "POL101", title, verdict: "pass", effect: "none", remedies: [] };
    case "denies":
      return { code: "POL101", title, verdict: "fail", effect: "blocks", seen: unmet, remedies: [message], at };
    case "warns":
      return { code: "POL102", title, verdict: "fail", effect: "warns", seen: unmet, remedies: [message], at };
    case "failed":
      return {
        ...{ code: "POL103", title, verdict: "unknown", effect: "blocks", at },
        seen: `the rule could not be evaluated: ${verdict.why}`,
        remedies: [
          "Correct the rule. `has(plan.NAME)` tests whether a plan has a member; `when` says which plans a rule is about.",
        ],
      };
  }
}
