import { isOwnOutcome, type OffsetsSetEvent } from "../facts/ops/ops-event.ts";
import { isRecorded } from "./change.ts";
import type { RunState } from "./state.ts";
import { offsetSubject } from "./subject.ts";

/**
 * Whether the ops topic records more of an unsettled run than its journal: a valid beginning of the journal was
 * restored from a backup, or lines at its end are lost. What the journal does not show proves nothing then.
 *
 * Rule: architecture, "What apply promises", 7.
 *
 * @param events of the run's connector
 */
export function isShortened(state: RunState, events: readonly Pick<OffsetsSetEvent, "details">[]): boolean {
  const { started, steps, attempts, ended } = state;
  const { run, operator, subject } = started;
  if (!isRecorded(state) || subject.by === "ops topic" || ended !== undefined) return false;
  const own = events.filter(({ details }) => isOwnOutcome(details, { run, operator, decision: subject.decision }));
  if (!steps.has("record-applying")) return own.length > 0;
  return (
    offsetSubject(subject) !== undefined &&
    attempts === 0n &&
    own.some(({ details }) => details.outcome === "applied") &&
    !own.some(({ details }) => details.taken_over !== undefined)
  );
}
