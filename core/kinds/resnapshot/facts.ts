import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { TopicSeen } from "../../facts/ops/topic.ts";
import type { Dictionary, RowScn, TableActivity } from "../../facts/tables/tables.ts";

/** Why evidence is unknown if it was not requested. */
export const NOBODY_LOOKED = "not looked up";

/** Everything a resnapshot is decided by, as observed; a plain value without secrets. */
export interface ResnapshotFacts extends ConnectorFacts {
  readonly kind: "Resnapshot";
  /** `missing` if the brokers have no such topic. */
  readonly signalsTopic: Observed<TopicSeen | "missing">;
  readonly dictionary: Observed<Dictionary>;
  /** Activity of every table in the dictionary; read only if redo is missing. */
  readonly activity: Observed<readonly TableActivity[]>;
  /** Row SCNs of the unlisted tables, if the plan file requests them. */
  readonly rowScns: Observed<readonly RowScn[]>;
}
