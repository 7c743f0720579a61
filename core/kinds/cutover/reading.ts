import type { CutoverFacts, OtherConnector } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { connectVersion, isAtLeast } from "../../facts/connector/connect-version.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { type CapturedSet, capturedIn } from "../../facts/tables/tables.ts";
import { deliveredTables } from "../../legacy/stored-offsets.ts";
import type { TakeoverReading } from "../../legacy/takeover.ts";
import { notCaptured } from "../../legacy/target-config.ts";
import type { TranslatedProperty } from "../../legacy/translation.ts";
import { takeoverOf } from "../migration/reading.ts";

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
  readonly captured: CapturedSet;
  /** Tables that the legacy connector has delivered, and the new one does not capture. */
  readonly notCaptured: CapturedSet;
  /** Whether the workers can create the connector STOPPED; unknown versions count as able. */
  readonly createdStopped: boolean;
}

export function readCutover(intent: MigrationIntent, facts: CutoverFacts): CutoverReading {
  const { settings, translation, worker, legacy, dictionary } = facts;
  const { tables } = settings;
  const containers = dictionary?.known ? dictionary.value.containers.map(({ name }) => name) : [];
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
    notCaptured: notCaptured(deliveredTables(legacy.offsets, intent.from.leaveOut, tables.pdbs, containers), tables),
    createdStopped: version === undefined || isAtLeast(version, 3, 7),
  };
}
