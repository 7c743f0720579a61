import type { ChangeKind, ConnectorKind, MigrationPhase, OpsFormat } from "../document/intent.ts";
import type { MigrationPlan } from "../plan/migration-plan.ts";
import type { Plan } from "../plan/plan.ts";
import type { RemovedRecords } from "../plan/steps.ts";
import type { Digest } from "../values/digest.ts";
import type { Scn } from "../values/scn.ts";
import type { Workers } from "../values/shell-word.ts";

/** What the steps need to know, whichever command started them. */
export type RunSubject = OffsetSubject | MigrationSubject;

interface SubjectBase {
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  readonly connectUrl: string;
  readonly context: string | undefined;
  readonly clusterId: string;
  /** Of a migration the new one. */
  readonly connector: string;
  readonly reason: string;
  /** The ticket in the plan file. */
  readonly ticket?: string | undefined;
  readonly decision: string;
  readonly prefix: string;
  readonly opsTopic: string;
  readonly opsFormat: OpsFormat;
  /** Whether the connector that is stopped was started (neither STOPPED nor PAUSED) when the run began. */
  readonly ranBefore: boolean;
}

/** Of a run that changes one connector, its stored offset among it. */
export interface OffsetSubject extends SubjectBase {
  /** As the ops event names it. */
  readonly command: "offsets set" | "resnapshot";
  /** Undefined, as is `scn`, where the offset stays. */
  readonly direction: string | undefined;
  readonly scn: Scn | undefined;
  readonly forget: readonly string[];
  /** Whether what was delivered is delivered again. */
  readonly deliverAgain?: true | undefined;
  /**
   * Digest of the intent: identifies a plan file that was already carried out, even if its decision has changed.
   * Undefined if an ops event that was taken over has none, and in journals of earlier versions.
   */
  readonly intent?: Digest | undefined;
  /** Records that it removes before the move; undefined: none. */
  readonly removes?: readonly RemovedRecords[] | undefined;
  /** Of a resnapshot. */
  readonly snapshot?: SnapshotSubject;
  readonly resume: boolean;
  /** Of a run of `connectors`: it does only this, and leaves the offset as it is. */
  readonly control?: Control | undefined;
  /**
   * Taken over from the ops topic while its change was already in effect, or something else was stored: that is
   * recorded, and no offset moved.
   */
  readonly settlesOnly?: true;
}

/** What `connectors` does to a connector. `restart failed`: only its failed parts. */
export type Control = "stop" | "resume" | "restart" | "restart failed";

/** What a run of `connectors` does; undefined for any other run. */
export function controlOf(subject: RunSubject): Control | undefined {
  return offsetSubject(subject)?.control;
}

/** Of a run that carries out one phase of a migration. */
export interface MigrationSubject extends SubjectBase {
  readonly command: "migrate";
  readonly phase: MigrationPhase;
  readonly legacy: string;
}

/** Undefined for a run of a migration. */
export function offsetSubject(subject: RunSubject): OffsetSubject | undefined {
  return subject.command === "migrate" ? undefined : subject;
}

/** Digest of the intent that a run carries out, where its journal tells it. */
export function intentOfSubject(subject: RunSubject): Digest | undefined {
  return subject.command === "migrate" ? undefined : (subject.intent ?? subject.snapshot?.intent);
}

/** Of a run that carries out a phase of a migration: the only ones whose steps use it. */
export function phaseSubject({ started: { subject } }: Started): MigrationSubject {
  if (subject.command !== "migrate") throw new Error("no run of a migration");
  return subject;
}

/** The plan of such a run: it is never taken over from the ops topic, which records none. */
export function phasePlanOf(state: Started): MigrationPlan {
  const { plan } = state.started;
  if (plan === null || !("migration" in plan)) throw new Error("a run of a migration without its plan");
  return plan;
}

/** The plan file that a run carries out. */
export interface RunFile {
  /** As the operator named it; `-` can't be used to plan it again. */
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
  switch (subject.command) {
    case "migrate":
      return subject.phase;
    case "resnapshot":
      return "Resnapshot";
    case "offsets set":
      return "OffsetChange";
  }
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

/** What a resnapshot writes, and records of it. */
export interface SnapshotSubject {
  readonly signalsTopic: string;
  readonly tables: readonly string[];
  /** `CODE message`; undefined if no redo is missing. */
  readonly gap: string | undefined;
  /** The tables that the operator asserts had no changes in the gap. */
  readonly unlisted: readonly string[];
  /** The digest of the evidence that was shown for them; the evidence itself is in the run's plan. */
  readonly evidence: Digest | undefined;
  /** As the subject's; where journals of earlier versions have it. */
  readonly intent?: Digest | undefined;
}
