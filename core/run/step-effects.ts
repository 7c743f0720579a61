import type { StepName } from "../plan/plan.ts";

/**
 * What a step does to the world.
 * - `looks`: it changes nothing, and one that fails refuses the run, and has not broken it.
 * - `judges`: it changes nothing, and what it finds is what the run came to; its work may be long, and is gone on with.
 * - `changes`: it makes a call that changes something, or may have.
 */
export type StepEffect = "looks" | "judges" | "changes";

const EFFECTS: Readonly<Record<StepName, StepEffect>> = {
  "wait-for-transactions": "looks",
  "record-transactions": "looks",
  "stop-connector": "changes",
  recheck: "looks",
  "write-signal": "changes",
  "record-applying": "changes",
  "patch-offset": "changes",
  "record-outcome": "changes",
  "resume-connector": "changes",
  "start-connector": "changes",
  "wait-for-ack": "looks",
  "create-connector": "changes",
  "start-new": "changes",
  "verify-tables": "judges",
  "delete-offsets": "changes",
  "delete-connector": "changes",
  "delete-topics": "changes",
  "resume-legacy": "changes",
};

/** What a step does to the world. */
export function effectOfStep(step: StepName): StepEffect {
  return EFFECTS[step];
}

/** Whether a text names a step that this version knows. */
export function isStepName(text: string): text is StepName {
  return Object.hasOwn(EFFECTS, text);
}
