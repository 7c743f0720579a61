// Generated from plan.schema.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { LegacyName } from "../../schemas/generated/shared.ts";
import type { MigrationPhase } from "../../schemas/generated/shared.ts";
import type { OpsFormat } from "../../schemas/generated/shared.ts";
import type { RedoState } from "../../core/timeline/timeline.ts";
import type { Scn } from "../../core/values/scn.ts";
import type { TopicChoice } from "../../schemas/generated/shared.ts";

/**
 * `always`: never folded. `in full`: left out of the short form.
 */
export type Extent = "always" | "in full";
/**
 * `blocked`: at least one finding blocks. `no-op`: there is nothing to do.
 */
export type PlanOutcome =
  | {
      readonly state: "ready" | "blocked";
    }
  | {
      readonly state: "no-op";
      readonly why: string;
      /**
       * Decision of the connector's latest change, where the ops topic tells.
       */
      readonly applied?: string | undefined;
    };
/**
 * A step of a plan, by its name. How it is carried out is in `core/apply/steps`.
 */
export type PlannedStep =
  | (
      | {
          readonly step: "stop-connector";
          readonly connector: string;
        }
      | {
          readonly step: "start-connector";
          readonly connector: string;
        }
      | {
          readonly step: "start-new";
          readonly connector: string;
        }
      | {
          readonly step: "delete-offsets";
          readonly connector: string;
        }
      | {
          readonly step: "delete-connector";
          readonly connector: string;
        }
      | {
          readonly step: "resume-legacy";
          readonly connector: string;
        }
    )
  | {
      readonly step: "patch-offset";
      readonly connector: string;
      /**
       * Ids that leave the orphan release ledger.
       */
      readonly forgets?: readonly string[] | undefined;
    }
  | {
      readonly step: "recheck";
      /**
       * Of a migration: the legacy connector, whose offsets are looked at.
       */
      readonly legacy?: string | undefined;
    }
  | (
      | {
          readonly step: "record-applying";
          readonly topic: string;
        }
      | {
          readonly step: "record-outcome";
          readonly topic: string;
        }
    )
  | {
      readonly step: "resume-connector";
      readonly connector: string;
      readonly scn: Scn;
    }
  | {
      readonly step: "wait-for-transactions";
      /**
       * And until the journal has no record of these.
       */
      readonly journaled?: {
        readonly topic: string;
        readonly of: "journal";
        readonly only?: readonly string[] | undefined;
      } | undefined;
      /**
       * Transactions that began before it are waited for.
       */
      readonly scn: Scn;
      /**
       * At most so long. Milliseconds.
       */
      readonly millis: bigint;
    }
  | {
      readonly step: "write-signal";
      readonly topic: string;
      readonly tables: readonly string[];
      /**
       * The brokers have no such topic.
       */
      readonly create?: boolean | undefined;
      /**
       * A signal before it ends the running snapshot.
       */
      readonly stop?: boolean | undefined;
    }
  | {
      readonly step: "wait-for-ack";
      readonly topic: string;
      /**
       * At most so long. Milliseconds.
       */
      readonly millis: bigint;
    }
  | {
      /**
       * Until no earlier snapshot is left.
       */
      readonly step: "wait-for-snapshot";
      readonly connector: string;
      /**
       * Of the signals.
       */
      readonly topic: string;
      /**
       * At most so long. Milliseconds.
       */
      readonly millis: bigint;
    }
  | {
      readonly step: "wait-for-completion";
      readonly topic: string;
      readonly tables: readonly string[];
      /**
       * At most so long. Milliseconds.
       */
      readonly millis: bigint;
    }
  | {
      readonly step: "record-transactions";
      /**
       * The legacy connector, whose stored `scn` may be above open transactions while it runs.
       */
      readonly legacy: string;
    }
  | {
      readonly step: "create-connector";
      readonly connector: string;
      /**
       * Created STOPPED, and started by a later step.
       */
      readonly stopped: boolean;
    }
  | {
      readonly step: "verify-tables";
      readonly tables: readonly VerifiedTable[];
      readonly evidence: string;
    }
  | {
      readonly step: "remove-records";
      /**
       * All that one run removes, from whatever topics.
       */
      readonly records: readonly RemovedRecords[];
    }
  | {
      readonly step: "delete-topics";
      readonly topics: readonly string[];
    };
/**
 * How it is marked.
 */
export type Tone = "bad" | "good" | "caution";
/**
 * Digest of the rules that the plan was held against; without it there were none.
 */
export type Policies = Digest;
/**
 * Where the offset is to go.
 */
export type Position =
  | {
      readonly to: "scn";
      readonly scn: Scn;
    }
  | {
      readonly to: "timestamp";
      readonly timestamp: Instant;
    }
  | {
      readonly to: "earliestAvailable" | "lastRecorded";
    }
  | {
      readonly to: "restore";
      readonly run: string;
      readonly offset: JsonObject;
      readonly replacing: JsonObject;
    };

export interface ChangeRow {
  readonly label: string;
  readonly before?: Shown | undefined;
  readonly after?: Shown | undefined;
  readonly change: "unchanged" | "changed" | "added" | "removed";
  /**
   * Why, or what it means.
   */
  readonly note?: string | undefined;
  readonly tone?: Tone | undefined;
}
/**
 * A connector as it stands.
 */
export interface ConnectorShown {
  /**
   * Of a migration: which of the two it is.
   */
  readonly role?: "legacy" | "new" | undefined;
  readonly name: string;
  readonly state: string;
  readonly worker: string;
  readonly tasks: readonly {
    readonly id: bigint;
    readonly state: string;
    readonly worker: string;
  }[];
  readonly connectorClass?: string | undefined;
  /**
   * The connector's own code for why it, or a task of it, has FAILED: `CDC-2002`. Omitted if the trace names none.
   */
  readonly failedWith?: string | undefined;
}
/**
 * What the decision digest of a migration is over.
 */
export interface DecidedMigration {
  readonly kind: "Migration";
  readonly phase: MigrationPhase;
  readonly legacy: string;
  readonly connector: string;
  readonly cluster: string;
  readonly policies?: Policies | undefined;
  readonly database: Incarnation;
  readonly metadata: Metadata;
  readonly leaveOut?: readonly string[] | undefined;
  /**
   * Where the operator has it start.
   */
  readonly startScn?: Scn | undefined;
  readonly topicChoice?: TopicChoice | undefined;
  /**
   * Over what is compared.
   */
  readonly verify?: Digest | undefined;
  /**
   * Of a verification the file, of a retirement the digest of its content.
   */
  readonly evidence?: string | undefined;
  /**
   * Topics that are deleted.
   */
  readonly topics?: readonly string[] | undefined;
  readonly opsFormat?: string | undefined;
  readonly accept: readonly string[];
  /**
   * The legacy connector's, its secrets masked.
   */
  readonly legacyConfiguration?: {
    readonly [k: string]: string;
  } | undefined;
  /**
   * The new connector's, its secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
}
export interface DecidedOffsetChange {
  readonly kind: "OffsetChange";
  readonly connector: string;
  readonly cluster: string;
  readonly policies?: Policies | undefined;
  readonly database: Incarnation;
  readonly metadata: Metadata;
  readonly resume: boolean;
  readonly accept: readonly string[];
  /**
   * The connector's configuration, its secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly scn?: Scn | undefined;
  readonly direction?: string | undefined;
  readonly restore?: JsonObject | undefined;
  /**
   * Of which the journal's records are removed.
   */
  readonly removedTransactions?: readonly string[] | undefined;
  readonly opsFormat?: string | undefined;
  readonly deliverAgain?: true | undefined;
  /**
   * The layouts of tables that may have had a DDL in what is skipped are removed from the schema topic.
   */
  readonly removeTableSchemas?: true | undefined;
  /**
   * The tables whose layouts are removed, as the schema topic names them.
   */
  readonly removedSchemas?: readonly string[] | undefined;
  readonly allowSkip: boolean;
  /**
   * Ids taken out of the orphan release ledger.
   */
  readonly forgetReleased: ("none" | "all") | readonly string[];
}
export interface DecidedResnapshot {
  readonly kind: "Resnapshot";
  readonly connector: string;
  readonly cluster: string;
  readonly policies?: Policies | undefined;
  readonly database: Incarnation;
  readonly metadata: Metadata;
  readonly resume: boolean;
  readonly accept: readonly string[];
  /**
   * The connector's configuration, its secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly scn?: Scn | undefined;
  readonly direction?: string | undefined;
  /**
   * Of which the journal's records are removed.
   */
  readonly removedTransactions?: readonly string[] | undefined;
  readonly opsFormat?: string | undefined;
  /**
   * The layouts of tables that may have had a DDL in what is skipped are removed from the schema topic.
   */
  readonly removeTableSchemas?: true | undefined;
  /**
   * The tables whose layouts are removed, as the schema topic names them.
   */
  readonly removedSchemas?: readonly string[] | undefined;
  /**
   * As the signal names them.
   */
  readonly tables: readonly string[];
  /**
   * Which captured tables that are not named are asserted to have had no changes in the gap.
   */
  readonly skipGapForUnlistedTables: ("none" | "all") | readonly string[];
  /**
   * The redo that is gone, fault by fault.
   */
  readonly gap?: readonly string[] | undefined;
  /**
   * The captured tables that lose what was in it.
   */
  readonly unlisted?: readonly string[] | undefined;
  /**
   * How long to wait for transactions that would be torn. Milliseconds.
   */
  readonly waitForTransactions?: bigint | undefined;
  /**
   * How long to wait for the connector's answer to the signal. Milliseconds.
   */
  readonly waitForAck?: bigint | undefined;
  /**
   * How long to wait for an earlier snapshot to end, before the signal is written. Milliseconds.
   */
  readonly waitForSnapshot?: bigint | undefined;
  /**
   * Whether a signal first stops the running snapshot.
   */
  readonly stopRunningSnapshot?: boolean | undefined;
  /**
   * How long to wait for the end of the snapshot. Milliseconds.
   */
  readonly waitForCompletion?: bigint | undefined;
}
/**
 * Things of one sort before and after the change.
 */
export interface Diff {
  readonly title: string;
  /**
   * The noun for a row: `field`.
   */
  readonly what: string;
  /**
   * Said above the rows.
   */
  readonly about?: string | undefined;
  readonly rows: readonly ChangeRow[];
  readonly shown?: Extent | undefined;
}
/**
 * What the sentences say in numbers, for policies: each where the kind of change has it and it is known.
 */
export interface Figures {
  /**
   * Where the stored offset moves.
   */
  readonly direction?: "backward" | "forward" | "same" | "initial" | undefined;
  /**
   * The stored resume SCN.
   */
  readonly storedScn?: Scn | undefined;
  /**
   * Where the connector continues; of a cutover `cdc.start.scn`, of its rollback where the legacy connector resumes.
   */
  readonly targetScn?: Scn | undefined;
  /**
   * SCNs between the two.
   */
  readonly scnDistance?: bigint | undefined;
  /**
   * The same in time, in full seconds.
   */
  readonly seconds?: bigint | undefined;
  /**
   * Archived logs that are mined again; of a migration, all that are mined from the start on.
   */
  readonly archivedLogs?: bigint | undefined;
  /**
   * Their size.
   */
  readonly bytesToMine?: bigint | undefined;
  /**
   * Whether commits are never delivered.
   */
  readonly skipsCommits?: boolean | undefined;
  /**
   * Archived logs from there on that are missing or unreadable.
   */
  readonly missingArchives?: bigint | undefined;
  /**
   * Whether every log from where mining begins up to now is there.
   */
  readonly redoComplete?: boolean | undefined;
  /**
   * Transactions that lose their changes before the target.
   */
  readonly tornTransactions?: bigint | undefined;
  /**
   * Ids that leave the orphan release ledger.
   */
  readonly forgottenIds?: readonly string[] | undefined;
  /**
   * Tables that are snapshotted, or verified.
   */
  readonly tables?: readonly string[] | undefined;
  /**
   * Captured tables that a resnapshot past a gap does not name.
   */
  readonly unlistedTables?: readonly string[] | undefined;
  /**
   * Those of them that were changed since the gap began, by what is seen.
   */
  readonly changedTables?: readonly string[] | undefined;
  /**
   * All tables that the connector captures.
   */
  readonly capturedTables?: bigint | undefined;
  /**
   * The stored position, from which redo is missing.
   */
  readonly gapFrom?: Scn | undefined;
  /**
   * The first SCN from which all redo is there.
   */
  readonly gapTo?: Scn | undefined;
  /**
   * SCNs from the start of a cutover up to the last commit that the legacy connector delivered: both deliver them.
   */
  readonly overlapScns?: bigint | undefined;
  /**
   * The same in time.
   */
  readonly overlapSeconds?: bigint | undefined;
  /**
   * Properties of the legacy connector that are translated by hand and not accepted.
   */
  readonly openProperties?: readonly string[] | undefined;
  /**
   * Properties that the new connector has no setting for.
   */
  readonly droppedProperties?: readonly string[] | undefined;
  /**
   * Topics that are deleted, with everything in them.
   */
  readonly deletedTopics?: readonly string[] | undefined;
  /**
   * Connectors that are deleted.
   */
  readonly deletedConnectors?: readonly string[] | undefined;
  /**
   * When the evidence for a retirement was written.
   */
  readonly evidenceAt?: Instant | undefined;
}
/**
 * What a check found, and what follows from it.
 */
export interface Finding {
  /**
   * For `cdcctl explain CODE`.
   */
  readonly code: string;
  readonly title: string;
  readonly verdict: "pass" | "fail" | "unknown";
  readonly effect: "none" | "warns" | "accepted" | "blocks";
  readonly remedies: readonly string[];
  /**
   * The command that takes back what a remedy does for the time of the run, with its purpose as a comment.
   */
  readonly afterwards?: string | undefined;
  readonly seen?: string | undefined;
  /**
   * Where the plan file decides it.
   */
  readonly at?: {
    readonly path: string;
    readonly file?: string | undefined;
    readonly line?: bigint | undefined;
  } | undefined;
}
/**
 * Replace the legacy connector by the new one, or roll that back: one phase of it. `target.connector` is the new connector.
 */
export interface MigrationIntent {
  readonly kind: "Migration";
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  readonly phase: MigrationPhase;
  /**
   * The legacy connector.
   */
  readonly from: {
    readonly connector: string;
    readonly kind?: LegacyName | undefined;
    /**
     * Of the legacy connector, as the plan file states it.
     */
    readonly version?: string | undefined;
    /**
     * Where the operator has it start.
     */
    readonly startScn?: Scn | undefined;
    /**
     * Names of stored partitions that are ignored for the takeover.
     */
    readonly leaveOut: readonly string[];
  };
  /**
   * The new connector.
   */
  readonly to: {
    readonly name: string;
    /**
     * Undefined: the legacy connector's name.
     */
    readonly topicPrefix?: string | undefined;
    readonly topics?: TopicChoice | undefined;
    /**
     * Has precedence over the translation.
     */
    readonly config: {
      readonly [k: string]: string;
    };
  };
  readonly verify?: VerifyIntent | undefined;
  /**
   * Path of the evidence file, which `verify` writes and `retire` reads; relative to the plan file's folder.
   */
  readonly evidence: string;
  /**
   * For a rollback: also delete the new connector's topics.
   */
  readonly deleteTopics: boolean;
  /**
   * For a retirement.
   */
  readonly deleteLicenceTopic: boolean;
  readonly opsFormat?: OpsFormat | undefined;
  /**
   * Codes of acceptable findings, and of a migration names of manual properties, that are accepted.
   */
  readonly accept: readonly string[];
}
/**
 * A consequence: a label, a sentence and, below it, what the sentence counts.
 */
export interface Note {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
  /**
   * The short form leaves it out, unless the note is shown `always`.
   */
  readonly list?: {
    /**
     * The noun for an item.
     */
    readonly what: string;
    readonly items: readonly string[];
  } | undefined;
  readonly shown?: Extent | undefined;
}
/**
 * An offset change.
 */
export interface OffsetChangeIntent {
  readonly kind: "OffsetChange";
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  readonly position: Position;
  /**
   * Of a move back: what was delivered is delivered again. Set only if so.
   */
  readonly deliverAgain?: true | undefined;
  /**
   * Removes the layouts of tables that may have had a DDL in what a forward move skips, or in the gap.
   */
  readonly removeTableSchemas?: true | undefined;
  readonly allowSkip: boolean;
  /**
   * `all`: every id of the orphan release ledger; a list: these ids.
   */
  readonly forgetReleased: ("none" | "all") | readonly string[];
  readonly resume: boolean;
  /**
   * Codes of acceptable findings, and of a migration names of manual properties, that are accepted.
   */
  readonly accept: readonly string[];
  /**
   * Remove what the journal holds of transactions that would hold the resume point below the target.
   */
  readonly removeJournaledTransactions?: true | undefined;
  readonly opsFormat?: OpsFormat | undefined;
  /**
   * For a rollback: the parts of the run that cannot be undone.
   */
  readonly signalSent?: {
    readonly id: string;
    readonly tables: readonly string[];
  } | undefined;
}
export interface PlanWorld {
  readonly connectUrl: string;
  /**
   * Of the other workers of the context; left out where it names one.
   */
  readonly otherConnectUrls?: readonly string[] | undefined;
  readonly connectVersion: string;
  readonly clusterId: string;
  readonly database: {
    readonly name: string;
    readonly version: string;
    readonly address: string;
    readonly dbid: bigint;
    readonly resetlogsScn: Scn;
    readonly currentScn: Scn;
    /**
     * The database server's zone, such as `+01:00`.
     */
    readonly zone: string;
  };
  readonly opsTopic: string;
  /**
   * `cdc.topic.prefix`: `server` of the ops events.
   */
  readonly prefix: string;
  readonly opsFormat?: OpsFormat | undefined;
}
/**
 * Snapshots tables again. If all redo from the stored position on is available, a signal is enough; otherwise the offset also moves past the gap, and every captured table that is not listed loses the changes in the gap.
 */
export interface ResnapshotIntent {
  readonly kind: "Resnapshot";
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  /**
   * As written: `PDB.OWNER.TABLE` or `OWNER.TABLE`, quoted where required.
   */
  readonly tables: readonly string[];
  /**
   * The operator's assertion that the other tables had no changes in the gap. `all`: every one; a list: these, which must be all of them.
   */
  readonly skipGapForUnlistedTables: ("none" | "all") | readonly string[];
  /**
   * Removes the layouts of tables that may have had a DDL in what a forward move skips, or in the gap.
   */
  readonly removeTableSchemas?: true | undefined;
  /**
   * Query `MAX(ORA_ROWSCN)` of every unlisted table, which may scan them.
   */
  readonly readRowScns: boolean;
  readonly resume: boolean;
  /**
   * Codes of acceptable findings, and of a migration names of manual properties, that are accepted.
   */
  readonly accept: readonly string[];
  /**
   * How long to wait for transactions that would be torn, milliseconds.
   */
  readonly waitForTransactions?: bigint | undefined;
  /**
   * How long to wait for the connector's answer to the signal, milliseconds.
   */
  readonly waitForAck?: bigint | undefined;
  /**
   * Remove what the journal holds of transactions that would hold the resume point below the target.
   */
  readonly removeJournaledTransactions?: true | undefined;
  readonly opsFormat?: OpsFormat | undefined;
  /**
   * How long to wait for an earlier snapshot to end, before the signal is written, milliseconds.
   */
  readonly waitForSnapshot?: bigint | undefined;
  /**
   * Stop the running snapshot by a signal before the one that asks for this one.
   */
  readonly stopRunningSnapshot?: boolean | undefined;
  /**
   * How long to wait for the end of the snapshot, milliseconds.
   */
  readonly waitForCompletion?: bigint | undefined;
}
/**
 * A connector's position in the redo of its database, as one picture: marks, available and missing redo, transactions that are not over. A plain value of bounded size, however many logs and transactions there are.
 */
export interface Timeline {
  /**
   * In order of SCN; of one SCN in the order of `MARKS`.
   */
  readonly marks: readonly Mark[];
  /**
   * In order of thread.
   */
  readonly threads: readonly ThreadTimeline[];
  /**
   * Oldest first; at most `MOST_TRANSACTIONS`.
   */
  readonly transactions: readonly TransactionMark[];
  /**
   * Transactions that are younger than those.
   */
  readonly moreTransactions: bigint;
  /**
   * Stored partitions of the legacy connector without a mark, between those that have one.
   */
  readonly moreStored?: bigint | undefined;
  /**
   * What could not be read, or was not: nothing of it counts as empty.
   */
  readonly unseen: readonly Unseen[];
}
/**
 * Commands that may make the change unnecessary.
 */
export interface TryFirst {
  readonly why: string;
  /**
   * To run in this order.
   */
  readonly commands: readonly string[];
  /**
   * What follows once they have run.
   */
  readonly after?: string | undefined;
  /**
   * Remedies that findings need not repeat.
   */
  readonly covers: readonly string[];
}
/**
 * A value as text, with the time of an SCN where it is known.
 */
export interface Shown {
  readonly text: string;
  readonly at?: Instant | undefined;
}
/**
 * What tells a database and its history from others.
 */
export interface Incarnation {
  readonly dbid: bigint;
  readonly resetlogsScn: Scn;
}
export interface Metadata {
  readonly name: string;
  /**
   * Recorded in the ops topic.
   */
  readonly reason: string;
  readonly ticket?: string | undefined;
}
export interface Target {
  readonly connector: string;
  /**
   * A name of the contexts file. Either this or `connectUrl`, or neither if a flag gives it.
   */
  readonly context?: string | undefined;
  readonly connectUrl?: string | undefined;
}
/**
 * Where the intent was written, so that every finding can name a line.
 */
export interface Origin {
  /**
   * `plan file`, `admin` and `ops topic` (acceptable findings only warn there), or `rollback`. `ops topic`: a change in flight that is taken over.
   */
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  /**
   * The phase in the file of a migration, if `--phase` replaced it.
   */
  readonly phaseOfFile?: MigrationPhase | undefined;
  /**
   * Line (1-based) of each path in the file: `{"spec.allowSkip": 16n}`.
   */
  readonly lines: {
    readonly [k: string]: bigint;
  };
  /**
   * As given on the command line.
   */
  readonly file?: string | undefined;
}
/**
 * What a verification compares.
 */
export interface VerifyIntent {
  /**
   * As written: `OWNER.TABLE` or `PDB.OWNER.TABLE`.
   */
  readonly tables: readonly string[];
  /**
   * The new connector's topics, if its configuration does not determine them: by the table as written in `tables`.
   */
  readonly topics: {
    readonly [k: string]: string;
  };
  /**
   * By the table as written in `tables`.
   */
  readonly legacyTopics: {
    readonly [k: string]: string;
  };
  /**
   * Undefined: the SCN of the safety margin ago, when the verification begins.
   */
  readonly checkScn?: Scn | undefined;
  /**
   * Milliseconds.
   */
  readonly safetyMargin: bigint;
  /**
   * How long to wait for the connector to pass the check SCN, milliseconds.
   */
  readonly wait: bigint;
  /**
   * Columns that are left out, by table.
   */
  readonly ignoreColumns: {
    readonly [k: string]: readonly string[];
  };
  readonly showValues: boolean;
  /**
   * Workers on Apache Spark read and compare; undefined: this process does.
   */
  readonly engine?: "spark" | undefined;
}
/**
 * A table, and the topics its changes are on.
 */
export interface VerifiedTable {
  readonly table: string;
  readonly topic: string;
  /**
   * Undefined: only the new topic is compared.
   */
  readonly legacyTopic?: string | undefined;
}
/**
 * Records that are cleared from one of the connector's compacted topics by null records under their keys. A plan holds this rule, never the keys: they are read once the connector has stopped, and only those of its prefix.
 */
export interface RemovedRecords {
  readonly topic: string;
  readonly of: "journal" | "schema";
  /**
   * Transactions (`3:5.2.802`) or tables (`PDB.OWNER.TABLE`); absent: all of the connector's prefix.
   */
  readonly only?: readonly string[] | undefined;
}
export interface Mark {
  /**
   * `stored scn`: of the legacy connector, where it is taken over from or gone back to.
   */
  readonly mark: "first available" | "target" | "stored scn" | "last commit" | "resume SCN" | "current SCN";
  readonly scn: Scn;
  /**
   * Undefined where the database doesn't know the time.
   */
  readonly at?: Instant | undefined;
  /**
   * Where the picture is of more than one connector: whose it is. Of a `stored scn` the legacy connector's partition.
   */
  readonly of?: string | undefined;
  /**
   * So many other partitions hold the same.
   */
  readonly more?: bigint | undefined;
  /**
   * A partition that is left out of the takeover.
   */
  readonly leftOut?: true | undefined;
}
export interface ThreadTimeline {
  readonly thread: bigint;
  /**
   * In order of SCN; at most `MOST_STRETCHES`.
   */
  readonly stretches: readonly Stretch[];
}
export interface TransactionMark {
  readonly xid: string;
  readonly firstScn: Scn;
  readonly at?: Instant | undefined;
  readonly user?: string | undefined;
  readonly clientId?: string | undefined;
  /**
   * Where it was seen: in `GV$TRANSACTION`, in the journal topic, in the task's buffer.
   */
  readonly seenIn: readonly ("database" | "journal" | "task")[];
}
export interface Unseen {
  readonly what: "redo" | "open transactions" | "journaled transactions" | "times" | "time zone rules" | "stored offset";
  readonly why: string;
}
/**
 * Consecutive logs of a thread with which the same is the matter.
 */
export interface Stretch {
  readonly state: RedoState;
  readonly from: Scn;
  /**
   * Exclusive.
   */
  readonly to: bigint;
  /**
   * Inclusive; undefined where no log tells the sequence.
   */
  readonly fromSequence?: bigint | undefined;
  /**
   * Inclusive.
   */
  readonly toSequence?: bigint | undefined;
  readonly fromTime?: Instant | undefined;
  readonly toTime?: Instant | undefined;
}
