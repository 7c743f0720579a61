import type { Unknown } from "../../schemas/generated/facts.ts";
import type { Advice } from "../values/remedy.ts";

/**
 * The severity of a check that does not pass.
 * - `refusal`: the plan is blocked; nothing in a plan file changes that.
 * - `acceptable`: the plan is blocked unless `spec.accept` names the code; under `admin` it only warns.
 * - `advisory`: it is only shown.
 */
export type Grade = "refusal" | "acceptable" | "advisory";

/**
 * A rule. Its type names only the parts of the intent and the reading that it uses, so it applies to every subject that
 * has them.
 */
export interface Check<Intent, Reading> {
  /** Three letters for what it concerns, three digits: `OFF103`. */
  readonly code: string;
  /** One line, for a table. */
  readonly title: string;
  /** The consequence of ignoring it. */
  readonly problem: string;
  readonly remedy: string;
  readonly grade: Grade;
  /** The grade when the fact is unknown, if it differs. */
  readonly unknown?: Grade;
  readonly run: (intent: Intent, reading: Reading) => Verdict;
}

/** A check of facts: it reads these members of them, and nothing else but the intent. */
export type CheckOf<Facts, Read extends keyof Facts, Intent = unknown> = Check<
  Intent,
  { readonly facts: Pick<Facts, Read> }
>;

/** A check of a reading: it reads these members of it and of its facts, and nothing else but the intent. */
export type CheckIn<
  Reading extends { readonly facts: object },
  Read extends keyof Reading,
  Facts extends keyof Reading["facts"],
  Intent = unknown,
> = Check<Intent, Pick<Reading, Read> & { readonly facts: Pick<Reading["facts"], Facts> }>;

export type AnyCheck = Check<never, never>;

export type CheckPage = Omit<AnyCheck, "run">;

export type Verdict =
  | {
      readonly verdict: "pass";
      /** What was observed, for views that also show passed checks. */
      readonly seen?: string;
    }
  | {
      /** `fail`: observed, and not as required. `unknown`: could not be observed. */
      readonly verdict: "fail" | "unknown";
      /** What was observed, with the values. */
      readonly seen: string;
      /** Remedies for this specific case; without any, the check's own remedy applies. */
      readonly remedies?: readonly Advice[];
      /** The command that takes back what a remedy does for the time of the run, with its purpose as a comment. */
      readonly afterwards?: string;
      /** Path in the plan file that decides it: `spec.allowSkip`. */
      readonly at?: string;
      /** Blocks under `admin` too, where an acceptable finding otherwise only warns. */
      readonly firm?: boolean;
      /** The grade in this case, if it differs from the check's. */
      readonly grade?: Grade;
      /** The affected objects, where there may be many: tables, views, PDBs. */
      readonly items?: readonly Item[];
    };

export interface Item {
  readonly name: string;
  /** The problem of this object, where objects differ. */
  readonly seen?: string;
  readonly sql?: string;
}

export const pass: Verdict = { verdict: "pass" };

/** The verdict of a check that passes. @param seen what was observed, with the values */
export function fine(seen: string): Verdict {
  return { verdict: "pass", seen };
}

/** The verdict of a check whose fact was observed and is not as required. @param seen what, with the values */
export function fail(
  seen: string,
  more: Omit<Extract<Verdict, { verdict: "fail" | "unknown" }>, "verdict" | "seen"> = {},
): Verdict {
  return { verdict: "fail", seen, ...more };
}

/**
 * The verdict of a check whose fact could not be observed. @param ways how to make it observable; the check's own
 * remedy by default
 */
export function unknown(why: string, ways?: Advice | readonly Advice[], items?: readonly Item[]): Verdict {
  return {
    verdict: "unknown",
    seen: why,
    ...(ways === undefined ? {} : { remedies: [ways].flat() }),
    ...(items === undefined ? {} : { items }),
  };
}

/**
 * The verdict of a check whose fact could not be observed, for the reason that was seen. @param what is unknown without
 * it @param otherwise how to make it observable, where the reason does not say
 */
export function unseen({ why, remedies }: Omit<Unknown, "source">, what?: string, otherwise?: Advice): Verdict {
  return unknown(what === undefined ? why : `${what}: ${why}`, remedies ?? otherwise);
}
