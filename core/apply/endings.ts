import type { ChangeKind } from "../document/intent.ts";
import { afterwards, changedAnything, changeStands, leftStopped, type WayBack, wayBack } from "../run/change.ts";
import type { RunOutcome } from "../run/journal.ts";
import { afterRejection, leftSoFar, rejected } from "../run/sentences.ts";
import type { RunState } from "../run/state.ts";
import { fileOf, kindOfRun, type RunFile } from "../run/subject.ts";
import type { Advice, Remedy } from "../values/remedy.ts";
import type { Workers } from "../values/shell-word.ts";
import type { RunContext } from "./context.ts";

/** The way out of a run that is only to be gone on with: how it is named, the report says itself. */
export const GO_ON: Remedy = { text: "To go on", command: "cdcctl recover" };

/** How a run, or one attempt of it, came out. */
export interface RunReport extends RunFile {
  readonly run: string;
  readonly outcome: RunOutcome | "unfinished";
  readonly message: string;
  readonly remedies: readonly Advice[];
  /** Code of the check or rule, where one decided. */
  readonly code: string | undefined;
  /** Whether anything is different now from before the run: the connector's state, its offset. */
  readonly changed: boolean;
  /** Whether a new offset was sent: what a rollback goes back from. */
  readonly moved: boolean;
  /** Whether its change stands, as `rollback` and `status` judge it; left out where the run goes on. */
  readonly stands?: boolean;
  /** Left out likewise. */
  readonly wayBack?: WayBack;
  /** Whether the new offset was read back: of a run that is not finished, what has happened already. */
  readonly patched: boolean;
  /** Id of the signal that was written, or may have been: it can't be taken back. */
  readonly signal: string | undefined;
  readonly kind: ChangeKind;
  /** The connector that it has left STOPPED, where its remedies do not say how to start it. */
  readonly stopped?: Workers & { readonly connector: string };
  /** Commands that take back what was done for the time of the run; left out where the run goes on. */
  readonly afterwards?: readonly string[];
}

/**
 * The connector refused the signal: nothing more is done, and nothing is taken back. What counts is whether the offset
 * moved.
 */
export async function endRejected(answer: string, ctx: RunContext): Promise<RunReport> {
  const report = await end("rejected", rejected(answer, ctx.state()), ctx);
  return { ...report, remedies: afterRejection(ctx.state()), changed: report.moved };
}

/** Closes the journal of a run: from here on it is settled. */
export async function end(outcome: RunOutcome, message: string, ctx: RunContext): Promise<RunReport> {
  await ctx.record({ type: "run-ended", outcome, message });
  const stopped = outcome === "succeeded" ? leftStopped(ctx.state()) : undefined;
  return {
    run: ctx.run,
    outcome,
    message,
    remedies: [],
    code: undefined,
    changed: changedAnything(ctx.state()),
    stands: changeStands(ctx.state()),
    wayBack: wayBack(ctx.state()),
    ...(stopped === undefined ? {} : { stopped }),
    afterwards: afterwards(ctx.state()),
    ...leftBy(ctx),
  };
}

/** Leaves a run open, as its journal tells it: `recover` is the next command. */
export function unfinished(
  ctx: RunContext,
  message: string,
  remedies: readonly Advice[] = [],
  code?: string,
): RunReport {
  const left = leftBy(ctx);
  return {
    run: ctx.run,
    outcome: "unfinished",
    message: ctx.interrupt.aborted ? `${message}; ${leftSoFar(ctx.state())}` : message,
    remedies,
    code,
    changed: awaitsAnswer(ctx.state()) ? left.moved : changedAnything(ctx.state()),
    ...left,
  };
}

/** Everything else is done then. Without an answer there is no failure: what counts is whether the offset moved. */
function awaitsAnswer({ steps }: RunState): boolean {
  const waiting = steps.get("wait-for-ack");
  return waiting === "started" || waiting === "unclear";
}

function leftBy(ctx: RunContext): Pick<RunReport, "kind" | "moved" | "patched" | "signal" | keyof RunFile> {
  const { attempts, signal, steps, started } = ctx.state();
  return {
    kind: kindOfRun(started.subject),
    moved: attempts > 0n,
    patched: steps.get("patch-offset") === "done",
    signal: steps.get("write-signal") === "failed" ? undefined : signal?.id,
    ...fileOf(started),
  };
}
