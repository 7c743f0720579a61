import type {
  CutoverFacts,
  OffsetChangeFacts,
  ResnapshotFacts,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
} from "../../schemas/generated/facts.ts";
import type { ChangeKind, MigrationPhase } from "../document/intent.ts";

/** The facts that each kind of change is decided by. */
export interface FactsOf {
  readonly OffsetChange: OffsetChangeFacts;
  readonly Resnapshot: ResnapshotFacts;
  readonly cutover: CutoverFacts;
  readonly verify: VerificationFacts;
  readonly rollback: ReturnFacts;
  readonly retire: RetirementFacts;
}

/** The facts that an intent of any kind is decided by. */
export type Facts = FactsOf[ChangeKind];

/** The facts that a phase of a migration is decided by. */
export type MigrationFacts = FactsOf[MigrationPhase];
