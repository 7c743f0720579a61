import type { PlannedStep, StepName } from "../../plan/steps.ts";
import { createConnector } from "./create-connector.ts";
import { deleteConnector, deleteOffsets, deleteTopics } from "./delete.ts";
import { patchOffset } from "./patch-offset.ts";
import { recheck } from "./recheck.ts";
import { recordApplying, recordOutcome } from "./record-event.ts";
import { removeRecords } from "./remove-records.ts";
import { restartConnector } from "./restart-connector.ts";
import { resumeConnector } from "./resume-connector.ts";
import { writeSignal } from "./signal.ts";
import { waitForAck, waitForCompletion, waitForSnapshot } from "./snapshot-waits.ts";
import { resumeLegacy, startConnector, startNew } from "./start.ts";
import type { Step } from "./step.ts";
import { stopConnector } from "./stop-connector.ts";
import { recordTransactions, waitForTransactions } from "./transactions.ts";
import { verifyTables } from "./verify-tables.ts";

/** Every step by its name; a missing step does not compile. */
export const STEPS: { readonly [Name in StepName]: Step<Name> } = {
  "wait-for-transactions": waitForTransactions,
  "record-transactions": recordTransactions,
  "stop-connector": stopConnector,
  recheck,
  "write-signal": writeSignal,
  "record-applying": recordApplying,
  "remove-records": removeRecords,
  "patch-offset": patchOffset,
  "record-outcome": recordOutcome,
  "resume-connector": resumeConnector,
  "start-connector": startConnector,
  "restart-connector": restartConnector,
  "wait-for-ack": waitForAck,
  "wait-for-snapshot": waitForSnapshot,
  "wait-for-completion": waitForCompletion,
  "create-connector": createConnector,
  "start-new": startNew,
  "verify-tables": verifyTables,
  "delete-offsets": deleteOffsets,
  "delete-connector": deleteConnector,
  "delete-topics": deleteTopics,
  "resume-legacy": resumeLegacy,
};

export function stepFor<P extends PlannedStep>(planned: P): Step<P["step"]> {
  return STEPS[planned.step as P["step"]] as unknown as Step<P["step"]>;
}
