import type { ConnectorSettings } from "../facts/connector/settings.ts";
import type { PreflightSettings } from "../facts/preflight.ts";
import { keySettings } from "./key-settings.ts";

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
