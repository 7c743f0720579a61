import { signerText } from "../../core/approvals/approvals.ts";
import { operatorText } from "../../core/facts/ops/ops-event.ts";
import { type PlannedStep, type StepName, stepName } from "../../core/plan/steps.ts";
import type { LockHolder, RunKey } from "../../core/ports/state.ts";
import { type ChangeSeen, type ConnectorNow, needsRepair, type RunAfter } from "../../core/run/after.ts";
import { afterwards, changeStands, leftStopped, type RollbackMode, rollbackMode } from "../../core/run/change.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runState, runStatus, type StepState, stepsOf } from "../../core/run/state.ts";
import { fileOf, intentOfSubject, kindOfRun, type RunFile } from "../../core/run/subject.ts";
import { commandsToSettle } from "../../core/run/ways-to-settle.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { type Instant, millisBetween } from "../../core/values/instant.ts";
import { canonicalJson } from "../../core/values/json.ts";
import { connectorsLine, shellWord, type Workers } from "../../core/values/shell-word.ts";
import type { SnapshotSubject } from "../../schemas/generated/run-journal.ts";
import { showInstant, showMillis, trunc } from "./layout.ts";
import {
  code,
  type Field,
  field,
  RANK,
  type Section,
  section,
  type Table,
  tableOf,
  type Words,
} from "./report/model.ts";
import { fileWords, nextAfter, tableList, viewOf } from "./run-kinds.ts";

/**
 * The audit sections of a run, besides its steps and offset: operator, plan and ticket, decision, place, and the
 * records in the ops topic and the stored offsets.
 */
export function recordSections(run: RunView): readonly Section[] {
  return [
    ...section(RANK.details, [{ is: "fields", rows: fields(run) }], { title: "For the record", only: "page" }),
    ...section(RANK.details, opsRecords(run), { title: "Ops records", only: "page" }),
    ...section(RANK.details, storedBefore(run), { title: "Stored offsets before", only: "page" }),
  ];
}

function fields({ key, state, steps, recoveries, approved, name, ticket }: RunView): readonly Field[] {
  const { subject, operator, cdcctl, at: startedAt, plan } = state.started;
  const { ended, body } = state;
  const optional = (label: string, text: Words | undefined) => (text === undefined ? [] : [field(label, text)]);
  const copied = (text: string | undefined) => (text === undefined ? undefined : [{ code: trunc(text, 600) }]);
  const { connectVersion, database } = plan?.world ?? {};
  const accepted = (plan?.findings ?? []).filter(({ effect }) => effect === "accepted").map(({ code }) => code);
  return [
    ...optional("Ticket", copied(ticket)),
    ...optional("Plan", copied(name)),
    ...optional("Plan file", copied(plan?.intent.origin.file)),
    ...optional("Planned", plan === null ? undefined : showInstant(plan.plannedAt)),
    ...optional("Decision", copied(subject.decision === "" ? undefined : subject.decision)),
    ...optional("Intent", copied(intentOfSubject(subject))),
    ...optional("Accepted findings", accepted.length === 0 ? undefined : accepted.join(", ")),
    ...optional("Reason", subject.reason === "" ? undefined : trunc(subject.reason, 600)),
    field("Operator", operatorText(operator)),
    ...approved.map((line) => field("Approved by", trunc(line, 2000))),
    ...recoveries.map((one) => field("Recovered", `${showInstant(one.at)} by ${operatorText(one.operator)}`)),
    field("Begun", showInstant(startedAt)),
    ...optional(
      "Ended",
      ended && `${showInstant(ended.at)}, after ${showMillis(Math.max(0, millisBetween(startedAt, ended.at)))}`,
    ),
    ...optional("Stored offset", body && offsetAfter(steps)),
    field("Connector", [{ code: trunc(subject.connector) }]),
    field("Workers", [
      { code: trunc(subject.connectUrl) },
      connectVersion === undefined ? "" : `, Kafka Connect ${trunc(connectVersion, 60)}`,
    ]),
    field("Kafka cluster", [{ code: trunc(key.clusterId) }]),
    ...optional(
      "Database",
      database && [
        { code: trunc(database.name) },
        " at ",
        { code: trunc(database.address) },
        `, dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`,
      ],
    ),
    field("Ops topic", [{ code: trunc(subject.opsTopic) }]),
    field("cdcctl", [{ code: cdcctl }]),
  ];
}

/** Whether the stored offset is as planned. */
function offsetAfter(steps: readonly StepTaken[]): string {
  const state = steps.find(({ planned }) => planned.step === "patch-offset")?.state;
  if (state === "done") return "stored as planned, and read back";
  return state === "started" || state === "unclear" ? "whether it is as planned is unknown" : "not changed";
}

const RECORDING: readonly StepName[] = ["record-transactions", "record-applying", "record-outcome"];

function opsRecords({ steps }: RunView): readonly Table[] {
  const recorded = steps.filter(({ planned, state }) => state === "done" && RECORDING.includes(planned.step));
  if (recorded.length === 0) return [];
  return [
    tableOf("Times are UTC, by this machine", recorded, { what: "record" }, [
      ["When", ({ endedAt }) => (endedAt === undefined ? "" : showInstant(endedAt))],
      ["What", ({ note = "" }) => trunc(note, 1000)],
    ]),
  ];
}

/** Stored offsets of both connectors of a migration; changes of one connector have a separate table. */
function storedBefore({ state: { takeover, returning, started } }: RunView): readonly Table[] {
  const { subject } = started;
  const old = subject.command === "migrate" ? subject.legacy : subject.connector;
  const all = [
    ...(takeover?.offsets ?? returning?.offsets ?? []).map((entry) => ({ of: old, ...entry })),
    ...(returning?.removed ?? []).map((entry) => ({ of: subject.connector, ...entry })),
  ];
  if (all.length === 0) return [];
  const copied = (text: string) => code(trunc(text, 1000));
  return [
    tableOf("When the connectors stopped", all, { what: "stored offset" }, [
      ["Connector", ({ of }) => copied(of)],
      ["Partition", ({ partition }) => copied(canonicalJson(partition))],
      ["Offset", ({ offset }) => copied(canonicalJson(offset))],
    ]),
  ];
}

/** A stored run: its key and its journal. */
interface RecordedRun {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
}

export interface StepTaken {
  /** 1-based, of the plan. */
  readonly number: number;
  readonly planned: PlannedStep;
  readonly state: StepState;
  readonly startedAt: Instant | undefined;
  /** When the step ended, with any outcome. */
  readonly endedAt: Instant | undefined;
  /** The note of a completed step, or the error or reason of another. */
  readonly note: string | undefined;
}

/** A run read from its journal. */
export interface RunView {
  readonly key: RunKey;
  readonly state: RunState;
  readonly steps: readonly StepTaken[];
  /** Who resumed it, and when. */
  readonly recoveries: readonly { readonly at: Instant; readonly operator: string }[];
  readonly lastAt: Instant;
  /** Who approved it, and what came of verifying that again. */
  readonly approved: readonly string[];
  /** Name and ticket of the plan; undefined if a run was taken over without its plan. */
  readonly name: string | undefined;
  readonly ticket: string | undefined;
  /** The run that rolled it back or, for a cutover, made it final. */
  readonly after?: RunAfter;
  /** Whether a later run has changed its connector's offset or state, and that change stands. */
  readonly overtaken?: boolean;
  /** The cdcctl process that is applying it now. */
  readonly held?: LockHolder | undefined;
  /** The connector now, if the workers were asked. */
  readonly connector?: ConnectorNow | undefined;
  /** The current state of its change, if the workers were asked. */
  readonly now?: ChangeSeen | undefined;
}

/** @returns undefined for a run that had not begun: its journal has no first entry */
export function readRun({ key, entries }: RecordedRun): RunView | undefined {
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
    approved: (state.started.approvals ?? []).map(signerText),
    name: state.started.plan?.intent.metadata.name,
    ticket: state.started.subject.ticket ?? state.started.plan?.intent.metadata.ticket,
  };
}

function taken(number: number, planned: PlannedStep, state: RunState, entries: readonly JournalEntry[]): StepTaken {
  const own = entries.filter((entry) => "step" in entry && entry.step === planned.step);
  const begun = own.findLast(({ type }) => type === "step-started");
  const last = own.at(-1);
  return {
    number,
    planned,
    state: state.steps.get(planned.step) ?? "pending",
    startedAt: begun?.at,
    endedAt: last === begun ? undefined : last?.at,
    note: last && noteOf(last),
  };
}

function noteOf(entry: JournalEntry): string | undefined {
  switch (entry.type) {
    case "step-done":
      return entry.note;
    case "step-failed":
      return entry.error;
    case "step-unclear":
      return entry.why;
    default:
      return undefined;
  }
}

/** How long a step took, milliseconds; undefined until it ends. */
export function millisOf({ startedAt, endedAt }: StepTaken): number | undefined {
  return startedAt === undefined || endedAt === undefined ? undefined : Math.max(0, millisBetween(startedAt, endedAt));
}

/** The status of a run: `succeeded`, `in doubt after step 4 (patch the stored offset)`. */
export function statusSentence({ state, steps, held }: RunView): string {
  const status = runStatus(state);
  if (state.ended !== undefined) return status;
  const last = steps.findLast((step) => step.state !== "pending");
  if (held !== undefined) {
    const { user, host, pid, command, at } = held;
    const who = `${trunc(user, 60)}@${trunc(host, 100)} (pid ${pid}, ${trunc(command, 60)})`;
    const step =
      last === undefined ? "" : `: step ${last.number} of ${showCount(steps.length)} (${stepName(last.planned)})`;
    return `in progress by ${who} since ${showInstant(at)}${step}`;
  }
  if (last === undefined) return `${status}, no step begun`;
  const where = status === "in doubt" || last.state === "done" ? "after" : "in";
  return `${status} ${where} step ${last.number} (${stepName(last.planned)})`;
}

/** The commands to run next for this run, the most urgent one first. */
export function nextFor({ state, key, after, now, held, overtaken }: RunView): readonly string[] {
  const { started, ended } = state;
  // The process working on it would conflict with a recovery.
  if (held !== undefined) return [];
  if (ended === undefined) return commandsToSettle(key.run);
  if (after !== undefined) return [];
  if (needsRepair(now)) return [`cdcctl recover ${shellWord(key.run)} --resume`];
  const file = fileOf(started);
  const next = ended.outcome === "succeeded" ? nextAfter(kindOfRun(started.subject), key.run, file) : undefined;
  const taken = afterwards(state);
  if (next !== undefined) return [...taken, ...next];
  // A later change exists: `rollback` would refuse.
  if (overtaken || now?.is === "changed") return [];
  const start = now?.is === "ran on" ? [] : startAgain(leftStopped(state));
  if (!changeStands(state)) return [...start, ...taken];
  const back = rollbackMode(state, now?.is === "ran on");
  return ended.outcome === "rejected"
    ? [...nextAfterRejection(key.run, file, back), ...taken]
    : [...start, ...taken, ...rollbackCommand(key.run, back)];
}

/** The command that starts the connector that a run has left stopped. */
export function startAgain(stopped: (Workers & { readonly connector: string }) | undefined): readonly string[] {
  if (stopped === undefined) return [];
  return [`${connectorsLine("resume", stopped.connector, stopped)}     # to start the connector`];
}

/** The rollback command for a change, in the variant that is not refused. */
export function rollbackCommand(run: string, back: RollbackMode, when = ""): readonly string[] {
  if (back === "none") return [];
  const how = back === "move back" ? " --move-back" : "";
  return [`cdcctl rollback ${shellWord(run)}${how}${when === "" ? "" : `     # ${when}`}`];
}

/**
 * The offset is past the gap, and its tables still need their snapshot, which comes first; a rollback would lead back
 * into the gap.
 */
export function nextAfterRejection(run: string, file: RunFile, back: RollbackMode): readonly string[] {
  const again = fileWords(file).map((words) => `cdcctl apply ${words}     # after fixing the cause`);
  return [...again, ...rollbackCommand(run, back, "to roll back, if the redo of the gap is available again")];
}

/** The tables to snapshot, and what the operator asserted about the others. */
export function snapshotSentence({ tables, gap, unlisted }: SnapshotSubject): string {
  return [
    `snapshot of ${tableList(tables, "and ")}`,
    ...(gap === undefined ? [] : [`gap ${trunc(gap, 600)}`]),
    ...(unlisted.length === 0 ? [] : [`asserted to have had no changes in it: ${counted(unlisted.length, "table")}`]),
  ].join("; ");
}

/** What was changed according to the journal, one sentence each. */
export function changes({ state, steps }: RunView): readonly string[] {
  const { subject } = state.started;
  return viewOf(kindOfRun(subject)).changes(
    subject,
    state,
    (step) => steps.find(({ planned }) => planned.step === step)?.state ?? "pending",
  );
}
