import type { ChangeKind, MigrationPhase } from "../../core/document/intent.ts";
import { countsText, evidenceText } from "../../core/kinds/migration/shown.ts";
import { type CallDoes, readCall, type StepName } from "../../core/plan/steps.ts";
import { changeStands } from "../../core/run/change.ts";
import { patchInDoubt, type RunState, type StepState } from "../../core/run/state.ts";
import { offsetSubject, type RunFile, type RunSubject, type SubjectOf } from "../../core/run/subject.ts";
import { counted } from "../../core/values/amounts.ts";
import { shellFile, shellWord, workersFlag } from "../../core/values/shell-word.ts";
import type { MigrationSubject, OffsetSubject } from "../../schemas/generated/run-journal.ts";
import { trunc } from "./layout.ts";
import { type Field, field } from "./report/model.ts";

/** The views of a run, by its kind of change; a plan says itself what it is (`Said` of `core/plan/plan.ts`). */
interface KindView<S extends RunSubject> {
  /** The aim of a run in a few words: `forward to 2230000`, `signal only`. */
  aim(subject: S): string;
  /** What a run has changed according to the journal, one sentence each. */
  changes(subject: S, state: RunState, at: (step: StepName) => StepState): readonly string[];
  /** What a run has determined, besides its steps. */
  records?(subject: S, state: RunState): readonly Field[];
  /** Whether a run is described by its calls, each of which creates, deletes, stops or starts something. */
  readonly reportedByCalls: boolean;
  /** What is unchanged when a run has changed nothing; undefined for a kind that never changes anything. */
  readonly untouched: string | undefined;
  /**
   * Commands after a successful run: the next phase first, then its rollback. If omitted: only the rollback.
   *
   * @param then builds the command that plans another phase of the same file, if the file has a name, with a comment
   */
  next?(run: string, then: (phase: MigrationPhase, what: string) => readonly string[]): readonly string[];
}

/** What a connector did once a step was done, and what it was asked for until then. */
const DID = {
  "stop-connector": ["was stopped", "was asked to stop"],
  "resume-connector": ["was resumed", "was asked to resume"],
  "start-connector": ["is running", "was asked to start"],
  "restart-connector": ["was restarted", "was asked to restart"],
  "start-new": ["is running", "was asked to start"],
  "resume-legacy": ["runs again", "was asked to resume"],
} as const satisfies { readonly [S in StepName]?: readonly [done: string, asked: string] };

/** A stop or a resumption that failed was asked for; a start that failed was not. */
const ASKED_ANYWAY: ReadonlySet<StepName> = new Set(["stop-connector", "resume-connector"]);

/** What a step did to a connector; empty if it was not begun. */
function did(step: keyof typeof DID, name: string, at: (step: StepName) => StepState): readonly string[] {
  const state = at(step);
  if (state === "pending" || (state === "failed" && !ASKED_ANYWAY.has(step))) return [];
  const [done, asked] = DID[step];
  return [`${name} ${state === "done" ? done : asked}`];
}

/** Whether a connector that a failed run had stopped was resumed. */
function backedOut(name: string, { backedOut: back }: RunState): readonly string[] {
  return back === undefined ? [] : [`${name} ${back.resumed ? "was resumed again" : "was not resumed"}`];
}

const ofOneConnector = {
  untouched: "it changes neither offset nor connector",
  reportedByCalls: false,
  changes,
} as const;

/** Moves the stored offset, or only starts the connector. */
const offsetChange: KindView<OffsetSubject> = {
  ...ofOneConnector,
  aim: ({ direction: to, scn, control }) =>
    scn === undefined ? (control ?? "start only") : `${to ?? "moved"} to ${scn}`,
};

/** Signals a snapshot and, past a gap, moves the stored offset. */
const resnapshot: KindView<OffsetSubject> = {
  ...ofOneConnector,
  aim: ({ direction, scn }) => (scn === undefined ? "signal only" : `${direction ?? "moved"} to ${scn}`),
};

/** What was changed according to the journal, one sentence each. */
function changes(subject: OffsetSubject, state: RunState, at: (step: StepName) => StepState): readonly string[] {
  const { connector: name, ranBefore } = subject;
  return [
    ...(ranBefore ? did("stop-connector", name, at) : []),
    ...signalSentence(at("write-signal"), state),
    ...(state.attempts === 0n ? [] : [patchSentence(at("patch-offset"), state)]),
    ...did("resume-connector", name, at),
    ...did("start-connector", name, at),
    ...did("restart-connector", name, at),
    ...backedOut(name, state),
  ];
}

/** A signal stays in its topic, whatever the outcome of the run. */
function signalSentence(written: StepState, { signal, started: { subject } }: RunState): readonly string[] {
  if (signal === undefined || written === "pending" || written === "failed") return [];
  const snapshot = offsetSubject(subject)?.snapshot;
  const where = snapshot === undefined ? "" : ` to ${snapshot.signalsTopic}`;
  return written === "done"
    ? [`the signal ${signal.id} was written${where} and cannot be withdrawn`]
    : [`whether the signal ${signal.id} was written${where} is unknown`];
}

function patchSentence(patched: StepState, state: RunState): string {
  const scn = offsetSubject(state.started.subject)?.scn;
  if (changeStands(state) || (patched === "done" && state.ended === undefined))
    return `the stored offset was set to ${scn}`;
  if (patchInDoubt(state)) return `whether the stored offset was set to ${scn} is unknown`;
  return patched === "failed"
    ? "the stored offset was not changed"
    : `the stored offset was patched to ${scn}, but is not as planned`;
}

/** Shared by all phases. Sentences are not escaped. */
const ofTwoConnectors = {
  untouched: "it changes no connector, offset or topic",
  changes: phaseChanges,
  records,
  reportedByCalls: true,
} as const;

/** What was changed according to the journal, in order. @param stops the connector that the phase stops */
function phaseChanges(
  { legacy, connector, ranBefore }: MigrationSubject,
  state: RunState,
  at: (step: StepName) => StepState,
  stops: string = connector,
): readonly string[] {
  const stopped = trunc(stops);
  return [
    ...(ranBefore ? did("stop-connector", stopped, at) : []),
    ...calls(state),
    ...did("start-new", trunc(connector), at),
    ...did("resume-legacy", trunc(legacy), at),
    ...backedOut(stopped, state),
  ];
}

/** Sentences for applied calls. Topics are counted; the start of a connector is described by its step. */
const APPLIED: { readonly [does in CallDoes]?: (name: string) => string } = {
  create: (name) => `${name} was created`,
  "delete offsets": (name) => `the stored offsets of ${name} were deleted`,
  "delete connector": (name) => `${name} was deleted`,
};

function calls({ calls: all }: RunState): readonly string[] {
  const applied = [...all].flatMap(([call, at]) => (at === "applied" ? (readCall(call) ?? []) : []));
  const topics = applied.filter(({ does }) => does === "delete topic").map(({ of }) => of);
  return [
    ...applied.flatMap(({ does, of }) => APPLIED[does]?.(trunc(of)) ?? []),
    ...(topics.length === 0
      ? []
      : [
          topics.length === 1
            ? `the topic ${trunc(topics[0] ?? "")} was deleted`
            : `${counted(topics.length, "topic")} were deleted`,
        ]),
    ...[...all].flatMap(([call, at]) => (at === "sent" ? [`whether ${trunc(call)} took effect is unknown`] : [])),
  ];
}

const MOST_TABLES = 10;

/** What a run has determined, besides its steps. */
function records(subject: MigrationSubject, { takeover, returning, verified }: RunState): readonly Field[] {
  const [old, name] = [trunc(subject.legacy), trunc(subject.connector)];
  const pinned = takeover && [
    `cdc.start.scn ${takeover.startScn}`,
    takeover.lastDelivered === undefined
      ? "no last commit was stored"
      : `${old} had delivered up to ${takeover.lastDelivered}`,
    `it stopped with ${counted(takeover.offsets.length, "stored offset")}, kept in the journal`,
  ];
  const back = returning && [
    `${old} resumes from its ${counted(returning.offsets.length, "stored offset")}`,
    returning.removed.length === 0
      ? `nothing was stored for ${name}`
      : `${counted(returning.removed.length, "stored offset")} of ${name} to be deleted, kept in the journal`,
  ];
  return [
    ...(pinned === undefined ? [] : [field("takeover", pinned.join("; "))]),
    ...(back === undefined ? [] : [field("rollback", back.join("; "))]),
    ...(verified === undefined
      ? []
      : [
          field(
            "verified",
            `${tableList(verified.tables)}: ${verified.passed ? "passed" : "not all passed"}` +
              `${countsText(verified.counts)}; evidence ${evidenceText(verified.evidence)}`,
          ),
        ]),
  ];
}

/** The first tables by name, and how many others there are. */
export function tableList(tables: readonly string[], and = ""): string {
  const shown = tables.slice(0, MOST_TABLES).map((table) => trunc(table));
  const left = tables.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [`${and}${counted(left, "more table")}`])].join(", ");
}

const cutover: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  changes: (subject, state, at) => phaseChanges(subject, state, at, subject.legacy),
  aim: ({ legacy: old }) => `cutover from ${trunc(old, 60)}`,
  next: (run, then) => [
    ...then("verify", "to prove that tables and topics agree"),
    `cdcctl rollback ${shellWord(run)}     # to roll back`,
  ],
};

/** Compares tables with topics. Changes nothing; its message names the evidence. */
const verification: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  untouched: undefined,
  aim: ({ legacy }) => `verify after ${trunc(legacy, 60)}`,
  next: (_run, then) => then("retire", "once all consumers read the new connector's topics"),
};

/** Returns from the new connector to the legacy one. */
const cutoverRollback: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  aim: ({ legacy }) => `rollback to ${trunc(legacy, 60)}`,
  next: (_run, then) => then("cutover", "to take over again"),
};

const retirement: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  aim: ({ legacy }) => `retire ${trunc(legacy, 60)}`,
  next: () => [],
};

/** Views of the runs of each kind of change, keyed as the table of kinds (`core/kinds/catalogue.ts`). */
const VIEWS: { readonly [K in ChangeKind]: KindView<SubjectOf<K>> } = {
  OffsetChange: offsetChange,
  Resnapshot: resnapshot,
  cutover,
  verify: verification,
  rollback: cutoverRollback,
  retire: retirement,
};

export function viewOf(kind: ChangeKind): KindView<RunSubject> {
  return VIEWS[kind] as KindView<RunSubject>;
}

/**
 * The commands after a successful run, if its kind has any besides the rollback.
 *
 * @param file of the plan; undefined for standard input, which cannot be planned again by name
 */
export function nextAfter(kind: ChangeKind, run: string, file: RunFile): readonly string[] | undefined {
  const then = (phase: MigrationPhase, what: string) =>
    fileWords(file).map((words) => `cdcctl plan ${words} --phase ${phase}     # ${what}`);
  return viewOf(kind).next?.(run, then);
}

/** A plan file as words of a command line, with the workers if it names none; undefined without a name. */
export function fileWords({ file, on }: RunFile): readonly string[] {
  if (file === undefined || file === "-") return [];
  return [on === undefined ? shellFile(file) : `${shellFile(file)} ${workersFlag(on)}`];
}
