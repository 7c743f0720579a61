// Generated from run-journal.schema.json by npm run types. Edit the schema, not this file.
import type { ComparedCounts } from "../../schemas/generated/shared.ts";
import type { CountedApproval } from "../../schemas/generated/shared.ts";
import type { Digest } from "../../core/values/digest.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { MigrationPhase } from "../../schemas/generated/shared.ts";
import type { OffsetEntry } from "../../schemas/generated/shared.ts";
import type { OpsFormat } from "../../schemas/generated/shared.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { RecordedTransaction } from "../../schemas/generated/facts.ts";
import type { RemovedRecords } from "../../schemas/generated/plan.ts";
import type { StepName } from "../../core/plan/steps.ts";

/**
 * An entry of a run's journal, which is the member `entry` of a line of its file in the state directory. Other members are allowed; an unknown type, step, kind or outcome is not, because its meaning for the run is unknown. A member that came later is optional.
 */
export type RunJournal =
  | RunStarted
  | StepStarted
  | SignalPinned
  | BodyPinned
  | TransactionsSeen
  | TakeoverPinned
  | ReturnPinned
  | RecordsPinned
  | VerificationJob
  | VerificationPinned
  | CallSent
  | CallApplied
  | CallRejected
  | CallUnanswered
  | CallWithheld
  | OpsTopicEnd
  | Verified
  | PatchSent
  | PatchApplied
  | PatchUnanswered
  | StepDone
  | StepFailed
  | StepUnclear
  | BackedOut
  | RecoveryStarted
  | RunEnded;
/**
 * Records that it removes before the move.
 */
export type RemovedRecordsList = readonly RemovedRecords[];
export type TopicEnds = readonly TopicEnd[];

export interface RunStarted {
  readonly type: "run-started";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly run: string;
  /**
   * Place among the runs of the connector in this state directory, from 1, given under the lock: a clock can be set back. Left out in journals of earlier versions; such runs come before all that have one.
   */
  readonly ordinal?: bigint | undefined;
  /**
   * Version of the cdcctl that began it.
   */
  readonly cdcctl: string;
  /**
   * As the environment names it: self-asserted.
   */
  readonly operator: string;
  readonly approvals?: readonly CountedApproval[] | undefined;
  readonly subject: OffsetSubject | MigrationSubject;
  /**
   * Null when the run was taken over from the ops topic alone.
   */
  readonly plan: Plan | null;
}
/**
 * Subject of a run that changes one connector.
 */
export interface OffsetSubject {
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  readonly connectUrl: string;
  readonly context?: string | undefined;
  readonly clusterId: string;
  readonly connector: string;
  readonly reason: string;
  /**
   * The ticket in the plan file.
   */
  readonly ticket?: string | undefined;
  readonly decision: string;
  readonly prefix: string;
  readonly opsTopic: string;
  readonly opsFormat: OpsFormat;
  /**
   * Whether the connector that is stopped was started (neither STOPPED nor PAUSED) when the run began.
   */
  readonly ranBefore: boolean;
  /**
   * As the ops event names it; of a run of `connectors`, which journals of earlier versions call `offsets set`, the command itself.
   */
  readonly command: "offsets set" | "resnapshot" | "connectors stop" | "connectors resume" | "connectors restart";
  /**
   * Left out, as is `scn`, where the offset stays.
   */
  readonly direction?: string | undefined;
  readonly scn?: bigint | undefined;
  readonly forget: readonly string[];
  /**
   * Whether what was delivered is delivered again.
   */
  readonly deliverAgain?: boolean | undefined;
  /**
   * Digest of the intent: identifies a plan file that was already carried out, even if its decision has changed. Left out if an ops event that was taken over has none, and in journals of earlier versions.
   */
  readonly intent?: Digest | undefined;
  readonly removes?: RemovedRecordsList | undefined;
  readonly snapshot?: SnapshotSubject | undefined;
  readonly resume: boolean;
  /**
   * A run of `connectors` does only this, and leaves the offset as it is. `restart failed`: only its failed parts.
   */
  readonly control?: "stop" | "resume" | "restart" | "restart failed" | undefined;
  /**
   * Taken over from the ops topic while its change was already in effect, or something else was stored: that is recorded, and no offset moved.
   */
  readonly settlesOnly?: boolean | undefined;
}
/**
 * What a resnapshot writes, and records of it.
 */
export interface SnapshotSubject {
  readonly signalsTopic: string;
  readonly tables: readonly string[];
  /**
   * `CODE message`; left out if no redo is missing.
   */
  readonly gap?: string | undefined;
  /**
   * Asserted to have no changes in the gap.
   */
  readonly unlisted: readonly string[];
  /**
   * Digest of the evidence that was shown for them; the evidence itself is in the run's plan.
   */
  readonly evidence?: Digest | undefined;
  /**
   * As the subject's, in journals of earlier versions.
   */
  readonly intent?: Digest | undefined;
}
/**
 * Subject of a run that carries out one phase of a migration.
 */
export interface MigrationSubject {
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  readonly connectUrl: string;
  readonly context?: string | undefined;
  readonly clusterId: string;
  readonly connector: string;
  readonly reason: string;
  /**
   * The ticket in the plan file.
   */
  readonly ticket?: string | undefined;
  readonly decision: string;
  readonly prefix: string;
  readonly opsTopic: string;
  readonly opsFormat: OpsFormat;
  /**
   * Whether the connector that is stopped was started (neither STOPPED nor PAUSED) when the run began.
   */
  readonly ranBefore: boolean;
  readonly command: "migrate";
  readonly phase: MigrationPhase;
  readonly legacy: string;
}
/**
 * Written before the step's first call.
 */
export interface StepStarted {
  readonly type: "step-started";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly step: StepName;
}
/**
 * The signal's id, pinned before it is written, and where its topic and the ops topic ended then.
 */
export interface SignalPinned {
  readonly type: "signal-pinned";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly id: string;
  /**
   * The signal that stops the running snapshot, in its batch.
   */
  readonly stopId?: string | undefined;
  /**
   * The stored `signal_offset`: the task reads on from there.
   */
  readonly handled?: bigint | undefined;
  readonly signalsFrom: TopicEnds;
  readonly answersFrom: TopicEnds;
}
/**
 * The next offset of a partition.
 */
export interface TopicEnd {
  readonly partition: bigint;
  readonly offset: bigint;
}
/**
 * The recheck's result: the stored offset, and what will be stored. Written before the PATCH that carries it.
 */
export interface BodyPinned {
  readonly type: "body-pinned";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly previous: JsonObject | null;
  readonly body: OffsetEntry;
}
/**
 * Open transactions while the legacy connector still ran.
 */
export interface TransactionsSeen {
  readonly type: "transactions-seen";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly from: bigint;
  readonly to: bigint;
  readonly open: readonly RecordedTransaction[];
}
/**
 * What a cutover starts from, and the configuration it creates the connector with. Written before that.
 */
export interface TakeoverPinned {
  readonly type: "takeover-pinned";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly startScn: bigint;
  readonly lastDelivered?: bigint | undefined;
  /**
   * The legacy one's.
   */
  readonly offsets: readonly OffsetEntry[];
  /**
   * Secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
}
/**
 * What a return to the legacy connector finds: its offsets, and the new connector's, which are removed.
 */
export interface ReturnPinned {
  readonly type: "return-pinned";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly offsets: readonly OffsetEntry[];
  readonly removed: readonly OffsetEntry[];
}
/**
 * The keys under which null records are written, read after the stop. Written before the first of them.
 */
export interface RecordsPinned {
  readonly type: "records-pinned";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly topics: readonly PinnedKeys[];
}
/**
 * Keys of one topic, each in the partition that has its records.
 */
export interface PinnedKeys {
  readonly topic: string;
  readonly keys: readonly PinnedKey[];
}
export interface PinnedKey {
  readonly partition: bigint;
  /**
   * Its bytes as base64: another encoding of the same key would clear nothing.
   */
  readonly key: string;
}
/**
 * A verification's job on Apache Spark: `submitted` by `spark-submit`, `started` as this application, or `cancelled` because the operator asked to stop.
 */
export interface VerificationJob {
  readonly type: "verification-job";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly is: "submitted" | "started" | "cancelled";
  /**
   * Digest of the job document.
   */
  readonly job: string;
  readonly application?: string | undefined;
}
/**
 * The two connectors as a verification found them, before anything was read: what its evidence is of.
 */
export interface VerificationPinned {
  readonly type: "verification-pinned";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly offsets: readonly OffsetEntry[];
  readonly legacyOffsets?: readonly OffsetEntry[] | undefined;
  readonly opsTopic: string;
  readonly opsTopicEnds: TopicEnds;
}
/**
 * One call that changes a connector or a topic: the identical one is sent again until a definite answer.
 */
export interface CallSent {
  readonly type: "call-sent";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly call: string;
  /**
   * The one earlier attempt, unanswered, has taken effect for good.
   */
  readonly seen?: boolean | undefined;
}
export interface CallApplied {
  readonly type: "call-applied";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly call: string;
}
/**
 * Definite: it changed nothing.
 */
export interface CallRejected {
  readonly type: "call-rejected";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly call: string;
}
export interface CallUnanswered {
  readonly type: "call-unanswered";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly call: string;
  readonly why: string;
}
/**
 * Journaled as sent, and then not sent: the run was settled from another machine meanwhile. Also of the PATCH.
 */
export interface CallWithheld {
  readonly type: "call-withheld";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly call: string;
}
/**
 * Where the ops topic ended: `begun`, before the run changed anything; `judged`, when everything was checked again. Everything after that came later, whatever the clocks show.
 */
export interface OpsTopicEnd {
  readonly type: "ops-topic-end";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly when: "begun" | "judged";
  readonly ends: TopicEnds;
}
/**
 * A verification came to its end, whichever way.
 */
export interface Verified {
  readonly type: "verified";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly passed: boolean;
  readonly tables: readonly string[];
  /**
   * Left out by earlier versions.
   */
  readonly counts?: ComparedCounts | undefined;
  readonly evidence: {
    readonly file: string;
    readonly digest: string;
    /**
     * Left out by earlier versions.
     */
    readonly writtenAt?: Instant | undefined;
  };
}
export interface PatchSent {
  readonly type: "patch-sent";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly attempt: bigint;
  /**
   * As of `call-sent`.
   */
  readonly seen?: boolean | undefined;
  /**
   * Another machine that works on this run may have sent it.
   */
  readonly elsewhere?: boolean | undefined;
}
/**
 * A definite yes: 200.
 */
export interface PatchApplied {
  readonly type: "patch-applied";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly attempt: bigint;
}
export interface PatchUnanswered {
  readonly type: "patch-unanswered";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly attempt: bigint;
  readonly why: string;
}
export interface StepDone {
  readonly type: "step-done";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly step: StepName;
  readonly note: string;
  readonly millis: bigint;
  /**
   * What it does not prove.
   */
  readonly unproven?: string | undefined;
}
/**
 * Definite: the step changed nothing.
 */
export interface StepFailed {
  readonly type: "step-failed";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly step: StepName;
  readonly error: string;
  readonly code?: string | undefined;
}
/**
 * Neither done nor failed: it may have taken effect, or may still.
 */
export interface StepUnclear {
  readonly type: "step-unclear";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly step: StepName;
  readonly why: string;
}
/**
 * The connector was resumed after a refusal or failure, because the plan resumes it anyway and it ran before.
 */
export interface BackedOut {
  readonly type: "backed-out";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly resumed: boolean;
}
export interface RecoveryStarted {
  readonly type: "recovery-started";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  readonly operator: string;
}
export interface RunEnded {
  readonly type: "run-ended";
  /**
   * From 0 without a gap.
   */
  readonly seq: bigint;
  readonly at: Instant;
  /**
   * `succeeded`: everything planned is done. `failed`: the offset is not as planned, and that is recorded where it was announced; or the signal could not be written. `refused`: the recheck refused, or what was waited for did not come; the offset is untouched. `abandoned`: the result is unknown, and an operator ended it. `rejected`: everything was done, and the connector has refused the signal.
   */
  readonly outcome: "succeeded" | "failed" | "refused" | "abandoned" | "rejected";
  readonly message: string;
}
