import type { PreflightFacts } from "./preflight.ts";
import { capturedIn } from "./tables/captured-tables.ts";
import type { CapturedSet } from "./tables/tables.ts";

/** The input of a preflight's checks: the facts, and which tables would be captured. */
export interface PreflightReading {
  readonly facts: PreflightFacts;
  readonly captured: CapturedSet;
}

export function readPreflight(facts: PreflightFacts): PreflightReading {
  return { facts, captured: capturedIn(facts.settings.tables, facts.dictionary) };
}
