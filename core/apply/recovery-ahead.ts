import { readCommit } from "../facts/offset/stored-change.ts";
import { callName, type PlannedStep, STEPS, type StepName } from "../plan/steps.ts";
import { effectiveCalls, storedChangeOf } from "../run/change.ts";
import { type RunState, stepsOf } from "../run/state.ts";
import { controlOf, offsetSubject, startsAgain } from "../run/subject.ts";
import type { JsonObject } from "../values/json.ts";
import { RECORDS } from "./carry-out-step.ts";
import { isAnnounced } from "./steps/record-event.ts";

/** What `recover` would do of a run, to be shown before it; which of it is left to do, the systems decide. */
export type Ahead =
  | { readonly is: "finish" | "start"; readonly steps: readonly PlannedStep[] }
  | { readonly is: "back out"; readonly why: string | undefined; readonly undoes: readonly string[] };

/**
 * Determines what a recovery would do, by the run's journal and its stored offset.
 *
 * @param stored under the run's partition; undefined if unknown, or if the run has pinned no offset
 * @param undone steps that are done and have to be done again, as `toDoAgain`
 * @returns undefined if it only waits and records: no call that changes something is ahead
 */
export function recoveryAhead(
  state: RunState,
  stored: JsonObject | null | undefined,
  undone: readonly StepName[] = [],
): Ahead | undefined {
  const { started, steps, lastProblem } = state;
  const planned = stepsOf(state);
  const left = planned.filter(({ step }) => steps.get(step) !== "done" || undone.includes(step));
  const isControl = controlOf(started.subject) !== undefined;
  const failed = isControl ? undefined : planned.find(({ step }) => steps.get(step) === "failed")?.step;
  if ((steps.size === 0 && !isControl) || failed === "wait-for-ack" || failed === "wait-for-completion")
    return undefined;
  if (failed !== undefined) {
    const calls = callsOfUndoing(state);
    const records = isAnnounced(state) ? [`record "failed" in ${started.subject.opsTopic}`] : [];
    return calls.length === 0 ? undefined : { is: "back out", why: lastProblem, undoes: [...records, ...calls] };
  }
  const again = repairs(state, stored);
  return again.length > 0 || left.some(isCall) ? { is: "finish", steps: [...again, ...left] } : undefined;
}

/** The PATCH, where it is done and another offset is or may be stored since. */
function repairs(state: RunState, stored: JsonObject | null | undefined): readonly PlannedStep[] {
  const { steps: at } = state;
  // Once the run waits for an answer, the offset change is done, whatever was committed since.
  const change = at.has("wait-for-ack") ? undefined : storedChangeOf(state);
  if (change === undefined || (stored !== undefined && readCommit(stored, change).is !== "overwritten")) return [];
  return stepsOf(state).filter(({ step }) => step === "patch-offset" && at.get(step) === "done");
}

/** The same for `recover --resume`, which starts the connector of a run afterwards. */
export function resumeAhead(state: RunState, stored: JsonObject | null | undefined): Ahead {
  const { connector } = state.started.subject;
  const scn = offsetSubject(state.started.subject)?.scn;
  const start = { step: "resume-connector", connector, scn: scn ?? 0n } as const;
  const ahead = state.ended === undefined ? recoveryAhead(state, stored) : undefined;
  if (ahead?.is === "back out") return ahead;
  const steps = (ahead?.steps ?? repairs(state, stored)).filter(({ step }) => step !== start.step);
  return { is: state.ended === undefined ? "finish" : "start", steps: [...steps, start] };
}

function isCall({ step }: PlannedStep): boolean {
  return STEPS[step].effect === "changes" && !RECORDS.has(step);
}

/** The calls that undo what a run has begun, in their order. */
function callsOfUndoing(state: RunState): readonly string[] {
  const { started, steps: at } = state;
  const { subject } = started;
  const stopped = stepsOf(state).find((planned) => planned.step === "stop-connector");
  const isBegun = !["pending", "failed"].includes(at.get("stop-connector") ?? "pending");
  const starts = isBegun && subject.ranBefore && startsAgain(subject);
  return [
    ...(effectiveCalls(state).includes(callName("create", subject.connector))
      ? [`delete ${subject.connector} again`]
      : []),
    ...(starts && stopped !== undefined ? [`start ${stopped.connector} again`] : []),
  ];
}
