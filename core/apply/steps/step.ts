import type { PlannedStep, StepName } from "../../plan/plan.ts";
import type { RunContext } from "../context.ts";

export type ArgsOf<Name extends StepName> = Extract<PlannedStep, { step: Name }>;

/** What came of a step. A lost reply is neither success nor failure. */
export type StepResult =
  | {
      readonly result: "done";
      readonly note: string;
      readonly millis?: number;
      /** What is not proven by it, as a sentence. */
      readonly unproven?: string;
    }
  /** Definite: this step changed nothing. */
  | { readonly result: "failed"; readonly error: string; readonly code?: string; readonly remedies?: readonly string[] }
  /** The connector itself says no to what was asked of it; everything before stands. */
  | { readonly result: "rejected"; readonly error: string }
  | { readonly result: "unclear"; readonly why: string; readonly remedies?: readonly string[] };

export interface Step<Name extends StepName> {
  readonly name: Name;
  /** One line for the plan: what will be done. */
  describe(args: ArgsOf<Name>): string;
  run(args: ArgsOf<Name>, ctx: RunContext): Promise<StepResult>;
}
