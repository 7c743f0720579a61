import type { StepName } from "../../core/plan/steps.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { healthyWorld, type OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type SandboxOptions, STORED_SCN, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { AFTER_THE_GAP, fillDictionary, IN_THE_GAP, LINES, ORDERS, purge } from "./real/resnapshot-scene.ts";

/** A change as a test makes it: its plan file, what of the world it needs, and how it is told whether it was made. */
export interface Change {
  readonly name: string;
  readonly plan: string;
  /** In their order. */
  readonly steps: readonly StepName[];
  readonly world: SandboxOptions;
  /**
   * What has happened to the database; before the connector is started, where the test does not want it to have run on.
   */
  readonly mishap?: (oracle: OracleWorld) => void;
  /** Where the connector stands before; and, where the offset moves, after. */
  readonly before: bigint;
  readonly target?: bigint;
  /** What the connector is asked to be before, and is again when nothing was changed. */
  readonly state: "RUNNING" | "STOPPED";
  /** Whether a transaction is open that ends once it is waited for. */
  readonly waits?: boolean;
}

export const TARGET_SCN = 2_010_000n;

/** A move back, with the connector running before and after it. */
export const OFFSET_CHANGE: Change = {
  name: "offset change",
  plan: planFile("orders-replay", "replay after the bad deploy", `scn: ${TARGET_SCN}`, "resume: true"),
  steps: ["stop-connector", "recheck", "record-applying", "patch-offset", "record-outcome", "resume-connector"],
  world: {},
  before: STORED_SCN,
  target: TARGET_SCN,
  state: "RUNNING",
};

/** The stored position points into a log that is gone; every option is used. */
export const PAST_GAP: Change = {
  name: "resnapshot past a gap",
  plan: resnapshotFile(
    "orders-after-purge",
    `tables: [${ORDERS}, ${LINES}]`,
    "skipGapForUnlistedTables: true",
    "waitForTransactions: 5s",
    "waitForAck: 5s",
    "resume: true",
  ),
  steps: [
    "wait-for-transactions",
    "stop-connector",
    "recheck",
    "write-signal",
    "record-applying",
    "patch-offset",
    "record-outcome",
    "resume-connector",
    "wait-for-ack",
  ],
  world: {
    oracle: fillDictionary,
    offset: { ...storedOffset(healthyWorld()), resume_scn: IN_THE_GAP, last_commit_scn: IN_THE_GAP - 13n },
  },
  mishap: purge,
  before: IN_THE_GAP,
  target: AFTER_THE_GAP,
  state: "RUNNING",
  waits: true,
};

/** Redo is all there, and the connector stopped. */
export const SIGNAL_ONLY: Change = {
  name: "resnapshot by a signal",
  plan: resnapshotFile("orders-again", `tables: [${ORDERS}]`, "waitForAck: 5s", "resume: true"),
  steps: ["write-signal", "start-connector", "wait-for-ack"],
  world: { oracle: fillDictionary, state: "STOPPED" },
  before: STORED_SCN,
  state: "STOPPED",
};

/** A plan file of kind Resnapshot. @param spec its lines */
export function resnapshotFile(name: string, ...spec: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: Resnapshot
metadata:
  name: ${name}
  reason: archived logs purged during the outage
  ticket: CHG-4712
target:
  context: sandbox
  connector: ${CONNECTOR}
spec:
  ${spec.join("\n  ")}
`;
}

/** Where the connector stands: it went on from the target, from where it was, or stands at the target itself. */
export function whereItStands(
  offset: JsonObject | undefined,
  { before, target }: Pick<Change, "before" | "target"> = OFFSET_CHANGE,
): "at the target" | "from the target" | "as before" {
  if (target === undefined) return "as before";
  const scn = BigInt(String(offset?.["resume_scn"] ?? 0n));
  if (scn === target) return "at the target";
  return scn > target && (target > before || scn < before) ? "from the target" : "as before";
}
