import type { ConnectorStatus } from "./connector.ts";
import type { ConnectorFacts } from "./connector-facts.ts";
import type { OffsetEntry } from "./offset.ts";

/** The legacy connector as its workers show it. */
export interface LegacySeen {
  readonly name: string;
  readonly connectorClass: string | undefined;
  /** Secrets are `********`. */
  readonly config: Readonly<Record<string, string>>;
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
}

/**
 * What a takeover is decided by, as it was seen; a plain value without secrets. Database, redo and probes are those that the new connector will
 * mine, from the lowest SCN of the legacy connector's stored offsets on.
 */
export interface LegacyFacts
  extends Pick<ConnectorFacts, "at" | "worker" | "database" | "redo" | "probes" | "transactions" | "times"> {
  readonly legacy: LegacySeen;
}
