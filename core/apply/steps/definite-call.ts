import type { ChangeAnswer } from "../../ports/answers.ts";
import { printDuration } from "../../values/duration.ts";
import type { RunContext } from "../context.ts";
import type { StepResult } from "./step.ts";
import { shortened } from "./told.ts";

const LONGEST_PAUSE = 10_000;

/** One call that changes a connector or a topic, by its name: sent twice it does no more than sent once. */
export interface DefiniteCall {
  /** As the journal names it: `DELETE connector orders-cdc`. */
  readonly call: string;
  send(): Promise<ChangeAnswer>;
  /**
   * Looks whether it has taken effect, before anything was sent: then nothing is. Reads only. Left out: it is sent in
   * any case.
   */
  isDone?(): Promise<boolean>;
  /**
   * Looks whether its effect is there, where the only attempt that was sent was not answered: then no worker holds it
   * any more, and the next one is sent for an answer only. Reads only. Left out: that can't be told from another
   * connector's or user's doing.
   */
  hasEffect?(): Promise<boolean>;
  /** What speaks against sending it (again); asked before each time. Left out: nothing. */
  obstacle?(): Promise<string | undefined>;
  /**
   * A definite no that means that it is done: deleting what is gone. @param doubtful an earlier attempt may have done
   * it
   */
  meansDone?(rejected: Extract<ChangeAnswer, { answer: "rejected" }>, doubtful: boolean): boolean;
  /** What may be shown of an answer that was no yes; left out: all of it. */
  shown?(said: string): string;
  /** Whether what was answered before still stands; where it does not, it is sent anew. Left out: it does. */
  stands?(): Promise<boolean>;
}

export type CallOutcome =
  | { readonly result: "done" }
  | { readonly result: "failed"; readonly error: string; readonly status: number | undefined }
  | Extract<StepResult, { result: "unclear" }>;

/**
 * Makes a call until a definite answer: where none comes it is neither done nor undone, and may take effect later, so
 * that the identical call is sent again. An effect that is seen is an answer only while no earlier attempt is
 * unanswered: see `isDone`.
 *
 * Rule: architecture, "What apply promises", 3 and 4.
 */
export async function untilDefinite(
  { call, send, isDone, hasEffect, obstacle, meansDone, shown, stands }: DefiniteCall,
  ctx: RunContext,
): Promise<CallOutcome> {
  const start = ctx.clock.elapsed();
  if (ctx.state().calls.get(call) === "applied" && (stands === undefined || (await stands())))
    return { result: "done" };
  for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const doubtful = isInDoubt(call, ctx);
    if (!doubtful && (await isDone?.())) return { result: "done" };
    const why = await obstacle?.();
    if (why !== undefined)
      return doubtful
        ? { result: "unclear", why: `${why}; and whether ${call} has taken effect is not known`, remedies: GO_ON }
        : { result: "failed", error: why, status: undefined };
    const seen = doubtful && !ctx.state().repeated.has(call) && (await hasEffect?.()) === true;
    await ctx.record({ type: "call-sent", call, ...(seen ? { seen } : {}) });
    const answer = await send();
    if (answer.answer === "applied" || (answer.answer === "rejected" && meansDone?.(answer, doubtful) === true)) {
      await ctx.record({ type: "call-applied", call });
      return { result: "done" };
    }
    const whole = answer.answer === "unanswered" ? answer.why : answer.message;
    const said = shortened(shown?.(whole) ?? whole);
    if (answer.answer === "rejected" && !doubtful) {
      await ctx.record({ type: "call-rejected", call });
      // Status 0: nothing was sent, so that another try may help. Not a refusal.
      if (answer.status !== 0) return { result: "failed", error: `${said} (${answer.status})`, status: answer.status };
      ctx.report(`${call} could not be sent (${said}); trying again`);
    } else {
      await ctx.record({ type: "call-unanswered", call, why: said });
      ctx.report(`no definite answer to ${call} (${said}); sending it again`);
    }
    if (ctx.interrupt.aborted || ctx.clock.elapsed() - start > ctx.limits.patch) return endless(call, said, ctx);
    await ctx.clock.sleep(pause * (0.5 + ctx.clock.random() / 2), ctx.interrupt);
    if (ctx.interrupt.aborted) return endless(call, said, ctx);
  }
}

const GO_ON: readonly string[] = ["When that is mended:  cdcctl recover"];

function isInDoubt(call: string, ctx: RunContext): boolean {
  return ctx.state().calls.get(call) === "sent";
}

function endless(call: string, said: string, ctx: RunContext): CallOutcome {
  const { interrupt, limits } = ctx;
  const when = interrupt.aborted
    ? "interrupted before a definite answer"
    : `no definite answer within ${printDuration(limits.patch)}`;
  return {
    result: "unclear",
    why: isInDoubt(call, ctx)
      ? `whether ${call} has taken effect is not known: ${when} (${said}). It may take effect later`
      : `${call} could not be sent: ` +
        `${interrupt.aborted ? "interrupted" : `not within ${printDuration(limits.patch)}`} (${said})`,
    remedies: ["When it answers again:  cdcctl recover"],
  };
}
