import { topicName } from "../document/connector-settings.ts";
import { quote } from "../document/formats.ts";
import { UsageError } from "../errors.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import type {
  AvroSettings,
  DictionarySettings,
  ExactlyOnceSettings,
  KeySettings,
  LobMode,
  PreflightSettings,
} from "../facts/preflight.ts";
import { type Config, settingOf } from "../values/config.ts";
import { truncate } from "../values/truncate.ts";

/** Default of `--max-downtime`: one day. */
export const MAX_DOWNTIME = 86_400_000;

/** `cdc.txjournal.threshold.ms` and `cdc.dictionary.build.interval.ms` if they are not set (its reference). */
const JOURNAL_THRESHOLD = 300_000;
const BUILD_INTERVAL = 86_400_000;

/**
 * Reads the connector settings that a preflight checks the database against.
 *
 * @param maxDowntime milliseconds
 * @throws UsageError for a setting that the connector would not take
 */
export function preflightSettings(
  settings: ConnectorSettings,
  config: Config,
  maxDowntime = MAX_DOWNTIME,
): PreflightSettings {
  const { opsTopic, signalsTopic, journalTopic } = settings;
  const { origin, connectorClass, prefix, captureMode, miningMode, archiveDestination, tables, database } = settings;
  return {
    origin,
    connectorClass,
    prefix,
    opsTopic,
    signalsTopic,
    journalTopic,
    captureMode,
    miningMode,
    archiveDestination,
    tables,
    user: database.user,
    // Default: the connector's configuration reference.
    heartbeatTopic: topicName(config, prefix, "cdc.heartbeat.topic", ".cdc.heartbeat"),
    keys: keySettings(config, origin),
    lobMode: oneOf<LobMode>("cdc.lob.mode", ["skip", "inline", "reselect"], config, origin),
    avro: avroSettings(config),
    keepIdle: keepIdle(database.connectionProperties),
    dictionary: dictionarySettings(config, origin),
    exactlyOnce: exactlyOnceSettings(config, origin),
    maxDowntime,
    journalThreshold: millis("cdc.txjournal.threshold.ms", JOURNAL_THRESHOLD, config, origin),
  };
}

/**
 * @param values the default first
 * @returns undefined where it is not set
 * @throws UsageError for a value that the connector does not accept
 */
function oneOf<T extends string>(name: string, values: readonly T[], config: Config, file: string): T | undefined {
  const written = settingOf(config, name);
  if (written === undefined) return undefined;
  const known = values.find((one) => one === written.toLowerCase());
  if (known === undefined)
    throw new UsageError({
      file,
      message: `${name} is ${quote(truncate(written, 100))}`,
      remedy: `Valid values: ${values.join(", ")}; the default is ${values[0]}.`,
    });
  return known;
}

/** @throws UsageError if the value is not a number */
function millis(name: string, otherwise: number, config: Config, file: string): number {
  const written = settingOf(config, name);
  if (written === undefined) return otherwise;
  if (!/^-?\d{1,15}$/.test(written))
    throw new UsageError({
      file,
      message: `${name} is ${quote(truncate(written, 100))}, not a number of milliseconds`,
    });
  return Math.max(0, Number(written));
}

/** Converters that write Avro: Confluent's and Apicurio's (their documentation). */
const AVRO = /(?:^|\.)Avro(?:Converter)?$/;

/** A converter that only the worker's own configuration names is not known here. */
function avroSettings(config: Config): AvroSettings | undefined {
  const settings = ["key.converter", "value.converter"].filter((name) => AVRO.test(settingOf(config, name) ?? ""));
  if (settings.length === 0) return undefined;
  const isAdjusted = (what: "field" | "schema"): boolean =>
    !["", "none"].includes(settingOf(config, `cdc.${what}.name.adjustment.mode`)?.toLowerCase() ?? "");
  return { settings, fieldsAdjusted: isAdjusted("field"), schemasAdjusted: isAdjusted("schema") };
}

/** `k=v;k=v`, as the driver takes it. */
function keepIdle(properties: string | undefined): bigint | undefined {
  const [, seconds] = /(?:^|;)\s*oracle\.net\.TCP_KEEPIDLE\s*=\s*(\d{1,9})\s*(?:;|$)/i.exec(properties ?? "") ?? [];
  return seconds === undefined ? undefined : BigInt(seconds);
}

/** Defaults: the connector's reference (`cdc.eos.batch.max.ms`), Kafka's producer (`transaction.timeout.ms`). */
const EOS_BATCH = 500;
const TRANSACTION_TIMEOUT = 60_000;

function exactlyOnceSettings(config: Config, origin: string): ExactlyOnceSettings | undefined {
  const asked = { "exactly.once.support": "required", "transaction.boundary": "connector" };
  const by = Object.entries(asked).find(([name, value]) => settingOf(config, name)?.toLowerCase() === value);
  if (by === undefined) return undefined;
  return {
    by: by.join("="),
    batchMillis: millis("cdc.eos.batch.max.ms", EOS_BATCH, config, origin),
    timeoutMillis: millis("producer.override.transaction.timeout.ms", TRANSACTION_TIMEOUT, config, origin),
  };
}

function dictionarySettings(config: Config, origin: string): DictionarySettings {
  return {
    builds: millis("cdc.dictionary.build.interval.ms", BUILD_INTERVAL, config, origin) > 0,
    elsewhere: settingOf(config, "cdc.dictionary.database.url") !== undefined,
  };
}

/**
 * Reads the key settings of a configuration (reference: connector settings).
 *
 * @param origin of the configuration, for messages
 * @throws UsageError for a `cdc.key.missing` that the connector does not accept
 */
export function keySettings(config: Config, origin: string): KeySettings {
  const missing = oneOf("cdc.key.missing", ["fail", "rowid", "none"] as const, config, origin) ?? "fail";
  return { missing, columns: settingOf(config, "cdc.key.columns") };
}
