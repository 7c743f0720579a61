import type { TopicEnd } from "../../schemas/generated/run-journal.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import { PATCH, type PlannedStep, removalSteps, type StepName } from "../plan/steps.ts";
import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import type { EventOf, JournalEntry, RunOutcome, RunStarted } from "./journal.ts";
import { type Control, controlOf, offsetSubject } from "./subject.ts";

export type StepState = "pending" | "started" | "done" | "failed" | "unclear";

export interface RunState {
  readonly started: RunStarted & { readonly at: Instant };
  readonly steps: ReadonlyMap<StepName, StepState>;
  /** The step that was begun last. */
  readonly current?: StepName | undefined;
  readonly body?: { readonly previous: JsonObject | null; readonly entry: OffsetEntry } | undefined;
  readonly signal?: EventOf<"signal-pinned"> | undefined;
  readonly transactionsSeen?: EventOf<"transactions-seen"> | undefined;
  readonly takeover?: EventOf<"takeover-pinned"> | undefined;
  readonly returning?: EventOf<"return-pinned"> | undefined;
  readonly removal?: EventOf<"records-pinned"> | undefined;
  readonly verifying?: EventOf<"verification-pinned"> | undefined;
  /** Digest of the job that carries out its verification elsewhere. */
  readonly job?: string | undefined;
  readonly verified?: EventOf<"verified"> | undefined;
  /** Calls that change an offset, a connector or a topic, by the result of the last attempt. */
  readonly calls: ReadonlyMap<string, "sent" | "applied">;
  /** Calls with an attempt that was never answered. They may still take effect. */
  readonly unanswered: ReadonlySet<string>;
  /** Calls that were applied at least once, also if a later attempt was refused. */
  readonly everApplied: ReadonlySet<string>;
  /** Calls that were sent again because an attempt was not answered. */
  readonly repeated: ReadonlySet<string>;
  /** Where the ops topic ended before the run changed anything, and before everything was checked again. */
  readonly opsTopicEnd: { readonly begun?: readonly TopicEnd[]; readonly judged?: readonly TopicEnd[] };
  /** PATCHes that were sent. */
  readonly attempts: bigint;
  /** Another machine may also have sent PATCHes of this run. */
  readonly patchedElsewhere: boolean;
  /** How long the stop took, milliseconds; undefined if unknown. */
  readonly stopMillis?: bigint | undefined;
  /** What the run could not prove, though every step is done; and what of it each step left open. */
  readonly unproven?: string | undefined;
  readonly doubts: ReadonlyMap<StepName, string>;
  readonly ended?: { readonly outcome: RunOutcome; readonly message: string; readonly at: Instant } | undefined;
  readonly lastProblem?: string | undefined;
  readonly backedOut?: { readonly resumed: boolean } | undefined;
  readonly entries: bigint;
}

/** Undefined for a journal without its first entry: the process ended before it had begun anything. */
export function runState(entries: readonly JournalEntry[]): RunState | undefined {
  const [first, ...rest] = entries;
  if (first?.type !== "run-started") return undefined;
  const start: RunState = {
    started: first,
    steps: new Map(),
    calls: new Map(),
    unanswered: new Set(),
    everApplied: new Set(),
    repeated: new Set(),
    opsTopicEnd: {},
    attempts: 0n,
    patchedElsewhere: false,
    doubts: new Map(),
    entries: 1n,
  };
  return rest.reduce(fold, start);
}

function fold(state: RunState, entry: JournalEntry): RunState {
  const next = { ...state, entries: state.entries + 1n };
  const mark = (step: StepName, to: StepState) => new Map([...state.steps, [step, to]]);
  switch (entry.type) {
    case "run-started":
      return next;
    case "recovery-started":
      // A settled run is reopened if its connector is started later.
      return { ...next, ended: undefined };
    case "step-started":
      return { ...next, steps: mark(entry.step, "started"), current: entry.step };
    case "signal-pinned":
      return { ...next, signal: entry };
    case "body-pinned":
      return { ...next, body: { previous: entry.previous, entry: entry.body } };
    case "transactions-seen":
      return { ...next, transactionsSeen: entry };
    case "takeover-pinned":
      return { ...next, takeover: entry };
    case "return-pinned":
      return { ...next, returning: entry };
    case "records-pinned":
      return { ...next, removal: entry };
    case "verification-job":
      return { ...next, job: entry.job };
    case "verification-pinned":
      return { ...next, verifying: entry };
    case "verified":
      return { ...next, verified: entry };
    case "call-sent":
      return { ...next, ...sent(state, entry.call, entry.seen === true) };
    case "call-applied":
      return { ...next, ...applied(state, entry.call) };
    case "call-rejected":
      return { ...next, ...rejected(state, entry.call) };
    case "call-unanswered":
      return { ...next, lastProblem: entry.why };
    case "call-withheld":
      return {
        ...next,
        // An earlier attempt may still take effect.
        ...(state.repeated.has(entry.call) ? {} : rejected(state, entry.call)),
        attempts: entry.call === PATCH ? state.attempts - 1n : state.attempts,
      };
    case "ops-topic-end":
      return { ...next, opsTopicEnd: { ...state.opsTopicEnd, [entry.when]: entry.ends } };
    case "patch-sent":
      return {
        ...next,
        ...sent(state, PATCH, entry.seen === true),
        attempts: entry.attempt,
        patchedElsewhere: state.patchedElsewhere || entry.elsewhere === true,
      };
    case "patch-applied":
      return { ...next, ...applied(state, PATCH) };
    case "patch-unanswered":
      return { ...next, lastProblem: entry.why };
    case "step-done":
      return {
        ...next,
        steps: mark(entry.step, "done"),
        ...(entry.step === "stop-connector" ? { stopMillis: entry.millis } : {}),
        ...(entry.step === "patch-offset" && patchInDoubt(state) ? applied(state, PATCH) : {}),
        ...doubted(state, entry.step, entry.unproven),
      };
    case "step-failed":
      return {
        ...next,
        steps: mark(entry.step, "failed"),
        lastProblem: entry.error,
        ...(entry.step === "patch-offset" ? rejected(state, PATCH) : {}),
      };
    case "step-unclear":
      return { ...next, steps: mark(entry.step, "unclear"), lastProblem: entry.why };
    case "backed-out":
      return { ...next, backedOut: { resumed: entry.resumed } };
    case "run-ended":
      return { ...next, ended: { outcome: entry.outcome, message: entry.message, at: entry.at } };
  }
}

/**
 * A first commit that proves where it came from answers what the stop had left open; one that does not leaves both
 * open.
 */
function doubted(
  { doubts: before }: RunState,
  step: StepName,
  unproven: string | undefined,
): Pick<RunState, "unproven" | "doubts"> {
  const kept = unproven === undefined && step === "resume-connector" ? [] : [...before];
  const doubts = new Map(unproven === undefined ? kept : [...kept, [step, unproven] as const]);
  return { doubts, unproven: doubts.size === 0 ? undefined : [...doubts.values()].join("; ") };
}

/** @param seen the earlier attempt has taken effect: no worker still holds it */
function sent(
  { calls, repeated, unanswered }: RunState,
  call: string,
  seen: boolean,
): Pick<RunState, "calls" | "repeated" | "unanswered"> {
  const again = calls.get(call) === "sent";
  return {
    calls: new Map([...calls, [call, "sent"]]),
    repeated: again ? new Set([...repeated, call]) : repeated,
    unanswered: again && !seen ? new Set([...unanswered, call]) : unanswered,
  };
}

function applied({ calls, everApplied }: RunState, call: string): Pick<RunState, "calls" | "everApplied"> {
  return { calls: new Map([...calls, [call, "applied"]]), everApplied: new Set([...everApplied, call]) };
}

function rejected({ calls }: RunState, call: string): Pick<RunState, "calls"> {
  return { calls: new Map([...calls].filter(([other]) => other !== call)) };
}

/** The steps of the run: its plan's; of `connectors` its one; taken over from the ops topic, from the PATCH on. */
export function stepsOf({ started: { plan, subject } }: RunState): readonly PlannedStep[] {
  if (plan !== null) return plan.steps;
  const control = controlOf(subject);
  if (control !== undefined) return [stepOf(control, subject.connector)];
  // Only a change of an offset is taken over from the topic.
  return [
    { step: "stop-connector", connector: subject.connector },
    ...removalSteps(offsetSubject(subject)?.removes ?? []),
    { step: "patch-offset", connector: subject.connector },
    { step: "record-outcome", topic: subject.opsTopic },
  ];
}

function stepOf(control: Control, connector: string): PlannedStep {
  if (control === "stop") return { step: "stop-connector", connector };
  if (control === "resume") return { step: "start-connector", connector };
  return { step: "restart-connector", connector, onlyFailed: control === "restart failed" };
}

/** Whether a call was sent whose answer never came. */
export function inDoubt({ calls }: Pick<RunState, "calls">): boolean {
  return [...calls.values()].includes("sent");
}

/** Whether a PATCH was sent whose answer never came, and no definite answer since. */
export function patchInDoubt({ calls }: Pick<RunState, "calls">): boolean {
  return calls.get(PATCH) === "sent";
}

/** The status of a run, in one word for a list. */
export function runStatus(state: RunState): RunOutcome | "in doubt" | "unfinished" {
  if (state.ended !== undefined) return state.ended.outcome;
  return inDoubt(state) ? "in doubt" : "unfinished";
}
