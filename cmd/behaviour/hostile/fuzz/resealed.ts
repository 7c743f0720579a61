import { digestOf } from "../../../../core/values/digest.ts";
import { isObject, type Json, parseJson, printJson } from "../../../../core/values/json.ts";
import { findingsOf } from "../../../../core/verification/evidence/evidence.ts";

/**
 * Recomputes the digests of an edited resolved plan or evidence, as an attacker can: otherwise the first digest refuses
 * the document, and nothing after it is reached.
 *
 * @returns the unchanged text if it cannot be read, or the digested part is missing
 */
export function resealed(text: string): string {
  try {
    const json = parseJson(text);
    if (!isObject(json)) return text;
    const { digest: _, ...body } = decided(json);
    return `${printJson({ ...body, digest: digestOf(body) })}\n`;
  } catch {
    return text;
  }
}

type Members = { readonly [name: string]: Json };

/** Computes the digests that the one over everything includes. */
function decided(json: Members): Members {
  const { plans, findings, tables } = json;
  if (Array.isArray(plans)) {
    const again = plans.map((plan) =>
      isObject(plan) && isObject(plan["decided"]) ? { ...plan, decision: digestOf(plan["decided"]) } : plan,
    );
    const decisions = again.map((plan) => (isObject(plan) ? (plan["decision"] ?? null) : null));
    return { ...json, plans: again, decision: decisions.length === 1 ? (decisions[0] ?? null) : digestOf(decisions) };
  }
  if (findings === undefined || tables === undefined) return json;
  return { ...json, findings: findingsOf(json as unknown as Parameters<typeof findingsOf>[0]) };
}
