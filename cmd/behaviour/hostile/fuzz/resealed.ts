import { digestOf } from "../../../../core/values/digest.ts";
import { isObject, type Json, parseJson, printJson } from "../../../../core/values/json.ts";
import { findingsOf } from "../../../../core/verification/evidence/evidence.ts";

/**
 * Computes the digests of an edited resolved plan or evidence again, as whoever edits one can: otherwise the first
 * digest refuses the document, and nothing behind it is reached.
 *
 * @returns the text as it is where it can't be read, or what a digest is over is not there
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

/** With the digests that the one over everything includes. */
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
