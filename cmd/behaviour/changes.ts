import type { StepName } from "../../core/plan/steps.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { healthyWorld, type OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { type SandboxOptions, STORED_SCN, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { planFile, resnapshotFile as snapshotFile } from "../../providers/sandbox/scenario.ts";
import { AFTER_THE_GAP, fillDictionary, IN_THE_GAP, LINES, ORDERS, purge } from "./real/resnapshot-scene.ts";

/** A change made by a test: its plan file, the world it needs, and how to check whether it was made. */
export interface Change {
  readonly name: string;
  readonly plan: string;
  readonly steps: readonly StepName[];
  readonly world: SandboxOptions;
  /** A fault of the database; before the connector is started, unless the test wants it to run on. */
  readonly fault?: (oracle: OracleWorld) => void;
  /** The connector's position before and, if the offset moves, after. */
  readonly before: bigint;
  readonly target?: bigint;
  /** The connector's target state before, and again if nothing was changed. */
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

/** The stored position points into a missing log; every option is used. */
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
  fault: purge,
  before: IN_THE_GAP,
  target: AFTER_THE_GAP,
  state: "RUNNING",
  waits: true,
};

/** All redo is present, and the connector is stopped. */
export const SIGNAL_ONLY: Change = {
  name: "resnapshot by a signal",
  plan: resnapshotFile("orders-again", `tables: [${ORDERS}]`, "waitForAck: 5s", "resume: true"),
  steps: ["write-signal", "start-connector", "wait-for-ack"],
  world: { oracle: fillDictionary, state: "STOPPED" },
  before: STORED_SCN,
  state: "STOPPED",
};

/** A plan file of kind Resnapshot, after logs were purged. @param spec its lines */
export function resnapshotFile(name: string, ...spec: readonly string[]): string {
  return snapshotFile(name, "archived logs purged during the outage", ...spec);
}

/** The connector's position: at the target, advanced from it, or advanced from the old position. */
export function positionOf(
  offset: JsonObject | undefined,
  { before, target }: Pick<Change, "before" | "target"> = OFFSET_CHANGE,
): "at the target" | "from the target" | "as before" {
  if (target === undefined) return "as before";
  const scn = BigInt(String(offset?.["resume_scn"] ?? 0n));
  if (scn === target) return "at the target";
  return scn > target && (target > before || scn < before) ? "from the target" : "as before";
}
