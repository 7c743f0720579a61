import type { SettingProblem } from "../../facts/connector/connector.ts";
import type { LegacyFacts, MigrationSeen, OtherConnector, PhaseKnown } from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Dictionary } from "../../facts/tables/tables.ts";
import type { Translation } from "../../legacy/translation.ts";

export interface CutoverFacts extends MigrationSeen, LegacyFacts {
  readonly phase: "cutover";
  readonly translation: Translation;
  /** Settings whose only known value is the mask. */
  readonly lacking: readonly string[];
  /** Whether the workers have the new connector's class. */
  readonly installed: Observed<boolean>;
  /** Classes on the workers that can be builds of the connector; empty if they could not be listed. */
  readonly builds: readonly string[];
  /** What a worker finds wrong with the new configuration. */
  readonly problems: Observed<readonly SettingProblem[]>;
  /** Undefined in facts of earlier versions. */
  readonly dictionary?: Observed<Dictionary>;
  /** Names of all topics. */
  readonly topics: Observed<readonly string[]>;
  /** Topics that still have records of the new prefix; undefined in facts of earlier versions. */
  readonly leftRecords?: Observed<readonly string[]>;
  /** The other connectors of the cluster. */
  readonly others: Observed<readonly OtherConnector[]>;
  /** The latest phase between the two connectors that was carried out, as known on this machine. */
  readonly latest: Observed<PhaseKnown | undefined>;
}
