import type { Scn } from "../values/scn.ts";
import type { ConnectorFacts, DeployedConnector } from "./connector-facts.ts";
import type { OpenTransaction } from "./database.ts";

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

/** One look at the open transactions. */
export interface TransactionsSeen {
  /** Current before the look: what began at or below it and has not ended is among them. */
  readonly from: Scn;
  /** Current after the look: what ended above it is among them, unless it began above `from`. */
  readonly to: Scn;
  readonly open: readonly Pick<OpenTransaction, "xid" | "startScn" | "user">[];
}
