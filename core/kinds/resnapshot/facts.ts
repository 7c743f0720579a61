import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { TopicSeen } from "../../facts/ops/topic.ts";
import type { Dictionary, RowScn, TableActivity } from "../../facts/tables/tables.ts";

/** Why evidence is unknown where nobody asked for it. */
export const NOBODY_LOOKED = "not looked up";

/** Everything a resnapshot is decided by, as it was seen; a plain value without secrets. */
export interface ResnapshotFacts extends ConnectorFacts {
  readonly kind: "Resnapshot";
  /** `missing` when the brokers know no such topic. */
  readonly signalsTopic: Observed<TopicSeen | "missing">;
  readonly dictionary: Observed<Dictionary>;
  /** Of every table in the dictionary; looked at only where redo is gone. */
  readonly activity: Observed<readonly TableActivity[]>;
  /** Of the unlisted tables, where the plan file asks for it. */
  readonly rowScns: Observed<readonly RowScn[]>;
}
