import { UsageError } from "../errors.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { type Config, REFERENCE, settingOf } from "../values/config.ts";
import { type Secret, secret } from "../values/secret.ts";
import { quote } from "./formats.ts";

/** Placeholder for the value of `cdc.topic.prefix` in topic names. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the setting's own notation
const PREFIX = "${prefix}";

/** A topic of the connector's own. @param fallback the part after the prefix if the setting is absent */
export function topicName(config: Config, prefix: string, name: string, fallback: string): string {
  return (settingOf(config, name) ?? `${PREFIX}${fallback}`).replaceAll(PREFIX, () => prefix);
}

/**
 * The settings of a connector that cdcctl uses, with the connector's own defaults (reference: connector settings).
 * `cdc.stream.*` has precedence over `cdc.kafka.*`. Settings of database and brokers may be absent or references that
 * only the worker resolves: they fail where they are used.
 *
 * @param origin where the configuration was read: `GET /connectors/orders-cdc`, or a file's name
 * @throws UsageError naming the setting, if nothing can be done without it
 */
export function connectorSettings(config: Config, origin: string): ConnectorSettings {
  const text = (name: string): string | undefined => settingOf(config, name);
  const sealed = (name: string): Secret | undefined => {
    const value = text(name);
    return value === undefined ? undefined : secret(value);
  };
  const prefix = prefixOf(text("cdc.topic.prefix"), origin);
  const topic = (name: string, fallback: string): string => topicName(config, prefix, name, fallback);
  const { "bootstrap.servers": bootstrapServers, ...properties } = streamProperties(config);
  return {
    origin,
    connectorClass: text("connector.class"),
    prefix,
    opsTopic: topic("cdc.ops.topic", ".cdc.ops"),
    signalsTopic: topic("cdc.signals.topic", ".cdc.signals"),
    journalTopic: topic("cdc.txjournal.topic", ".cdc.txjournal"),
    schemaTopic: topic("cdc.schema.topic", ".cdc.schema"),
    captureMode: captureMode(text("cdc.capture.mode") ?? "online", origin),
    miningMode: (text("cdc.mining.mode") ?? "auto").toLowerCase(),
    archiveDestination: text("cdc.archive.destination"),
    startScn: text("cdc.start.scn"),
    valueConverter: text("value.converter"),
    valueConverterSchemas: text("value.converter.schemas.enable"),
    journalConverter: {
      name: text("cdc.journal.converter"),
      schemas: text("cdc.journal.converter.schemas.enable"),
    },
    tables: {
      pdbs: (text("cdc.database.pdbs") ?? "")
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
      include: text("cdc.tables.include"),
      exclude: text("cdc.tables.exclude"),
      caseSensitive: text("cdc.tables.case.sensitive")?.toLowerCase() === "true",
    },
    database: {
      host: text("cdc.database.host"),
      port: text("cdc.database.port"),
      service: text("cdc.database.service"),
      sid: text("cdc.database.sid"),
      url: text("cdc.database.url"),
      user: text("cdc.database.user"),
      password: sealed("cdc.database.password"),
      walletLocation: text("cdc.database.wallet.location"),
      truststoreLocation: text("cdc.database.tls.truststore.location"),
      truststorePassword: sealed("cdc.database.tls.truststore.password"),
      truststoreType: text("cdc.database.tls.truststore.type"),
      connectionProperties: text("cdc.database.connection.properties"),
    },
    brokers: {
      bootstrapServers,
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, secret(value)])),
    },
  };
}

/**
 * Replaces the brokers or the client properties. Client properties replace all of the configuration's: a mixture of two
 * files would have the security of neither.
 */
export function withBrokers(
  settings: ConnectorSettings,
  given: {
    readonly bootstrapServers?: string | undefined;
    readonly properties?: Readonly<Record<string, Secret>> | undefined;
  },
): ConnectorSettings {
  return {
    ...settings,
    brokers: {
      bootstrapServers: given.bootstrapServers ?? settings.brokers.bootstrapServers,
      properties: given.properties ?? settings.brokers.properties,
    },
  };
}

/**
 * Compares a configuration that replaces the worker's copy with that copy, and finds settings of a different connector:
 * its records would go to other topics, and its offset be searched for under another prefix. References that only the
 * worker resolves are not compared.
 *
 * @returns one phrase each: `cdc.topic.prefix is "billing", and the worker's copy has "orders"`
 */
export function strangeSettings(
  file: { readonly name: string | undefined; readonly settings: ConnectorSettings },
  worker: { readonly name: string; readonly config: Config },
): readonly string[] {
  // Nothing to compare with: a connector that was deleted.
  if (worker.config["connector.class"] === undefined) return [];
  const named = (file.name ?? "").trim();
  const name = named === "" || named === worker.name ? [] : [`its name is ${quote(named)}, not ${quote(worker.name)}`];
  const own = TOPICS.map(([setting, of]) => {
    const held = topicOf(worker.config, setting);
    return held === undefined || held === of(file.settings)
      ? undefined
      : `${setting} is ${quote(of(file.settings))}, and the worker's copy has ${quote(held)}`;
  });
  return [...name, ...own.filter((one) => one !== undefined)];
}

/** Topics that are written to. The journal is only read, and a file may name an earlier one, or a copy of it. */
const TOPICS: readonly (readonly [string, (settings: ConnectorSettings) => string])[] = [
  ["cdc.topic.prefix", ({ prefix }) => prefix],
  ["cdc.ops.topic", ({ opsTopic }) => opsTopic],
  ["cdc.signals.topic", ({ signalsTopic }) => signalsTopic],
];

/** Undefined if the worker's copy does not give it. */
function topicOf(config: Config, setting: string): string | undefined {
  try {
    const of = TOPICS.find(([name]) => name === setting)?.[1];
    const topic = of?.(connectorSettings({ ...config, "cdc.capture.mode": "online" }, "the worker's copy"));
    return topic === undefined || REFERENCE.test(topic) ? undefined : topic;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function prefixOf(prefix: string | undefined, origin: string): string {
  if (prefix === undefined)
    throw new UsageError(
      `cdc.topic.prefix is not set in ${origin}`,
      "Check that this is the Oracle CDC source connector, or give a file with its whole configuration: --config, " +
        "of migrate verify --input.",
    );
  if (REFERENCE.test(prefix))
    throw new UsageError(
      `cdc.topic.prefix in ${origin} is ${quote(prefix)}, a reference that only the worker resolves`,
      "Give the configuration with its value by --config.",
    );
  return prefix;
}

function captureMode(mode: string, origin: string): ConnectorSettings["captureMode"] {
  const known = mode.toLowerCase();
  if (known === "online" || known === "archive_only") return known;
  throw new UsageError(
    `cdc.capture.mode in ${origin} is ${quote(mode)}`,
    "Set it to online or archive_only, or name a file with another configuration by --config.",
  );
}

/** Client properties: the settings without their prefix. */
function streamProperties(config: Config): Record<string, string> {
  const under = (prefix: string): [string, string][] =>
    Object.entries(config)
      .filter(([name, value]) => name.startsWith(prefix) && name.length > prefix.length && value.trim() !== "")
      .map(([name, value]) => [name.slice(prefix.length), value.trim()]);
  return Object.fromEntries([...under("cdc.kafka."), ...under("cdc.stream.")]);
}
