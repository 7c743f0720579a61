import type { MigrationSeen, RetiredKnown, SparkSeen } from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { TopicSeen } from "../../facts/ops/topic.ts";
import type { Dictionary } from "../../facts/tables/tables.ts";

export interface VerificationFacts extends MigrationSeen {
  readonly phase: "verify";
  readonly dictionary: Observed<Dictionary>;
  /** Names of all topics. */
  readonly topics: Observed<readonly string[]>;
  /** The topics to be read, by name; `missing` when the brokers know no such topic. */
  readonly read: Observed<Readonly<Record<string, TopicSeen | "missing">>>;
  /** What a retirement of these connectors has deleted, as far as this machine knows. */
  readonly retired: Observed<RetiredKnown>;
  /** Undefined where this process reads and compares. */
  readonly spark?: SparkSeen | undefined;
}
