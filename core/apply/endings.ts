import type { ChangeKind } from "../document/intent.ts";
import { PATCH } from "../plan/calls.ts";
import {
  afterwards,
  changedAnything,
  changeStands,
  isRecorded,
  leftStopped,
  type RollbackMode,
  rollbackMode,
} from "../run/change.ts";
import type { RunOutcome } from "../run/journal.ts";
import { afterRejection, leftSoFar, rejected } from "../run/sentences.ts";
import type { RunState } from "../run/state.ts";
import { fileOf, kindOfRun, type RunFile } from "../run/subject.ts";
import type { Advice, Remedy } from "../values/remedy.ts";
import { shellWord, type Workers } from "../values/shell-word.ts";
import type { RunContext } from "./context.ts";

/** The remedy for a run that only has to be resumed; the report adds the run's id. */
export const GO_ON: Remedy = { text: "To continue", command: "cdcctl recover" };

/** The way out of a run whose call was never answered, and that others have made impossible to finish. */
export function abandonOnceNotHeld(call: string, { run, state }: Pick<RunContext, "run" | "state">): Remedy {
  const records = isRecorded(state()) ? "records it as failed, " : "";
  return {
    text: `Once no worker can still hold ${call === PATCH ? "the PATCH" : call}`,
    command: `cdcctl recover ${shellWord(run)} --abandon     # ${records}changes nothing`,
  };
}

/** The result of a run, or of one attempt of it. */
export interface RunReport extends RunFile {
  readonly run: string;
  readonly outcome: RunOutcome | "unfinished";
  readonly message: string;
  readonly remedies: readonly Advice[];
  /** Code of the check or rule, if one decided. */
  readonly code: string | undefined;
  /** Whether anything differs from before the run: the connector's state, its offset. */
  readonly changed: boolean;
  /** Whether a new offset was sent, which a rollback would undo. */
  readonly moved: boolean;
  /** Whether its change is in effect, as `rollback` and `status` judge it; omitted if the run continues. */
  readonly stands?: boolean;
  /** Omitted likewise. */
  readonly rollbackMode?: RollbackMode;
  /** Whether the new offset was read back: for an unfinished run, what has happened so far. */
  readonly patched: boolean;
  /** Id of the signal that was or may have been written: it can't be revoked. */
  readonly signal: string | undefined;
  readonly kind: ChangeKind;
  /** The connector that the run left STOPPED, if its remedies do not show how to start it. */
  readonly stopped?: Workers & { readonly connector: string };
  /** Commands that take back what was done for the time of the run; left out where the run goes on. */
  readonly afterwards?: readonly string[];
}

/**
 * Ends a run whose signal the connector refused: nothing more is done, and nothing is undone. The outcome depends on
 * whether the offset moved.
 */
export async function endRejected(answer: string, ctx: RunContext): Promise<RunReport> {
  const report = await end("rejected", rejected(answer, ctx.state()), ctx);
  return { ...report, remedies: afterRejection(ctx.state()), changed: report.moved };
}

/** Closes the journal of a run: from then on it is settled. */
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
    rollbackMode: rollbackMode(ctx.state()),
    ...(stopped === undefined ? {} : { stopped }),
    afterwards: afterwards(ctx.state()),
    ...leftBy(ctx),
  };
}

/** Leaves a run open, as its journal records it: `recover` is the next command. */
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

/**
 * Whether only the connector's answer is missing. A missing answer is not a failure: the outcome depends on whether the
 * offset moved.
 */
function awaitsAnswer({ steps }: RunState): boolean {
  return (["wait-for-ack", "wait-for-completion"] as const).some((step) => {
    const waiting = steps.get(step);
    return waiting === "started" || waiting === "unclear";
  });
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
