import type { ConnectorsFound } from "../facts/migration-facts.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import type { TransactionsSeen } from "../facts/transactions.ts";
import type { Plan } from "../plan/plan.ts";
import type { StepName } from "../plan/steps.ts";
import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";
import type { RunSubject } from "./subject.ts";

/**
 * A run's journal: append-only, one entry before every call that changes something and one after it with its result.
 * The state of a run is a fold over its entries (`runState`), never a field that code has to remember to update.
 * Entries read back are checked by `schemas/run-journal.schema.json`.
 */
export type JournalEntry = { readonly seq: bigint; readonly at: Instant } & JournalEvent;

export type JournalEvent =
  | RunStarted
  /** Written before the step's first call. */
  | { readonly type: "step-started"; readonly step: StepName }
  /**
   * The signal's id, fixed before it is written; and where its topic, and the ops topic with the answers to it, ended
   * then.
   */
  | {
      readonly type: "signal-fixed";
      readonly id: string;
      /** Of the signal that stops the running snapshot, in the same batch. */
      readonly stopId?: string;
      /** The stored `signal_offset`: the task reads on from there. */
      readonly handled?: bigint;
      readonly signalsFrom: readonly TopicEnd[];
      readonly answersFrom: readonly TopicEnd[];
    }
  /** The recheck's result: the stored offset, and what will be stored. Written before the PATCH that carries it. */
  | { readonly type: "body-fixed"; readonly previous: JsonObject | null; readonly body: OffsetEntry }
  /** Open transactions while the legacy connector still ran. */
  | ({ readonly type: "transactions-seen" } & TransactionsSeen)
  /**
   * What a cutover starts from, and the configuration it creates the connector with (secrets masked). Written before
   * that.
   */
  | {
      readonly type: "takeover-fixed";
      readonly startScn: Scn;
      readonly lastDelivered: Scn | undefined;
      /** The legacy connector's, as they were when it stopped. */
      readonly offsets: readonly OffsetEntry[];
      readonly configuration: Readonly<Record<string, string>>;
    }
  /** What a return to the legacy connector finds: its offsets, and the new connector's, which are removed. */
  | {
      readonly type: "return-fixed";
      readonly offsets: readonly OffsetEntry[];
      readonly removed: readonly OffsetEntry[];
    }
  /** The keys under which null records are written, read after the stop. Written before the first of them. */
  | { readonly type: "records-fixed"; readonly topics: readonly FixedKeys[] }
  /** The two connectors as a verification found them, before anything was read: what its evidence is of. */
  | ({ readonly type: "verification-fixed" } & ConnectorsFound)
  /**
   * A verification's job on Apache Spark: `submitted` by `spark-submit`, `started` as this application, or `cancelled`
   * because the operator asked to stop.
   */
  | {
      readonly type: "verification-job";
      readonly is: "submitted" | "started" | "cancelled";
      /** Digest of the job document. */
      readonly job: string;
      readonly application?: string;
    }
  /** One call that changes a connector or a topic: the identical one is sent again until a definite answer. */
  | {
      readonly type: "call-sent";
      readonly call: string;
      /** The only earlier attempt, which got no answer, has taken effect: no worker still holds it. */
      readonly seen?: true;
    }
  | { readonly type: "call-applied"; readonly call: string }
  /** Definite: it changed nothing. */
  | { readonly type: "call-rejected"; readonly call: string }
  | { readonly type: "call-unanswered"; readonly call: string; readonly why: string }
  /** Journaled as sent, and then not sent: the run was settled from another machine meanwhile. Also of the PATCH. */
  | { readonly type: "call-withheld"; readonly call: string }
  /**
   * Where the ops topic ended: `begun`, before the run changed anything; `judged`, when everything was checked again.
   * Everything after that came later, whatever the clocks show.
   */
  | { readonly type: "ops-topic-end"; readonly when: "begun" | "judged"; readonly ends: readonly TopicEnd[] }
  /** A verification came to its end, whichever way. */
  | {
      readonly type: "verified";
      readonly passed: boolean;
      readonly tables: readonly string[];
      readonly evidence: { readonly file: string; readonly digest: string };
    }
  /** `seen`: as of `call-sent`. `elsewhere`: another machine that works on this run may have sent it. */
  | { readonly type: "patch-sent"; readonly attempt: bigint; readonly seen?: true; readonly elsewhere?: true }
  /** A definite yes: 200. */
  | { readonly type: "patch-applied"; readonly attempt: bigint }
  | { readonly type: "patch-unanswered"; readonly attempt: bigint; readonly why: string }
  | {
      readonly type: "step-done";
      readonly step: StepName;
      readonly note: string;
      readonly millis: bigint;
      /** What it does not prove. */
      readonly unproven?: string;
    }
  /** Definite: the step changed nothing. */
  | { readonly type: "step-failed"; readonly step: StepName; readonly error: string; readonly code: string | undefined }
  /** Neither: it may have taken effect, or may still. */
  | { readonly type: "step-unclear"; readonly step: StepName; readonly why: string }
  /** The connector was resumed after a refusal or failure, because the plan resumes it anyway and it ran before. */
  | { readonly type: "backed-out"; readonly resumed: boolean }
  | { readonly type: "recovery-started"; readonly operator: string }
  | { readonly type: "run-ended"; readonly outcome: RunOutcome; readonly message: string };

/** Keys of one topic, each in the partition that has its records. */
export interface FixedKeys {
  readonly topic: string;
  /** `key`: its bytes as base64, because another encoding of the same key would clear nothing. */
  readonly keys: readonly { readonly partition: bigint; readonly key: string }[];
}

/** Next offset of a partition. */
export interface TopicEnd {
  readonly partition: bigint;
  readonly offset: bigint;
}

export interface RunStarted {
  readonly type: "run-started";
  readonly run: string;
  /**
   * Place among the runs of the connector in this state directory, from 1, given under the lock: a clock can be set
   * back. Undefined in a journal of an earlier version; such runs come before all that have one.
   */
  readonly ordinal?: bigint;
  readonly cdcctl: string;
  readonly operator: string;
  readonly subject: RunSubject;
  /** Null when the run was taken over from the ops topic alone. */
  readonly plan: Plan | null;
}

/**
 * - `succeeded`: everything planned is done. `failed`: the offset is not as planned, and that is recorded where it was
 *  announced; or the signal could not be written. `refused`: the recheck refused, or what was waited for did not come;
 *  the offset is untouched. `abandoned`: the result is unknown, and an operator ended it. `rejected`: everything was
 *  done, and the connector has refused the signal.
 */
export type RunOutcome = "succeeded" | "failed" | "refused" | "abandoned" | "rejected";
