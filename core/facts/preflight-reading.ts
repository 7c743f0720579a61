import { type CapturedSet, capturedIn } from "../facts/captured-tables.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import type { TableSeen } from "../facts/tables.ts";

/** What the checks of a preflight take: the facts, and which tables would be captured. */
export interface PreflightReading {
  readonly facts: PreflightFacts;
  readonly captured: CapturedSet;
}

export function readPreflight(facts: PreflightFacts): PreflightReading {
  return { facts, captured: capturedIn(facts.settings.tables, facts.dictionary) };
}

/** A table's rows in a list of the dictionary, by its container, owner and name. */
export function byTable<T extends TableSeen>(rows: readonly T[]): (table: TableSeen) => readonly T[] {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const id = idOf(row);
    const same = found.get(id);
    if (same === undefined) found.set(id, [row]);
    else same.push(row);
  }
  return (table) => found.get(idOf(table)) ?? [];
}

/** No name of Oracle's holds a NUL. */
function idOf({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}
