import type { ConnectorFacts, ConnectorSeen } from "../facts/connector-facts.ts";
import type { MigrationFacts, NewSettingsSeen } from "../facts/migration-facts.ts";

/** Settings of the connector that is changed; in a migration those of the new one, as it has them or would be created with. */
export function settingsIn(facts: ConnectorFacts | MigrationFacts): ConnectorSeen | NewSettingsSeen {
  return "connector" in facts ? facts.connector : facts.settings;
}
