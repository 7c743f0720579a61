import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { ConnectorStatus } from "./connector.ts";
import type { DatabaseSeen, OpenTransaction, ScnTime } from "./database.ts";
import type { Observed } from "./observed.ts";
import type { OffsetEntry } from "./offset.ts";
import type { RecordedEvent } from "./ops-event.ts";
import type { LogProbe } from "./redo.ts";
import type { RedoCatalogue } from "./redo-examination.ts";
import type { SignalAck } from "./signal.ts";
import type { TopicSeen } from "./topic.ts";

/**
 * What any change of a connector is decided by, as it was seen; a plain value without secrets (`cdcctl observe` writes
 * it to a file). The connector, its offset and the database it mines are what there is to decide about: where one of
 * them can't be seen there are no facts, and the command fails with the reason. Everything else may be unknown.
 */
export interface ConnectorFacts {
  /** When the look began. */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly connector: ConnectorSeen;
  readonly database: DatabaseSeen & { readonly address: string };
  readonly redo: Observed<RedoCatalogue>;
  /** Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`). */
  readonly probes: Observed<{ readonly applies: boolean; readonly files: readonly LogProbe[] }>;
  readonly transactions: Observed<readonly OpenTransaction[]>;
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /** When the SCNs that are shown were current. */
  readonly times: Observed<readonly ScnTime[]>;
  readonly brokers: Observed<{ readonly address: string; readonly clusterId: string }>;
  /** `missing` when the brokers know no such topic. */
  readonly opsTopic: Observed<TopicSeen | "missing">;
  readonly opsHistory: Observed<OpsHistory>;
}

export interface OffsetChangeFacts extends ConnectorFacts {
  readonly kind: "OffsetChange";
  /** The SCN that the position stands for. */
  readonly target: TargetSeen;
}

export interface WorkerSeen {
  readonly url: string;
  readonly version: string;
  readonly clusterId: string;
}

/** A connector as its workers show it, whichever class it is of. */
export interface DeployedConnector {
  readonly name: string;
  readonly connectorClass: string | undefined;
  /** Secrets are `********`. */
  readonly config: Readonly<Record<string, string>>;
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
}

/** One of ours, with what its configuration means. */
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

/** Which tables the connector captures, as its configuration says it. */
export interface TableSelection {
  /** `cdc.database.pdbs`; empty: a database without containers, or one PDB that is mined from inside. */
  readonly pdbs: readonly string[];
  /** `cdc.tables.include`, `cdc.tables.exclude`: comma-separated Java patterns over whole names. */
  readonly include: string | undefined;
  readonly exclude: string | undefined;
  readonly caseSensitive: boolean;
}

/** For `earliestAvailable` and `restore` the SCN follows from the catalogue and the run: see `pinTarget`. */
export type TargetSeen =
  | { readonly by: "scn" | "restore" | "earliestAvailable" }
  | { readonly by: "timestamp"; readonly scn: Scn | undefined };

/** A transaction of which the journal holds chunks. */
export interface JournaledTransaction {
  readonly xid: string;
  readonly container: bigint | undefined;
  readonly firstScn: Scn;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
}

export interface OpsHistory {
  /**
   * What the topic tells of changes, of every connector that writes to it: those of a partition in the order of its
   * log, in which those of one connector follow each other (their key is its topic prefix).
   */
  readonly events: readonly RecordedEvent[];
  /** The connector's answers to signals, whoever wrote them. */
  readonly answers: readonly SignalAck[];
  /** Whether the topic was read from its beginning to its end. */
  readonly whole: boolean;
  /** Up to here each partition was read: the offset after the last one that was looked at. */
  readonly readTo: readonly { readonly partition: bigint; readonly offset: bigint }[];
  /**
   * What the workers' clocks said when it was read; undefined where they did not tell. Ages go by it, and never by this
   * machine's clock.
   */
  readonly clusterNow: Instant | undefined;
}
