import type { MigrationSubject, OffsetSubject } from "../../schemas/generated/run-journal.ts";
import type { ChangeKind, ConnectorKind } from "../document/intent.ts";
import type { Plan } from "../plan/plan.ts";
import type { Digest } from "../values/digest.ts";
import type { Workers } from "../values/shell-word.ts";

/** What the steps need to know, whichever command started them. */
export type RunSubject = OffsetSubject | MigrationSubject;

/** What `connectors` does to a connector. `restart failed`: only its failed parts. */
export type Control = NonNullable<OffsetSubject["control"]>;

/** What a run of `connectors` does; undefined for any other run. */
export function controlOf(subject: RunSubject): Control | undefined {
  return offsetSubject(subject)?.control;
}

/** Undefined for a run of a migration. */
export function offsetSubject(subject: RunSubject): OffsetSubject | undefined {
  return subject.command === "migrate" ? undefined : subject;
}

/** Whether a kind of change only reads: it can always be repeated, and never supersedes a change. */
export function readsOnly(kind: ChangeKind): boolean {
  return kind === "verify";
}

/** Whether the connector that a run has stopped is started again if the run fails before its point of no return. */
export function startsAgain(subject: RunSubject): boolean {
  return subject.command === "migrate" || subject.resume;
}

/** Digest of the intent that a run carries out, where its journal tells it. */
export function intentOfSubject(subject: RunSubject): Digest | undefined {
  return subject.command === "migrate" ? undefined : (subject.intent ?? subject.snapshot?.intent);
}

/** The subject of a run that carries out a phase of a migration: the only ones whose steps use it. */
export function phaseSubject({ started: { subject } }: Started): MigrationSubject {
  if (subject.command !== "migrate") throw new Error("no run of a migration");
  return subject;
}

/** The plan of such a run: it is never taken over from the ops topic, which records none. */
export function phasePlanOf(state: Started): Plan<"Migration"> {
  const { plan } = state.started;
  if (plan?.intent.kind !== "Migration") throw new Error("a run of a migration without its plan");
  return plan as Plan<"Migration">;
}

/** The plan file that a run carries out. */
export interface RunFile {
  /** The file as the operator named it; `-` can't be used to plan it again. */
  readonly file?: string;
  /** The workers, if the file itself names none. */
  readonly on?: Workers;
}

export function fileOf({ plan, subject }: Started["started"]): RunFile {
  const { file, lines = {} } = plan?.intent.origin ?? {};
  if (file === undefined) return {};
  const isPlaced = !("kind" in lines) || "target.context" in lines || "target.connectUrl" in lines;
  return { file, ...(isPlaced ? {} : { on: { context: subject.context, connectUrl: subject.connectUrl } }) };
}

interface Started {
  readonly started: { readonly subject: RunSubject; readonly plan: Plan | null };
}

export type SubjectOf<K extends ChangeKind> = K extends ConnectorKind ? OffsetSubject : MigrationSubject;

/** The kind of change that a run carries out. */
export function kindOfRun(subject: RunSubject): ChangeKind {
  if (subject.command === "migrate") return subject.phase;
  return subject.command === "resnapshot" ? "Resnapshot" : "OffsetChange";
}

/** One answer for each kind of change about its runs, from their journal alone. */
export type ByKind<Of extends readonly unknown[], Answer> = {
  readonly [K in ChangeKind]: (subject: SubjectOf<K>, ...of: Of) => Answer;
};

/** Returns the answer for the kind of a run. */
export function answerFor<Of extends readonly unknown[], Answer>(
  table: ByKind<Of, Answer>,
  subject: RunSubject,
  ...of: Of
): Answer {
  return table[kindOfRun(subject)](subject as never, ...of);
}

/** The connectors that a run changes, by its journal or by what it has decided. */
export function connectorsOf({ connector, legacy }: { readonly connector: string; readonly legacy?: string }) {
  return legacy === undefined ? [connector] : [connector, legacy];
}
