import type { CutoverFacts } from "../../../schemas/generated/facts.ts";
import type { CutoverReading } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { connectVersion, isAtLeast } from "../../facts/connector/connector.ts";
import { mapObserved } from "../../facts/observed.ts";
import { type CapturedSet, capturedIn, type Selection } from "../../facts/tables/tables.ts";
import { topicNames, topicNaming } from "../../facts/tables/topic-names.ts";
import { legacyOf } from "../../legacy/legacy-kind.ts";
import { notCaptured } from "../../legacy/target-config.ts";
import { deliveredBy, takeoverOf } from "../migration/reading.ts";
import { topicsOfTables } from "./debezium/kept-topics.ts";

export function readCutover(intent: MigrationIntent, facts: CutoverFacts): CutoverReading {
  const { settings, translation, worker, legacy } = facts;
  const tables = { ...settings.tables, stated: intent.capturedTables };
  const old = legacyOf(intent, legacy);
  const isLegacy = old.topics.mayWriteTo(old);
  const isKept = (topic: string) => intent.to.topics === "keep" && isLegacy(topic);
  const captured = capturedOf(tables, facts);
  const manual = translation.properties.filter((property) => property.fate === "manual");
  const version = connectVersion(worker.version);
  return {
    facts,
    legacy: old,
    tableTopics: topicsOfTables(old, captured, topicNames(topicNaming(settings, facts.database))),
    takeover: takeoverOf(intent.from, facts),
    open: manual.filter(({ name }) => !intent.accept.includes(name)),
    acceptedInVain: intent.accept.filter(
      (name) => !/^[A-Z]{3}\d{3}$/.test(name) && !manual.some((property) => property.name === name),
    ),
    masked: facts.lacking,
    prefixTopics: mapObserved(facts.topics, (names) =>
      names
        .filter((name) => name.startsWith(`${settings.prefix}.`) && name !== settings.opsTopic && !isKept(name))
        .sort(),
    ),
    prefixUsers: mapObserved(facts.others, (others) =>
      others.filter(({ prefix }) => prefix?.trim() === settings.prefix),
    ),
    captured,
    notCaptured: notCaptured(deliveredBy(old, intent, facts), tables),
    createdStopped: version === undefined || isAtLeast(version, 3, 7),
  };
}

function capturedOf(tables: Selection, { dictionary }: CutoverFacts): CapturedSet {
  if (dictionary !== undefined) return capturedIn(tables, dictionary);
  const why = "an earlier version of cdcctl recorded these facts";
  return { known: false, why, remedies: ["Record them again."] };
}
