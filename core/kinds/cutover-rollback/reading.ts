import type { ReturnFacts } from "../../../schemas/generated/facts.ts";
import type { ReturnReading } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { mapObserved } from "../../facts/observed.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { opsFormat, recordedChanges } from "../../facts/ops/ops-event.ts";
import { capturedIn } from "../../facts/tables/tables.ts";
import { legacyOf } from "../../legacy/legacy-kind.ts";
import { takeoverOf, unknownNames, unknownSet } from "../migration/reading.ts";
import { newTopics } from "../migration/topics.ts";

export function readReturn(intent: MigrationIntent, facts: ReturnFacts): ReturnReading {
  return {
    facts,
    takeover: takeoverOf({ leaveOut: intent.from.leaveOut }, facts),
    newTopics: newTopicsOf(intent, facts),
    changesOffset: facts.next?.offsets.some(({ offset }) => !isEmptyOffset(offset)) ?? false,
    changes: mapObserved(facts.opsHistory, ({ events }) => recordedChanges(events, intent.to.name)),
    opsFormat: opsFormat(intent.opsFormat, facts.settings),
  };
}

/** A topic that both connectors could have written to is kept: the legacy connector continues to use it. */
function newTopicsOf(intent: MigrationIntent, facts: ReturnFacts): ReturnReading["newTopics"] {
  const { legacy, settings, topics } = facts;
  if (!intent.deleteTopics) return { known: true, value: [], source: "spec.deleteTopics", at: facts.at };
  const captured = capturedIn({ ...settings.tables, stated: intent.capturedTables }, facts.dictionary);
  if (!captured.known) return unknownSet(captured, facts);
  // A topic named in the plan file may still be shared.
  const written = newTopics({ verify: undefined }, facts, captured.tables);
  if (!written.known) return unknownNames(written.why, facts);
  const [rerouting] = reroutings(legacy.config);
  if (rerouting !== undefined)
    return unknownNames(`records of ${legacy.name} go through ${rerouting.name}, which may write them there`, facts);
  const old = legacyOf(intent, legacy);
  const isLegacy = old.topics.mayWriteTo(old);
  const named = new Set(Object.values(intent.verify?.legacyTopics ?? {}));
  const isShared = (topic: string) => named.has(topic) || isLegacy(topic) || topic === settings.opsTopic;
  return mapObserved(topics, (there) => there.filter((topic) => written.has(topic) && !isShared(topic)).sort());
}
