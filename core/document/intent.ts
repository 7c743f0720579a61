import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";

/**
 * What is wanted, validated and typed: the content of a plan file's document, or of the flags of an `admin` command, in one shape.
 * A plain value: it can be saved in a resolved plan.
 */
export type Intent = OffsetChangeIntent;

export type Kind = Intent["kind"];
export type IntentOf<K extends Kind> = Extract<Intent, { kind: K }>;

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
  /** Codes of acceptable findings knowingly accepted. */
  readonly accept: readonly string[];
}

export type OpsFormat = "json" | "json_schemas";

export interface Metadata {
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
   * Rollback of a run whose connector has not run since: the stored offset as it was, field by field. `replacing` is what the run
   * stored: the offset is restored only while it still stands there.
   */
  | { readonly to: "restore"; readonly run: string; readonly offset: JsonObject; readonly replacing: JsonObject };

/** Where the intent was written, so that every finding can point at a line. */
export interface Origin {
  /** `plan file`, `admin` (acceptable findings only warn there) or `rollback`. */
  readonly by: "plan file" | "admin" | "rollback";
  /** As given on the command line. */
  readonly file: string | undefined;
  /** Line (1-based) of each path that the file has: `{"spec.allowSkip": 16n}`. */
  readonly lines: { readonly [path: string]: bigint };
}
