import type { RunReport, Waiting } from "../../core/apply/context.ts";
import type { Intent } from "../../core/document/intent.ts";
import { CallFailed, type ExpectedError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { describeStep, type StepName } from "../../core/plan/steps.ts";
import type { RunKey } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runState, stepsOf } from "../../core/run/state.ts";
import { offsetSubject } from "../../core/run/subject.ts";
import type { Instant } from "../../core/values/instant.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import { nextAfterAttempt } from "./attempt.ts";
import { remediesOf } from "./error-text.ts";
import { documentOf } from "./json-text.ts";

/** One line of `--events` (`schemas/run-event.schema.json`). Printed with `printJson`. SCNs are text. */
export interface RunEvent {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "RunEvent";
  readonly formatVersion: bigint;
  readonly at: Instant;
  readonly event: "run-started" | "step-started" | "waiting" | "step-done" | "step-failed" | "step-unclear" | "outcome";
  readonly [member: string]: unknown;
}

const event = (name: RunEvent["event"], at: Instant, members: Readonly<Record<string, unknown>>): RunEvent => ({
  ...documentOf("RunEvent"),
  at,
  event: name,
  ...members,
});

/** The event of a journal's last entry; undefined for an entry that belongs to no step or start. */
export function runEvent(key: RunKey, entries: readonly JournalEntry[]): RunEvent | undefined {
  const last = entries.at(-1);
  const state = runState(entries);
  if (last === undefined || state === undefined) return undefined;
  switch (last.type) {
    case "run-started":
      return started(key, state, last.at, last.operator, false);
    case "recovery-started":
      return started(key, state, last.at, last.operator, true);
    case "step-started":
      return event(last.type, last.at, stepOf(key, state, last.step));
    case "step-done":
      return event(last.type, last.at, { ...stepOf(key, state, last.step), note: last.note, millis: last.millis });
    case "step-failed":
      return event(last.type, last.at, {
        ...stepOf(key, state, last.step),
        note: last.error,
        code: last.code,
      });
    case "step-unclear":
      return event(last.type, last.at, { ...stepOf(key, state, last.step), note: last.why });
    default:
      return undefined;
  }
}

/** A wait of the step that the journal last began. */
export function waitingEvent(
  key: RunKey,
  entries: readonly JournalEntry[],
  { seen, elapsed, limit }: Waiting,
  at: Instant,
): RunEvent {
  const state = runState(entries);
  const step = entries.findLast((entry) => entry.type === "step-started");
  return event("waiting", at, {
    ...(state === undefined || step?.type !== "step-started" ? ofRun(key) : stepOf(key, state, step.step)),
    seen,
    elapsedMillis: millis(elapsed),
    limitMillis: millis(limit),
  });
}

/** The result of a run, or of this attempt. */
export function endEvent(key: RunKey, entries: readonly JournalEntry[], report: RunReport, endedAt: Instant): RunEvent {
  const { outcome, message, remedies, code, changed, signal } = report;
  const state = runState(entries);
  return event("outcome", endedAt, {
    ...ofRun(key),
    scn: state && scnOf(state),
    outcome,
    message,
    code,
    signal,
    changed,
    remedies: remedies.map(lineOf),
    next: nextAfterAttempt(report),
  });
}

/** The event when no run begins: a plan that is blocked or has nothing to do, or a command with nothing to do. */
export function nothingEvent(plan: Plan | undefined, now: Instant, why?: string): RunEvent {
  const blocking = plan?.findings.find(({ effect }) => effect === "blocks");
  const identity = named(plan?.intent);
  if (plan?.outcome.state === "blocked" && blocking !== undefined && why === undefined)
    return event("outcome", now, {
      ...identity,
      outcome: "refused",
      code: blocking.code,
      ...unchanged(blocking.seen ?? blocking.title, blocking.remedies),
    });
  const reason = why ?? (plan?.outcome.state === "no-op" ? plan.outcome.why : "nothing to do");
  return event("outcome", now, { ...identity, outcome: "nothing-to-do", ...unchanged(reason, []) });
}

/** The event of a failure before the run began. */
export function refusedEvent(error: ExpectedError, at: Instant, of?: Intent): RunEvent {
  return event("outcome", at, {
    ...named(of),
    outcome: error instanceof CallFailed ? "failed" : "refused",
    code: "problems" in error ? undefined : error.code,
    ...unchanged(error.message, remediesOf(error)),
  });
}

function named(intent: Intent | undefined) {
  return { connector: intent?.target.connector, name: intent?.metadata.name };
}

function unchanged(message: string, remedies: readonly Advice[]) {
  return { message, changed: false, remedies: remedies.map(lineOf), next: [] };
}

function started(key: RunKey, state: RunState, startedAt: Instant, operator: string, recovering: boolean): RunEvent {
  const { subject, plan, cdcctl } = state.started;
  const ticket = subject.ticket ?? plan?.intent.metadata.ticket;
  return event("run-started", startedAt, {
    ...ofRun(key),
    clusterId: key.clusterId,
    operator,
    cdcctl,
    recovering,
    name: plan?.intent.metadata.name,
    ticket,
    scn: scnOf(state),
    steps: stepsOf(state).map((step, i) => ({
      number: BigInt(i + 1),
      step: step.step,
      description: describeStep(step),
      state: state.steps.get(step.step) ?? "pending",
    })),
  });
}

function ofRun({ run, connector }: RunKey) {
  return { run, connector };
}

/** The SCN that the stored offset is set to. */
function scnOf({ started }: RunState): string | undefined {
  return offsetSubject(started.subject)?.scn?.toString();
}

function stepOf(key: RunKey, state: RunState, name: StepName) {
  const steps = stepsOf(state);
  const at = steps.findIndex(({ step }) => step === name);
  const planned = steps[at];
  return {
    ...ofRun(key),
    step: name,
    number: planned && BigInt(at + 1),
    of: planned && BigInt(steps.length),
    description: planned && describeStep(planned),
  };
}

function millis(exact: number): bigint {
  return BigInt(Math.round(exact));
}
