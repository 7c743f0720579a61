// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect

import { isJsonConverter } from "../facts/connector/plugins.ts";
import { redactSetting } from "../redaction/redact.ts";
import { counted } from "../values/amounts.ts";
import { type Config, settingOf } from "../values/config.ts";
import { anyOf } from "../values/regexp.ts";
import { type PropertyTable, type Translated, when } from "./property-table.ts";

/**
 * The manual work before the connector is created, and what to monitor afterwards.
 *
 * @param other why the configuration is not a legacy connector's (`otherClass`)
 */
export function followUpsOf(translated: Translated, table: PropertyTable, other: readonly string[]): readonly string[] {
  const { source, properties, config, output } = translated;
  const manual = properties.filter(({ fate }) => fate === "manual").length;
  return [
    ...other,
    ...(manual === 0 ? [] : [`${counted(manual, "property is", "properties are")} manual: see the instructions.`]),
    ...missing(config),
    ...brokersMissing(config, table, source.written),
    ...Object.keys(output)
      .filter((name) => output[name] !== config[name])
      .sort()
      .map(
        (name) =>
          `${name} is masked: set it before the connector is created, preferably with a reference such as ` +
          "${file:/path:key}.",
      ),
    ...(other.length === 0 ? table.lacks(translated) : []),
    ...toReview(config, table, source.topics),
  ];
}

/** The part of it that no check of a configuration sees, and that stays once it is whole. */
export function toReview(
  config: Config,
  { consumers }: Pick<PropertyTable, "consumers">,
  topics: Translated["source"]["topics"],
): readonly string[] {
  const some = (named: RegExp) => Object.keys(config).some((name) => named.test(name));
  return [
    "Give the capture user the grants that setup-sql prints; set cdc.database.user and cdc.database.password.",
    ...when(
      some(/^(?:transforms|predicates)(?:\.|$)/),
      `Transformations and predicates are unchanged, but ${topics === "keep" ? "records" : "records and topics"} are ` +
        "not: check each against the new ones.",
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
    consumers(topics),
  ];
}

/**
 * Asks for the stream's brokers if nothing names them: they hold the connector's own topics and those that a
 * verification reads.
 *
 * @param legacy its configuration may name the brokers of its own topics
 */
export function brokersMissing(
  config: Config,
  { brokers, canonical }: Pick<PropertyTable, "brokers" | "canonical">,
  legacy: Config,
): readonly string[] {
  const named = ["cdc.stream.bootstrap.servers", "cdc.kafka.bootstrap.servers"];
  if (named.some((name) => settingOf(config, name) !== undefined)) return [];
  const theirs = Object.keys(legacy).find((name) => canonical(name, legacy, undefined) === brokers) ?? brokers;
  const its = redactSetting(theirs, settingOf(legacy, theirs));
  const hint = its && ` The legacy connector's ${theirs} is ${its}.`;
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

/** Transformations of Kafka Connect that use the topic, headers or schema name only. */
const NO_COLUMN = anyOf([
  /(?:^|\.)(?:RegexRouter|TimestampRouter|InsertHeader|DropHeaders|Filter)$/,
  /(?:^|\.)(?:(?:SetSchemaMetadata|InsertField)\$(?:Key|Value)|HoistField\$Key)$/,
]);
/** They put the columns back on top. */
const UNWRAPS = /(?:^|\.)(?:ExtractNewRecordState|ExtractField\$Value)$/;
const WRAPS = /(?:^|\.)HoistField\$Value$/;
const NO_COLUMN_ASKED = /(?:^|\.)(?:HasHeaderKey|RecordIsTombstone)$/;
const FIELDS = "fields field include exclude whitelist blacklist renames spec pattern filter.condition".split(" ");

/**
 * Transformations and predicates that would read columns where they no longer are: unless the records are flat, the new
 * ones have them below `before` and `after`, and topics have other names. Classes that are not known count.
 *
 * @returns a phrase for each, with the fields that it names, in the order of `transforms`
 */
export function columnReaders(config: Config): readonly string[] {
  const setting = (name: string) => settingOf(config, name) ?? "";
  const list = (name: string) =>
    setting(name)
      .split(",")
      .flatMap((one) => one.trim() || []);
  const named = (name: string) => {
    const fields = FIELDS.flatMap((field) =>
      setting(`${name}.${field}`) === "" ? [] : `${field}=${setting(`${name}.${field}`)}`,
    );
    return `${name} (${[setting(`${name}.type`).split(".").at(-1), ...fields].join(", ")})`;
  };
  let wrapped = setting("cdc.output.format") !== "flat";
  const readers: string[] = [];
  for (const name of list("transforms").map((one) => `transforms.${one}`)) {
    const type = setting(`${name}.type`);
    if (UNWRAPS.test(type) && ["", "after"].includes(setting(`${name}.field`)))
      // Some records stay as they are under a predicate.
      wrapped &&= setting(`${name}.predicate`) !== "";
    else if (WRAPS.test(type)) wrapped = true;
    else if (wrapped && !NO_COLUMN.test(type)) readers.push(named(name));
  }
  return [
    ...readers,
    ...list("predicates")
      .map((name) => `predicates.${name}`)
      .filter((name) => !NO_COLUMN_ASKED.test(setting(`${name}.type`)))
      .map(named),
  ];
}
