import type { CutoverFacts, ReturnFacts, Unknown } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent, MigrationPhase } from "../../document/intent.ts";
import type { CapturedSet } from "../../facts/tables/tables.ts";
import { type LegacyConnector, positionRulesOf } from "../../legacy/legacy-kind.ts";
import type { DeliveredTable, TakeoverReading, TakeoverSettings } from "../../legacy/position.ts";
import { readTakeover } from "../../legacy/takeover.ts";
import { repeated } from "../../plan/plan.ts";

/** The tables that the legacy connector has delivered, by its own rules. */
export function deliveredBy(
  legacy: LegacyConnector,
  { from: { leaveOut } }: { readonly from: Pick<MigrationIntent["from"], "leaveOut"> },
  { settings, dictionary }: Pick<CutoverFacts, "dictionary"> & { readonly settings: Pick<TakeoverSettings, "tables"> },
): readonly DeliveredTable[] {
  const seen = dictionary?.known ? dictionary.value : undefined;
  return positionRulesOf(legacy).deliveredTables(legacy, leaveOut, settings.tables.pdbs, seen);
}

/** @param from without the operator's start where the legacy connector is resumed, which is where it stopped */
export function takeoverOf(
  from: Pick<MigrationIntent["from"], "leaveOut" | "startScn">,
  facts: CutoverFacts | ReturnFacts,
): TakeoverReading {
  return readTakeover(facts, { ...from, mining: facts.settings, asked: "plan file" });
}

export function unknownNames(why: string, { settings }: Pick<ReturnFacts, "settings">): Unknown {
  return {
    known: false,
    why: `which topics are the new connector's is unknown: ${why}`,
    source: settings.configOrigin,
  };
}

export function unknownSet(
  { why, remedies }: Extract<CapturedSet, { known: false }>,
  { dictionary: { source } }: Pick<ReturnFacts, "dictionary">,
): Unknown {
  return {
    known: false,
    why: `which tables are captured is unknown: ${why}`,
    remedies,
    source,
  };
}

/** The part of the decision that follows from the intent alone. */
export function phaseByIntent<P extends MigrationPhase, M extends object>(phase: P, intent: MigrationIntent, more: M) {
  const { kind, from, to, opsFormat } = intent;
  return { kind, phase, legacy: from.connector, connector: to.name, ...repeated(intent), ...more, opsFormat };
}

/** What a cutover and its rollback leave out of the offsets or set beside them, as part of the decision. */
export function leaveOut({ from: { leaveOut: names, startScn }, to: { topics: topicChoice } }: MigrationIntent) {
  return { leaveOut: [...names].sort(), startScn, topicChoice };
}
