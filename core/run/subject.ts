import type { MigrationPhase, OpsFormat } from "../document/intent.ts";
import type { Digest } from "../values/digest.ts";
import type { Scn } from "../values/scn.ts";

/** What the steps need to know, whoever ordered them. */
export type RunSubject = OffsetSubject | MigrationSubject;

interface SubjectBase {
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  readonly connectUrl: string;
  readonly context: string | undefined;
  readonly clusterId: string;
  /** Of a migration the new one. */
  readonly connector: string;
  readonly reason: string;
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
  /**
   * Digest of the intent: tells that a plan file was carried out already, when its decision has become another one.
   * Undefined where an ops event that was taken over tells none, and in journals of earlier versions.
   */
  readonly intent?: Digest | undefined;
  /** Of a resnapshot. */
  readonly snapshot?: SnapshotSubject;
  readonly resume: boolean;
  /**
   * Taken over from the ops topic while its change stood already, or something else was stored: what stands is
   * recorded, and no offset moved.
   */
  readonly settlesOnly?: true;
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

/** Of a run that carries out a phase of a migration. */
export function phaseSubject({
  started: { subject },
}: {
  readonly started: { readonly subject: RunSubject };
}): MigrationSubject {
  if (subject.command !== "migrate") throw new Error("no run of a migration");
  return subject;
}

/** What a resnapshot writes, and records of it. */
export interface SnapshotSubject {
  readonly signalsTopic: string;
  readonly tables: readonly string[];
  /** `CODE message`; undefined where no redo is gone. */
  readonly gap: string | undefined;
  /** The tables that the operator asserts had no changes in the gap. */
  readonly unlisted: readonly string[];
  /** Over the evidence that was shown for them; the evidence itself stands in the run's plan. */
  readonly evidence: Digest | undefined;
  /** As the subject's; where journals of earlier versions have it. */
  readonly intent?: Digest | undefined;
}
