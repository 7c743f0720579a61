import type { ComparedCounts } from "../../schemas/generated/shared.ts";
import type { ChangeKind, MigrationIntent } from "../document/intent.ts";
import type { VerifiedTable } from "../facts/tables/tables.ts";
import type { Facts } from "../kinds/facts.ts";
import { PATCH, type StepName } from "../plan/steps.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";
import type { JournalWriter } from "../ports/state.ts";
import type { World } from "../ports/world.ts";
import {
  afterwards,
  changedAnything,
  changeStands,
  isRecorded,
  leftStopped,
  type RollbackMode,
  rollbackMode,
} from "../run/change.ts";
import type { JournalEntry, JournalEvent, RunOutcome } from "../run/journal.ts";
import { afterRejection, leftSoFar, rejected } from "../run/sentences.ts";
import { type RunState, runState } from "../run/state.ts";
import { fileOf, kindOfRun, type RunFile } from "../run/subject.ts";
import type { Instant } from "../values/instant.ts";
import type { Advice, Remedy } from "../values/remedy.ts";
import { shellWord, type Workers } from "../values/shell-word.ts";

/** How long `apply` waits; milliseconds. */
export interface WaitLimits {
  /** `--stop-timeout`: until the connector has stopped. */
  readonly stop: number;
  /** `--settle`: how long the offset has to stay unchanged after a slow stop. */
  readonly settle: number;
  /** `--resume-timeout`: until the first commit after a resume. */
  readonly resume: number;
  /** How long a call that changes something is retried until it is answered. */
  readonly patch: number;
  /**
   * How long to search for a signal that may be on its way before it counts as not written: a second signal would mean
   * a second snapshot.
   */
  readonly signal: number;
}

export const WAIT_LIMITS: WaitLimits = { stop: 600_000, settle: 30_000, resume: 300_000, patch: 180_000, signal: 5000 };

export interface Verified {
  readonly passed: boolean;
  /** `2 tables passed`, `1 of 2 tables failed: …`. */
  readonly sentence: string;
  readonly tables: readonly string[];
  readonly counts: ComparedCounts;
  readonly evidence: { readonly file: string; readonly digest: string; readonly writtenAt: Instant };
}

/** A wait in progress; milliseconds. */
export interface Waiting {
  /** The status observed meanwhile: `RUNNING, task 0 RUNNING`. */
  readonly seen?: string;
  readonly elapsed: number;
  readonly limit: number;
}

/**
 * Everything that a run works with. The journal is its only memory: `state()` is always the fold of the entries on
 * disk.
 */
export interface RunContext {
  readonly run: string;
  readonly operator: string;
  readonly connect: ConnectPort;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
  readonly clock: Clock;
  readonly redact: World["redact"];
  readonly limits: WaitLimits;
  /** Observes everything again, as a plan does. */
  observe(): Promise<Facts>;
  /**
   * The new connector's configuration for a cutover, without its start SCN, as sent to the workers. Contains secrets:
   * never recorded, never reported.
   */
  newConfiguration(intent: MigrationIntent): Promise<Readonly<Record<string, string>>>;
  /** Compares tables with the topics in the plan, and writes the evidence file. May take long; it can be resumed. */
  verify(intent: MigrationIntent, tables: readonly VerifiedTable[]): Promise<Verified>;
  /** Appends an entry; it is on disk when the promise resolves. */
  record(event: JournalEvent): Promise<void>;
  /** @throws CallFailed if another process has continued the journal */
  demandJournal(): Promise<void>;
  state(): RunState;
  /** One line of progress for the operator, besides what the journal records of the steps. */
  report(line: string): void;
  /** Called at every poll of a wait that is not over yet. */
  waiting?(wait: Waiting): void;
  /** Whether an interrupted run is being resumed. */
  readonly recovering: boolean;
  /**
   * Whether the move of a run that was taken over from the ops topic was checked against the current state in this
   * attempt.
   */
  readonly moveChecked?: boolean;
  /** The steps that a recovery showed before it was agreed to: no call of another one is sent. Omitted: all. */
  readonly agreed?: ReadonlySet<StepName> | undefined;
  /** Aborted by Ctrl-C or SIGTERM: waits end early, and no further step is begun. */
  readonly interrupt: AbortSignal;
}

/**
 * A write-through journal: the state is folded from the entries that were appended.
 *
 * @param recorded called after each entry that is on disk
 */
export function recorder(
  writer: JournalWriter,
  clock: Clock,
  entries: JournalEntry[],
  recorded?: () => void,
): Pick<RunContext, "record" | "demandJournal" | "state"> {
  let folded: RunState | undefined;
  return {
    demandJournal: () => writer.demandOwn(),
    async record(event) {
      const entry: JournalEntry = { seq: BigInt(entries.length), at: clock.now(), ...event };
      await writer.append(entry);
      entries.push(entry);
      recorded?.();
    },
    state() {
      if (folded?.entries !== BigInt(entries.length)) folded = runState(entries);
      if (folded === undefined) throw new Error("a run without its first journal entry");
      return folded;
    },
  };
}

/** The operator asked to stop. Not a failure: the run can be resumed. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Polls `read` until it returns a value. Between polls it waits, longer and longer up to a second.
 *
 * @param showing the status observed meanwhile, for progress reports
 * @param longest the longest pause between two polls, milliseconds
 * @returns undefined when `limit` milliseconds have passed without a value
 * @throws Interrupted when the operator asks to stop
 */
export async function until<T>(
  ctx: RunContext,
  limit: number,
  read: () => Promise<T | undefined>,
  showing?: () => string,
  longest = 1000,
): Promise<T | undefined> {
  const start = ctx.clock.elapsed();
  for (let pause = 50; ; pause = Math.min(pause * 1.5, longest)) {
    const found = await read();
    if (found !== undefined) return found;
    if (ctx.interrupt.aborted) throw new Interrupted("interrupted while waiting");
    const waited = ctx.clock.elapsed() - start;
    const left = limit - waited;
    if (left <= 0) return undefined;
    ctx.waiting?.({ ...(showing === undefined ? {} : { seen: showing() }), elapsed: waited, limit });
    await ctx.clock.sleep(Math.min(pause, left), ctx.interrupt);
  }
}

/** The command that resumes a run; the report adds its id. @param text what has to be done before, or what for */
export const toRecover = (text: string): Remedy => ({ text, command: "cdcctl recover" });
export const GO_ON = toRecover("To continue");
export const ONCE_FIXED = toRecover("Once that is fixed");

/** The way out of a run whose call was never answered, and that others have made impossible to finish. */
export function abandonOnceNotHeld(call: string, { run, state }: Pick<RunContext, "run" | "state">): Remedy {
  const records = isRecorded(state()) ? "records it as failed, " : "";
  return {
    text: `Once no worker can still hold ${call === PATCH ? "the PATCH" : call}`,
    command: `cdcctl recover ${shellWord(run)} --abandon     # ${records}changes nothing`,
  };
}

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
