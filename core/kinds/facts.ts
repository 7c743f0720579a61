import type { ChangeKind, MigrationPhase } from "../document/intent.ts";
import type { CutoverFacts } from "./cutover/facts.ts";
import type { ReturnFacts } from "./cutover-rollback/facts.ts";
import type { OffsetChangeFacts } from "./offset-change/facts.ts";
import type { ResnapshotFacts } from "./resnapshot/facts.ts";
import type { RetirementFacts } from "./retirement/facts.ts";
import type { VerificationFacts } from "./verification/facts.ts";

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
