import { reroutings } from "../../facts/connector/plugins.ts";
import { LONGEST_TOPIC, legalInTopic } from "../../facts/tables/topic-names.ts";
import { isHidden } from "../../redaction/redact.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { quoted } from "../../values/table-name.ts";
import type { LegacyOf } from "../position.ts";
import { isReference, type TopicRules } from "../written-topics.ts";
import { isBefore2, listedBy } from "./table-lists.ts";

const DEFAULT_STRATEGY = "io.debezium.schema.SchemaTopicNamingStrategy";

/** Records are flat rows behind it. */
const UNWRAPS = /\.ExtractNewRecordState$/;

interface Naming {
  readonly prefix: string;
  readonly delimiter: string;
}

/** Both settings of the prefix may be given: versions before 2.0 read the old one only, later ones the new one. */
function namingOf({ config, version }: LegacyOf): Naming {
  const settings = ["topic.prefix", "database.server.name"] as const;
  const read = version === undefined ? settings : [settings[isBefore2(version) ? 1 : 0]];
  return {
    prefix: read.flatMap((name) => settingOf(config, name) ?? [])[0] ?? "",
    delimiter: settingOf(config, "topic.delimiter") ?? ".",
  };
}

/** A name as the topic has it: Debezium and the new connector replace the same characters. */
function named(...parts: readonly string[]): string {
  return legalInTopic(parts.join("")).slice(0, LONGEST_TOPIC);
}

interface OwnTopic {
  readonly what: string;
  readonly name: (config: Config, naming: Naming) => string | undefined;
}

/**
 * Topics besides those of tables.
 *
 * Rule: reference: Debezium, "Records, for verification", other topics.
 */
const OWN_TOPICS: readonly OwnTopic[] = [
  {
    what: "schema history",
    name: (config) =>
      settingOf(config, "schema.history.internal.kafka.topic") ?? settingOf(config, "database.history.kafka.topic"),
  },
  { what: "schema changes", name: (_, { prefix }) => named(prefix) },
  {
    what: "heartbeats",
    name: (config, { prefix, delimiter }) =>
      settingOf(config, "topic.heartbeat.name") ??
      named(settingOf(config, "topic.heartbeat.prefix") ?? "__debezium-heartbeat", delimiter, prefix),
  },
  {
    what: "transaction metadata",
    name: (config, { prefix, delimiter }) =>
      named(prefix, delimiter, settingOf(config, "topic.transaction") ?? "transaction"),
  },
  {
    what: "signals",
    name: (config, { prefix }) => settingOf(config, "signal.kafka.topic") ?? named(prefix, "-signal"),
  },
  { what: "notifications", name: (config) => settingOf(config, "notification.sink.topic.name") },
];

function ownTopics(legacy: LegacyOf): readonly { readonly topic: string; readonly what: string }[] {
  const naming = namingOf(legacy);
  return OWN_TOPICS.flatMap(({ what, name }) => {
    const topic = name(legacy.config, naming);
    return topic === undefined ? [] : [{ topic, what }];
  });
}

/** Whether a setting's value is not known here: only the worker resolves it, or a plan's facts do not show it. */
const isUnknown = (value: string): boolean => isReference(value) || isHidden(value);

/** Whether another strategy, a transformation or what is not known names the topics: they can be any then. */
function isRenamed({ config }: LegacyOf, { prefix, delimiter }: Naming): boolean {
  const strategy = settingOf(config, "topic.naming.strategy") ?? DEFAULT_STRATEGY;
  return strategy !== DEFAULT_STRATEGY || reroutings(config).length > 0 || isUnknown(prefix) || isUnknown(delimiter);
}

export const DEBEZIUM_TOPICS: TopicRules = {
  ofTable(legacy, { owner, name }) {
    const naming = namingOf(legacy);
    const { prefix, delimiter } = naming;
    if (isRenamed(legacy, naming) || prefix === "" || listedBy(legacy.config, legacy.version)(owner, name) === "no")
      return [];
    return [named(prefix, delimiter, owner, delimiter, name)];
  },

  deletedToo: () => [],

  mayWriteTo(legacy) {
    const naming = namingOf(legacy);
    const own = new Set(ownTopics(legacy).map(({ topic }) => topic));
    const isListed = listedBy(legacy.config, legacy.version, true);
    const [begin, delimiter] = [named(naming.prefix, naming.delimiter), named(naming.delimiter)];
    const prefixes = new Set(
      ["topic.prefix", "database.server.name"].flatMap((of) => settingOf(legacy.config, of) ?? []),
    );
    const isEither = legacy.version === undefined && prefixes.size > 1;
    return (topic) => {
      if (isEither || isRenamed(legacy, naming) || topic.length === LONGEST_TOPIC || own.has(topic)) return true;
      if (!topic.startsWith(begin)) return false;
      const parts = topic.slice(begin.length).split(delimiter);
      // A schema or a table may have the delimiter in its name.
      return parts
        .slice(1)
        .some(
          (_, at) => isListed(parts.slice(0, at + 1).join(delimiter), parts.slice(at + 1).join(delimiter)) !== "no",
        );
    };
  },

  changesKept: [
    "the schemas of source have other names: io.debezium.connector.oracle.Source becomes sh.oso.cdc.Source",
    "source.connector is oracle-cdc instead of oracle, and other members of source differ",
    "records have headers of the new connector (cdc.scn and others), and none of Debezium's (__debezium.newkey, " +
      "__debezium.context.*)",
  ],

  unreadable: (config) => reroutings(config).flatMap(({ name, type = "" }) => (UNWRAPS.test(type) ? [name] : [])),

  assumed: "3.6",

  leftOver(legacy, there) {
    const { config } = legacy;
    const kept = ownTopics(legacy).filter(({ topic }) => there.includes(topic));
    const user = settingOf(config, "database.user");
    const flushed = settingOf(config, "log.mining.flush.table.name") ?? "LOG_MINING_FLUSH";
    const readOnly = ["log.mining.read.only", "internal.log.mining.read.only"].some(
      (name) => settingOf(config, name) === "true",
    );
    const login = user === undefined || isUnknown(user) ? "its login" : user;
    return [
      ...kept.map(({ topic, what }) => `the topic ${topic} (${what}): delete it once nothing reads it`),
      ...(readOnly || user === undefined || isUnknown(user) || isUnknown(flushed)
        ? []
        : [`the flush table: DROP TABLE ${quoted(user.toUpperCase())}.${quoted(flushed.toUpperCase())};`]),
      `the grants of ${login}: revoke those that nothing else needs (LOGMINING, SELECT ANY TABLE, ` +
        "FLASHBACK ANY TABLE, LOCK ANY TABLE, CREATE TABLE)",
    ];
  },
};
