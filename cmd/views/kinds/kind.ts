import type { MigrationPhase } from "../../../core/document/intent.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import type { StepName } from "../../../core/plan/steps.ts";
import type { RunState, StepState } from "../../../core/run/state.ts";
import type { RunSubject } from "../../../core/run/subject.ts";
import type { Advice } from "../../../core/values/remedy.ts";
import { clip } from "../layout.ts";
import { isUtc } from "../quantities.ts";
import { type Field, type Notice, notice, RANK, type Section } from "../report/model.ts";

/** How a kind of change is shown: its plan, and a run of it. */
export interface KindView<P extends Plan, S extends RunSubject> {
  plan(plan: P): PlanParts;
  /** What a run was to do, in a few words: `forward to 2230000`, `signal only`. */
  aim(subject: S): string;
  /** What a run has changed, as far as the journal knows: one sentence each. */
  changes(subject: S, state: RunState, at: (step: StepName) => StepState): readonly string[];
  /** What a run has fixed or found, beside its steps: a label and a sentence each. */
  records?(subject: S, state: RunState): readonly (readonly [label: string, sentence: string])[];
  /** Whether a run is told by its calls, each of which creates, deletes, stops or starts something. */
  readonly toldByCalls: boolean;
  /** What did not change where a run has changed nothing; undefined: it never changes anything. */
  readonly untouched: string | undefined;
  /**
   * Commands after a run that has succeeded: forward first, then its rollback. Left out: only the rollback.
   *
   * @param then the command that plans another phase of the same file, where it has a name, and what for
   */
  next?(run: string, then: (phase: MigrationPhase, what: string) => readonly string[]): readonly string[];
}

/** What is peculiar to the plan of a kind of change. */
export interface PlanParts {
  /** The connector that a plan is of; of a migration both. */
  readonly connectors: string;
  /** What is to be tried before: redo that could be brought back. */
  readonly before: readonly Section[];
  /** What changes and what that means. */
  readonly change: readonly Section[];
  /** Of what a refusal has to name one by one, more than its sentence holds. */
  readonly listed?: readonly Section[];
  /** Remedies that `before` has already. */
  readonly said: readonly Advice[];
  /** In a few words each, for a table of several plans. */
  readonly inShort: { readonly direction: string; readonly cost: string };
}

/** In a table, what could not be told; never left out, for that would read as none. */
export const NOT_KNOWN = "not known";

/** In which zone times are shown, where that may surprise: where the database server does not show UTC itself. */
export function zoneNote({ world }: Plan): readonly Notice[] {
  const { zone } = world.database;
  return isUtc(zone) ? [] : [notice(`times are UTC; the database server's zone is ${clip(zone, 60)}`, "quiet")];
}

/** What a change means, one labelled sentence each. */
export function meaning(aim: string | undefined, fields: readonly Field[]): Section {
  return {
    title: "What it means",
    terminal: "no title",
    rank: RANK.consequences,
    parts: [
      ...(aim === undefined ? [] : [notice(aim, "strong")]),
      ...(fields.length === 0 ? [] : [{ is: "fields" as const, rows: fields, aligned: true as const }]),
    ],
  };
}
