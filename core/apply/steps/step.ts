import type { ArgsOf, StepName } from "../../plan/steps.ts";
import type { Advice } from "../../values/remedy.ts";
import type { RunContext } from "../context.ts";

/** What came of a step. A lost reply is neither success nor failure. */
export type StepResult =
  | {
      readonly result: "done";
      readonly note: string;
      readonly millis?: number;
      /** What is not proven by it, as a sentence. */
      readonly unproven?: string;
    }
  | Failed
  /** The connector itself says no to what was asked of it; everything before stands. */
  | { readonly result: "rejected"; readonly error: string }
  | Unclear;

/** Definite: this step changed nothing. */
export interface Failed {
  readonly result: "failed";
  readonly error: string;
  readonly code?: string;
  readonly remedies?: readonly Advice[];
}

export interface Unclear {
  readonly result: "unclear";
  readonly why: string;
  readonly remedies?: readonly Advice[];
}

/** How a step is carried out and undone. What it is to a plan and a journal is in `core/plan/steps.ts`. */
export interface Step<Name extends StepName> {
  run(args: ArgsOf<Name>, ctx: RunContext): Promise<StepResult>;
  /**
   * Undoes it after the run has failed, whether it was begun or not, and can be repeated: it looks itself what there is
   * to undo. Left out: nothing is.
   *
   * @param why what the run has failed for
   */
  undo?(args: ArgsOf<Name>, ctx: RunContext, why: string): Promise<Undone>;
}

/** Undefined: all is as it was before the step. What stays, and how an operator changes that; or that is not known. */
export type Undone = readonly Advice[] | Unclear | undefined;
