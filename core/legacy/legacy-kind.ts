import type { LegacyName } from "../../schemas/generated/shared.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import { type Config, settingOf } from "../values/config.ts";
import { CONFLUENT_POSITION } from "./confluent/position.ts";
import { CONFLUENT_PROPERTIES } from "./confluent/properties.ts";
import { CONFLUENT_TOPICS } from "./confluent/topics.ts";
import { DEBEZIUM_CLASS, LEGACY_CLASS } from "./connector-class.ts";
import { isDebeziumOffset } from "./debezium/foreign-connectors.ts";
import { DEBEZIUM_POSITION } from "./debezium/position.ts";
import { DEBEZIUM_PROPERTIES } from "./debezium/properties.ts";
import { DEBEZIUM_TOPICS } from "./debezium/topics.ts";
import { ranBy } from "./debezium/versions.ts";
import type { LegacyOf, PositionRules } from "./position.ts";
import type { PropertyTable } from "./property-table.ts";
import type { TopicRules } from "./written-topics.ts";

export type { LegacyName };

/**
 * What is one legacy connector's own: its class, what becomes of its properties, what its stored offsets say, which
 * topics it writes to. Nothing outside asks which of them it is.
 */
export interface LegacyKind {
  readonly kind: LegacyName;
  /** Its name in sentences. */
  readonly title: string;
  readonly connectorClass: string;
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
    connectorClass: LEGACY_CLASS,
    // Rule: specification, "Legacy connector offset partitions".
    isPartition: ({ partition }) => "sidPdb" in partition || "table" in partition,
    position: CONFLUENT_POSITION,
    properties: CONFLUENT_PROPERTIES,
    topics: CONFLUENT_TOPICS,
  },
  debezium: {
    kind: "debezium",
    title: "Debezium's Oracle connector",
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

/**
 * How the position of a legacy connector is read: as that of its class; of another class, or of none, as its offsets
 * look.
 */
export function positionRulesOf({ config, offsets }: Stored): PositionRules {
  const { position } = legacyKindOf(config) ?? legacyKindOf({}, offsets) ?? LEGACY_KINDS.confluent;
  return position;
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
export function legacyOf({ from }: Stated, { config, offsets, version: installed }: Stored): LegacyConnector {
  const kind = legacyKindOf(config) ?? legacyKindOf({}, offsets) ?? LEGACY_KINDS[from.kind ?? "confluent"];
  return { ...kind, name: from.connector, config, offsets, version: ranBy({ version: from.version, installed }) };
}
