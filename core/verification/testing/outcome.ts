import type { Verdict } from "../../../schemas/generated/verification-result.ts";
import { DOUBTS, FAILURES } from "../verdict.ts";

/**
 * The outcome of a table by its keys alone. With a record that could not be read, it never passes (`outcomeOfTable`).
 */
export function outcomeOf({ failures, doubts }: Verdict): "pass" | "fail" | "inconclusive" {
  if (FAILURES.some((reason) => failures[reason] > 0)) return "fail";
  return DOUBTS.some((reason) => doubts[reason] > 0) ? "inconclusive" : "pass";
}
