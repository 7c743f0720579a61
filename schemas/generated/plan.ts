// Generated from plan.schema.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { LegacyName } from "../../schemas/generated/shared.ts";
import type { MigrationPhase } from "../../schemas/generated/shared.ts";
import type { OpsFormat } from "../../schemas/generated/shared.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { RedoState } from "../../core/timeline/timeline.ts";
import type { Scn } from "../../core/values/scn.ts";
import type { TopicChoice } from "../../schemas/generated/shared.ts";

/**
 * `always`: never folded. `in full`: in no short form.
 */
export type Extent = "always" | "in full";
/**
 * `blocked`: at least one finding blocks. `no-op`: there is nothing to do; `applied` is the decision of the connector's latest change, where the ops topic tells.
 */
export type PlanOutcome =
  | {
      readonly state: "ready" | "blocked";
    }
  | {
      readonly state: "no-op";
      readonly why: string;
      readonly applied?: string | undefined;
    };
/**
 * A step of a plan, by its name, with what it takes. How it is carried out is in `core/apply/steps`.
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
      readonly forgets?: readonly string[] | undefined;
    }
  | {
      readonly step: "recheck";
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
      readonly scn: Scn;
      readonly millis: bigint;
      readonly journaled?: {
        readonly topic: string;
        readonly of: "journal";
        readonly only?: readonly string[] | undefined;
      } | undefined;
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
      readonly millis: bigint;
    }
  | {
      readonly step: "wait-for-snapshot";
      readonly topic: string;
      readonly millis: bigint;
      readonly connector: string;
    }
  | {
      readonly step: "wait-for-completion";
      readonly topic: string;
      readonly millis: bigint;
      readonly tables: readonly string[];
    }
  | {
      readonly step: "record-transactions";
      readonly legacy: string;
    }
  | {
      readonly step: "create-connector";
      readonly connector: string;
      readonly stopped: boolean;
    }
  | {
      readonly step: "verify-tables";
      readonly tables: readonly VerifiedTable[];
      readonly evidence: string;
    }
  | {
      readonly step: "remove-records";
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
export type SomeOrAll = ("none" | "all") | readonly string[];
/**
 * The operator's assertion that captured tables which are not named had no changes in the gap; a list must be all of them.
 */
export type SkipGapForUnlistedTables = SomeOrAll;
/**
 * How long to wait for what would be torn.
 */
export type WaitForTransactions = bigint;
/**
 * How long the connector may take to answer the signal.
 */
export type WaitForAck = bigint;
/**
 * How long to wait for an earlier snapshot.
 */
export type WaitForSnapshot = bigint;
/**
 * Whether a signal first stops the running snapshot.
 */
export type StopRunningSnapshot = boolean;
/**
 * How long to wait for the end of the snapshot.
 */
export type WaitForCompletion = bigint;
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
/**
 * Removes the layouts of tables that may have had a DDL in what a forward move skips, or in the gap, from the schema topic.
 */
export type RemoveTableSchemas = true;
/**
 * What is wanted.
 */
export type Intent = OffsetChangeIntent | ResnapshotIntent | MigrationIntent;
/**
 * What the decision digest is over.
 */
export type Decided = DecidedOffsetChange | DecidedResnapshot | DecidedMigration;

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
   * Which of the two connectors of a migration it is.
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
export interface DecidedMigration {
  readonly kind: "Migration";
  readonly connector: string;
  readonly cluster: string;
  /**
   * Digest of the rules that the plan was held against; without it there were none.
   */
  readonly policies?: Digest | undefined;
  readonly database: {
    readonly dbid: bigint;
    readonly resetlogsScn: Scn;
  };
  readonly metadata: Metadata;
  readonly accept: readonly string[];
  readonly capturedTables?: readonly string[] | undefined;
  /**
   * The connector's configuration, of a migration the new one's; its secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly opsFormat?: string | undefined;
  readonly phase: MigrationPhase;
  readonly legacy: string;
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
   * A verification's file; a retirement's digest of it.
   */
  readonly evidence?: string | undefined;
  /**
   * Topics that are deleted.
   */
  readonly topics?: readonly string[] | undefined;
  /**
   * The legacy one's, masked.
   */
  readonly legacyConfiguration?: {
    readonly [k: string]: string;
  } | undefined;
}
export interface DecidedOffsetChange {
  readonly kind: "OffsetChange";
  readonly connector: string;
  readonly cluster: string;
  /**
   * Digest of the rules that the plan was held against; without it there were none.
   */
  readonly policies?: Digest | undefined;
  readonly database: {
    readonly dbid: bigint;
    readonly resetlogsScn: Scn;
  };
  readonly metadata: Metadata;
  readonly accept: readonly string[];
  readonly capturedTables?: readonly string[] | undefined;
  /**
   * The connector's configuration, of a migration the new one's; its secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly opsFormat?: string | undefined;
  readonly resume: boolean;
  readonly scn?: Scn | undefined;
  readonly direction?: string | undefined;
  /**
   * Removed from the journal.
   */
  readonly removedTransactions?: readonly string[] | undefined;
  readonly removeTableSchemas?: RemoveTableSchemas | undefined;
  /**
   * The tables whose layouts are removed, as the schema topic names them.
   */
  readonly removedSchemas?: readonly string[] | undefined;
  readonly restore?: JsonObject | undefined;
  readonly deliverAgain?: true | undefined;
  readonly allowSkip: boolean;
  readonly forgetReleased: SomeOrAll;
}
export interface DecidedResnapshot {
  readonly kind: "Resnapshot";
  readonly connector: string;
  readonly cluster: string;
  /**
   * Digest of the rules that the plan was held against; without it there were none.
   */
  readonly policies?: Digest | undefined;
  readonly database: {
    readonly dbid: bigint;
    readonly resetlogsScn: Scn;
  };
  readonly metadata: Metadata;
  readonly accept: readonly string[];
  readonly capturedTables?: readonly string[] | undefined;
  /**
   * The connector's configuration, of a migration the new one's; its secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly opsFormat?: string | undefined;
  readonly resume: boolean;
  readonly scn?: Scn | undefined;
  readonly direction?: string | undefined;
  /**
   * Removed from the journal.
   */
  readonly removedTransactions?: readonly string[] | undefined;
  readonly removeTableSchemas?: RemoveTableSchemas | undefined;
  /**
   * The tables whose layouts are removed, as the schema topic names them.
   */
  readonly removedSchemas?: readonly string[] | undefined;
  /**
   * As the signal names them.
   */
  readonly tables: readonly string[];
  readonly skipGapForUnlistedTables: SkipGapForUnlistedTables;
  /**
   * The redo that is gone, fault by fault.
   */
  readonly gap?: readonly string[] | undefined;
  /**
   * Captured tables that lose what was in it.
   */
  readonly unlisted?: readonly string[] | undefined;
  readonly waitForTransactions?: WaitForTransactions | undefined;
  readonly waitForAck?: WaitForAck | undefined;
  readonly waitForSnapshot?: WaitForSnapshot | undefined;
  readonly stopRunningSnapshot?: StopRunningSnapshot | undefined;
  readonly waitForCompletion?: WaitForCompletion | undefined;
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
   * Where the offset moves.
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
   * Whether every log from where mining begins is there.
   */
  readonly redoComplete?: boolean | undefined;
  /**
   * Transactions that lose their changes before the target.
   */
  readonly tornTransactions?: bigint | undefined;
  /**
   * Ids taken out of the orphan ledger.
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
   * Unlisted tables that have changed since the gap began, as far as can be seen.
   */
  readonly changedTables?: readonly string[] | undefined;
  /**
   * All tables the connector captures.
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
   * SCNs from the start of a cutover up to the last commit that the legacy connector delivered: both deliver them. Left out where that commit is not stored.
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
   * Properties without a new setting.
   */
  readonly droppedProperties?: readonly string[] | undefined;
  /**
   * Topics deleted with their records.
   */
  readonly deletedTopics?: readonly string[] | undefined;
  /**
   * Connectors that are deleted.
   */
  readonly deletedConnectors?: readonly string[] | undefined;
  /**
   * When the evidence was written: of a verification, for a retirement; of an audit, for a cutover.
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
  /**
   * Codes of acceptable findings, and of a migration names of manual properties, that are accepted.
   */
  readonly accept: readonly string[];
  readonly capturedTables?: readonly string[] | undefined;
  readonly opsFormat?: OpsFormat | undefined;
  readonly phase: MigrationPhase;
  /**
   * The legacy connector.
   */
  readonly from: {
    readonly connector: string;
    readonly kind?: LegacyName | undefined;
    /**
     * The legacy connector's, as the plan file states it.
     */
    readonly version?: string | undefined;
    /**
     * Where the operator has it start.
     */
    readonly startScn?: Scn | undefined;
    /**
     * Stored partitions that do not count.
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
   * Path of an audit's evidence file, for a cutover.
   */
  readonly audit?: string | undefined;
  /**
   * For a rollback: also delete the new connector's topics.
   */
  readonly deleteTopics: boolean;
  /**
   * For a retirement.
   */
  readonly deleteLicenceTopic: boolean;
}
/**
 * A consequence: a label, a sentence and, below it, what the sentence counts.
 */
export interface Note {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
  /**
   * The short form leaves it out, unless the note is shown `always`. `what` is the noun for an item.
   */
  readonly list?: {
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
  /**
   * Codes of acceptable findings, and of a migration names of manual properties, that are accepted.
   */
  readonly accept: readonly string[];
  readonly capturedTables?: readonly string[] | undefined;
  readonly opsFormat?: OpsFormat | undefined;
  readonly resume: boolean;
  readonly removeTableSchemas?: RemoveTableSchemas | undefined;
  /**
   * Remove what the journal holds of transactions that would hold the resume point below the target.
   */
  readonly removeJournaledTransactions?: true | undefined;
  readonly position: Position;
  /**
   * In a move back, what was delivered is delivered again.
   */
  readonly deliverAgain?: true | undefined;
  readonly allowSkip: boolean;
  /**
   * Ids of the orphan release ledger.
   */
  readonly forgetReleased: SomeOrAll;
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
   * URLs of the context's other workers; left out where it names one.
   */
  readonly otherConnectUrls?: readonly string[] | undefined;
  readonly connectVersion: string;
  readonly clusterId: string;
  readonly database: {
    readonly dbid: bigint;
    readonly resetlogsScn: Scn;
    readonly name: string;
    readonly version: string;
    readonly address: string;
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
   * Codes of acceptable findings, and of a migration names of manual properties, that are accepted.
   */
  readonly accept: readonly string[];
  readonly capturedTables?: readonly string[] | undefined;
  readonly opsFormat?: OpsFormat | undefined;
  readonly resume: boolean;
  readonly removeTableSchemas?: RemoveTableSchemas | undefined;
  /**
   * Remove what the journal holds of transactions that would hold the resume point below the target.
   */
  readonly removeJournaledTransactions?: true | undefined;
  /**
   * As written: `PDB.OWNER.TABLE` or `OWNER.TABLE`, quoted where required.
   */
  readonly tables: readonly string[];
  readonly skipGapForUnlistedTables: SkipGapForUnlistedTables;
  /**
   * Query `MAX(ORA_ROWSCN)` of every unlisted table, which may scan them.
   */
  readonly readRowScns: boolean;
  readonly waitForTransactions?: WaitForTransactions | undefined;
  readonly waitForAck?: WaitForAck | undefined;
  readonly waitForSnapshot?: WaitForSnapshot | undefined;
  readonly stopRunningSnapshot?: StopRunningSnapshot | undefined;
  readonly waitForCompletion?: WaitForCompletion | undefined;
}
/**
 * A plan to be reviewed, kept and applied later.
 */
export interface ResolvedPlan {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Plan";
  /**
   * Increases when an older cdcctl can no longer read the file.
   */
  readonly formatVersion: bigint;
  /**
   * @minItems 1
   */
  readonly plans: readonly Plan[];
  /**
   * Over all plans.
   */
  readonly decision: Digest;
  /**
   * Over the decisions and places of all plans; what `--expect` compares. Left out by earlier versions.
   */
  readonly approval?: Digest | undefined;
  /**
   * Version of the cdcctl that wrote it.
   */
  readonly cdcctl: string;
  /**
   * Over the rest of the file, against edits.
   */
  readonly digest: Digest;
}
/**
 * What a plan says of its change.
 */
export interface Said {
  /**
   * What is done, to what, where: `Move orders-cdc on prod back 32 min 11 s, 35,224 SCNs`.
   */
  readonly summary: string;
  /**
   * The same as the beginning of a question: `Move orders-cdc on prod back 32 min to SCN 2169287`.
   */
  readonly asks: string;
  /**
   * A few words each, for a table of several plans.
   */
  readonly inShort: {
    readonly change: string;
    readonly cost: string;
  };
  readonly first?: TryFirst | undefined;
  /**
   * What is before and after: offsets, configuration, tables, topics.
   */
  readonly diff: readonly Diff[];
  /**
   * Cost, consequences and evidence, a sentence each.
   */
  readonly notes: readonly Note[];
  readonly figures: Figures;
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
   * By thread.
   */
  readonly threads: readonly ThreadTimeline[];
  /**
   * Oldest first; at most `MOST_TRANSACTIONS`.
   */
  readonly transactions: readonly TransactionMark[];
  /**
   * Younger transactions.
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
 * What a verification compares. Tables are named as written: `OWNER.TABLE` or `PDB.OWNER.TABLE`.
 */
export interface VerifyIntent {
  readonly tables: readonly string[];
  /**
   * The new connector's topics by table, if its configuration does not determine them.
   */
  readonly topics: {
    readonly [k: string]: string;
  };
  /**
   * By table.
   */
  readonly legacyTopics: {
    readonly [k: string]: string;
  };
  /**
   * Undefined: that of the safety margin before it begins.
   */
  readonly checkScn?: Scn | undefined;
  readonly safetyMargin: bigint;
  /**
   * How long the connector may take to pass the check SCN.
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
   * Workers on Apache Spark compare; undefined: this process.
   */
  readonly engine?: "spark" | undefined;
}
/**
 * A table, and the topics its changes are on. Without `legacyTopic` only the new topic is compared.
 */
export interface VerifiedTable {
  readonly table: string;
  readonly topic: string;
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
export interface Metadata {
  readonly name: string;
  /**
   * Recorded in the ops topic.
   */
  readonly reason: string;
  readonly ticket?: string | undefined;
}
/**
 * Either `context`, a name of the contexts file, or `connectUrl`; neither if a flag gives it.
 */
export interface Target {
  readonly connector: string;
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
   * Line of each path in the file: `{"spec.allowSkip": 16n}`.
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
 * Consecutive logs of a thread with which the same is the matter. Sequences are inclusive, and undefined where no log tells them.
 */
export interface Stretch {
  readonly state: RedoState;
  readonly from: Scn;
  /**
   * Exclusive.
   */
  readonly to: bigint;
  readonly fromSequence?: bigint | undefined;
  readonly toSequence?: bigint | undefined;
  readonly fromTime?: Instant | undefined;
  readonly toTime?: Instant | undefined;
}
