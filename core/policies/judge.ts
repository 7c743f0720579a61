import { holds, type Scope } from "./expression.ts";
import type { Verdict } from "./finding.ts";
import type { Rule } from "./policy.ts";

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
