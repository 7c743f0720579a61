import type { SettingProblem, Translation } from "../../schemas/generated/facts.ts";
import type { MigrationIntent, MigrationPhase } from "../document/intent.ts";
import type { RedoExamination } from "../facts/redo/redo.ts";
import type { VerifiedTable } from "../facts/tables/verified-table.ts";
import type { CutoverDecided } from "../kinds/cutover/reading.ts";
import type { ReturnDecided } from "../kinds/cutover-rollback/reading.ts";
import type { RetirementDecided } from "../kinds/retirement/reading.ts";
import type { VerificationDecided } from "../kinds/verification/reading.ts";
import type { LegacyOffsets, LegacyPartition } from "../legacy/stored-offsets.ts";
import type { Overlap } from "../legacy/takeover.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { ConnectorShown, PlanBase } from "./plan.ts";

/** One phase of a migration: of two connectors, and of no offset that is set. */
export type MigrationPlan = MigrationPlans[MigrationPhase];

export interface MigrationPlans {
  readonly cutover: CutoverPlan;
  readonly verify: VerificationPlan;
  readonly rollback: ReturnPlan;
  readonly retire: RetirementPlan;
}

export type CutoverPlan = PhasePlan<CutoverShown, CutoverDecided>;
export type VerificationPlan = PhasePlan<VerificationShown, VerificationDecided>;
export type ReturnPlan = PhasePlan<ReturnShown, ReturnDecided>;
export type RetirementPlan = PhasePlan<RetirementShown, RetirementDecided>;

/** What the plans of two connectors have in common. */
export interface PhasePlan<Shown extends MigrationShown, Decided> extends PlanBase {
  readonly intent: MigrationIntent;
  /** Undefined: the workers have no connector of that name. */
  readonly legacy: ConnectorShown | undefined;
  readonly next: ConnectorShown | undefined;
  readonly migration: Shown;
  readonly decided: Decided;
}

/** What the plan of a phase shows besides its findings and steps. */
export type MigrationShown = CutoverShown | VerificationShown | ReturnShown | RetirementShown;

export interface CutoverShown {
  readonly phase: "cutover";
  /** Every source property with its fate; literal secrets are `********`. */
  readonly translation: Translation;
  /** The new connector's whole configuration but for `cdc.start.scn`, secrets masked. */
  readonly configuration: Readonly<Record<string, string>>;
  readonly preflight: Preflight;
  /** The current takeover, which moves while the legacy connector runs. Undefined if its offsets can't be read. */
  readonly takeover: TakeoverShown | undefined;
  /** From the start to now. */
  readonly redo: RedoExamination | undefined;
  /** Whether the workers can create the connector STOPPED (Kafka Connect 3.7). */
  readonly createdStopped: boolean;
}

/** The workers' verdict on the new configuration, before it is used. */
export interface Preflight {
  /** Whether they have the connector's class; undefined while unknown. */
  readonly installed: boolean | undefined;
  /** What a worker finds wrong with it; undefined if none validated it. */
  readonly problems: readonly SettingProblem[] | undefined;
  /** Settings whose only known value is the mask. */
  readonly masked: readonly string[];
}

export interface TakeoverShown extends Omit<LegacyOffsets, "partitions" | "unread"> {
  readonly partitions: readonly PartitionShown[];
  readonly startedAt: Instant | undefined;
  readonly lastDeliveredAt: Instant | undefined;
  /** Delivered by both; undefined if nothing was delivered at or after the start. */
  readonly overlap: Overlap | undefined;
}

/** One of the legacy connector's stored offsets, with the times of its SCNs where the database knows them. */
export interface PartitionShown extends LegacyPartition {
  readonly at: Instant | undefined;
  readonly committedAt: Instant | undefined;
}

export interface VerificationShown {
  readonly phase: "verify";
  readonly tables: readonly VerifiedTable[];
  /** Undefined: the SCN from the safety margin ago, determined when it begins. */
  readonly checkScn: Scn | undefined;
  readonly evidence: string;
}

export interface ReturnShown {
  readonly phase: "rollback";
  /** Where the legacy connector stopped and will resume. */
  readonly takeover: TakeoverShown | undefined;
  readonly redo: RedoExamination | undefined;
  /** Topics of the new connector that are deleted: on request only. */
  readonly topics: readonly string[];
  /** Topics below its prefix that are kept; undefined while unknown. */
  readonly kept: readonly string[] | undefined;
}

export interface RetirementShown {
  readonly phase: "retire";
  /** What is deleted besides the connector, and why each is the legacy connector's; undefined while unknown. */
  readonly topics: readonly { readonly topic: string; readonly what: string }[] | undefined;
  /** The legacy connector's licence topic, if it is kept. */
  readonly licenceTopic: string | undefined;
  readonly evidence: { readonly file: string; readonly digest: string } | undefined;
}
