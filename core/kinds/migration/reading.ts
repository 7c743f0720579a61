import type { MigrationIntent, OpsFormat } from "../../document/intent.ts";
import { connectVersion, isAtLeast } from "../../facts/connector/connect-version.ts";
import { type Rerouting, reroutings } from "../../facts/connector/plugins.ts";
import type {
  CutoverFacts,
  OtherConnector,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
} from "../../facts/migration-facts.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { opsFormat, type RecordedChange, type RecordedEvent, recordedChanges } from "../../facts/ops/ops-event.ts";
import { capturedIn } from "../../facts/tables/captured-tables.ts";
import type { CapturedSet, CapturedTable } from "../../facts/tables/tables.ts";
import type { TableToVerify } from "../../facts/tables/verified-table.ts";
import { readTakeover, type TakeoverReading } from "../../legacy/takeover.ts";
import type { TranslatedProperty } from "../../legacy/translation.ts";
import { mayWriteTo } from "../../legacy/written-topics.ts";
import {
  isLobTemplate,
  type LegacyTopic,
  LICENCE_TOPIC,
  legacyTopics,
  lobTopics,
  type SharedTopics,
} from "./legacy-topics.ts";
import { newTopics } from "./new-topics.ts";
import { strayKeys, verifiedTables } from "./verified-tables.ts";

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
  /** Topics below the prefix, but for the ops topic: that may be created beforehand, and a way back leaves it. */
  readonly prefixTopics: Observed<readonly string[]>;
  /** Other connectors with the prefix: its journal would be shared. */
  readonly prefixUsers: Observed<readonly OtherConnector[]>;
  /** Whether the workers can create the connector STOPPED; unknown versions are taken to be able. */
  readonly createdStopped: boolean;
}

export interface ReturnReading {
  readonly facts: ReturnFacts;
  readonly takeover: TakeoverReading;
  /**
   * Topics of the new connector that are deleted with it: none unless that is asked for, and never the ops topic, which
   * holds the record.
   */
  readonly newTopics: Observed<readonly string[]>;
  /**
   * Whether there is a stored offset to delete, and that to be recorded: a connector that never committed has none, nor
   * has it made its ops topic. What it stores before it is stopped, the recheck sees.
   */
  readonly changesOffset: boolean;
  readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>;
  readonly opsFormat: OpsFormat | undefined;
}

export interface VerificationReading {
  readonly facts: VerificationFacts;
  readonly captured: CapturedSet;
  /** What `verify.tables` stands for; empty while the captured set is not known. */
  readonly tables: readonly TableToVerify[];
  /**
   * Tables that `verify.topics`, `verify.legacyTopics` or `verify.ignoreColumns` names, and `verify.tables` does not.
   */
  readonly strays: readonly string[];
  /** Whether a topic may be the legacy connector's: by no name or transformation can the new one write to it. */
  readonly mayBeLegacy: (topic: string) => boolean;
}

export interface RetirementReading {
  readonly facts: RetirementFacts;
  readonly captured: CapturedSet;
  /**
   * What is deleted: nothing that the new connector writes to, or another legacy one, as far as the others are known.
   */
  readonly topics: Observed<readonly LegacyTopic[]>;
  /** What would be deleted, and is not: the new connector writes to it, by its name, or may. */
  readonly spared: readonly LegacyTopic[];
  /** The new connector's transformations by which it may write to any topic. */
  readonly reroutings: readonly Rerouting[];
  /** What would be deleted, and is not: other legacy connectors write to it, by their settings, or may. */
  readonly shared: Observed<readonly SharedTopics[]>;
  /** Topics of LOB columns: they stay. Undefined where the legacy connector writes none. */
  readonly lobTopics: Observed<readonly string[]> | undefined;
  /** Captured tables of which no topic of the legacy connector was found. */
  readonly withoutTopic: readonly CapturedTable[];
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

export function readReturn(intent: MigrationIntent, facts: ReturnFacts): ReturnReading {
  return {
    facts,
    takeover: takeoverOf(intent, facts),
    newTopics: newTopicsOf(intent, facts),
    changesOffset: facts.next?.offsets.some(({ offset }) => !isEmptyOffset(offset)) ?? false,
    changes: mapObserved(facts.opsHistory, ({ events }) => recordedChanges(events, intent.to.name)),
    opsFormat: opsFormat(intent.opsFormat, facts.settings),
  };
}

export function readVerification(intent: MigrationIntent, facts: VerificationFacts): VerificationReading {
  const { settings } = facts;
  const captured = capturedIn(settings.tables, facts.dictionary);
  const written = newTopics(intent, facts, captured.known ? captured.tables : []);
  const told = written.known && reroutings(settings.config).length === 0;
  return {
    facts,
    captured,
    tables: captured.known ? verifiedTables(intent, facts, captured.tables) : [],
    strays: strayKeys(intent),
    mayBeLegacy: (topic) => told && !written.has(topic),
  };
}

export function readRetirement(intent: MigrationIntent, facts: RetirementFacts): RetirementReading {
  return { facts, ...toBeDeleted(intent, facts) };
}

/** What a retirement deletes besides the connector: what has to be known before its consumers can be asked for. */
export function toBeDeleted(
  intent: MigrationIntent,
  facts: Pick<RetirementFacts, "legacy" | "settings" | "database" | "dictionary" | "topics" | "others">,
): Omit<RetirementReading, "facts"> {
  const { legacy, topics, settings } = facts;
  const captured = capturedIn(settings.tables, facts.dictionary);
  const none = {
    captured,
    spared: [],
    reroutings: reroutings(settings.config),
    shared: sharedWith(facts, []),
    lobTopics: lobTopicsOf(legacy, captured, topics),
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

/** The licence topic is none that records are written to; where it is shared, MIG408 refuses. */
function sharedWith(
  { others }: Pick<RetirementFacts, "others">,
  all: readonly LegacyTopic[],
): RetirementReading["shared"] {
  const names = all.filter(({ what }) => what !== LICENCE_TOPIC).map(({ topic }) => topic);
  return mapObserved(others, (known) =>
    known.flatMap(({ name, writes }) => {
      const topics = writes === undefined ? [] : names.filter((topic) => mayWriteTo(writes, topic));
      return writes === undefined || topics.length === 0
        ? []
        : [{ connector: name, topics, through: writes.reroutings }];
    }),
  );
}

function lobTopicsOf(
  legacy: RetirementFacts["legacy"],
  captured: CapturedSet,
  topics: RetirementFacts["topics"],
): RetirementReading["lobTopics"] {
  const template = legacy?.config["lob.topic.name.template"]?.trim() ?? "";
  if (legacy === undefined || template === "") return undefined;
  if (!captured.known) return { known: false, why: captured.why, source: topics.source };
  if (!isLobTemplate(template))
    return { known: false, why: `lob.topic.name.template is ${template}`, source: topics.source };
  return mapObserved(topics, (there) => lobTopics(legacy.name, legacy.config, captured.tables, there));
}

function takeoverOf({ from }: MigrationIntent, facts: CutoverFacts | ReturnFacts): TakeoverReading {
  return readTakeover(facts, { leaveOut: from.leaveOut, mining: facts.settings });
}

/** What both connectors could have written to stays: the legacy one goes on with it. */
function newTopicsOf(intent: MigrationIntent, facts: ReturnFacts): ReturnReading["newTopics"] {
  const { legacy, settings, topics } = facts;
  if (!intent.deleteTopics) return { known: true, value: [], source: "spec.deleteTopics", at: facts.at };
  const captured = capturedIn(settings.tables, facts.dictionary);
  if (!captured.known) return unknownSet(captured, facts);
  // That the plan file names a topic does not make it this connector's alone.
  const written = newTopics({ verify: undefined }, facts, captured.tables);
  if (!written.known) return unknownNames(written.why, facts);
  const [rerouting] = reroutings(legacy.config);
  if (rerouting !== undefined)
    return unknownNames(`records of ${legacy.name} go through ${rerouting.name}, which may write them there`, facts);
  return mapObserved(topics, (there) => {
    const old = new Set(legacyTopics(intent, legacy, captured.tables, there).map(({ topic }) => topic));
    return there.filter((topic) => written.has(topic) && !old.has(topic) && topic !== settings.opsTopic).sort();
  });
}

function unknownNames(
  why: string,
  { settings }: Pick<ReturnFacts, "settings">,
): Extract<Observed<never>, { known: false }> {
  return {
    known: false,
    why: `which topics are the new connector's can't be told: ${why}`,
    source: settings.configOrigin,
  };
}

function unknownSet(
  { why, remedies }: Extract<CapturedSet, { known: false }>,
  { dictionary: { source } }: Pick<ReturnFacts, "dictionary">,
): Extract<Observed<never>, { known: false }> {
  return {
    known: false,
    why: `which tables are captured can't be told: ${why}`,
    ...(remedies.length === 0 ? {} : { remedy: remedies.join("\n") }),
    source,
  };
}
