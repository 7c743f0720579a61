import type { CutoverShown, RetirementShown, ReturnShown, VerificationShown } from "../../schemas/generated/plan.ts";
import type { MigrationIntent, MigrationPhase } from "../document/intent.ts";
import type { CutoverDecided } from "../kinds/cutover/reading.ts";
import type { ReturnDecided } from "../kinds/cutover-rollback/reading.ts";
import type { RetirementDecided } from "../kinds/retirement/reading.ts";
import type { VerificationDecided } from "../kinds/verification/reading.ts";
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

export type CutoverPlan = PhasePlan<CutoverShown, CutoverDecided>;
export type VerificationPlan = PhasePlan<VerificationShown, VerificationDecided>;
export type ReturnPlan = PhasePlan<ReturnShown, ReturnDecided>;
export type RetirementPlan = PhasePlan<RetirementShown, RetirementDecided>;

/** What the plans of two connectors have in common. */
export interface PhasePlan<Shown extends MigrationShown, Decided> extends PlanBase {
  readonly intent: MigrationIntent;
  /** Undefined: the workers have no connector of that name. */
  readonly legacy: ConnectorShown | undefined;
  readonly next: ConnectorShown | undefined;
  readonly migration: Shown;
  readonly decided: Decided;
}

/** What the plan of a phase shows besides its findings and steps. */
export type MigrationShown = CutoverShown | VerificationShown | ReturnShown | RetirementShown;
