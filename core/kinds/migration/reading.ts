import type { MigrationIntent } from "../../document/intent.ts";
import type { CutoverFacts, ReturnFacts } from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { CapturedSet } from "../../facts/tables/tables.ts";
import { readTakeover, type TakeoverReading } from "../../legacy/takeover.ts";

/** What a cutover and its rollback go by: where the legacy connector stands. */
export interface ReadsTakeover {
  readonly facts: CutoverFacts | ReturnFacts;
  readonly takeover: TakeoverReading;
}

export function takeoverOf({ from }: MigrationIntent, facts: CutoverFacts | ReturnFacts): TakeoverReading {
  return readTakeover(facts, { leaveOut: from.leaveOut, mining: facts.settings, asked: "plan file" });
}

export function unknownNames(
  why: string,
  { settings }: Pick<ReturnFacts, "settings">,
): Extract<Observed<never>, { known: false }> {
  return {
    known: false,
    why: `which topics are the new connector's can't be told: ${why}`,
    source: settings.configOrigin,
  };
}

export function unknownSet(
  { why, remedies }: Extract<CapturedSet, { known: false }>,
  { dictionary: { source } }: Pick<ReturnFacts, "dictionary">,
): Extract<Observed<never>, { known: false }> {
  return {
    known: false,
    why: `which tables are captured can't be told: ${why}`,
    remedies,
    source,
  };
}
