import type { LegacyName } from "../../schemas/generated/shared.ts";
import { Refusal } from "../errors.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import { type Config, settingOf } from "../values/config.ts";
import { CONFLUENT_POSITION } from "./confluent/position.ts";
import { CONFLUENT_PROPERTIES } from "./confluent/properties.ts";
import { CONFLUENT_TOPICS } from "./confluent/topics.ts";
import { DEBEZIUM_CLASS, hasOwnSettings, isAlias, LEGACY_CLASS } from "./connector-class.ts";
import { DEBEZIUM_POSITION } from "./debezium/position.ts";
import { DEBEZIUM_PROPERTIES } from "./debezium/properties.ts";
import { isDebeziumOffset } from "./debezium/stored-offsets.ts";
import { DEBEZIUM_TOPICS } from "./debezium/topics.ts";
import { ranBy } from "./debezium/versions.ts";
import { type ForeignConnector, foreignConnector } from "./foreign-connectors.ts";
import type { LegacyOf, PositionRules } from "./position.ts";
import type { PropertyTable } from "./property-table.ts";
import type { TopicRules } from "./written-topics.ts";

export type { LegacyName };

/**
 * What is one legacy connector's own: its class, what becomes of its properties, what its stored offsets say, which
 * topics it writes to. Nothing outside asks which of them it is.
 */
export interface LegacyKind extends ForeignConnector {
  readonly kind: LegacyName;
  readonly connectorClass: string;
  /** Whether a configuration whose class is not this one may be this connector's all the same. */
  readonly mayBe?: (config: Config) => boolean;
  /** Whether a stored partition has this connector's form. */
  readonly isPartition: (entry: OffsetEntry) => boolean;
  readonly position: PositionRules;
  readonly properties: PropertyTable;
  readonly topics: TopicRules;
}

export const LEGACY_KINDS: Readonly<Record<LegacyName, LegacyKind>> = {
  confluent: {
    kind: "confluent",
    title: "Confluent's Oracle CDC Source",
    why: "its stored offsets have another form, and nothing changes them but a migration",
    remedies: [
      "Name the connector that took over from it.",
      { text: "To migrate it, write a plan file", command: "cdcctl init Migration" },
    ],
    connectorClass: LEGACY_CLASS,
    mayBe: (config) => isAlias(settingOf(config, "connector.class") ?? "") && !hasOwnSettings(config),
    // Rule: specification, "Legacy connector offset partitions".
    isPartition: ({ partition }) => "sidPdb" in partition || "table" in partition,
    position: CONFLUENT_POSITION,
    properties: CONFLUENT_PROPERTIES,
    topics: CONFLUENT_TOPICS,
  },
  debezium: {
    kind: "debezium",
    title: "Debezium's Oracle connector",
    why: "its stored offset is its own, and nothing changes it but a migration",
    remedies: [
      { text: "To migrate it, write a plan file", command: "cdcctl init Migration --from debezium" },
      { text: "To see where the new connector would start", command: "cdcctl migrate takeover --help" },
    ],
    connectorClass: DEBEZIUM_CLASS,
    // Rule: reference: Debezium, "Stored offset": the new connector's partition has the same shape.
    isPartition: isDebeziumOffset,
    position: DEBEZIUM_POSITION,
    properties: DEBEZIUM_PROPERTIES,
    topics: DEBEZIUM_TOPICS,
  },
};

/**
 * The legacy connector that a configuration and its stored offsets belong to; undefined if it is neither, or if class
 * and offsets say different things.
 */
export function legacyKindOf(config: Config, offsets: readonly OffsetEntry[] = []): LegacyKind | undefined {
  const className = settingOf(config, "connector.class") ?? "";
  const kinds = Object.values(LEGACY_KINDS);
  const byClass = kinds.find(({ connectorClass }) => connectorClass === className);
  const byOffsets = kinds.find(({ isPartition }) => offsets.some(isPartition));
  if (byClass !== undefined && byOffsets !== undefined && byClass !== byOffsets) return undefined;
  return byClass ?? byOffsets;
}

interface Stored {
  readonly config: Config;
  readonly offsets: readonly OffsetEntry[];
  /** The version that the workers have. */
  readonly version?: string | undefined;
}

/** The legacy connector that a configuration names, or may name: by an alias, or by a reference. */
export function possibleLegacy(config: Config): LegacyKind | undefined {
  return legacyKindOf(config) ?? Object.values(LEGACY_KINDS).find(({ mayBe }) => mayBe?.(config));
}

/**
 * How a legacy connector is read: as one of its class; one of another class, or of none, as its offsets look.
 *
 * @param said what the plan file calls it
 */
export function readAs({ config, offsets }: Stored, said: LegacyName = "confluent"): LegacyKind {
  return legacyKindOf(config) ?? legacyKindOf({}, offsets) ?? LEGACY_KINDS[said];
}

export function positionRulesOf(stored: Stored): PositionRules {
  return readAs(stored).position;
}

/** What a plan file says of its legacy connector. */
interface Stated {
  readonly from: {
    readonly connector: string;
    readonly kind?: LegacyName | undefined;
    readonly version?: string | undefined;
  };
}

/** A legacy connector with the rules of what it is. */
export type LegacyConnector = LegacyKind & LegacyOf;

/** A migration's legacy connector with the rules of what it is, or else of what the plan file calls it. */
export function legacyOf({ from }: Stated, stored: Stored): LegacyConnector {
  const { config, offsets, version: installed } = stored;
  const version = ranBy({ version: from.version, installed });
  return { ...readAs(stored, from.kind), name: from.connector, config, offsets, version };
}

/**
 * Refuses it where the CDC source connector is asked for.
 *
 * @param offsets tell a connector whose class says nothing, such as an alias
 * @throws Refusal `CON301`
 */
export function refuseOther(name: string, config: Config, offsets: readonly OffsetEntry[] = []): void {
  const byOffsets = hasOwnSettings(config) ? undefined : legacyKindOf({}, offsets);
  const other = foreignConnector(config) ?? legacyKindOf(config) ?? byOffsets;
  if (other !== undefined)
    throw new Refusal(
      "CON301",
      `${name} is ${other.title}, not the CDC source connector: ${other.why}`,
      other.remedies,
    );
}

/** Refuses it where a legacy connector is asked for. @throws Refusal `LEG030` */
export function refuseForeign(name: string, config: Config): void {
  const foreign = foreignConnector(config);
  if (foreign !== undefined)
    throw new Refusal("LEG030", `${name} is ${foreign.title}: ${foreign.why}`, foreign.remedies);
}
