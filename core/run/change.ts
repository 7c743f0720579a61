import type { OffsetSubject } from "../../schemas/generated/run-journal.ts";
import type { StoredChange } from "../facts/offset/stored-change.ts";
import { isOwnOutcome, type OffsetsSetEvent } from "../facts/ops/ops-event.ts";
import { meaningOf, readCall, STEPS, type StepMeaning, type StepName } from "../plan/steps.ts";
import type { RunState } from "./state.ts";
import { answerFor, type ByKind, offsetSubject } from "./subject.ts";

/** Whether the run made, or may have made, any call that changes something. */
export function changedAnything(state: RunState): boolean {
  return (
    effectiveCalls(state).length > 0 ||
    [...state.steps].some(([step, at]) => {
      const unsent = at === "started" && BY_CALLS.has(step);
      return STEPS[step].effect === "changes" && at !== "pending" && at !== "failed" && !unsent;
    })
  );
}

/** The calls of a run that took effect, or may have: applied at least once, or sent and not refused. */
export function effectiveCalls({ calls, everApplied }: Pick<RunState, "calls" | "everApplied">): readonly string[] {
  return [...new Set([...calls.keys(), ...everApplied])];
}

/** What a run can begin with that changes something by its call alone, which the journal has before it leaves. */
const BY_CALLS: ReadonlySet<StepName> = new Set(["stop-connector", "start-connector", "restart-connector"]);

/** Whether there is something to resume: a change, or a judgement that was begun. */
export function hasBegun(state: RunState): boolean {
  return changedAnything(state) || [...state.steps.keys()].some((step) => STEPS[step].effect === "judges");
}

/** Those except stops, because a stopped connector can be started again. */
export function callsPastStop(state: Pick<RunState, "calls" | "everApplied">): readonly string[] {
  return effectiveCalls(state).filter((call) => readCall(call)?.does !== "stop");
}

/**
 * Whether a run has reached a step's point of no return: it can only be finished, or followed by another run. A step
 * that fails from there on leaves the run open.
 */
export function isPastReturn(state: RunState): boolean {
  const { started, steps } = state;
  const calls = effectiveCalls(state);
  return (started.plan?.steps ?? []).some((planned) => {
    const from = (meaningOf(planned) as StepMeaning<StepName>).pointOfNoReturn?.(planned);
    if (from === undefined) return false;
    if (from === "begun") return steps.has(planned.step);
    return steps.get(planned.step) === "done" || from.some((call) => calls.includes(call));
  });
}

/**
 * Whether the change of an ended run stands (is in effect): the one definition of what `status` offers to roll back,
 * what `rollback` and `recover --resume` accept, and what later runs are compared with.
 *
 * - Of an offset change: it was patched and the run succeeded, or the connector rejected the signal only, or an
 *  operator abandoned the run while only an answer, or the first commit, was waited for: `applied` was recorded by
 *  then.
 * - Of a cutover: it has pinned where it takes over, so that something of it may stand.
 */
export function changeStands(state: RunState): boolean {
  return answerFor(STANDS, state.started.subject, state);
}

const STANDS: ByKind<readonly [RunState], boolean> = {
  OffsetChange: (_subject, state) => newOffsetStands(state),
  Resnapshot: (_subject, state) => newOffsetStands(state),
  cutover: (_subject, { ended, takeover }) =>
    takeover !== undefined && (ended?.outcome === "succeeded" || ended?.outcome === "abandoned"),
  verify: () => false,
  rollback: () => false,
  retire: () => false,
};

function newOffsetStands({ ended, attempts, steps }: RunState): boolean {
  const outcome = ended?.outcome;
  if (attempts === 0n) return false;
  return (
    outcome === "succeeded" ||
    outcome === "rejected" ||
    (outcome === "abandoned" && steps.get("record-outcome") === "done")
  );
}

/** Whether a run has events in the ops topic: it changes, or removes, a stored offset. */
export function isRecorded({ started: { subject } }: Pick<RunState, "started">): boolean {
  return answerFor(RECORDED, subject);
}

const RECORDED: ByKind<readonly [], boolean> = {
  OffsetChange: ({ scn }) => scn !== undefined,
  Resnapshot: ({ scn }) => scn !== undefined,
  cutover: () => false,
  verify: () => false,
  rollback: () => true,
  retire: () => false,
};

/** Whether a run is held against the changes that others record in the ops topic while it goes on. */
export function isOrdered(state: Pick<RunState, "started">): boolean {
  const { subject } = state.started;
  return isRecorded(state) || (subject.command === "migrate" && subject.phase !== "verify");
}

/**
 * How a change that stands can be rolled back. `restore`: to the exact state before. `move back`: the connector has run
 * since, so only its resume SCN can be moved.
 *
 * Rule: architecture, "What apply promises", 9.
 */
export type RollbackMode = "none" | "restore" | "move back";

/** Determines how a run can be rolled back. @param ranOn whether the connector is known to have run since */
export function rollbackMode(state: RunState, ranOn = false): RollbackMode {
  if (!changeStands(state)) return "none";
  if (!offsetStands(state)) return "restore";
  // If no offset was stored, there is none to restore.
  if (state.body?.previous === null) return "none";
  const { steps } = state;
  const isStarted = steps.get("resume-connector") === "done" || steps.get("start-connector") === "done";
  return ranOn || isStarted ? "move back" : "restore";
}

/**
 * Commands that take back what an operator did for the time of the run, because findings of its plan ask for it: a
 * pause of reconciliation that was accepted or, under `admin`, only warned of.
 */
export function afterwards({ started: { plan } }: RunState): readonly string[] {
  return (plan?.findings ?? []).flatMap(({ effect, afterwards: command }) =>
    command !== undefined && (effect === "accepted" || effect === "warns") ? [command] : [],
  );
}

/**
 * The subject of a run that has left its connector STOPPED; undefined for any other run. A connector that was stopped
 * before a run without effect does not count.
 */
export function leftStopped(state: RunState): OffsetSubject | undefined {
  const { started, ended, steps, backedOut } = state;
  const subject = offsetSubject(started.subject);
  if (subject === undefined || ended === undefined || steps.get("stop-connector") !== "done") return undefined;
  const isAsked = ["resume-connector" as const, "start-connector" as const].some(
    (step) => !["pending", "failed"].includes(steps.get(step) ?? "pending"),
  );
  const cameToNothing = ended.outcome === "failed" || ended.outcome === "refused";
  // The position from which it would start is unknown.
  const isInDoubt = ended.outcome === "abandoned" && state.attempts > 0n && !changeStands(state);
  return isAsked || isInDoubt || (cameToNothing && backedOut?.resumed !== false) ? undefined : subject;
}

/** Whether the run's change stands and is one of a stored offset. */
export function offsetStands(state: RunState): boolean {
  return offsetSubject(state.started.subject) !== undefined && changeStands(state);
}

/** The change of a run that has pinned what it stores; undefined for any other run. */
export function storedChangeOf({ body, started }: Pick<RunState, "body" | "started">): StoredChange | undefined {
  const subject = offsetSubject(started.subject);
  if (body === undefined || subject === undefined) return undefined;
  return { previous: body.previous, planned: body.entry.offset, scn: subject.scn, direction: subject.direction };
}

const NAME = "rollback-of-";

/**
 * The name of the plan that `rollback` makes of a run. A plan file may have it too: only the intent's origin tells them
 * apart.
 */
export function rollbackName(run: string): string {
  return `${NAME}${run}`;
}

/**
 * The run that this one was made to roll back, whatever its kind. A run that was taken over from the ops topic alone
 * has no plan, and so this is unknown.
 *
 * @returns undefined for any other run
 */
export function rollbackOf({ started: { plan } }: RunState): string | undefined {
  if (plan?.intent.origin.by !== "rollback") return undefined;
  const { name } = plan.intent.metadata;
  return name.startsWith(NAME) ? name.slice(NAME.length) : undefined;
}

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
  const { subject } = started;
  if (!isRecorded(state) || subject.by === "ops topic" || ended !== undefined) return false;
  const own = ownEvents(events, state);
  if (!steps.has("record-applying")) return own.length > 0;
  return (
    offsetSubject(subject) !== undefined &&
    attempts === 0n &&
    own.some(({ details }) => details.outcome === "applied") &&
    !own.some(({ details }) => details.taken_over !== undefined)
  );
}

/** The events that a run has recorded, from any machine. */
export function ownEvents<E extends Pick<OffsetsSetEvent, "details">>(
  events: readonly E[],
  { started: { run, operator, subject } }: Pick<RunState, "started">,
): readonly E[] {
  return events.filter(({ details }) => isOwnOutcome(details, { run, operator, decision: subject.decision }));
}
