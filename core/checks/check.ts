import type { Advice } from "../values/remedy.ts";

/**
 * How much a check weighs when it does not pass.
 * - `refusal`: the plan is blocked; nothing in a plan file changes that.
 * - `acceptable`: the plan is blocked unless `spec.accept` names the code; under `admin` it only warns.
 * - `advisory`: it is shown.
 */
export type Grade = "refusal" | "acceptable" | "advisory";

/**
 * A rule. It names the few things of the intent and of the reading that it looks at: it then fits every subject that
 * has them.
 */
export interface Check<Intent, Reading> {
  /** Three letters for what it concerns, three digits: `OFF103`. */
  readonly code: string;
  /** One line, for a table. */
  readonly title: string;
  /** What goes wrong if it is ignored. */
  readonly problem: string;
  /** What the operator does now. */
  readonly remedy: string;
  readonly grade: Grade;
  /** How much it weighs that the fact is unknown, where that is not the grade. */
  readonly unknown?: Grade;
  readonly run: (intent: Intent, reading: Reading) => Verdict;
}

/** Any check, by what can be said of it without running it. */
export type AnyCheck = Check<never, never>;

/** What a check says of itself; what it takes to run it is left out. */
export type CheckPage = Omit<AnyCheck, "run">;

export type Verdict =
  | {
      readonly verdict: "pass";
      /** What was seen, where somebody wants to know it all the same. */
      readonly seen?: string;
    }
  | {
      /** `fail`: seen, and not as it should be. `unknown`: could not be seen. */
      readonly verdict: "fail" | "unknown";
      /** What was seen, with the values. */
      readonly seen: string;
      /** Ways out for this very case; the check's own remedy where there are none. */
      readonly remedies?: readonly Advice[];
      /** The command that takes back what a remedy does for the time of the run, with its purpose as a comment. */
      readonly afterwards?: string;
      /** Path in the plan file that decides it: `spec.allowSkip`. */
      readonly at?: string;
      /** Blocks under `admin` too, where an acceptable finding otherwise only warns. */
      readonly firm?: boolean;
      /** How much it weighs here, where that is not the check's grade. */
      readonly grade?: Grade;
      /** Each thing that it is about, where there may be many: tables, views, PDBs. */
      readonly items?: readonly Item[];
    };

/** One of the things that a finding is about. */
export interface Item {
  readonly name: string;
  /** What is the matter with it, where that differs from one to the other. */
  readonly seen?: string;
  /** The statement that mends it. */
  readonly sql?: string;
}

export const pass: Verdict = { verdict: "pass" };

/** As it should be. @param seen with the values */
export function fine(seen: string): Verdict {
  return { verdict: "pass", seen };
}

/** Seen, and not as it should be. */
export function fail(finding: Omit<Extract<Verdict, { verdict: "fail" | "unknown" }>, "verdict">): Verdict {
  return { verdict: "fail", ...finding };
}

/** Could not be seen. @param ways how it could be; the check's own remedy where there is none */
export function unknown(why: string, ways?: Advice | readonly Advice[], items?: readonly Item[]): Verdict {
  return {
    verdict: "unknown",
    seen: why,
    ...(ways === undefined ? {} : { remedies: [ways].flat() }),
    ...(items === undefined ? {} : { items }),
  };
}
