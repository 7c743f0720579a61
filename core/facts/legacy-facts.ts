import type { ConnectorFacts, DeployedConnector } from "./connector-facts.ts";
import type { TransactionsSeen } from "./transactions.ts";

/**
 * What a takeover is decided by, as it was seen; a plain value without secrets. Database, redo and probes are those
 * that the new connector will mine, from the lowest SCN of the legacy connector's stored offsets on.
 */
export interface LegacyFacts
  extends Pick<ConnectorFacts, "at" | "worker" | "database" | "redo" | "probes" | "transactions" | "times"> {
  readonly legacy: DeployedConnector;
  /**
   * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined where none did.
   */
  readonly openBefore?: TransactionsSeen | undefined;
}
