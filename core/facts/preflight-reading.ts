import type { PreflightFacts } from "./preflight.ts";
import { capturedIn } from "./tables/captured-tables.ts";
import type { CapturedSet } from "./tables/tables.ts";

/** What the checks of a preflight take: the facts, and which tables would be captured. */
export interface PreflightReading {
  readonly facts: PreflightFacts;
  readonly captured: CapturedSet;
}

export function readPreflight(facts: PreflightFacts): PreflightReading {
  return { facts, captured: capturedIn(facts.settings.tables, facts.dictionary) };
}
