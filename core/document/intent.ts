import { type Digest, digestOf } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";

/**
 * A validated and typed request: the content of a plan file's document, or of the flags of an `admin` command, in one
 * shape. A plain value that can be saved in a resolved plan.
 */
export type Intent = Intents[Kind];

interface Intents {
  OffsetChange: OffsetChangeIntent;
  Resnapshot: ResnapshotIntent;
  Migration: MigrationIntent;
}

export type Kind = keyof Intents;
export type IntentOf<K extends Kind> = Intents[K];

interface IntentBase {
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  readonly opsFormat: OpsFormat | undefined;
  /** Codes of acceptable findings, and of a migration names of manual properties, that are accepted. */
  readonly accept: readonly string[];
}

/** What changes of one connector have in common. */
interface ConnectorIntent extends IntentBase {
  /** Remove what the journal holds of transactions that would hold the resume point below the target. */
  readonly removeJournaledTransactions?: true;
  /** Removes the layouts of tables that may have had a DDL in what a forward move skips, or in the gap. */
  readonly removeTableSchemas?: true;
  readonly resume: boolean;
}

export interface OffsetChangeIntent extends ConnectorIntent {
  readonly kind: "OffsetChange";
  readonly position: Position;
  readonly allowSkip: boolean;
  /** Of a move back: what was delivered is delivered again. Set only if so. */
  readonly deliverAgain?: true;
  /** `all`: every id of the orphan release ledger; a list: these ids. */
  readonly forgetReleased: "none" | "all" | readonly string[];
  /** For a rollback: the parts of the run that cannot be undone. */
  readonly signalSent?: { readonly id: string; readonly tables: readonly string[] };
}

/**
 * Snapshots tables again. If all redo from the stored position on is available, a signal is enough; otherwise the
 * offset also moves past the gap, and every captured table that is not listed loses the changes in the gap.
 */
export interface ResnapshotIntent extends ConnectorIntent {
  readonly kind: "Resnapshot";
  /** As written: `PDB.OWNER.TABLE` or `OWNER.TABLE`, quoted where required. */
  readonly tables: readonly string[];
  /**
   * The operator's assertion that the other tables had no changes in the gap. `all`: every one; a list: these, which
   * must be all of them.
   */
  readonly skipGapForUnlistedTables: "none" | "all" | readonly string[];
  /** Query `MAX(ORA_ROWSCN)` of every unlisted table, which may scan them. */
  readonly readRowScns: boolean;
  /** How long to wait for transactions that would be torn, milliseconds. */
  readonly waitForTransactions: bigint | undefined;
  /** How long to wait for the connector's answer to the signal, milliseconds. */
  readonly waitForAck: bigint | undefined;
  /** How long to wait for an earlier snapshot to end, before the signal is written, milliseconds. */
  readonly waitForSnapshot?: bigint | undefined;
  /** Stop the running snapshot by a signal before the one that asks for this one. */
  readonly stopRunningSnapshot?: boolean | undefined;
  /** How long to wait for the end of the snapshot, milliseconds. */
  readonly waitForCompletion?: bigint | undefined;
}

/**
 * Replace the legacy connector by the new one, or roll that back: one phase of it. `target.connector` is the new
 * connector.
 */
export interface MigrationIntent extends IntentBase {
  readonly kind: "Migration";
  readonly phase: MigrationPhase;
  readonly from: {
    readonly connector: string;
    /** Names of stored partitions that are ignored for the takeover. */
    readonly leaveOut: readonly string[];
  };
  readonly to: {
    readonly name: string;
    /** Undefined: the legacy connector's name. */
    readonly topicPrefix: string | undefined;
    /** Has precedence over the translation. */
    readonly config: Readonly<Record<string, string>>;
  };
  readonly verify: VerifyIntent | undefined;
  /** Path of the evidence file, which `verify` writes and `retire` reads; relative to the plan file's folder. */
  readonly evidence: string;
  /** For a rollback: also delete the new connector's topics. */
  readonly deleteTopics: boolean;
  /** For a retirement. */
  readonly deleteLicenceTopic: boolean;
}

export const MIGRATION_PHASES = ["cutover", "verify", "rollback", "retire"] as const;

export type MigrationPhase = (typeof MIGRATION_PHASES)[number];

/** The same for every phase. */
export function ofPhases<Of>(same: Of): Readonly<Record<MigrationPhase, Of>> {
  return { cutover: same, verify: same, rollback: same, retire: same };
}

/** What a verification compares. */
export interface VerifyIntent {
  /** As written: `OWNER.TABLE` or `PDB.OWNER.TABLE`. */
  readonly tables: readonly string[];
  /** The new connector's topics, if its configuration does not determine them: by the table as written in `tables`. */
  readonly topics: Readonly<Record<string, string>>;
  /** By the table as written in `tables`. */
  readonly legacyTopics: Readonly<Record<string, string>>;
  /** Undefined: the SCN of the safety margin ago, when the verification begins. */
  readonly checkScn: Scn | undefined;
  /** Milliseconds. */
  readonly safetyMargin: bigint;
  /** How long to wait for the connector to pass the check SCN, milliseconds. */
  readonly wait: bigint;
  /** Columns that are left out, by table. */
  readonly ignoreColumns: Readonly<Record<string, readonly string[]>>;
  readonly showValues: boolean;
  /** Workers on Apache Spark read and compare; undefined: this process does. */
  readonly engine?: "spark" | undefined;
}

/** Kinds that change one connector, including its stored offset. */
export type ConnectorKind = "OffsetChange" | "Resnapshot";

/** The six kinds of change: a plan file's kind, and for a migration its phase. */
export type ChangeKind = ConnectorKind | MigrationPhase;

/** The kind of change of an intent, facts or a decision. */
export function changeKind(
  of: { readonly kind: ConnectorKind } | { readonly kind: "Migration"; readonly phase: MigrationPhase },
): ChangeKind {
  return of.kind === "Migration" ? of.phase : of.kind;
}

export type OpsFormat = "json" | "json_schemas";

interface Metadata {
  readonly name: string;
  /** Recorded in the ops topic. */
  readonly reason: string;
  readonly ticket: string | undefined;
}

export interface Target {
  /** A name of the contexts file. Either this or `connectUrl`, or neither if a flag gives it. */
  readonly context: string | undefined;
  readonly connectUrl: string | undefined;
  readonly connector: string;
}

/** The requested position of the offset. */
export type Position =
  | { readonly to: "scn"; readonly scn: Scn }
  | { readonly to: "timestamp"; readonly timestamp: Instant }
  | { readonly to: "earliestAvailable" }
  /** The last offset that the ops topic records as stored, in place of one that the task does not take. */
  | { readonly to: "lastRecorded" }
  /**
   * Rollback of a run whose connector has not run since: the stored offset is restored field by field. `replacing` is
   * what the run stored: the offset is restored only while that is still stored.
   */
  | { readonly to: "restore"; readonly run: string; readonly offset: JsonObject; readonly replacing: JsonObject };

/**
 * Whether an intent comes from a command's flags: missing values are given there, and no plan file can accept a
 * finding.
 */
export function isOfFlags({ by }: Origin): boolean {
  return by === "admin" || by === "ops topic";
}

/** Where the intent was written, so that every finding can name a line. */
export interface Origin {
  /**
   * `plan file`, `admin` and `ops topic` (acceptable findings only warn there), or `rollback`. `ops topic`: a change in
   * flight that is taken over.
   */
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  /** As given on the command line. */
  readonly file: string | undefined;
  /** The phase in the file of a migration, if `--phase` replaced it. */
  readonly phaseOfFile?: MigrationPhase;
  /** Line (1-based) of each path in the file: `{"spec.allowSkip": 16n}`. */
  readonly lines: { readonly [path: string]: bigint };
}

/** Identifies an intent by its content, not by its place in a file. */
export function digestOfIntent({ origin: _origin, ...wanted }: Intent): Digest {
  return digestOf(wanted);
}
