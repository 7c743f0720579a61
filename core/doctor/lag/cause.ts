/** Why a connector is behind. `none` and `unclear` are no causes: see `explainLag`. */
export type Cause =
  | "redo gone"
  | "failed"
  | "not running"
  | "not behind"
  | "long transaction"
  | "kafka"
  | "mining"
  | "large transaction"
  | "replay";

/** Whether one cause holds. What can't be seen is `unknown`, never a cause, and never ruled out. */
export type Judgement =
  | {
      readonly verdict: "yes";
      /** False: all that was seen speaks for it, and what would prove it was not seen. */
      readonly sure: boolean;
      /** Sentences, the strongest first; at least one. */
      readonly evidence: readonly string[];
    }
  | { readonly verdict: "no"; readonly because: string }
  | { readonly verdict: "unknown"; readonly why: string };

export function yes(...evidence: readonly [string, ...string[]]): Judgement {
  return { verdict: "yes", sure: true, evidence };
}

export function likely(...evidence: readonly [string, ...string[]]): Judgement {
  return { verdict: "yes", sure: false, evidence };
}

export function no(because: string): Judgement {
  return { verdict: "no", because };
}

export function unknown(why: string): Judgement {
  return { verdict: "unknown", why };
}
