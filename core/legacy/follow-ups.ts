// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect

import { isJsonConverter } from "../facts/connector/plugins.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { counted } from "../values/amounts.ts";
import { type Config, settingOf } from "../values/config.ts";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "./connector-class.ts";
import type { Source } from "./rules.ts";
import type { TranslatedProperty } from "./translation.ts";

interface Translated {
  readonly source: Source;
  readonly properties: readonly TranslatedProperty[];
  /** The configuration, including secrets. */
  readonly config: Config;
  /** The same, with `********` for literal secrets. */
  readonly output: Config;
}

interface FollowUp<Of = Translated> {
  readonly of: (translated: Of) => readonly string[];
}

const always = (text: string) => ({ of: () => [text] });
const when = <Of>(is: (translated: Of) => boolean, text: string): FollowUp<Of> => ({
  of: (translated) => (is(translated) ? [text] : []),
});
const uses =
  (prefix: string) =>
  ({ config }: Pick<Translated, "config">): boolean =>
    Object.keys(config).some((name) => name === prefix || name.startsWith(`${prefix}.`));

const LACKS: readonly FollowUp[] = [
  { of: ({ source }) => otherClass(source.get("connector.class"), source.connectorClass) },
  {
    of({ properties }) {
      const manual = properties.filter(({ fate }) => fate === "manual").length;
      if (manual === 0) return [];
      return [`${counted(manual, "property is", "properties are")} manual: see the instructions.`];
    },
  },
  { of: ({ config }) => missing(config) },
  { of: ({ config, source }) => brokersMissing(config, source.get("redo.log.consumer.bootstrap.servers")) },
  {
    of: ({ config, output }) =>
      Object.keys(output)
        .filter((name) => output[name] !== config[name])
        .sort()
        .map(
          (name) =>
            `${name} is masked: set it before the connector is created, preferably with a reference such as ` +
            "${file:/path:key}.",
        ),
  },
  when(
    ({ source }) =>
      source.get("use.transaction.begin.for.mining.session") === undefined &&
      otherClass(source.get("connector.class"), source.connectorClass).length === 0,
    "use.transaction.begin.for.mining.session is not set, and its published default is false. The stored scn can " +
      "then be above the begin of a transaction that is not delivered yet, and the takeover is refused (LEG010). Set " +
      "it to true for the legacy connector, and let it store a new scn before you stop it.",
  ),
];

/** What no check of a configuration sees, before the connector is created and afterwards. */
const REVIEW: readonly FollowUp<Pick<Translated, "config">>[] = [
  always("Give the capture user the grants that setup-sql prints; set cdc.database.user and cdc.database.password."),
  when(
    (all) => uses("transforms")(all) || uses("predicates")(all),
    "Transformations and predicates are unchanged, but records and topics are not: check each against the new ones.",
  ),
  when(
    ({ config }) => Object.keys(config).some((name) => /^topic\.creation\..*\.(?:include|exclude)$/.test(name)),
    "Groups of topic.creation choose topics by name: check them against the names of the new topics.",
  ),
  when(
    ({ config }) => !isJsonConverter(config["value.converter"] ?? "JsonConverter"),
    "migrate verify reads only topics of the JSON converter.",
  ),
  when(
    ({ config }) => config["cdc.on.decode.error"] === "dlq",
    "Monitor the dead letter topic: changes that can't be decoded go there.",
  ),
  always("Point consumers at the new topics: records have another format, and keys are structs."),
];

/** The manual work before the connector is created, and what to monitor afterwards. */
export function followUpsOf(translated: Translated): readonly string[] {
  return [...LACKS.flatMap(({ of }) => of(translated)), ...toReview(translated.config)];
}

/** The part of it that stays once the configuration is whole. */
export function toReview(config: Config): readonly string[] {
  return REVIEW.flatMap(({ of }) => of({ config }));
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

const LEGACY_BROKERS = "redo.log.consumer.bootstrap.servers";

/**
 * Asks for the stream's brokers if nothing names them: they hold the connector's own topics and those that a
 * verification reads.
 *
 * @param legacyBrokers the brokers of the legacy connector's redo log topic
 */
export function brokersMissing(config: Translated["config"], legacyBrokers: string | undefined): readonly string[] {
  const named = ["cdc.stream.bootstrap.servers", "cdc.kafka.bootstrap.servers"];
  if (named.some((name) => settingOf(config, name) !== undefined)) return [];
  const hint =
    legacyBrokers === undefined
      ? ""
      : " The legacy connector's redo.log.consumer.bootstrap.servers is " +
        `${redactConfiguration({ [LEGACY_BROKERS]: legacyBrokers })[LEGACY_BROKERS]}.`;
  return [
    "cdc.stream.bootstrap.servers is not set: name the brokers. The connector needs them for its ops, signals " +
      `and journal topics, and migrate verify to read the topics.${hint}`,
  ];
}

/** Required settings that no property of the source provides. */
export function missing(config: Translated["config"]): readonly string[] {
  const has = (name: string): boolean => (config[name] ?? "") !== "";
  const place = has("cdc.database.url") || has("cdc.database.host");
  const within = has("cdc.database.url") || has("cdc.database.service") || has("cdc.database.sid");
  const names = [
    ...(place ? [] : ["cdc.database.host"]),
    ...(within ? [] : ["cdc.database.service"]),
    ...["cdc.database.user", "cdc.database.password", "cdc.tables.include"].filter((name) => !has(name)),
  ];
  return names.map((name) => `${name} is required, but not set.`);
}
