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
