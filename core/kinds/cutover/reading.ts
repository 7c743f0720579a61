import type { CutoverFacts } from "../../../schemas/generated/facts.ts";
import type { CutoverReading } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { connectVersion, isAtLeast } from "../../facts/connector/connect-version.ts";
import { mapObserved } from "../../facts/observed.ts";
import { capturedIn } from "../../facts/tables/tables.ts";
import { legacyOf } from "../../legacy/legacy-kind.ts";
import { notCaptured } from "../../legacy/target-config.ts";
import { deliveredBy, takeoverOf } from "../migration/reading.ts";

export function readCutover(intent: MigrationIntent, facts: CutoverFacts): CutoverReading {
  const { settings, translation, worker, legacy, dictionary } = facts;
  const { tables } = settings;
  const manual = translation.properties.filter((property) => property.fate === "manual");
  const version = connectVersion(worker.version);
  return {
    facts,
    takeover: takeoverOf(intent, facts),
    open: manual.filter(({ name }) => !intent.accept.includes(name)),
    acceptedInVain: intent.accept.filter(
      (name) => !/^[A-Z]{3}\d{3}$/.test(name) && !manual.some((property) => property.name === name),
    ),
    masked: facts.lacking,
    prefixTopics: mapObserved(facts.topics, (names) =>
      names.filter((name) => name.startsWith(`${settings.prefix}.`) && name !== settings.opsTopic).sort(),
    ),
    prefixUsers: mapObserved(facts.others, (others) =>
      others.filter(({ prefix }) => prefix?.trim() === settings.prefix),
    ),
    captured:
      dictionary === undefined
        ? { known: false, why: "an earlier version of cdcctl recorded these facts", remedies: ["Record them again."] }
        : capturedIn(tables, dictionary),
    notCaptured: notCaptured(deliveredBy(legacyOf(intent, legacy), intent, facts), tables),
    createdStopped: version === undefined || isAtLeast(version, 3, 7),
  };
}
