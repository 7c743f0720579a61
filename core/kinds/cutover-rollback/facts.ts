import type { CutoverKnown, LegacyFacts, MigrationSeen, OtherConnector } from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Dictionary } from "../../facts/tables/tables.ts";

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
