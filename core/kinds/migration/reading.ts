import type { MigrationIntent, OpsFormat } from "../../document/intent.ts";
import { type CapturedSet, capturedTables } from "../../facts/captured-tables.ts";
import { connectVersion, isAtLeast } from "../../facts/connect-version.ts";
import type {
  CutoverFacts,
  OtherConnector,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
} from "../../facts/migration-facts.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { opsFormat, type RecordedChange, recordedChanges } from "../../facts/ops-event.ts";
import { readTakeover, type TakeoverReading } from "../../legacy/takeover.ts";
import type { TranslatedProperty } from "../../legacy/translation.ts";
import { type LegacyTopic, legacyTopics } from "./legacy-topics.ts";
import { type TableToVerify, verifiedTables } from "./verified-tables.ts";

/** What the facts of a phase mean: what its checks go by. */
export type MigrationReading = CutoverReading | VerificationReading | ReturnReading | RetirementReading;

export interface CutoverReading {
  readonly facts: CutoverFacts;
  readonly takeover: TakeoverReading;
  /** Manual properties that the plan file does not accept. */
  readonly open: readonly Extract<TranslatedProperty, { fate: "manual" }>[];
  /** Names that `accept` holds and that are no manual property. */
  readonly acceptedInVain: readonly string[];
  /** Settings of the new configuration that still are `********`. */
  readonly masked: readonly string[];
  /** Topics below the prefix. */
  readonly prefixTopics: Observed<readonly string[]>;
  /** Other connectors with the prefix: its journal would be shared. */
  readonly prefixUsers: Observed<readonly OtherConnector[]>;
  /** Whether the workers can create the connector STOPPED; unknown versions are taken to be able. */
  readonly createdStopped: boolean;
}

export interface ReturnReading {
  readonly facts: ReturnFacts;
  readonly takeover: TakeoverReading;
  readonly prefixTopics: Observed<readonly string[]>;
  readonly changes: Observed<readonly RecordedChange[]>;
  readonly opsFormat: OpsFormat | undefined;
}

export interface VerificationReading {
  readonly facts: VerificationFacts;
  readonly tables: Observed<readonly TableToVerify[]>;
}

export interface RetirementReading {
  readonly facts: RetirementFacts;
  readonly captured: Observed<CapturedSet>;
  readonly topics: Observed<readonly LegacyTopic[]>;
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
    prefixTopics: belowPrefix(facts),
    prefixUsers: mapObserved(facts.others, (others) => others.filter(({ prefix }) => prefix === settings.prefix)),
    createdStopped: version === undefined || isAtLeast(version, 3, 7),
  };
}

export function readReturn(intent: MigrationIntent, facts: ReturnFacts): ReturnReading {
  return {
    facts,
    takeover: takeoverOf(intent, facts),
    prefixTopics: belowPrefix(facts),
    changes: mapObserved(facts.opsHistory, ({ events }) => recordedChanges(events, intent.to.name)),
    opsFormat: opsFormat(intent.opsFormat, facts.settings),
  };
}

export function readVerification(intent: MigrationIntent, facts: VerificationFacts): VerificationReading {
  const { database, dictionary, settings } = facts;
  return {
    facts,
    tables: mapObserved(dictionary, (seen) => verifiedTables(intent, settings, { ...seen, database: database.name })),
  };
}

export function readRetirement(intent: MigrationIntent, facts: RetirementFacts): RetirementReading {
  const { dictionary, legacy, settings, topics } = facts;
  return {
    facts,
    captured: mapObserved(dictionary, (seen) => capturedTables(settings.tables, seen)),
    topics:
      legacy === undefined
        ? mapObserved(topics, () => [])
        : topics.known && dictionary.known
          ? { ...topics, value: legacyTopics(intent, legacy, settings, dictionary.value, topics.value) }
          : !topics.known
            ? topics
            : (dictionary as Extract<typeof dictionary, { known: false }>),
  };
}

function takeoverOf({ from }: MigrationIntent, facts: CutoverFacts | ReturnFacts): TakeoverReading {
  return readTakeover(facts, { leaveOut: from.leaveOut, mining: facts.settings });
}

/** The connector's own topics of operation, too: whoever else has them would share them. */
function belowPrefix({ topics, settings: { prefix } }: CutoverFacts | ReturnFacts): Observed<readonly string[]> {
  return mapObserved(topics, (names) => names.filter((name) => name.startsWith(`${prefix}.`)).sort());
}
