import type { CutoverKnown, LegacyFacts, MigrationSeen, OtherConnector } from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Dictionary } from "../../facts/tables/tables.ts";

/** The facts that the rollback of a cutover is decided by. */
export interface ReturnFacts extends MigrationSeen, LegacyFacts {
  readonly phase: "rollback";
  readonly topics: Observed<readonly string[]>;
  /** Read only if topics are to be deleted; the same holds for the other connectors. */
  readonly dictionary: Observed<Dictionary>;
  readonly others: Observed<readonly OtherConnector[]>;
  /** The latest cutover between the two connectors known on this machine. */
  readonly cutover: Observed<CutoverKnown | undefined>;
}
