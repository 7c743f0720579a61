const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";

/**
 * Names of Connect's JSON converter: its class and the aliases that a worker resolves, the simple name and that without
 * the suffix (Kafka Connect, `PluginUtils.simpleName` and `prunedName`).
 */
const NAMES: ReadonlySet<string> = new Set([JSON_CONVERTER, "JsonConverter", "Json"]);

/**
 * Whether a converter setting (`value.converter`, `cdc.journal.converter`, …) names Connect's JSON converter. Blanks at
 * its ends do not count.
 */
export function isJsonConverter(name: string): boolean {
  return NAMES.has(name.trim());
}
