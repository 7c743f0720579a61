import type { MigrationPhase } from "../../../core/document/intent.ts";
import type { StepName } from "../../../core/plan/plan.ts";

/** A phase of a migration as a test carries it out. */
export interface Phase {
  readonly name: string;
  readonly phase: MigrationPhase;
  /** Further lines of its plan file. */
  readonly spec: readonly string[];
  /** In their order. */
  readonly steps: readonly StepName[];
  /** Whether a cutover has gone before. */
  readonly after: "nothing" | "cutover";
  /** What may be deleted: topics whose names begin so. */
  readonly deletes: readonly string[];
}

const REMOVAL: readonly StepName[] = [
  "stop-connector",
  "recheck",
  "record-applying",
  "delete-offsets",
  "record-outcome",
  "delete-connector",
];

export const CUTOVER: Phase = {
  name: "cutover",
  phase: "cutover",
  spec: [],
  steps: ["stop-connector", "recheck", "create-connector", "start-new"],
  after: "nothing",
  deletes: [],
};

export const RETURN: Phase = {
  name: "rollback",
  phase: "rollback",
  spec: [],
  steps: [...REMOVAL, "resume-legacy"],
  after: "cutover",
  deletes: [],
};

export const RETURN_WITH_TOPICS: Phase = {
  name: "rollback with its topics",
  phase: "rollback",
  spec: ["deleteTopics: true"],
  steps: [...REMOVAL, "delete-topics", "resume-legacy"],
  after: "cutover",
  // The ops topic stays: it holds the record.
  deletes: ["orders.ORCLPDB1.", "orders.cdc.signals", "orders.cdc.txjournal"],
};

export const RETIREMENT: Phase = {
  name: "retire",
  phase: "retire",
  spec: [],
  steps: ["delete-connector", "delete-topics"],
  after: "cutover",
  deletes: ["ORCLCDB.", "orders-legacy-"],
};
