import { type PlannedStep, stepName } from "../../core/plan/steps.ts";
import type { LockHolder, RunKey } from "../../core/ports/state.ts";
import { afterwards, changeStands, leftStopped, type WayBack, wayBack } from "../../core/run/change.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runState, runStatus, type StepState, stepsOf } from "../../core/run/state.ts";
import { fileOf, kindOfRun, type RunFile, type SnapshotSubject } from "../../core/run/subject.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { type Instant, millisBetween } from "../../core/values/instant.ts";
import { connectorsLine, shellWord, type Workers } from "../../core/values/shell-word.ts";
import { fileWords, nextAfter, viewOf } from "./kinds/catalogue.ts";
import { clip } from "./layout.ts";
import { showInstant } from "./quantities.ts";
import { type ChangeSeen, type ConnectorNow, needsRepair, type RunAfter } from "./run-after.ts";

/** A run as it is kept: where, and its journal. */
interface RecordedRun {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
}

export interface StepTaken {
  /** 1-based, of the plan. */
  readonly number: number;
  readonly planned: PlannedStep;
  readonly state: StepState;
  /** When it was begun last. */
  readonly startedAt: Instant | undefined;
  /** When that came to an end, in whatever way. */
  readonly endedAt: Instant | undefined;
  /** What came of it: the note of a step that is done, the error or the reason of one that is not. */
  readonly note: string | undefined;
}

/** A run read from its journal. */
export interface RunShown {
  readonly key: RunKey;
  readonly state: RunState;
  readonly steps: readonly StepTaken[];
  /** Who went on with it, and when. */
  readonly recoveries: readonly { readonly at: Instant; readonly operator: string }[];
  readonly lastAt: Instant;
  /** Of the plan, and the ticket that it names; undefined where a run was taken over without its plan. */
  readonly name: string | undefined;
  readonly ticket: string | undefined;
  /** The run that has taken it back, or, of a cutover, has made it final. */
  readonly after?: RunAfter;
  /** Whether a later run has changed the offset of its connector, or its state, and that stands. */
  readonly overtaken?: boolean;
  /** The cdcctl that carries it out at this moment. */
  readonly held?: LockHolder;
  /** Where the workers were asked, as `now`. */
  readonly connector?: ConnectorNow;
  /** What has become of its change since, where the workers were asked. */
  readonly now?: ChangeSeen;
}

/** @returns undefined for a run that had not begun: its journal has no first entry */
export function readRun({ key, entries }: RecordedRun): RunShown | undefined {
  const state = runState(entries);
  const last = entries.at(-1);
  if (state === undefined || last === undefined) return undefined;
  return {
    key,
    state,
    steps: stepsOf(state).map((planned, i) => taken(i + 1, planned, state, entries)),
    recoveries: entries.flatMap((entry) =>
      entry.type === "recovery-started" ? [{ at: entry.at, operator: entry.operator }] : [],
    ),
    lastAt: last.at,
    name: state.started.plan?.intent.metadata.name,
    ticket: state.started.subject.ticket ?? state.started.plan?.intent.metadata.ticket,
  };
}

function taken(number: number, planned: PlannedStep, state: RunState, entries: readonly JournalEntry[]): StepTaken {
  let startedAt: Instant | undefined;
  let endedAt: Instant | undefined;
  let note: string | undefined;
  for (const entry of entries) {
    if (!("step" in entry) || entry.step !== planned.step) continue;
    switch (entry.type) {
      case "step-started":
        startedAt = entry.at;
        endedAt = undefined;
        note = undefined;
        break;
      case "step-done":
        endedAt = entry.at;
        note = entry.note;
        break;
      case "step-failed":
        endedAt = entry.at;
        note = entry.error;
        break;
      case "step-unclear":
        endedAt = entry.at;
        note = entry.why;
        break;
    }
  }
  return { number, planned, state: state.steps.get(planned.step) ?? "pending", startedAt, endedAt, note };
}

/** How long a step took, milliseconds; undefined while it has no end. */
export function millisOf({ startedAt, endedAt }: StepTaken): number | undefined {
  return startedAt === undefined || endedAt === undefined ? undefined : Math.max(0, millisBetween(startedAt, endedAt));
}

/** Where a run stands: `succeeded`, `in doubt after step 4 (patch the stored offset)`. */
export function standing({ state, steps, held }: RunShown): string {
  const status = runStatus(state);
  if (state.ended !== undefined) return status;
  const last = steps.findLast((step) => step.state !== "pending");
  if (held !== undefined) {
    const { user, host, pid, command, at } = held;
    const who = `${clip(user, 60)}@${clip(host, 100)} (pid ${pid}, ${clip(command, 60)})`;
    const step =
      last === undefined ? "" : `: step ${last.number} of ${showCount(steps.length)} (${stepName(last.planned)})`;
    return `being carried out by ${who} since ${showInstant(at)}${step}`;
  }
  if (last === undefined) return `${status}, nothing begun`;
  const where = status === "in doubt" || last.state === "done" ? "after" : "in";
  return `${status} ${where} step ${last.number} (${stepName(last.planned)})`;
}

/** The commands to run next for this run, the most urgent one first. */
export function nextFor({ state, key, after, now, held, overtaken }: RunShown): readonly string[] {
  const { started, ended } = state;
  // Whoever works on it would be in the way of a recovery.
  if (held !== undefined) return [];
  if (ended === undefined) return [`cdcctl recover ${shellWord(key.run)}`];
  if (after !== undefined) return [];
  if (needsRepair(now)) return [`cdcctl recover ${shellWord(key.run)} --resume`];
  const file = fileOf(started);
  const next = ended.outcome === "succeeded" ? nextAfter(kindOfRun(started.subject), key.run, file) : undefined;
  const taken = afterwards(state);
  if (next !== undefined) return [...taken, ...next];
  // Another change came after this one: `rollback` would refuse it.
  if (overtaken || now?.is === "changed") return [];
  const start = now?.is === "ran on" ? [] : startAgain(leftStopped(state));
  if (!changeStands(state)) return [...start, ...taken];
  const back = wayBack(state, now?.is === "ran on");
  return ended.outcome === "rejected"
    ? [...nextAfterRejection(key.run, file, back), ...taken]
    : [...start, ...taken, ...goBack(key.run, back)];
}

/** The command that starts the connector that a run has left stopped. */
export function startAgain(stopped: (Workers & { readonly connector: string }) | undefined): readonly string[] {
  return stopped === undefined
    ? []
    : [`${connectorsLine("resume", stopped.connector, stopped)}     # to start the connector`];
}

/** The command that takes a change back, in the one way that is not refused. */
export function goBack(run: string, back: WayBack, when = ""): readonly string[] {
  const why = when === "" ? "" : `     # ${when}`;
  switch (back) {
    case "none":
      return [];
    case "restore":
      return [`cdcctl rollback ${shellWord(run)}${why}`];
    case "move back":
      return [`cdcctl rollback ${shellWord(run)} --move-back${why}`];
  }
}

/**
 * The offset stands past the gap, and its tables still need their snapshot: that comes first, and going back would lead
 * into the gap again.
 */
export function nextAfterRejection(run: string, file: RunFile, back: WayBack): readonly string[] {
  const again = fileWords(file).map((words) => `cdcctl apply ${words}     # when that is fixed`);
  return [...again, ...goBack(run, back, "to go back, if the redo of the gap is available again")];
}

const MOST_TABLES = 10;

/** What was to be snapshotted, and what the operator asserted of the other tables. */
export function snapshotSentence({ tables, gap, unlisted }: SnapshotSubject): string {
  const named = tables.slice(0, MOST_TABLES).map((table) => clip(table));
  const more = tables.length - named.length;
  return [
    `snapshot of ${[...named, ...(more === 0 ? [] : [`and ${counted(more, "more table")}`])].join(", ")}`,
    ...(gap === undefined ? [] : [`gap ${clip(gap, 600)}`]),
    ...(unlisted.length === 0 ? [] : [`asserted to have had no changes in it: ${counted(unlisted.length, "table")}`]),
  ].join("; ");
}

/** What was changed, as far as the journal knows: one sentence each. */
export function changes({ state, steps }: RunShown): readonly string[] {
  const { subject } = state.started;
  return viewOf(kindOfRun(subject)).changes(
    subject,
    state,
    (step) => steps.find(({ planned }) => planned.step === step)?.state ?? "pending",
  );
}
