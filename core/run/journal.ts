import type { MigrationPhase, OpsFormat } from "../document/intent.ts";
import type { OffsetEntry } from "../facts/offset.ts";
import type { Plan, StepName } from "../plan/plan.ts";
import type { Digest } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";
import { effectOfStep } from "./step-effects.ts";

/**
 * A run's journal: append-only, one entry before every call that changes something and one after it that says what came of it. What is
 * true of a run is a fold over its entries (`runState`), never a field that somebody has to remember to update.
 */
export type JournalEntry = { readonly seq: bigint; readonly at: Instant } & JournalEvent;

export type JournalEvent =
  | RunStarted
  /** Written before the step's first call. */
  | { readonly type: "step-started"; readonly step: StepName }
  /** The signal's id, fixed before it is written; and where its topic, and the ops topic with the answers to it, ended then. */
  | {
      readonly type: "signal-fixed";
      readonly id: string;
      readonly signalsFrom: readonly TopicEnd[];
      readonly answersFrom: readonly TopicEnd[];
    }
  /** The recheck's result: what stands there, and what will be stored. Written before the PATCH that carries it. */
  | { readonly type: "body-fixed"; readonly previous: JsonObject | null; readonly body: OffsetEntry }
  /** What a cutover starts from, and the configuration it creates the connector with (secrets masked). Written before that. */
  | {
      readonly type: "takeover-fixed";
      readonly startScn: Scn;
      readonly lastDelivered: Scn | undefined;
      /** The legacy connector's, as it stopped with them. */
      readonly offsets: readonly OffsetEntry[];
      readonly configuration: Readonly<Record<string, string>>;
    }
  /** What a return to the legacy connector finds: its offsets, and the new connector's, which are removed. */
  | {
      readonly type: "return-fixed";
      readonly offsets: readonly OffsetEntry[];
      readonly removed: readonly OffsetEntry[];
    }
  /** One call that creates or deletes: the identical one is sent again until a definite answer. */
  | { readonly type: "call-sent"; readonly call: string }
  | { readonly type: "call-applied"; readonly call: string }
  /** Definite: it changed nothing. */
  | { readonly type: "call-rejected"; readonly call: string }
  | { readonly type: "call-unanswered"; readonly call: string; readonly why: string }
  /** A verification came to its end, whichever way. */
  | {
      readonly type: "verified";
      readonly passed: boolean;
      readonly tables: readonly string[];
      readonly evidence: { readonly file: string; readonly digest: string };
    }
  | { readonly type: "patch-sent"; readonly attempt: bigint }
  /** A definite yes: 200. */
  | { readonly type: "patch-applied"; readonly attempt: bigint }
  | { readonly type: "patch-unanswered"; readonly attempt: bigint; readonly why: string }
  | {
      readonly type: "step-done";
      readonly step: StepName;
      readonly note: string;
      readonly millis: bigint;
      /** What is not proven by it. */
      readonly unproven?: string;
    }
  /** Definite: the step changed nothing. */
  | { readonly type: "step-failed"; readonly step: StepName; readonly error: string; readonly code: string | undefined }
  /** Neither: it may have taken effect, or may yet. */
  | { readonly type: "step-unclear"; readonly step: StepName; readonly why: string }
  /** The connector was resumed after a refusal or failure, because the plan resumes it anyway and it ran before. */
  | { readonly type: "backed-out"; readonly resumed: boolean }
  | { readonly type: "recovery-started"; readonly operator: string }
  | { readonly type: "run-ended"; readonly outcome: RunOutcome; readonly message: string };

/** Next offset of a partition. */
export interface TopicEnd {
  readonly partition: bigint;
  readonly offset: bigint;
}

export interface RunStarted {
  readonly type: "run-started";
  readonly run: string;
  readonly cdcctl: string;
  readonly operator: string;
  readonly subject: RunSubject;
  /** Null when the run was taken over from the ops topic alone. */
  readonly plan: Plan | null;
}

/** What the steps need to know, whoever ordered them. */
export type RunSubject = OffsetSubject | MigrationSubject;

interface SubjectBase {
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  readonly connectUrl: string;
  readonly context: string | undefined;
  readonly clusterId: string;
  /** Of a migration the new one. */
  readonly connector: string;
  readonly reason: string;
  readonly decision: string;
  readonly prefix: string;
  readonly opsTopic: string;
  readonly opsFormat: OpsFormat;
  /** Whether the connector that is stopped was started (neither STOPPED nor PAUSED) when the run began. */
  readonly ranBefore: boolean;
}

/** Of a run that changes one connector, its stored offset among it. */
export interface OffsetSubject extends SubjectBase {
  /** As the ops event names it. */
  readonly command: "offsets set" | "resnapshot";
  /** Undefined, as is `scn`, where the offset stays. */
  readonly direction: string | undefined;
  readonly scn: Scn | undefined;
  readonly forget: readonly string[];
  /** Of a resnapshot. */
  readonly snapshot?: SnapshotSubject;
  readonly resume: boolean;
}

/** Of a run that carries out one phase of a migration. */
export interface MigrationSubject extends SubjectBase {
  readonly command: "migrate";
  readonly phase: MigrationPhase;
  readonly legacy: string;
}

/** Undefined for a run of a migration. */
export function offsetSubject(subject: RunSubject): OffsetSubject | undefined {
  return subject.command === "migrate" ? undefined : subject;
}

/** Of a run that carries out a phase of a migration. */
export function phaseSubject({ started: { subject } }: Pick<RunState, "started">): MigrationSubject {
  if (subject.command !== "migrate") throw new Error("no run of a migration");
  return subject;
}

/** What a resnapshot writes, and records of it. */
export interface SnapshotSubject {
  readonly signalsTopic: string;
  readonly tables: readonly string[];
  /** `CODE message`; undefined where no redo is gone. */
  readonly gap: string | undefined;
  /** The tables that the operator asserts had no changes in the gap. */
  readonly unlisted: readonly string[];
  /** Over the evidence that was shown for them; the evidence itself stands in the run's plan. */
  readonly evidence: Digest | undefined;
  /**
   * Of the intent: tells that a plan file was carried out already, when its decision has become another one. Undefined where an ops event that
   * was taken over tells none.
   */
  readonly intent: Digest | undefined;
}

/**
 * - `succeeded`: everything planned is done. `failed`: the offset is not as planned, and that is recorded where it was announced; or the signal
 *   could not be written. `refused`: the recheck refused, or what was waited for did not come; the offset is untouched. `abandoned`: it was never
 *   known, and an operator ended it. `rejected`: everything was done, and the connector has refused the signal.
 */
export type RunOutcome = "succeeded" | "failed" | "refused" | "abandoned" | "rejected";

export type StepState = "pending" | "started" | "done" | "failed" | "unclear";

export interface RunState {
  readonly started: RunStarted & { readonly at: Instant };
  readonly steps: ReadonlyMap<StepName, StepState>;
  readonly body: { readonly previous: JsonObject | null; readonly entry: OffsetEntry } | undefined;
  readonly signal: Extract<JournalEvent, { type: "signal-fixed" }> | undefined;
  readonly takeover: Extract<JournalEvent, { type: "takeover-fixed" }> | undefined;
  readonly returning: Extract<JournalEvent, { type: "return-fixed" }> | undefined;
  readonly verified: Extract<JournalEvent, { type: "verified" }> | undefined;
  /** Calls that create or delete, by what came of the last time they were sent. */
  readonly calls: ReadonlyMap<string, "sent" | "applied">;
  /** Of them, those with an attempt that nobody answered: it may take effect yet, whatever came of a later one. */
  readonly unanswered: ReadonlySet<string>;
  readonly attempts: bigint;
  /** A PATCH was sent whose answer never came, and no definite answer since. */
  readonly patchInDoubt: boolean;
  /** How long the stop took, milliseconds; undefined when it is not known. */
  readonly stopMillis: bigint | undefined;
  /** What the run could not prove, though every step is done. */
  readonly unproven: string | undefined;
  readonly ended: { readonly outcome: RunOutcome; readonly message: string; readonly at: Instant } | undefined;
  readonly lastProblem: string | undefined;
  readonly backedOut: { readonly resumed: boolean } | undefined;
  readonly entries: bigint;
}

/** Undefined for a journal without its first entry: the process ended before it had begun anything. */
export function runState(entries: readonly JournalEntry[]): RunState | undefined {
  const [first, ...rest] = entries;
  if (first?.type !== "run-started") return undefined;
  const start: RunState = {
    started: first,
    steps: new Map(),
    body: undefined,
    signal: undefined,
    takeover: undefined,
    returning: undefined,
    verified: undefined,
    calls: new Map(),
    unanswered: new Set(),
    attempts: 0n,
    patchInDoubt: false,
    stopMillis: undefined,
    unproven: undefined,
    ended: undefined,
    lastProblem: undefined,
    backedOut: undefined,
    entries: 1n,
  };
  return rest.reduce(fold, start);
}

function fold(state: RunState, entry: JournalEntry): RunState {
  const next = { ...state, entries: state.entries + 1n };
  const mark = (step: StepName, to: StepState) => new Map([...state.steps, [step, to]]);
  switch (entry.type) {
    case "run-started":
    case "recovery-started":
      return next;
    case "step-started":
      return { ...next, steps: mark(entry.step, "started") };
    case "signal-fixed":
      return { ...next, signal: entry };
    case "body-fixed":
      return { ...next, body: { previous: entry.previous, entry: entry.body } };
    case "takeover-fixed":
      return { ...next, takeover: entry };
    case "return-fixed":
      return { ...next, returning: entry };
    case "verified":
      return { ...next, verified: entry };
    case "call-sent":
      return {
        ...next,
        calls: new Map([...state.calls, [entry.call, "sent"]]),
        ...(state.calls.get(entry.call) === "sent" ? { unanswered: new Set([...state.unanswered, entry.call]) } : {}),
      };
    case "call-applied":
      return { ...next, calls: new Map([...state.calls, [entry.call, "applied"]]) };
    case "call-rejected":
      return { ...next, calls: new Map([...state.calls].filter(([call]) => call !== entry.call)) };
    case "call-unanswered":
      return { ...next, lastProblem: entry.why };
    case "patch-sent":
      return { ...next, attempts: entry.attempt, patchInDoubt: true };
    case "patch-applied":
      return { ...next, patchInDoubt: false };
    case "patch-unanswered":
      return { ...next, lastProblem: entry.why };
    case "step-done":
      return {
        ...next,
        steps: mark(entry.step, "done"),
        ...(entry.step === "stop-connector" ? { stopMillis: entry.millis } : {}),
        ...(entry.step === "patch-offset" ? { patchInDoubt: false } : {}),
        ...(entry.unproven === undefined ? {} : { unproven: entry.unproven }),
      };
    case "step-failed":
      return {
        ...next,
        steps: mark(entry.step, "failed"),
        lastProblem: entry.error,
        ...(entry.step === "patch-offset" ? { patchInDoubt: false } : {}),
      };
    case "step-unclear":
      return { ...next, steps: mark(entry.step, "unclear"), lastProblem: entry.why };
    case "backed-out":
      return { ...next, backedOut: { resumed: entry.resumed } };
    case "run-ended":
      return { ...next, ended: { outcome: entry.outcome, message: entry.message, at: entry.at } };
  }
}

/** Whether the run made any call that changes something, or may have. */
export function changedAnything(state: RunState): boolean {
  return (
    state.calls.size > 0 ||
    [...state.steps].some(([step, at]) => effectOfStep(step) === "changes" && at !== "pending" && at !== "failed")
  );
}

/** Whether there is something to go on with: a change, or a judgement that was begun. */
export function hasBegun(state: RunState): boolean {
  return changedAnything(state) || [...state.steps.keys()].some((step) => effectOfStep(step) === "judges");
}

/** Whether a call was sent whose answer never came. */
export function inDoubt({ patchInDoubt, calls }: RunState): boolean {
  return patchInDoubt || [...calls.values()].includes("sent");
}

/** Where a run stands, in one word for a list. */
export function runStatus(state: RunState): RunOutcome | "in doubt" | "unfinished" {
  if (state.ended !== undefined) return state.ended.outcome;
  return inDoubt(state) ? "in doubt" : "unfinished";
}
