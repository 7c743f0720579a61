import type {
  ConnectorShown,
  Cost,
  CutoverShown,
  DecidedMigration,
  DecidedOffsetChange,
  DecidedResnapshot,
  OffsetShown,
  PlanOutcome,
  PlanWorld,
  RetirementShown,
  ReturnShown,
  Shown,
  SnapshotShown,
  TornTransaction,
  VerificationShown,
} from "../../schemas/generated/plan.ts";
import type { Finding } from "../checks/finding.ts";
import type {
  ChangeKind,
  Intent,
  MigrationIntent,
  MigrationPhase,
  OffsetChangeIntent,
  ResnapshotIntent,
} from "../document/intent.ts";
import type { Move } from "../facts/offset/move.ts";
import type { RedoExamination } from "../facts/redo/redo.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Digest } from "../values/digest.ts";
import { printDuration } from "../values/duration.ts";
import { withoutScheme } from "../values/escape.ts";
import { type Instant, isUtc } from "../values/instant.ts";
import { type Advice, lineOf } from "../values/remedy.ts";
import { truncate } from "../values/truncate.ts";
import type { PlannedStep } from "./steps.ts";

/**
 * What one document asks for, as planned now: the change, what it costs, what was found, the steps. A plain value
 * without functions, clients or secrets; the same intent and facts give the same bytes.
 */
export type Plan = Plans[ChangeKind];

export interface Plans extends MigrationPlans {
  readonly OffsetChange: OffsetChangePlan;
  readonly Resnapshot: ResnapshotPlan;
}

/** A change of one connector, its stored offset among it. */
export type ConnectorPlan = OffsetChangePlan | ResnapshotPlan;

/** The input of the decision digest: what a reviewer decides on, and what does not move while the connectors run. */
export type Decided = Plan["decided"];

export interface PlanBase {
  readonly intent: Intent;
  readonly plannedAt: Instant;
  readonly outcome: PlanOutcome;
  readonly world: PlanWorld;
  readonly findings: readonly Finding[];
  /** The position and the redo as one picture. Of a migration, where it moves; plans of earlier versions have none. */
  readonly timeline?: Timeline;
  /** Step names are unique: a run records its progress by name. */
  readonly steps: readonly PlannedStep[];
  readonly decision: Digest;
}

/** What the plans of one connector have in common. */
interface OneConnectorPlan extends PlanBase {
  readonly connector: ConnectorShown;
  /** Undefined while the target or the stored offset is unknown; the findings explain why. */
  readonly move: Move | undefined;
  /** Undefined likewise. */
  readonly offset: OffsetShown | undefined;
  readonly cost: Cost | undefined;
  /**
   * The redo from the target to now; for a resnapshot from the stored position. Undefined if it could not be inspected.
   */
  readonly redo: RedoExamination | undefined;
  readonly torn: readonly TornTransaction[];
}

export interface OffsetChangePlan extends OneConnectorPlan {
  readonly intent: OffsetChangeIntent;
  readonly decided: DecidedOffsetChange;
  readonly snapshot?: undefined;
}

export interface ResnapshotPlan extends OneConnectorPlan {
  readonly intent: ResnapshotIntent;
  readonly snapshot: SnapshotShown;
  readonly decided: DecidedResnapshot;
}

/** One phase of a migration: of two connectors, and of no offset that is set. */
export type MigrationPlan = MigrationPlans[MigrationPhase];

export interface MigrationPlans {
  readonly cutover: CutoverPlan;
  readonly verify: VerificationPlan;
  readonly rollback: ReturnPlan;
  readonly retire: RetirementPlan;
}

export type CutoverPlan = PhasePlan<CutoverShown>;
export type VerificationPlan = PhasePlan<VerificationShown>;
export type ReturnPlan = PhasePlan<ReturnShown>;
export type RetirementPlan = PhasePlan<RetirementShown>;

/** What the plans of two connectors have in common. */
export interface PhasePlan<Shown extends MigrationShown> extends PlanBase {
  readonly intent: MigrationIntent;
  /** Undefined: the workers have no connector of that name. */
  readonly legacy: ConnectorShown | undefined;
  readonly next: ConnectorShown | undefined;
  readonly migration: Shown;
  readonly decided: DecidedMigration & Pick<Shown, "phase">;
}

/** What the plan of a phase shows besides its findings and steps. */
export type MigrationShown = CutoverShown | VerificationShown | ReturnShown | RetirementShown;

/** A plan as stored in documents: each remedy on one line. */
export function asWritten(plan: Plan): Plan {
  const findings = plan.findings.map((one) => ({ ...one, remedies: one.remedies.map(lineOf) }));
  return { ...plan, findings };
}

/**
 * What a plan says of its change, in one shape for every kind: what is before and after, and sentences with a label. A
 * kind writes it; the views, the JSON and the schema know no kind.
 */
export interface ChangeShown {
  /** The connector of the plan; for a migration, both. */
  readonly connectors: string;
  /** One sentence: what is done, to what, where: `Move orders-cdc on prod back 32 min 11 s, 35,224 SCNs`. */
  readonly summary: string;
  /** The same as the beginning of a question: `Move orders-cdc on prod back 32 min to SCN 2169287`. */
  readonly asks: string;
  /** A few words each, for a table of several plans. */
  readonly inShort: { readonly change: string; readonly cost: string };
  /** What to try first, because it makes the change unnecessary. */
  readonly first?: TryFirst;
  readonly diff: readonly Diff[];
  readonly notes: readonly Note[];
}

/** Commands that may make the change unnecessary. */
export interface TryFirst {
  readonly why: string;
  readonly commands: readonly string[];
  readonly after?: string;
  /** Remedies that findings need not repeat. */
  readonly covers: readonly Advice[];
}

/** Things of one sort before and after the change. */
export interface Diff {
  readonly title: string;
  /** The noun for a row: `field`. */
  readonly what: string;
  readonly rows: readonly ChangeRow[];
  /** `always`: never folded. `in full`: left out of the short form. */
  readonly shown?: Extent;
  /** Said above the rows. */
  readonly about?: string;
}

export type Extent = "always" | "in full";

export interface ChangeRow {
  readonly label: string;
  readonly before?: Shown | undefined;
  readonly after?: Shown | undefined;
  readonly change: "unchanged" | "changed" | "added" | "removed";
  /** Why, or what it means. */
  readonly note?: string | undefined;
  readonly tone?: Tone | undefined;
}

/** A consequence: a label, a sentence and, below it, what the sentence counts. */
export interface Note {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** The noun for an item, and the items; the short form leaves them out, unless the note is shown `always`. */
  readonly list?: { readonly what: string; readonly items: readonly string[] } | undefined;
  /** `always`: with its list. `in full`: left out of the short form. */
  readonly shown?: Extent | undefined;
}

export type Tone = "bad" | "good" | "caution";

/** Marks unknown values in a table; an empty cell would read as none. */
export const NOT_KNOWN = "not known";

/** @param items of its list @param what the noun for one of them */
export function note(
  label: string,
  text: string,
  tone?: Tone,
  shown?: Extent,
  items: readonly string[] = [],
  what = "item",
): Note {
  return { label, text, tone, shown, ...(items.length === 0 ? {} : { list: { what, items } }) };
}

/** Where a plan is applied, in a word: the context, or the workers' host. */
export function placeOf({ world: { connectUrl }, intent: { target } }: Pick<PlanBase, "world" | "intent">): string {
  return truncate(target.context ?? withoutScheme(connectUrl), 100);
}

/** `57 min` of 57 min 31 s. */
export function roughly(millis: bigint): string {
  const [amount = "", unit = ""] = printDuration(Number(millis)).split(" ");
  return `${amount} ${unit}`.trim();
}

/** A note on the time zone, when the database server's is not UTC. */
export function zoneNote({ world: { database } }: Pick<PlanBase, "world">): readonly Note[] {
  const { zone } = database;
  if (isUtc(zone)) return [];
  return [note("times", `UTC; the database server's zone is ${truncate(zone, 60)}`, undefined, "in full")];
}
