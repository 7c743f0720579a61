import type { AnyCheck, Grade, Item } from "../checks/check.ts";
import { transactionsTooLong, workerWithoutExactlyOnce } from "../checks/connector.ts";
import { noFixedStatistics } from "../checks/database.ts";
import { eventsCompacted, internalTopicMissing, journalNotKept } from "../checks/internal-topics.ts";
import { frequentSwitches, noDictionary, retentionTooShort, undoTooShort } from "../checks/redo-kept.ts";
import { addedTables } from "../checks/tables.ts";
import type { PreflightReading } from "../facts/preflight.ts";
import { CHECKS } from "../kinds/checks.ts";
import type { Advice } from "../values/remedy.ts";
import type { Rules } from "./inspect.ts";

/**
 * - `blocking`: the connector would not start, or lose changes.
 * - `warning`: it would work, and deliver less than it could.
 * - `unknown`: it could not be determined, which is no better than blocking.
 */
export type Level = "blocking" | "warning" | "unknown" | "fine";

export const LEVELS: readonly Level[] = ["blocking", "unknown", "warning", "fine"];

export interface PreflightFinding {
  readonly code: string;
  readonly title: string;
  readonly level: Level;
  readonly seen: string;
  /** None where it is fine. */
  readonly remedies: readonly Advice[];
  readonly items: readonly Item[];
}

const LEVEL_OF: { readonly [G in Grade]: Level } = {
  refusal: "blocking",
  // No plan file can accept it.
  acceptable: "blocking",
  advisory: "warning",
};

/** Checks that need facts which `--rules fast` does not read. */
const SLOW: ReadonlySet<AnyCheck> = new Set([
  retentionTooShort,
  frequentSwitches,
  noDictionary,
  undoTooShort,
  noFixedStatistics,
  journalNotKept,
  internalTopicMissing,
  eventsCompacted,
  transactionsTooLong,
  workerWithoutExactlyOnce,
  addedTables,
]);

/**
 * Runs the checks, in their order; `fast` rules leave out those that are slow to query.
 *
 * @param asked whether a worker is named; otherwise the check that compares with what is deployed is left out
 */
export function preflight(reading: PreflightReading, rules: Rules = "all", asked = true): readonly PreflightFinding[] {
  const named = asked ? CHECKS.Preflight : CHECKS.Preflight.filter((check) => check !== addedTables);
  const checks = rules === "all" ? named : named.filter((check) => !SLOW.has(check));
  return checks.map(({ code, title, grade, remedy, run }) => {
    const verdict = run(undefined, reading);
    if (verdict.verdict === "pass")
      return { code, title, level: "fine", seen: verdict.seen ?? "ok", remedies: [], items: [] };
    return {
      code,
      title,
      level: verdict.verdict === "unknown" ? "unknown" : LEVEL_OF[verdict.grade ?? grade],
      seen: verdict.seen,
      remedies: verdict.remedies ?? [remedy],
      items: verdict.items ?? [],
    };
  });
}

export function countLevels(findings: readonly PreflightFinding[]): { readonly [L in Level]: number } {
  const count = (level: Level): number => findings.filter((one) => one.level === level).length;
  return { blocking: count("blocking"), unknown: count("unknown"), warning: count("warning"), fine: count("fine") };
}

/** Whether the connector may be started: nothing blocks and nothing is unknown. @param strict warnings count too */
export function isReady(findings: readonly PreflightFinding[], strict: boolean): boolean {
  return findings.every(({ level }) => level === "fine" || (level === "warning" && !strict));
}
