// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect

import { isJsonConverter } from "../facts/connector/plugins.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { counted } from "../values/amounts.ts";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "./connector-class.ts";
import type { Source } from "./rules.ts";
import type { TranslatedProperty } from "./translation.ts";

/** What a translation came to, before what is left to do is known. */
interface Translated {
  readonly source: Source;
  readonly properties: readonly TranslatedProperty[];
  /** As it stands, secrets included. */
  readonly config: Readonly<Record<string, string>>;
  /** The same with `********` for literal secrets. */
  readonly output: Readonly<Record<string, string>>;
}

interface FollowUp {
  /** What is to be done, if anything is. */
  readonly of: (translated: Translated) => readonly string[];
}

const always = (text: string): FollowUp => ({ of: () => [text] });
const when = (is: (translated: Translated) => boolean, text: string): FollowUp => ({
  of: (translated) => (is(translated) ? [text] : []),
});
const uses =
  (prefix: string) =>
  ({ config }: Translated): boolean =>
    Object.keys(config).some((name) => name === prefix || name.startsWith(`${prefix}.`));

/** In the order in which they are to be done: before the connector is created, then afterwards. */
const FOLLOW_UPS: readonly FollowUp[] = [
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
            `${name} is masked: set it before the connector is created, best by a reference such as ` +
            `\${file:/path:key}.`,
        ),
  },
  when(
    ({ source }) =>
      source.get("use.transaction.begin.for.mining.session") === undefined &&
      otherClass(source.get("connector.class"), source.connectorClass).length === 0,
    "use.transaction.begin.for.mining.session is not set, and its published default is false: the stored scn can " +
      "lie above the begin of a transaction that is not delivered yet, and the takeover is refused for it " +
      "(LEG010). Set it to true for the legacy connector, and let it store a new scn before it is stopped.",
  ),
  always("Give the capture user the grants that setup-sql prints; set cdc.database.user and cdc.database.password."),
  when(
    (all) => uses("transforms")(all) || uses("predicates")(all),
    "Transformations and predicates are as they were; records and topics are not: check each against the new ones.",
  ),
  when(
    ({ config }) => Object.keys(config).some((name) => /^topic\.creation\..*\.(?:include|exclude)$/.test(name)),
    "Groups of topic.creation choose topics by name: check them against the names of the new topics.",
  ),
  when(
    ({ config }) => !isJsonConverter(config["value.converter"] ?? "JsonConverter"),
    "migrate verify reads topics of the JSON converter only.",
  ),
  when(
    ({ config }) => config["cdc.on.decode.error"] === "dlq",
    "Somebody must watch the dead letter topic: what can't be decoded goes there.",
  ),
  always("Point consumers at the new topics: records have another form, keys are structs."),
];

/** What somebody has to do before the connector is created, or to watch afterwards. */
export function followUpsOf(translated: Translated): readonly string[] {
  return FOLLOW_UPS.flatMap(({ of }) => of(translated));
}

/**
 * Why a configuration is not the legacy connector's; none where it is, or does not say its class.
 *
 * @param newClass of the new connector, where that is another build's
 */
export function otherClass(connectorClass: string | undefined, newClass = CONNECTOR_CLASS): readonly string[] {
  if (connectorClass === undefined || connectorClass === LEGACY_CLASS) return [];
  return [
    connectorClass === CONNECTOR_CLASS || connectorClass === newClass
      ? "This is a configuration of the new connector already: there is nothing to translate."
      : `connector.class was not ${LEGACY_CLASS}: is it the Oracle CDC connector's configuration?`,
  ];
}

const LEGACY_BROKERS = "redo.log.consumer.bootstrap.servers";

/**
 * What asks for the stream's brokers where nothing names them: the connector's own topics are there, and so is what a
 * verification reads.
 *
 * @param legacyBrokers where the legacy connector reads its redo log topic
 */
export function brokersMissing(config: Translated["config"], legacyBrokers: string | undefined): readonly string[] {
  const named = ["cdc.stream.bootstrap.servers", "cdc.kafka.bootstrap.servers"];
  if (named.some((name) => (config[name] ?? "").trim() !== "")) return [];
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

/** Settings without which the connector does not start, and that no property of the source led to. */
export function missing(config: Translated["config"]): readonly string[] {
  const has = (name: string): boolean => (config[name] ?? "") !== "";
  const place = has("cdc.database.url") || has("cdc.database.host");
  const within = has("cdc.database.url") || has("cdc.database.service") || has("cdc.database.sid");
  const names = [
    ...(place ? [] : ["cdc.database.host"]),
    ...(within ? [] : ["cdc.database.service"]),
    ...["cdc.database.user", "cdc.database.password", "cdc.tables.include"].filter((name) => !has(name)),
  ];
  return names.map((name) => `${name} is not set, and the connector needs it.`);
}
