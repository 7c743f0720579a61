import type {
  CutoverFacts,
  DeployedConnector,
  OffsetChangeFacts,
  ResnapshotFacts,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
} from "../../schemas/generated/facts.ts";
import type { ChangeKind, MigrationPhase } from "../document/intent.ts";
import { storedOffsetOf } from "../facts/offset/stored-offset.ts";
import type { JsonObject } from "../values/json.ts";

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

/** The connectors that a change stops or starts, as observed; undefined for one that does not exist. */
export function connectorsIn(facts: Facts): readonly (DeployedConnector | undefined)[] {
  if ("connector" in facts) return [facts.connector];
  return ["legacy" in facts ? facts.legacy : undefined, facts.next];
}

/** The stored offset of the connector whose changes the ops topic records. */
export function storedIn(facts: Facts): JsonObject | null {
  if ("connector" in facts) return storedOffsetOf(facts.connector);
  return storedOffsetOf({ offsets: facts.next?.offsets ?? [], prefix: facts.settings.prefix });
}
