import type { MigrationPhase } from "../document/intent.ts";
import type { LegacyWrites, NamedTopics } from "../legacy/written-topics.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { ConnectorFacts, ConnectorSeen, DeployedConnector } from "./connector-facts.ts";
import type { OffsetEntry } from "./offset/stored-offset.ts";
import type { TransactionsSeen } from "./transactions.ts";

/** The facts that every phase of a migration reads; a plain value without secrets. */
export interface MigrationSeen
  extends Pick<ConnectorFacts, "at" | "worker" | "database" | "brokers" | "opsTopic" | "opsHistory"> {
  readonly kind: "Migration";
  /** The new connector; undefined if the workers have none of that name. */
  readonly next: DeployedConnector | undefined;
  /** Its settings: from its configuration if it exists, otherwise from the one it would be created with. */
  readonly settings: NewSettingsSeen;
}

/** Settings of the new connector, secrets masked. */
export interface NewSettingsSeen
  extends Pick<
    ConnectorSeen,
    | "config"
    | "configOrigin"
    | "prefix"
    | "opsTopic"
    | "captureMode"
    | "miningMode"
    | "archiveDestination"
    | "tables"
    | "valueConverter"
    | "valueConverterSchemas"
  > {}

/** Legacy topics deleted by a retirement, and what is proven without them. */
export interface RetiredKnown {
  readonly topics: readonly { readonly topic: string; readonly run: string; readonly at: Instant }[];
  /**
   * Tables of which evidence that passed, known to a journal here, shows that the new topic holds every key by itself.
   */
  readonly complete: readonly string[];
}

/** Another connector, as far as it matters to a migration. */
export interface OtherConnector extends Partial<NamedTopics> {
  readonly name: string;
  readonly connectorClass: string | undefined;
  /** `cdc.topic.prefix`. */
  readonly prefix: string | undefined;
  /** For a legacy connector: the topic with its licence. */
  readonly licenceTopic: string | undefined;
  /** For a legacy connector: the names of its topics. */
  readonly writes: LegacyWrites | undefined;
}

/** A phase that changed something and succeeded, in a journal of this machine. */
export interface PhaseKnown {
  readonly run: string;
  readonly at: Instant;
  readonly phase: MigrationPhase;
  readonly decision: string;
}

/** A cutover in a journal of this machine. */
export interface CutoverKnown {
  readonly run: string;
  readonly at: Instant;
  /** The legacy connector's, as they were when it stopped. */
  readonly offsets: readonly OffsetEntry[];
}

/** A verification in a journal of this machine. */
export interface VerificationKnown {
  readonly run: string;
  readonly at: Instant;
  readonly passed: boolean;
  readonly digest: string;
  /** The connectors before anything was read. Undefined in a journal of an earlier version. */
  readonly found: ConnectorsFound | undefined;
}

/** How the context submits a verification to Apache Spark: where the plan file asks for that. */
export interface SparkSeen {
  /** Undefined: Connect is reached by no context, and workers have none to resolve their logins by. */
  readonly context: string | undefined;
  /** Of its submit command, the program alone: options may hold a secret. Undefined where the context has none. */
  readonly submit: string | undefined;
  /** The command has the driver run on the cluster, where nobody here sees its progress and results. */
  readonly onCluster: boolean;
}

/** The verification that wrote an evidence file, by its digest; undefined if none of these did. */
export function verificationOf(
  digest: string,
  verifications: readonly VerificationKnown[],
): VerificationKnown | undefined {
  return verifications.findLast((verification) => verification.digest === digest);
}

/** The new connector and the legacy one, as a basis to detect later changes. */
export interface ConnectorsFound {
  /** The new connector's, secrets masked. */
  readonly configuration: Readonly<Record<string, string>>;
  readonly offsets: readonly OffsetEntry[];
  /** Undefined if the workers had no legacy connector of that name. */
  readonly legacyOffsets?: readonly OffsetEntry[] | undefined;
  readonly opsTopic: string;
  /** The readable ends of the ops topic. Empty if it did not exist. */
  readonly opsTopicEnds: readonly { readonly partition: bigint; readonly offset: bigint }[];
}

/** A valid evidence file: its own digest matches. */
export interface EvidenceKnown {
  readonly file: string;
  readonly digest: string;
  readonly connector: string;
  /** The SCN as of which tables are compared; the file proves nothing about later changes. */
  readonly checkScn: Scn;
  readonly tables: readonly {
    readonly table: string;
    readonly outcome: "pass" | "fail" | "inconclusive";
    /** The legacy connector's topic that was read; undefined if none was. */
    readonly legacyTopic: string | undefined;
    /** How many keys only the legacy connector's topic held. */
    readonly byLegacy: bigint;
    /** Columns that were not compared, each with the reason: `UPDATED_AT (named by --ignore-column)`. */
    readonly leftOut: readonly string[];
  }[];
}

/**
 * The facts that a takeover is decided by; a plain value without secrets. Database, redo and probes are those that the
 * new connector will mine, from the lowest SCN of the legacy connector's stored offsets on.
 */
export interface LegacyFacts
  extends Pick<ConnectorFacts, "at" | "worker" | "database" | "redo" | "probes" | "transactions" | "times"> {
  readonly legacy: DeployedConnector;
  /** The open transactions as a cutover recorded them before it stopped the legacy connector; undefined if none did. */
  readonly openBefore?: TransactionsSeen | undefined;
}
