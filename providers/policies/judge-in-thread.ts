import { Worker } from "node:worker_threads";
import type { Scope } from "../../core/policies/expression.ts";
import type { Verdict } from "../../core/policies/finding.ts";
import type { Policies } from "../../core/policies/policies.ts";
import type { Rule } from "../../core/policies/policy.ts";

/** What the thread is given for each plan. It has no ports, and no login. */
export interface ToJudge extends Scope {
  readonly rules: readonly Rule[];
}

/** Messages from the thread: that it has started, and the verdict of each rule in order. */
export type FromJudge = "started" | Verdict;

/** Milliseconds that a rule may take, and the start of a thread on a busy machine. */
const LIMITS = { rule: 5_000, start: 60_000 };

/**
 * Evaluates rules in a thread that is ended when one takes too long or too much memory: one plan after the other. The
 * thread does not keep the process alive.
 *
 * @param module the built thread
 * @returns a verdict for each rule; after a rule that ended the thread, the others have not been evaluated
 */
export function judgingThread(module: URL, limits: typeof LIMITS = LIMITS): Policies["judge"] {
  let thread: Worker | undefined;
  return async (toJudge) => {
    const isNew = thread === undefined;
    const current = thread ?? new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: 128 } });
    thread = current;
    current.unref();
    const { verdicts, cut } = await verdictsOf(current, toJudge, limits, isNew);
    if (cut !== undefined) {
      thread = undefined;
      await current.terminate();
    }
    return toJudge.rules.map((_, at) => verdicts[at] ?? notEvaluated(toJudge.rules, at, verdicts.length, cut));
  };
}

function notEvaluated(rules: readonly Rule[], at: number, ended: number, cut = "it gave no verdict"): Verdict {
  const why = at === ended ? cut : `an earlier rule (${rules[ended]?.title}) ended the evaluation`;
  return { is: "failed", why };
}

/** The verdicts until the thread is done, or why it was cut off. */
async function verdictsOf(
  thread: Worker,
  toJudge: ToJudge,
  limits: typeof LIMITS,
  isNew: boolean,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly cut: string | undefined }> {
  const verdicts: Verdict[] = [];
  let deadline: NodeJS.Timeout | undefined;
  try {
    const cut = await new Promise<string | undefined>((resolve) => {
      const within = (millis: number) => {
        clearTimeout(deadline);
        deadline = setTimeout(() => resolve(`it did not end within ${millis / 1000} s`), millis);
      };
      within(isNew ? limits.start : limits.rule);
      thread.on("message", (message: FromJudge) => {
        if (message !== "started") verdicts.push(message);
        if (verdicts.length === toJudge.rules.length) resolve(undefined);
        else within(limits.rule);
      });
      thread.on("error", (error) => resolve(error.message));
      thread.on("exit", (code) => resolve(`its thread ended (${code})`));
      thread.postMessage(toJudge);
    });
    return { verdicts, cut };
  } finally {
    clearTimeout(deadline);
    for (const event of ["message", "error", "exit"]) thread.removeAllListeners(event);
  }
}
