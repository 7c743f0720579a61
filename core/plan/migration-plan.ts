import type {
  CutoverShown,
  DecidedMigration,
  RetirementShown,
  ReturnShown,
  VerificationShown,
} from "../../schemas/generated/plan.ts";
import type { MigrationIntent, MigrationPhase } from "../document/intent.ts";
import type { ConnectorShown, PlanBase } from "./plan.ts";

export type {
  CutoverShown,
  PartitionShown,
  Preflight,
  RetirementShown,
  ReturnShown,
  TakeoverShown,
  VerificationShown,
} from "../../schemas/generated/plan.ts";

/** One phase of a migration: of two connectors, and of no offset that is set. */
export type MigrationPlan = MigrationPlans[MigrationPhase];

export interface MigrationPlans {
  readonly cutover: CutoverPlan;
  readonly verify: VerificationPlan;
  readonly rollback: ReturnPlan;
  readonly retire: RetirementPlan;
}

export type CutoverPlan = PhasePlan<CutoverShown>;
export type VerificationPlan = PhasePlan<VerificationShown>;
export type ReturnPlan = PhasePlan<ReturnShown>;
export type RetirementPlan = PhasePlan<RetirementShown>;

/** What the plans of two connectors have in common. */
export interface PhasePlan<Shown extends MigrationShown> extends PlanBase {
  readonly intent: MigrationIntent;
  /** Undefined: the workers have no connector of that name. */
  readonly legacy: ConnectorShown | undefined;
  readonly next: ConnectorShown | undefined;
  readonly migration: Shown;
  readonly decided: DecidedMigration & Pick<Shown, "phase">;
}

/** What the plan of a phase shows besides its findings and steps. */
export type MigrationShown = CutoverShown | VerificationShown | ReturnShown | RetirementShown;
