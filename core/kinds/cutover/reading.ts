import type { MigrationIntent } from "../../document/intent.ts";
import { connectVersion, isAtLeast } from "../../facts/connector/connect-version.ts";
import type { OtherConnector } from "../../facts/migration-facts.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import type { TakeoverReading } from "../../legacy/takeover.ts";
import type { TranslatedProperty } from "../../legacy/translation.ts";
import { type PhaseDecided, takeoverOf } from "../migration/reading.ts";
import type { CutoverFacts } from "./facts.ts";

export interface CutoverReading {
  readonly facts: CutoverFacts;
  readonly takeover: TakeoverReading;
  /** Manual properties that the plan file does not accept. */
  readonly open: readonly Extract<TranslatedProperty, { fate: "manual" }>[];
  /** Names in `accept` that are not manual properties. */
  readonly acceptedInVain: readonly string[];
  /** Settings of the new configuration that still are `********`. */
  readonly masked: readonly string[];
  /** Topics below the prefix, except the ops topic, which may be created beforehand and which a rollback keeps. */
  readonly prefixTopics: Observed<readonly string[]>;
  /** Other connectors with the prefix: its journal would be shared. */
  readonly prefixUsers: Observed<readonly OtherConnector[]>;
  /** Whether the workers can create the connector STOPPED; unknown versions count as able. */
  readonly createdStopped: boolean;
}

export function readCutover(intent: MigrationIntent, facts: CutoverFacts): CutoverReading {
  const { settings, translation, worker } = facts;
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
    createdStopped: version === undefined || isAtLeast(version, 3, 7),
  };
}

export interface CutoverDecided extends PhaseDecided<"cutover"> {
  readonly leaveOut: readonly string[];
}
