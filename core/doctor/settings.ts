import { quote } from "../document/formats.ts";
import { UsageError } from "../errors.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import type { KeySettings, PreflightSettings } from "../facts/preflight.ts";

/**
 * The part of a connector's configuration that a preflight judges the database by.
 *
 * @throws UsageError for a setting that the connector would not take
 */
export function preflightSettings(
  settings: ConnectorSettings,
  config: Readonly<Record<string, string>>,
): PreflightSettings {
  const { origin, connectorClass, prefix, captureMode, miningMode, archiveDestination, tables, database } = settings;
  return {
    origin,
    connectorClass,
    prefix,
    captureMode,
    miningMode,
    archiveDestination,
    tables,
    user: database.user,
    keys: keySettings(config, origin),
  };
}

const MISSING: readonly KeySettings["missing"][] = ["fail", "rowid", "none"];

/**
 * What the configuration says of keys (reference: connector settings).
 *
 * @param origin of the configuration, for messages
 * @throws UsageError for a `cdc.key.missing` that the connector does not know
 */
export function keySettings(config: Readonly<Record<string, string>>, origin: string): KeySettings {
  const written = config["cdc.key.missing"]?.trim() ?? "";
  const missing = written === "" ? "fail" : MISSING.find((one) => one === written.toLowerCase());
  if (missing === undefined)
    throw new UsageError({
      file: origin,
      message: `cdc.key.missing is ${quote(written)}`,
      remedy: `It is ${MISSING.join(", ")}; left out, it is fail.`,
    });
  const columns = config["cdc.key.columns"]?.trim();
  return { missing, columns: columns === "" ? undefined : columns };
}
