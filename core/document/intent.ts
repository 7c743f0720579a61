import type { Intent, Origin } from "../../schemas/generated/plan.ts";
import type { MigrationPhase } from "../../schemas/generated/shared.ts";
import sharedParts from "../../schemas/shared.json" with { type: "json" };
import { type Digest, digestOf } from "../values/digest.ts";

/**
 * A validated and typed request: the content of a plan file's document, or of the flags of an `admin` command, in one
 * shape. A plain value that can be saved in a resolved plan.
 */
export type {
  Intent,
  MigrationIntent,
  OffsetChangeIntent,
  Origin,
  Position,
  ResnapshotIntent,
  Target,
  VerifyIntent,
} from "../../schemas/generated/plan.ts";
export type { MigrationPhase, OpsFormat } from "../../schemas/generated/shared.ts";

export type Kind = Intent["kind"];
export type IntentOf<K extends Kind> = { readonly [I in Intent as I["kind"]]: I }[K];

export const MIGRATION_PHASES = sharedParts.$defs.migrationPhase.enum as readonly MigrationPhase[];

/** The same for every phase. */
export function ofPhases<Of>(same: Of): Readonly<Record<MigrationPhase, Of>> {
  return { cutover: same, verify: same, rollback: same, retire: same };
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

/**
 * Whether an intent comes from a command's flags: missing values are given there, and no plan file can accept a
 * finding.
 */
export function isOfFlags({ by }: Origin): boolean {
  return by === "admin" || by === "ops topic";
}

/** Identifies an intent by its content, not by its place in a file. */
export function digestOfIntent({ origin: _origin, ...wanted }: Intent): Digest {
  return digestOf(wanted);
}
