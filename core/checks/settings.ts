import type { ConnectorFacts, ConnectorSeen } from "../facts/connector-facts.ts";
import type { MigrationFacts, NewSettingsSeen } from "../facts/migration-facts.ts";
import type { PreflightFacts, PreflightSettings } from "../facts/preflight.ts";

/**
 * Settings of the connector that is changed, or looked at before it is started; in a migration those of the new one, as
 * it has them or would be created with.
 */
export function settingsIn(facts: ConnectorFacts | MigrationFacts): ConnectorSeen | NewSettingsSeen;
export function settingsIn(facts: ConnectorFacts | MigrationFacts | PreflightFacts): MiningSettings;
export function settingsIn(facts: ConnectorFacts | MigrationFacts | PreflightFacts): MiningSettings {
  return "connector" in facts ? facts.connector : facts.settings;
}

/** What all of them have of how the redo is mined. */
type MiningSettings = Pick<PreflightSettings, "captureMode" | "miningMode">;
