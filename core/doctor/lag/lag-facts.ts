import type { ConnectorStatus } from "../../facts/connector/connector.ts";
import type { TaskMetrics } from "../../facts/connector/task-metrics.ts";
import type { DatabaseSeen, ScnTime } from "../../facts/database/database.ts";
import type { Observed } from "../../facts/observed.ts";
import type { StoredOffset } from "../../facts/offset/stored-offset.ts";
import type { RedoCatalogue } from "../../facts/redo/redo.ts";
import type { JournaledTransaction, OpenTransaction } from "../../facts/transactions.ts";
import type { Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";

/**
 * What a lag is explained by, as it was seen: two looks at what moves, and one at the rest. A plain value without
 * secrets. Only the connector's state is always known: whoever can't see that can't explain anything. All else may be
 * unknown, each for a reason of its own.
 */
export interface LagFacts {
  readonly connector: LaggingConnector;
  /** Milliseconds between the two looks. */
  readonly between: bigint;
  readonly first: LagSample;
  readonly second: LagSample;
  readonly database: Observed<DatabaseSeen>;
  /** From the stored resume SCN or a day ago on, whichever is further back. */
  readonly redo: Observed<RedoCatalogue>;
  readonly transactions: Observed<readonly OpenTransaction[]>;
  /** For the picture alone: nothing is judged by it. Unknown where it took longer than there was time for. */
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /** When the SCNs that are shown were current (`SCN_TO_TIMESTAMP`). */
  readonly times: Observed<readonly ScnTime[]>;
}

export interface LaggingConnector {
  readonly name: string;
  readonly connectUrl: string;
  /** Of the contexts file, where it was asked for by its name: it holds the credentials for what is to be typed next. */
  readonly context?: string | undefined;
  readonly captureMode: "online" | "archive_only";
  readonly archiveDestination: string | undefined;
  /** Records a poll, `cdc.poll.max.records`. */
  readonly pollMaxRecords: Observed<bigint>;
  /** Milliseconds, `cdc.mining.target.latency.ms`; undefined: it is not set. */
  readonly targetLatency: Observed<bigint | undefined>;
}

/** One look at what moves while the connector works. */
export interface LagSample {
  readonly at: Instant;
  readonly status: ConnectorStatus;
  readonly stored: Observed<StoredOffset>;
  readonly currentScn: Observed<Scn>;
  readonly metrics: Observed<TaskMetrics>;
}
