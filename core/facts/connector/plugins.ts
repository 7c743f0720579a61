const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";

/**
 * Names of Connect's JSON converter: its class and the aliases that a worker resolves, the simple name and that without
 * the suffix (Kafka Connect, `PluginUtils.simpleName` and `prunedName`).
 */
const NAMES: ReadonlySet<string> = new Set([JSON_CONVERTER, "JsonConverter", "Json"]);

/**
 * Whether a converter setting (`value.converter`, `cdc.journal.converter`, …) names Connect's JSON converter.
 * Surrounding spaces do not count.
 */
export function isJsonConverter(name: string): boolean {
  return NAMES.has(name.trim());
}

/** A transformation that may route a record to a topic other than the template's. */
export interface Rerouting {
  /** Its name in `transforms`. */
  readonly name: string;
  /** Undefined if the configuration does not set it. */
  readonly type: string | undefined;
}

/** Kafka's own transformations that leave a record's topic as it is (Kafka documentation, "Transformations"). */
const KEEPS_TOPIC: ReadonlySet<string> = new Set(
  [
    ...["Cast", "DropHeaders", "ExtractField", "Filter", "Flatten", "HeaderFrom", "HoistField", "InsertField"],
    ...["InsertHeader", "MaskField", "ReplaceField", "SetSchemaMetadata", "TimestampConverter", "ValueToKey"],
  ].map((name) => `org.apache.kafka.connect.transforms.${name}`),
);

/** Transformations because of which a connector's topics can't be derived from its template alone. */
export function reroutings(config: Readonly<Record<string, string>>): readonly Rerouting[] {
  const names = (config["transforms"] ?? "").split(",").map((name) => name.trim());
  return names.flatMap((name): Rerouting[] => {
    if (name === "") return [];
    const type = config[`transforms.${name}.type`]?.trim();
    return KEEPS_TOPIC.has((type ?? "").replace(/\$(Key|Value)$/, "")) ? [] : [{ name, type }];
  });
}
