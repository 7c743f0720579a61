import { PATCH, type StepName } from "../../plan/steps.ts";
import type { ChangeAnswer, Rejected } from "../../ports/answers.ts";
import type { JournalEvent } from "../../run/journal.ts";
import { printDuration } from "../../values/duration.ts";
import { truncate } from "../../values/truncate.ts";
import { abandonOnceNotHeld, ONCE_FIXED, type RunContext, toRecover } from "../context.ts";
import { type Looks, looksOf } from "./own-run.ts";
import { type Failed, failed, type Unclear, unclear } from "./step.ts";

/** Limit for a worker's message, characters. */
const LONGEST_UNREDACTED = 500;
const LONGEST_PAUSE = 10_000;
/** Connect's status for a connector that does not exist; the port passes on none of a worker that is starting. */
const NOT_FOUND = 404;

/**
 * One call that changes an offset, a connector or a topic: idempotent, so sending it twice does no more than sending it
 * once.
 */
export interface DefiniteCall {
  /** Its name in the journal: `DELETE connector orders-cdc`. */
  readonly call: string;
  send(): Promise<ChangeAnswer>;
  /**
   * Checks whether it has taken effect before anything is sent; then nothing is sent. Only reads. Omitted: it is always
   * sent.
   */
  isDone?(): Promise<boolean>;
  /**
   * Checks whether the effect exists after the only attempt got no answer: then no worker still holds it, and the next
   * one is sent only for an answer. Only reads. Omitted: the effect can't be distinguished from another connector's or
   * user's.
   */
  hasEffect?(): Promise<boolean>;
  /** Why it must not be sent (again); called before each attempt. Omitted: no obstacle. */
  obstacle?(): Promise<string | undefined>;
  /**
   * A definite refusal that means that it is done, such as deleting what is gone. @param doubtful an earlier attempt
   * may have done it
   */
  meansDone?(rejected: Rejected, doubtful: boolean): boolean;
  /** Redacts an answer other than success; omitted: all of it is shown. */
  redact?(answer: string): string;
  /** Whether an earlier answer still holds; if not, it is sent again. Omitted: it holds. */
  stands?(): Promise<boolean>;
  /**
   * Its effect, as a clause, for reports that it is unknown. Omitted: `DELETE connector orders-cdc has taken effect`.
   */
  readonly effect?: string;
}

export type CallOutcome =
  | { readonly result: "done" }
  /** @property rejected Connect's or Kafka's own refusal; undefined if nothing was sent */
  | { readonly result: "failed"; readonly error: string; readonly rejected: Rejected | undefined }
  | Unclear;

/**
 * Makes a call until a definite answer: without one it is neither done nor undone and may take effect later, so the
 * identical call is sent again. An observed effect counts as an answer only while no earlier attempt is unanswered: see
 * `isDone`. Each attempt leaves only while the run is this process's own.
 *
 * Rule: architecture, "What apply promises", 3, 4 and 6.
 */
export async function untilDefinite(definite: DefiniteCall, ctx: RunContext): Promise<CallOutcome> {
  const { call, send, isDone, hasEffect, obstacle, meansDone, redact, stands } = definite;
  const start = ctx.clock.elapsed();
  if (ctx.state().calls.get(call) === "applied" && (stands === undefined || (await stands())))
    return { result: "done" };
  for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const doubtful = isInDoubt(call, ctx);
    if (!doubtful && (await isDone?.())) return { result: "done" };
    const seen = doubtful && !ctx.state().repeated.has(call) && (await hasEffect?.()) === true;
    const entries = entriesOf(call, ctx);
    const looks = looksOf(ctx);
    const blocked = async (): Promise<CallOutcome | undefined> => {
      const why = await obstacle?.();
      // Who has settled the run says more than what stands in its way since.
      if (why === undefined || doubtful) await looks.look();
      if (why === undefined) return undefined;
      return doubtful ? stuck(definite, why, ctx) : { result: "failed", error: why, rejected: undefined };
    };
    const before = await blocked();
    if (before !== undefined) return before;
    if (ctx.agreed?.has(stepOf(call, ctx)) === false) return notAgreed(definite, doubtful);
    await ctx.record(entries.sent(seen));
    const since = await untilFresh(looks, blocked, () => ctx.record({ type: "call-withheld", call }));
    if (since !== undefined) return since;
    const answer = await send();
    if (answer.answer === "applied" || (answer.answer === "rejected" && meansDone?.(answer, doubtful) === true)) {
      await ctx.record(entries.applied);
      return { result: "done" };
    }
    const whole = answer.answer === "unanswered" ? answer.why : answer.message;
    const reason = truncate(redact?.(whole) ?? whole, LONGEST_UNREDACTED);
    // Status 0: nothing was sent, so a retry may help. Not a refusal.
    const isSent = answer.answer === "unanswered" || answer.status !== 0;
    if (answer.answer === "rejected" && !doubtful && (isSent || entries.rejected !== undefined)) {
      if (entries.rejected !== undefined) await ctx.record(entries.rejected);
      if (isSent) return { result: "failed", error: `${reason} (${answer.status})`, rejected: answer };
      ctx.report(`${call} could not be sent (${reason}); trying again`);
    } else {
      await ctx.record(entries.unanswered(reason));
      // No attempt can do anything more for a connector that is gone.
      if (answer.answer === "rejected" && answer.status === NOT_FOUND) return stuck(definite, `${reason} (404)`, ctx);
      ctx.report(`no definite answer to ${call} (${reason}); sending it again`);
    }
    if (ctx.interrupt.aborted || ctx.clock.elapsed() - start > ctx.limits.patch) return endless(definite, reason, ctx);
    await ctx.clock.sleep(pause * (0.5 + ctx.clock.random() / 2), ctx.interrupt);
    if (ctx.interrupt.aborted) return endless(definite, reason, ctx);
  }
}

/**
 * Repeats what was looked at before the request until it is fresh: the process may have been asleep since, even while
 * the journal was written.
 *
 * @param withheld records that the request, which is already journaled, does not leave
 */
async function untilFresh(
  looks: Looks,
  blocked: () => Promise<CallOutcome | undefined>,
  withheld: () => Promise<void>,
): Promise<CallOutcome | undefined> {
  try {
    while (!looks.isFresh()) {
      const since = await blocked();
      if (since === undefined) continue;
      await withheld();
      return since;
    }
    return undefined;
  } catch (failure) {
    await withheld();
    throw failure;
  }
}

/**
 * The result of a step whose call was not made or was refused: it has changed nothing.
 *
 * @param refusal the text for a definite refusal, before Connect's own message; and its code
 */
export function notMade(
  outcome: Exclude<CallOutcome, { readonly result: "done" }>,
  refusal: { readonly error: string; readonly code: string },
): Failed | Unclear {
  if (outcome.result === "unclear") return outcome;
  return outcome.rejected === undefined
    ? failed(outcome.error, "APL804")
    : failed(`${refusal.error}: ${outcome.error}`, refusal.code);
}

interface Entries {
  readonly sent: (seen: boolean) => JournalEvent;
  readonly applied: JournalEvent;
  /** Undefined: the step's own failure records it, and an attempt that was not sent counts as unanswered. */
  readonly rejected: JournalEvent | undefined;
  readonly unanswered: (why: string) => JournalEvent;
}

/** The journal entries for the next attempt; the PATCH has entries of its own, with its number. */
function entriesOf(call: string, ctx: RunContext): Entries {
  if (call !== PATCH)
    return {
      sent: (seen) => ({ type: "call-sent", call, ...(seen ? { seen } : {}) }),
      applied: { type: "call-applied", call },
      rejected: { type: "call-rejected", call },
      unanswered: (why) => ({ type: "call-unanswered", call, why }),
    };
  const attempt = ctx.state().attempts + 1n;
  return {
    sent: (seen) => ({ type: "patch-sent", attempt, ...(seen ? { seen } : {}) }),
    applied: { type: "patch-applied", attempt },
    rejected: undefined,
    unanswered: (why) => ({ type: "patch-unanswered", attempt, why }),
  };
}

function isInDoubt(call: string, ctx: RunContext): boolean {
  return ctx.state().calls.get(call) === "sent";
}

function notKnown({ call, effect = `${call} has taken effect` }: DefiniteCall): string {
  return `whether ${effect} is unknown`;
}

/** The step that makes a call: a start sends the PATCH again where it was undone. */
function stepOf(call: string, ctx: RunContext): StepName {
  return call === PATCH ? "patch-offset" : (ctx.state().current ?? "recheck");
}

/** The systems have changed since a recovery was shown. */
function notAgreed(definite: DefiniteCall, doubtful: boolean): Unclear {
  return unclear(
    `${definite.call} has become necessary, and nobody was asked for it; ` +
      (doubtful ? `it was not sent again, and ${notKnown(definite)}` : "it was not sent"),
    [toRecover("To see what is left to do, and to agree")],
  );
}

/** Nothing more can be sent while an earlier attempt is unanswered. */
function stuck(definite: DefiniteCall, why: string, ctx: RunContext): Unclear {
  return unclear(`${why}; and ${notKnown(definite)}`, [ONCE_FIXED, abandonOnceNotHeld(definite.call, ctx)]);
}

function endless(definite: DefiniteCall, reason: string, ctx: RunContext): CallOutcome {
  const { interrupt, limits } = ctx;
  const when = interrupt.aborted
    ? "interrupted before a definite answer"
    : `no definite answer within ${printDuration(limits.patch)}`;
  return unclear(
    isInDoubt(definite.call, ctx)
      ? `${notKnown(definite)}: ${when} (${reason}). It may take effect later`
      : `${definite.call} could not be sent: ` +
          `${interrupt.aborted ? "interrupted" : `not within ${printDuration(limits.patch)}`} (${reason})`,
    [toRecover("Once it answers again")],
  );
}
