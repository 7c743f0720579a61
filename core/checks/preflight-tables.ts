import type { Observed } from "../facts/observed.ts";
import type { PreflightReading } from "../facts/preflight-reading.ts";
import type { CapturedTable } from "../facts/tables/captured-tables.ts";
import { fine, type Item, unknown, type Verdict } from "./check.ts";

/**
 * Runs a rule over every captured table. Unknown where the tables are, or a fact about them: the first that can't be
 * seen is said.
 *
 * @param facts what the rule reads, each of which has to have been seen
 * @param rule gives what is found, of tables that there are
 */
export function overTables<F extends Readonly<Record<string, Observed<unknown>>>>(
  { captured }: PreflightReading,
  facts: F,
  rule: (tables: readonly CapturedTable[], known: Known<F>) => Verdict,
): Verdict {
  if (!captured.known) return unknown(captured.why, captured.remedies[0]);
  for (const fact of Object.values(facts)) if (!fact.known) return unknown(fact.why, fact.remedy);
  if (captured.tables.length === 0) return fine("no table is captured");
  const known = Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (fact.known ? [[name, fact.value]] : [])),
  );
  return rule(captured.tables, known as Known<F>);
}

type Known<F> = { readonly [N in keyof F]: F[N] extends Observed<infer T> ? T : never };

/** `3 of 41 captured tables`. */
export function ofCaptured(found: readonly Item[], tables: readonly CapturedTable[]): string {
  return `${found.length} of ${tables.length} captured ${tables.length === 1 ? "table" : "tables"}`;
}

/** `all 41 captured tables`, `the captured table`. */
export function allCaptured({ length }: readonly CapturedTable[]): string {
  return length === 1 ? "the captured table" : `all ${length} captured tables`;
}
