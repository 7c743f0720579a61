// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect

import { isJsonConverter } from "../facts/connector/plugins.ts";
import { redactSetting } from "../redaction/redact.ts";
import { counted } from "../values/amounts.ts";
import { type Config, settingOf } from "../values/config.ts";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "./connector-class.ts";
import type { PropertyTable, Translated } from "./property-table.ts";

/** The manual work before the connector is created, and what to monitor afterwards. */
export function followUpsOf(translated: Translated, table: PropertyTable): readonly string[] {
  const { source, properties, config, output } = translated;
  const other = otherClass(source.get("connector.class"), source.connectorClass);
  const manual = properties.filter(({ fate }) => fate === "manual").length;
  return [
    ...other,
    ...(manual === 0 ? [] : [`${counted(manual, "property is", "properties are")} manual: see the instructions.`]),
    ...missing(config),
    ...brokersMissing(config, table, source.get(table.brokers)),
    ...Object.keys(output)
      .filter((name) => output[name] !== config[name])
      .sort()
      .map(
        (name) =>
          `${name} is masked: set it before the connector is created, preferably with a reference such as ` +
          "${file:/path:key}.",
      ),
    ...(other.length === 0 ? table.lacks(translated) : []),
    ...toReview(config, table),
  ];
}

/** The part of it that no check of a configuration sees, and that stays once it is whole. */
export function toReview(config: Config, { consumers }: Pick<PropertyTable, "consumers">): readonly string[] {
  const some = (named: RegExp) => Object.keys(config).some((name) => named.test(name));
  const when = (is: boolean, text: string) => (is ? [text] : []);
  return [
    "Give the capture user the grants that setup-sql prints; set cdc.database.user and cdc.database.password.",
    ...when(
      some(/^(?:transforms|predicates)(?:\.|$)/),
      "Transformations and predicates are unchanged, but records and topics are not: check each against the new ones.",
    ),
    ...when(
      some(/^topic\.creation\..*\.(?:include|exclude)$/),
      "Groups of topic.creation choose topics by name: check them against the names of the new topics.",
    ),
    ...when(
      !isJsonConverter(config["value.converter"] ?? "JsonConverter"),
      "migrate verify reads only topics of the JSON converter.",
    ),
    ...when(
      config["cdc.on.decode.error"] === "dlq",
      "Monitor the dead letter topic: changes that can't be decoded go there.",
    ),
    consumers,
  ];
}

/**
 * Why a configuration is not the legacy connector's; empty if it is, or has no class.
 *
 * @param newClass of the new connector, if it is another build's
 */
export function otherClass(connectorClass: string | undefined, newClass = CONNECTOR_CLASS): readonly string[] {
  if (connectorClass === undefined || connectorClass === LEGACY_CLASS) return [];
  return [
    connectorClass === CONNECTOR_CLASS || connectorClass === newClass
      ? "This is already a configuration of the new connector: there is nothing to translate."
      : `connector.class was not ${LEGACY_CLASS}: is it the Oracle CDC connector's configuration?`,
  ];
}

/**
 * Asks for the stream's brokers if nothing names them: they hold the connector's own topics and those that a
 * verification reads.
 *
 * @param legacyBrokers the brokers of the legacy connector's own topics
 */
export function brokersMissing(
  config: Config,
  { brokers }: Pick<PropertyTable, "brokers">,
  legacyBrokers: string | undefined,
): readonly string[] {
  const named = ["cdc.stream.bootstrap.servers", "cdc.kafka.bootstrap.servers"];
  if (named.some((name) => settingOf(config, name) !== undefined)) return [];
  const hint = legacyBrokers && ` The legacy connector's ${brokers} is ${redactSetting(brokers, legacyBrokers)}.`;
  return [
    "cdc.stream.bootstrap.servers is not set: name the brokers. The connector needs them for its ops, signals " +
      `and journal topics, and migrate verify to read the topics.${hint ?? ""}`,
  ];
}

/** Required settings that no property of the source provides. */
export function missing(config: Config): readonly string[] {
  return [
    ["cdc.database.host", "cdc.database.url"],
    ["cdc.database.service", "cdc.database.sid", "cdc.database.url"],
    ...["cdc.database.user", "cdc.database.password", "cdc.tables.include"].map((name) => [name]),
  ].flatMap((any) => (any.some((name) => config[name]) ? [] : `${any[0]} is required, but not set.`));
}
