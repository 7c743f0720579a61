import type {
  ConnectorShown,
  Cost,
  DecidedOffsetChange,
  DecidedResnapshot,
  OffsetShown,
  PlanOutcome,
  PlanWorld,
  SnapshotShown,
  TornTransaction,
} from "../../schemas/generated/plan.ts";
import type { Finding } from "../checks/finding.ts";
import type { ChangeKind, OffsetChangeIntent, ResnapshotIntent } from "../document/intent.ts";
import type { Move } from "../facts/offset/move.ts";
import type { RedoExamination } from "../facts/redo/redo.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Digest } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import { lineOf } from "../values/remedy.ts";
import type { MigrationPlans } from "./migration-plan.ts";
import type { PlannedStep } from "./steps.ts";

export type {
  ConnectorShown,
  Cost,
  DiffRow,
  OffsetShown,
  PlanOutcome,
  PlanWorld,
  Shown,
  SnapshotShown,
} from "../../schemas/generated/plan.ts";

/**
 * What one document asks for, as planned now: the change, what it costs, what was found, the steps. A plain value
 * without functions, clients or secrets; the same intent and facts give the same bytes.
 */
export type Plan = Plans[ChangeKind];

/** The plan of each kind of change. */
export interface Plans extends MigrationPlans {
  readonly OffsetChange: OffsetChangePlan;
  readonly Resnapshot: ResnapshotPlan;
}

/** A change of one connector, its stored offset among it. */
export type ConnectorPlan = OffsetChangePlan | ResnapshotPlan;

/** The input of the decision digest: what a reviewer decides on, and what does not move while the connectors run. */
export type Decided = Plan["decided"];

/** What every plan has. */
export interface PlanBase {
  readonly plannedAt: Instant;
  readonly outcome: PlanOutcome;
  readonly world: PlanWorld;
  readonly findings: readonly Finding[];
  /** The position and the redo as one picture. Of a migration, where it moves; plans of earlier versions have none. */
  readonly timeline?: Timeline;
  /** No two of one name: a run knows by the name how far it is. */
  readonly steps: readonly PlannedStep[];
  readonly decision: Digest;
}

/** What the plans of one connector have in common. */
interface OneConnectorPlan extends PlanBase {
  readonly connector: ConnectorShown;
  /** Undefined while the target or the stored offset is unknown; the findings explain why. */
  readonly move: Move | undefined;
  /** Undefined likewise. */
  readonly offset: OffsetShown | undefined;
  readonly cost: Cost | undefined;
  /** From the target to now; for a resnapshot from the stored position. Undefined if it could not be inspected. */
  readonly redo: RedoExamination | undefined;
  readonly torn: readonly TornTransaction[];
}

export interface OffsetChangePlan extends OneConnectorPlan {
  readonly intent: OffsetChangeIntent;
  readonly decided: DecidedOffsetChange;
  readonly snapshot?: undefined;
}

export interface ResnapshotPlan extends OneConnectorPlan {
  readonly intent: ResnapshotIntent;
  readonly snapshot: SnapshotShown;
  readonly decided: DecidedResnapshot;
}

/** A plan as stored in documents: each remedy on one line. */
export function asWritten(plan: Plan): Plan {
  const findings = plan.findings.map((one) => ({ ...one, remedies: one.remedies.map(lineOf) }));
  return { ...plan, findings };
}
