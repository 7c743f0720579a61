import type { ConnectorFacts, DeployedConnector } from "./connector-facts.ts";

/**
 * What a takeover is decided by, as it was seen; a plain value without secrets. Database, redo and probes are those that the new connector will
 * mine, from the lowest SCN of the legacy connector's stored offsets on.
 */
export interface LegacyFacts
  extends Pick<ConnectorFacts, "at" | "worker" | "database" | "redo" | "probes" | "transactions" | "times"> {
  readonly legacy: DeployedConnector;
}
