import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";

/**
 * What is wanted, validated and typed: the content of a plan file's document, or of the flags of an `admin` command, in
 * one shape. A plain value: it can be saved in a resolved plan.
 */
export type Intent = Intents[Kind];

interface Intents {
  OffsetChange: OffsetChangeIntent;
  Resnapshot: ResnapshotIntent;
  Migration: MigrationIntent;
}

export type Kind = keyof Intents;
export type IntentOf<K extends Kind> = Intents[K];

export interface OffsetChangeIntent {
  readonly kind: "OffsetChange";
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  readonly position: Position;
  readonly allowSkip: boolean;
  /** `all`: every id of the orphan release ledger; a list: these ids. */
  readonly forgetReleased: "none" | "all" | readonly string[];
  readonly resume: boolean;
  readonly opsFormat: OpsFormat | undefined;
  /** A rollback: what of the run can't be taken back. */
  readonly signalSent?: { readonly id: string; readonly tables: readonly string[] };
  /** Codes of acceptable findings knowingly accepted. */
  readonly accept: readonly string[];
}

/**
 * Snapshot tables again. Where the redo from the stored position on is all there, a signal does it; where it is not,
 * the offset moves past the gap as well, and every captured table that is not among them loses what happened in the
 * gap.
 */
export interface ResnapshotIntent {
  readonly kind: "Resnapshot";
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  /** As they were written: `PDB.OWNER.TABLE` or `OWNER.TABLE`, names quoted where they need it. */
  readonly tables: readonly string[];
  /**
   * The operator's assertion that the other tables had no changes in the gap. `all`: every one; a list: these, which
   * have to be all.
   */
  readonly skipGapForUnlistedTables: "none" | "all" | readonly string[];
  /** Ask for `MAX(ORA_ROWSCN)` of every unlisted table; it may scan them. */
  readonly readRowScns: boolean;
  /** How long to wait for transactions that would be torn, milliseconds. */
  readonly waitForTransactions: bigint | undefined;
  /** How long to wait for the connector's answer to the signal, milliseconds. */
  readonly waitForAck: bigint | undefined;
  readonly resume: boolean;
  readonly opsFormat: OpsFormat | undefined;
  readonly accept: readonly string[];
}

/**
 * Leave the legacy connector for this one, or go back: one phase of it. `target.connector` is the new connector.
 */
export interface MigrationIntent {
  readonly kind: "Migration";
  readonly metadata: Metadata;
  readonly target: Target;
  readonly origin: Origin;
  readonly phase: MigrationPhase;
  readonly from: {
    readonly connector: string;
    /** Names of stored partitions that do not count for the takeover. */
    readonly leaveOut: readonly string[];
  };
  readonly to: {
    readonly name: string;
    /** Undefined: the legacy connector's name. */
    readonly topicPrefix: string | undefined;
    /** Goes before what the translation gives. */
    readonly config: Readonly<Record<string, string>>;
  };
  readonly verify: VerifyIntent | undefined;
  /** Path of the evidence file, which `verify` writes and `retire` reads; from the plan file's folder. */
  readonly evidence: string;
  /** Of a rollback: the new connector's topics too. */
  readonly deleteTopics: boolean;
  /** Of a retirement. */
  readonly deleteLicenceTopic: boolean;
  readonly opsFormat: OpsFormat | undefined;
  /** Codes of acceptable findings, and names of manual properties, knowingly accepted. */
  readonly accept: readonly string[];
}

export const MIGRATION_PHASES = ["cutover", "verify", "rollback", "retire"] as const;

export type MigrationPhase = (typeof MIGRATION_PHASES)[number];

/** What a verification compares. */
export interface VerifyIntent {
  /** As they were written: `OWNER.TABLE` or `PDB.OWNER.TABLE`. */
  readonly tables: readonly string[];
  /** The new connector's, where its configuration does not tell: by the table as it is written in `tables`. */
  readonly topics: Readonly<Record<string, string>>;
  /** By the table as it is written in `tables`. */
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
  /** Workers on Apache Spark read and compare; undefined: this process. */
  readonly engine?: "spark" | undefined;
}

/** Kinds that change one connector, its stored offset among it. */
export type ConnectorKind = "OffsetChange" | "Resnapshot";

/** The six kinds of change: a plan file's kind; of a migration, its phase. */
export type ChangeKind = ConnectorKind | MigrationPhase;

/** The kind of change that an intent, facts or a decision is of. */
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
  /** A name of the contexts file. Either this or `connectUrl`, or neither when a flag says it. */
  readonly context: string | undefined;
  readonly connectUrl: string | undefined;
  readonly connector: string;
}

/** Where the offset is to go. */
export type Position =
  | { readonly to: "scn"; readonly scn: Scn }
  | { readonly to: "timestamp"; readonly timestamp: Instant }
  | { readonly to: "earliestAvailable" }
  /**
   * Rollback of a run whose connector has not run since: the stored offset as it was, field by field. `replacing` is
   * what the run stored: the offset is restored only while it still stands there.
   */
  | { readonly to: "restore"; readonly run: string; readonly offset: JsonObject; readonly replacing: JsonObject };

/**
 * Whether an intent is of a command's flags: what it lacks is given there, and there is no plan file to accept a
 * finding.
 */
export function isOfFlags({ by }: Origin): boolean {
  return by === "admin" || by === "ops topic";
}

/** Where the intent was written, so that every finding can point at a line. */
export interface Origin {
  /**
   * `plan file`, `admin` and `ops topic` (acceptable findings only warn there), or `rollback`. `ops topic`: a change in
   * flight that is taken over.
   */
  readonly by: "plan file" | "admin" | "rollback" | "ops topic";
  /** As given on the command line. */
  readonly file: string | undefined;
  /** The phase that the file of a migration has, where `--phase` asked for another one. */
  readonly phaseOfFile?: MigrationPhase;
  /** Line (1-based) of each path that the file has: `{"spec.allowSkip": 16n}`. */
  readonly lines: { readonly [path: string]: bigint };
}
