import type { ChangeAnswer } from "../../ports.ts";
import { printDuration } from "../../values/duration.ts";
import type { RunContext } from "../context.ts";
import type { StepResult } from "./step.ts";
import { shortened } from "./told.ts";

const LONGEST_PAUSE = 10_000;

/** One call that creates or deletes something, by its name: sent twice it does no more than sent once. */
export interface DefiniteCall {
  /** As the journal names it: `DELETE connector orders-cdc`. */
  readonly call: string;
  send(): Promise<ChangeAnswer>;
  /** Looks whether it has taken effect: then nothing more is sent. Reads only. */
  isDone(): Promise<boolean>;
  /** What speaks against sending it (again); asked before each time. */
  obstacle(): Promise<string | undefined>;
  /** A definite no that means that it is done: deleting what is gone. @param doubtful an earlier attempt may have done it */
  meansDone?(rejected: Extract<ChangeAnswer, { answer: "rejected" }>, doubtful: boolean): boolean;
}

export type CallOutcome =
  | { readonly result: "done" }
  | { readonly result: "failed"; readonly error: string; readonly status: number | undefined }
  | Extract<StepResult, { result: "unclear" }>;

/**
 * Makes a call until a definite answer: where none comes it is neither done nor undone, and may take effect later, so that the identical call is
 * sent again. An effect that is seen is an answer only while no earlier attempt is unanswered: see `isDone`.
 *
 * Rule: architecture, "What apply promises", 3 and 4.
 */
export async function untilDefinite(
  { call, send, isDone, obstacle, meansDone }: DefiniteCall,
  ctx: RunContext,
): Promise<CallOutcome> {
  const start = ctx.clock.elapsed();
  const before = ctx.state().calls.get(call);
  if (before === "applied") return { result: "done" };
  for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const doubtful = ctx.state().calls.get(call) === "sent";
    if (!doubtful && (await isDone())) return { result: "done" };
    const why = await obstacle();
    if (why !== undefined)
      return doubtful ? { result: "unclear", why } : { result: "failed", error: why, status: undefined };
    await ctx.record({ type: "call-sent", call });
    const answer = await send();
    if (answer.answer === "applied" || (answer.answer === "rejected" && meansDone?.(answer, doubtful) === true)) {
      await ctx.record({ type: "call-applied", call });
      return { result: "done" };
    }
    // Status 0: nothing was sent, so that another try may help. Not a refusal.
    if (answer.answer === "rejected" && answer.status !== 0 && !doubtful) {
      await ctx.record({ type: "call-rejected", call });
      return { result: "failed", error: `${shortened(answer.message)} (${answer.status})`, status: answer.status };
    }
    const said = answer.answer === "unanswered" ? answer.why : answer.message;
    await ctx.record({ type: "call-unanswered", call, why: said });
    ctx.report(`no definite answer to ${call} (${said}); sending it again`);
    if (ctx.interrupt.aborted || ctx.clock.elapsed() - start > ctx.limits.patch) return inDoubt(call, said, ctx);
    await ctx.clock.sleep(pause * (0.5 + ctx.clock.random() / 2), ctx.interrupt);
    if (ctx.interrupt.aborted) return inDoubt(call, said, ctx);
  }
}

function inDoubt(call: string, said: string, { interrupt, limits }: RunContext): CallOutcome {
  const when = interrupt.aborted
    ? "interrupted before a definite answer"
    : `no definite answer within ${printDuration(limits.patch)}`;
  return {
    result: "unclear",
    why: `whether ${call} has taken effect is not known: ${when} (${said}). It may take effect later`,
    remedies: ["When it answers again:  cdcctl recover"],
  };
}
