import type { Instant } from "../values/instant.ts";
import type { ConnectorStatus } from "./connector/connector.ts";
import type { DatabaseSeen, ScnTime } from "./database/database.ts";
import type { Observed } from "./observed.ts";
import type { OffsetEntry } from "./offset/stored-offset.ts";
import type { OpsHistory } from "./ops/ops-event.ts";
import type { SignalsSeen } from "./ops/signal.ts";
import type { TopicSeen } from "./ops/topic.ts";
import type { LogProbe, RedoCatalogue } from "./redo/redo.ts";
import type { Definitions } from "./tables/ddl.ts";
import type { TableSelection } from "./tables/tables.ts";
import type { JournaledTransaction, OpenTransaction } from "./transactions.ts";

/**
 * The facts that any change of a connector is decided by; a plain value without secrets (`cdcctl observe` writes it to
 * a file). The connector, its offset and its database are required: if one of them can't be read there are no facts,
 * and the command fails with the reason. Everything else may be unknown.
 */
export interface ConnectorFacts {
  /** When the observation began. */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly connector: ConnectorSeen;
  readonly database: DatabaseSeen & { readonly address: string };
  readonly redo: Observed<RedoCatalogue>;
  /** Known and `applies: false` if the task itself adds no files (`cdc.mining.mode=range`). */
  readonly probes: Observed<{ readonly applies: boolean; readonly files: readonly LogProbe[] }>;
  readonly transactions: Observed<readonly OpenTransaction[]>;
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /**
   * When the captured tables were last defined: read where a move leads over a DDL that matters. Omitted in facts from
   * versions that did not read it.
   */
  readonly ddl?: Observed<Definitions>;
  /** When the SCNs that are shown were current. */
  readonly times: Observed<readonly ScnTime[]>;
  readonly brokers: Observed<{ readonly address: string; readonly clusterId: string }>;
  /** `missing` if the brokers have no such topic. */
  readonly opsTopic: Observed<TopicSeen | "missing">;
  readonly opsHistory: Observed<OpsHistory>;
  /** Omitted where no signal decides anything. */
  readonly signals?: Observed<SignalsSeen>;
}

interface WorkerSeen {
  readonly url: string;
  readonly version: string;
  readonly clusterId: string;
}

/** A connector as its workers show it, of whatever class. */
export interface DeployedConnector {
  readonly name: string;
  readonly connectorClass: string | undefined;
  /** Secrets are `********`. */
  readonly config: Readonly<Record<string, string>>;
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
}

/** A CDC connector, with the meaning of its configuration. */
export interface ConnectorSeen extends DeployedConnector {
  /** Where the configuration was read. */
  readonly configOrigin: string;
  readonly prefix: string;
  readonly opsTopic: string;
  readonly signalsTopic: string;
  readonly captureMode: "online" | "archive_only";
  readonly miningMode: string;
  readonly archiveDestination: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter: string | undefined;
  readonly valueConverterSchemas: string | undefined;
}
