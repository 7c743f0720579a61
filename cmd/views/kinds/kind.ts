import type { MigrationPhase } from "../../../core/document/intent.ts";
import type { StepName } from "../../../core/plan/steps.ts";
import type { RunState, StepState } from "../../../core/run/state.ts";
import type { RunSubject } from "../../../core/run/subject.ts";
import type { Field } from "../report/model.ts";

/** The views of a run, by its kind of change; a plan shows itself (`core/plan/shown.ts`). */
export interface KindView<S extends RunSubject> {
  /** The aim of a run in a few words: `forward to 2230000`, `signal only`. */
  aim(subject: S): string;
  /** What a run has changed according to the journal, one sentence each. */
  changes(subject: S, state: RunState, at: (step: StepName) => StepState): readonly string[];
  /** What a run has determined, besides its steps. */
  records?(subject: S, state: RunState): readonly Field[];
  /** Whether a run is described by its calls, each of which creates, deletes, stops or starts something. */
  readonly reportedByCalls: boolean;
  /** What is unchanged when a run has changed nothing; undefined for a kind that never changes anything. */
  readonly untouched: string | undefined;
  /**
   * Commands after a successful run: the next phase first, then its rollback. If omitted: only the rollback.
   *
   * @param then builds the command that plans another phase of the same file, if the file has a name, with a comment
   */
  next?(run: string, then: (phase: MigrationPhase, what: string) => readonly string[]): readonly string[];
}

/** What a connector did once a step was done, and what it was asked for until then. */
const DID = {
  "stop-connector": ["was stopped", "was asked to stop"],
  "resume-connector": ["was resumed", "was asked to resume"],
  "start-connector": ["is running", "was asked to start"],
  "restart-connector": ["was restarted", "was asked to restart"],
  "start-new": ["is running", "was asked to start"],
  "resume-legacy": ["runs again", "was asked to resume"],
} as const satisfies { readonly [S in StepName]?: readonly [done: string, asked: string] };

/** A stop or a resumption that failed was asked for; a start that failed was not. */
const ASKED_ANYWAY: ReadonlySet<StepName> = new Set(["stop-connector", "resume-connector"]);

/** What a step did to a connector; empty if it was not begun. */
export function did(step: keyof typeof DID, name: string, at: (step: StepName) => StepState): readonly string[] {
  const state = at(step);
  if (state === "pending" || (state === "failed" && !ASKED_ANYWAY.has(step))) return [];
  const [done, asked] = DID[step];
  return [`${name} ${state === "done" ? done : asked}`];
}

/** Whether a connector that a failed run had stopped was resumed. */
export function backedOut(name: string, { backedOut: back }: RunState): readonly string[] {
  return back === undefined ? [] : [`${name} ${back.resumed ? "was resumed again" : "was not resumed"}`];
}
