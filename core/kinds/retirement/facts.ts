import type { DeployedConnector } from "../../facts/connector-facts.ts";
import type {
  CutoverKnown,
  EvidenceKnown,
  MigrationSeen,
  OtherConnector,
  VerificationKnown,
} from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { RecordedEvent } from "../../facts/ops/ops-event.ts";
import type { ConsumerGroupSeen } from "../../facts/ops/topic.ts";
import type { Dictionary } from "../../facts/tables/tables.ts";

export interface RetirementFacts extends MigrationSeen {
  readonly phase: "retire";
  /** Undefined if the workers have none of that name. */
  readonly legacy: DeployedConnector | undefined;
  readonly dictionary: Observed<Dictionary>;
  readonly topics: Observed<readonly string[]>;
  readonly others: Observed<readonly OtherConnector[]>;
  /** The consumer groups of the topics that would be deleted. */
  readonly groups: Observed<readonly ConsumerGroupSeen[]>;
  readonly evidence: Observed<EvidenceKnown>;
  /**
   * The latest cutover between the two connectors known on this machine; earlier verifications prove nothing about it.
   */
  readonly cutover: Observed<CutoverKnown | undefined>;
  /** The verifications of these connectors known on this machine, oldest first. */
  readonly verifications: Observed<readonly VerificationKnown[]>;
  /**
   * The new connector's records in the ops topic since the verification that wrote the evidence; empty if no local
   * journal has that verification.
   */
  readonly recordedSince: Observed<readonly RecordedEvent[]>;
}
