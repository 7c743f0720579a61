/** Why a connector is behind. `none` and `unclear` are not causes: see `explainLag`. */
export type Cause =
  | "redo gone"
  | "failed"
  | "not running"
  | "not behind"
  | "long transaction"
  | "kafka"
  | "mining"
  | "large transaction"
  | "replay"
  | "snapshot";

/** Whether one cause holds. What can't be observed is `unknown`: neither a cause nor ruled out. */
export type Judgement =
  | {
      readonly verdict: "yes";
      /** False: everything observed points to it, but the proof could not be observed. */
      readonly certain: boolean;
      /** Sentences, strongest evidence first; at least one. */
      readonly evidence: readonly string[];
    }
  | {
      readonly verdict: "no";
      /** The fact that rules the cause out: one plain sentence that says what is, without a negation. */
      readonly because: string;
    }
  | { readonly verdict: "unknown"; readonly why: string };

export function yes(...evidence: readonly [string, ...string[]]): Judgement {
  return { verdict: "yes", certain: true, evidence };
}

export function likely(...evidence: readonly [string, ...string[]]): Judgement {
  return { verdict: "yes", certain: false, evidence };
}

export function no(because: string): Judgement {
  return { verdict: "no", because };
}

export function unknown(why: string): Judgement {
  return { verdict: "unknown", why };
}
