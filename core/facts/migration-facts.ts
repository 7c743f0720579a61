import type { MigrationPhase } from "../document/intent.ts";
import type { Translation } from "../legacy/translation.ts";
import type { LegacyWrites } from "../legacy/written-topics.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { SettingProblem } from "./connector/connector.ts";
import type { ConnectorFacts, ConnectorSeen, DeployedConnector } from "./connector-facts.ts";
import type { LegacyFacts } from "./legacy-facts.ts";
import type { Observed } from "./observed.ts";
import type { OffsetEntry } from "./offset/stored-offset.ts";
import type { RecordedEvent } from "./ops/ops-event.ts";
import type { ConsumerGroupSeen, TopicSeen } from "./ops/topic.ts";
import type { Dictionary } from "./tables/tables.ts";

/** What a phase of a migration is decided by, as it was seen; a plain value without secrets. */
export type MigrationFacts = CutoverFacts | VerificationFacts | ReturnFacts | RetirementFacts;

/** What every phase looks at. */
interface MigrationSeen
  extends Pick<ConnectorFacts, "at" | "worker" | "database" | "brokers" | "opsTopic" | "opsHistory"> {
  readonly kind: "Migration";
  /** The new connector; undefined where the workers have none of its name. */
  readonly next: DeployedConnector | undefined;
  /** Its settings: from its configuration where it is there, else from the one it would be created with. */
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

export interface CutoverFacts extends MigrationSeen, LegacyFacts {
  readonly phase: "cutover";
  readonly translation: Translation;
  /** Settings for which there is nothing but the mask: nobody has given their value. */
  readonly lacking: readonly string[];
  /** Whether the workers have the new connector's class. */
  readonly installed: Observed<boolean>;
  /** Classes on the workers that can be builds of the connector; empty where they could not be listed. */
  readonly builds: readonly string[];
  /** What a worker finds wrong with the new configuration. */
  readonly problems: Observed<readonly SettingProblem[]>;
  /** Names of all topics. */
  readonly topics: Observed<readonly string[]>;
  /** The other connectors of the cluster. */
  readonly others: Observed<readonly OtherConnector[]>;
  /** The latest phase between the two that was carried out, as far as this machine knows. */
  readonly latest: Observed<PhaseKnown | undefined>;
}

/** Back to the legacy connector. */
export interface ReturnFacts extends MigrationSeen, LegacyFacts {
  readonly phase: "rollback";
  readonly topics: Observed<readonly string[]>;
  /** Looked at only where topics are to be deleted; the other connectors too. */
  readonly dictionary: Observed<Dictionary>;
  readonly others: Observed<readonly OtherConnector[]>;
  /** The latest cutover between the two that this machine knows of. */
  readonly cutover: Observed<CutoverKnown | undefined>;
}

export interface VerificationFacts extends MigrationSeen {
  readonly phase: "verify";
  readonly dictionary: Observed<Dictionary>;
  /** Names of all topics. */
  readonly topics: Observed<readonly string[]>;
  /** The topics to be read, by name; `missing` when the brokers know no such topic. */
  readonly read: Observed<Readonly<Record<string, TopicSeen | "missing">>>;
  /** What a retirement of these connectors has deleted, as far as this machine knows. */
  readonly retired: Observed<RetiredKnown>;
}

/** Legacy topics that are gone by a retirement, and what is proven without them. */
export interface RetiredKnown {
  readonly topics: readonly { readonly topic: string; readonly run: string; readonly at: Instant }[];
  /** Tables of which evidence that passed, known to a journal here, shows that the new topic alone holds every key. */
  readonly complete: readonly string[];
}

export interface RetirementFacts extends MigrationSeen {
  readonly phase: "retire";
  /** Undefined where the workers have none of its name. */
  readonly legacy: DeployedConnector | undefined;
  readonly dictionary: Observed<Dictionary>;
  readonly topics: Observed<readonly string[]>;
  readonly others: Observed<readonly OtherConnector[]>;
  /** Of the topics that would be deleted. */
  readonly groups: Observed<readonly ConsumerGroupSeen[]>;
  readonly evidence: Observed<EvidenceKnown>;
  /** The latest cutover between the two that this machine knows of: what was verified before it says nothing of it. */
  readonly cutover: Observed<CutoverKnown | undefined>;
  /** The verifications of these connectors that this machine knows of, oldest first. */
  readonly verifications: Observed<readonly VerificationKnown[]>;
  /**
   * What the ops topic tells of the new connector since the verification that wrote the evidence; none where no journal
   * here knows that one.
   */
  readonly recordedSince: Observed<readonly RecordedEvent[]>;
}

/** Another connector, as far as a migration is concerned with it. */
export interface OtherConnector {
  readonly name: string;
  readonly connectorClass: string | undefined;
  /** `cdc.topic.prefix`. */
  readonly prefix: string | undefined;
  /** Of a legacy connector: where it keeps its licence. */
  readonly licenceTopic: string | undefined;
  /** Of a legacy connector: what its topics are called. */
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
  /** The legacy connector's, as it stopped with them. */
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

/** The verification that wrote an evidence file, by its digest; undefined where none of these did. */
export function verificationOf(
  digest: string,
  verifications: readonly VerificationKnown[],
): VerificationKnown | undefined {
  return verifications.findLast((verification) => verification.digest === digest);
}

/** The new connector and the legacy one, as far as the cluster shows that something happened to them since. */
export interface ConnectorsFound {
  /** The new connector's, secrets masked. */
  readonly configuration: Readonly<Record<string, string>>;
  readonly offsets: readonly OffsetEntry[];
  /** Undefined where the workers had no legacy connector of the name. */
  readonly legacyOffsets?: readonly OffsetEntry[];
  readonly opsTopic: string;
  /** Up to here the ops topic could be read. Empty where it was not there. */
  readonly opsTopicEnds: readonly { readonly partition: bigint; readonly offset: bigint }[];
}

/** An evidence file that holds together: its own digest fits. */
export interface EvidenceKnown {
  readonly file: string;
  readonly digest: string;
  readonly connector: string;
  /** The tables are compared as of it: what came later the file says nothing of. */
  readonly checkScn: Scn;
  readonly tables: readonly {
    readonly table: string;
    readonly outcome: "pass" | "fail" | "inconclusive";
    /** The legacy connector's topic that was read; undefined where none was. */
    readonly legacyTopic: string | undefined;
    /** How many keys only the legacy connector's topic held. */
    readonly byLegacy: bigint;
    /** Columns that were not compared, each with the reason: `UPDATED_AT (named by --ignore-column)`. */
    readonly leftOut: readonly string[];
  }[];
}
