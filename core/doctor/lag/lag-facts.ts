import type {
  ConnectorStatus,
  JournaledTransaction,
  OpenTransaction,
  RedoCatalogue,
  ScnTime,
} from "../../../schemas/generated/facts.ts";
import type { TaskMetrics } from "../../facts/connector/task-metrics.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import type { Observed } from "../../facts/observed.ts";
import type { StoredOffset } from "../../facts/offset/stored-offset.ts";
import type { Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";

/**
 * The observations that explain a lag: two samples of what moves, and one of the rest. A plain value without secrets.
 * Only the connector's state is always known, because nothing can be explained without it. Everything else may be
 * unknown, each with its reason.
 */
export interface LagFacts {
  readonly connector: LaggingConnector;
  /** Milliseconds between the two samples. */
  readonly between: bigint;
  readonly first: LagSample;
  readonly second: LagSample;
  readonly database: Observed<DatabaseSeen>;
  /** From the stored resume SCN or from one day ago, whichever is earlier. */
  readonly redo: Observed<RedoCatalogue>;
  readonly transactions: Observed<readonly OpenTransaction[]>;
  /** For the timeline only: no cause depends on it. Unknown if reading it took too long. */
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /** The times of the SCNs that are shown (`SCN_TO_TIMESTAMP`). */
  readonly times: Observed<readonly ScnTime[]>;
}

export interface LaggingConnector {
  readonly name: string;
  readonly connectUrl: string;
  /**
   * The name in the contexts file, if the connector was requested by context: suggested commands take their credentials
   * from it.
   */
  readonly context?: string | undefined;
  readonly captureMode: "online" | "archive_only";
  readonly archiveDestination: string | undefined;
  /** Records per poll, `cdc.poll.max.records`. */
  readonly pollMaxRecords: Observed<bigint>;
  /** Milliseconds, `cdc.mining.target.latency.ms`; undefined if not set. */
  readonly targetLatency: Observed<bigint | undefined>;
}

/** One sample of what moves while the connector works. */
export interface LagSample {
  readonly at: Instant;
  readonly status: ConnectorStatus;
  readonly stored: Observed<StoredOffset>;
  readonly currentScn: Observed<Scn>;
  readonly metrics: Observed<TaskMetrics>;
}
