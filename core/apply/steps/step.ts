import type { ArgsOf, StepName } from "../../plan/steps.ts";
import type { Advice } from "../../values/remedy.ts";
import type { RunContext } from "../context.ts";

/** The result of a step. A lost reply is neither success nor failure. */
export type StepResult =
  | {
      readonly result: "done";
      readonly note: string;
      readonly millis?: number;
      /** What it does not prove, as a sentence. */
      readonly unproven?: string;
    }
  | Failed
  /** The connector itself refused the request; everything before it remains. */
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

export function done(note: string, more: { readonly millis?: number; readonly unproven?: string } = {}): StepResult {
  return { result: "done", note, ...more };
}

export function failed(error: string, code?: string, remedies?: readonly Advice[]): Failed {
  const more = { ...(code === undefined ? {} : { code }), ...(remedies === undefined ? {} : { remedies }) };
  return { result: "failed", error, ...more };
}

export function unclear(why: string, remedies?: readonly Advice[]): Unclear {
  return { result: "unclear", why, ...(remedies === undefined ? {} : { remedies }) };
}

/** How a step is carried out and undone. Its meaning for plans and journals is in `core/plan/steps.ts`. */
export interface Step<Name extends StepName> {
  run(args: ArgsOf<Name>, ctx: RunContext): Promise<StepResult>;
  /**
   * Undoes it after the run has failed, whether it was begun or not, and can be repeated: it checks itself what there
   * is to undo. Omitted: nothing.
   *
   * @param why why the run has failed
   */
  undo?(args: ArgsOf<Name>, ctx: RunContext, why: string): Promise<Undone>;
}

/**
 * Undefined: everything is as before the step. Otherwise what remains, and how an operator changes that; or that it is
 * unknown.
 */
export type Undone = readonly Advice[] | Unclear | undefined;
