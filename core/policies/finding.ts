import type { Finding } from "../checks/finding.ts";
import type { Rule } from "./policy.ts";

/** What a rule says of one plan. */
export type Verdict = { readonly is: "passes" | "denies" | "warns" } | { readonly is: "failed"; readonly why: string };

/** What a rule that denies is found as. In `spec.accept` it accepts nothing by itself: a rule may ask for it. */
export const DENIED = "POL101";

/** The finding of a rule, among those of the checks. A rule is never accepted: its owner changes it. */
export function findingOf(rule: Rule, verdict: Verdict): Finding {
  const { title, message, file, lines, deny } = rule;
  const path = deny === undefined ? "warn" : "deny";
  const line = lines[path];
  const place = { path, file, ...(line === undefined ? {} : { line: BigInt(line) }) };
  const unmet = `the policy "${title}" is not met`;
  switch (verdict.is) {
    case "passes":
      return { code: deny === undefined ? "POL102" : DENIED, title, verdict: "pass", effect: "none", remedies: [] };
    case "denies":
      return { code: DENIED, title, verdict: "fail", effect: "blocks", seen: unmet, remedies: [message], at: place };
    case "warns":
      return { code: "POL102", title, verdict: "fail", effect: "warns", seen: unmet, remedies: [message], at: place };
    case "failed":
      return {
        ...{ code: "POL103", title, verdict: "unknown", effect: "blocks", at: place },
        seen: `the rule could not be evaluated: ${verdict.why}`,
        remedies: [
          "Correct the rule. `has(plan.NAME)` tests whether a plan has a member; `when` says which plans it is about.",
        ],
      };
  }
}
