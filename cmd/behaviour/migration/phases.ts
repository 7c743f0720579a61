import type { MigrationPhase } from "../../../core/document/intent.ts";
import type { StepName } from "../../../core/plan/steps.ts";

/** A phase of a migration, as run by a test. */
export interface Phase {
  readonly name: string;
  readonly phase: MigrationPhase;
  /** Further lines of its plan file. */
  readonly spec: readonly string[];
  readonly steps: readonly StepName[];
  readonly after: "nothing" | "cutover" | "verification";
  readonly deletes: readonly string[];
  /** Whether the legacy connector's configuration does not set that its mining sessions begin with transactions. */
  readonly startsAnywhere?: boolean;
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

/** The open transactions are recorded before the stop; what that does not prove is accepted. */
export const CUTOVER_RECORDING: Phase = {
  ...CUTOVER,
  name: "cutover that records transactions",
  spec: ["accept: [MIG117]"],
  steps: ["record-transactions", ...CUTOVER.steps],
  startsAnywhere: true,
};

export const RETURN: Phase = {
  name: "rollback",
  phase: "rollback",
  spec: [],
  steps: [...REMOVAL, "resume-legacy", "remove-records"],
  after: "cutover",
  deletes: [],
};

const ofPrefix = (topic: string): string => `orders.${topic}`;

export const RETURN_WITH_TOPICS: Phase = {
  name: "rollback with its topics",
  phase: "rollback",
  spec: ["deleteTopics: true"],
  steps: [...REMOVAL, "resume-legacy", "delete-topics"],
  after: "cutover",
  // The ops topic stays: it records the removal.
  deletes: ["ORCLPDB1.SALES.ORDERS", "cdc.heartbeat", "cdc.schema", "cdc.signals", "cdc.txjournal"].map(ofPrefix),
};

export const VERIFICATION: Phase = {
  name: "verify",
  phase: "verify",
  spec: [],
  steps: ["verify-tables"],
  after: "cutover",
  deletes: [],
};

export const RETIREMENT: Phase = {
  name: "retire",
  phase: "retire",
  spec: [],
  steps: ["delete-connector", "delete-topics"],
  after: "verification",
  deletes: ["ORCLCDB.ORCLPDB1.SALES.ORDERS", "orders-legacy-redo-log"],
};
