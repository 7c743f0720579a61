import type { RetirementFacts } from "../../../schemas/generated/facts.ts";
import type { RetirementReading } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { mapObserved } from "../../facts/observed.ts";
import { type CapturedSet, capturedIn } from "../../facts/tables/tables.ts";
import { type LegacyConnector, legacyOf, positionRulesOf } from "../../legacy/legacy-kind.ts";
import { mayWriteTo } from "../../legacy/other-writers.ts";
import { type LegacyTopic, LICENCE_TOPIC } from "../../legacy/written-topics.ts";
import { deliveredBy, unknownNames, unknownSet } from "../migration/reading.ts";
import { legacyTopics, newTopics } from "../migration/topics.ts";

export function readRetirement(intent: MigrationIntent, facts: RetirementFacts): RetirementReading {
  const { cutover, legacy } = facts;
  const carriedOut = cutover.known ? cutover.value?.offsets : undefined;
  // The journals here may not know the latest cutover: what the legacy connector has stored since also counts.
  const offsets = [...(carriedOut ?? []), ...(legacy?.offsets ?? [])];
  const lastDelivered = positionRulesOf({ config: legacy?.config ?? {}, offsets }).lastCommit(offsets);
  return { facts, lastDelivered, ...toBeDeleted(intent, facts) };
}

/** What a retirement deletes besides the connector; needed before its consumers can be listed. */
export function toBeDeleted(
  intent: MigrationIntent,
  facts: Pick<RetirementFacts, "legacy" | "settings" | "database" | "dictionary" | "topics" | "others">,
): Omit<RetirementReading, "facts" | "lastDelivered"> {
  const { legacy, topics, settings } = facts;
  const captured = capturedIn({ ...settings.tables, stated: intent.capturedTables }, facts.dictionary);
  const old = legacy && legacyOf(intent, legacy);
  const none = {
    captured,
    delivered: old === undefined ? [] : deliveredBy(old, intent, facts),
    spared: [],
    reroutings: reroutings(settings.config),
    shared: sharedWith(facts, []),
    lobTopics: lobTopicsOf(old, captured, topics),
    withoutTopic: [],
  };
  if (legacy === undefined) return { ...none, topics: mapObserved(topics, () => []) };
  if (!captured.known) return { ...none, topics: unknownSet(captured, facts) };
  const written = newTopics(intent, facts, captured.tables);
  if (!written.known) return { ...none, topics: unknownNames(written.why, facts) };
  const isSpared = ({ topic }: LegacyTopic) => written.has(topic) || none.reroutings.length > 0;
  const found = mapObserved(topics, (there) => legacyTopics(intent, legacy, captured.tables, there));
  const all = found.known ? found.value : [];
  const listedNames = new Set(all.map(({ topic }) => topic));
  const held = new Set(all.map(({ table }) => table));
  const shared = sharedWith(facts, all);
  const ofOthers = new Set(shared.known ? shared.value.flatMap((one) => one.topics) : []);
  return {
    ...none,
    shared,
    lobTopics: none.lobTopics && mapObserved(none.lobTopics, (names) => names.filter((name) => !listedNames.has(name))),
    topics: mapObserved(found, () => all.filter((one) => !isSpared(one) && !ofOthers.has(one.topic))),
    spared: all.filter(isSpared),
    withoutTopic: found.known ? captured.tables.filter((table) => !held.has(table)) : [],
  };
}

/** The licence topic holds no records of changes; MIG408 refuses a shared one. */
function sharedWith(
  { others }: Pick<RetirementFacts, "others">,
  all: readonly LegacyTopic[],
): RetirementReading["shared"] {
  const names = all.filter(({ what }) => what !== LICENCE_TOPIC).map(({ topic }) => topic);
  return mapObserved(others, (known) =>
    known.flatMap((other) => {
      const topics = names.filter(mayWriteTo(other));
      const through = other.reroutings ?? other.writes?.reroutings ?? [];
      return topics.length === 0 ? [] : [{ connector: other.name, topics, through }];
    }),
  );
}

function lobTopicsOf(
  legacy: LegacyConnector | undefined,
  captured: CapturedSet,
  topics: RetirementFacts["topics"],
): RetirementReading["lobTopics"] {
  const found = (there: readonly string[]) =>
    legacy?.topics.lobTopics?.(legacy, captured.known ? captured.tables : [], there);
  const unread = found([]);
  if (unread === undefined) return undefined;
  if (!captured.known) return { known: false, why: captured.why, source: topics.source };
  if (typeof unread === "string") return { known: false, why: unread, source: topics.source };
  return mapObserved(topics, (there) => [found(there) ?? []].flat());
}
