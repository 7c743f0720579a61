import type { TaskStatus } from "../../schemas/generated/facts.ts";
import type { Finding } from "../checks/finding.ts";
import type { ChangeKind, OffsetChangeIntent, OpsFormat, ResnapshotIntent } from "../document/intent.ts";
import type { Move } from "../facts/offset/move.ts";
import type { Gap, UnlistedTable } from "../facts/redo/gap.ts";
import type { RedoExamination } from "../facts/redo/redo.ts";
import type { TornTransaction } from "../facts/transactions.ts";
import type { OffsetChangeDecided } from "../kinds/offset-change/reading.ts";
import type { ResnapshotDecided } from "../kinds/resnapshot/reading.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Digest } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import type { JsonObject } from "../values/json.ts";
import { lineOf } from "../values/remedy.ts";
import type { Scn } from "../values/scn.ts";
import type { MigrationPlans } from "./migration-plan.ts";
import type { PlannedStep } from "./steps.ts";

/**
 * What one document asks for, as planned now: the change, what it costs, what was found, the steps. A plain value
 * without functions, clients or secrets; the same intent and facts give the same bytes.
 */
export type Plan = Plans[ChangeKind];

/** The plan of each kind of change. */
export interface Plans extends MigrationPlans {
  readonly OffsetChange: OffsetChangePlan;
  readonly Resnapshot: ResnapshotPlan;
}

/** A change of one connector, its stored offset among it. */
export type ConnectorPlan = OffsetChangePlan | ResnapshotPlan;

/** The input of the decision digest: what a reviewer decides on, and what does not move while the connectors run. */
export type Decided = Plan["decided"];

/** What every plan has. */
export interface PlanBase {
  readonly plannedAt: Instant;
  readonly outcome: PlanOutcome;
  readonly world: PlanWorld;
  readonly findings: readonly Finding[];
  /** The position and the redo as one picture. Of a migration, where it moves; plans of earlier versions have none. */
  readonly timeline?: Timeline;
  /** No two of one name: a run knows by the name how far it is. */
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
  /** From the target to now; for a resnapshot from the stored position. Undefined if it could not be inspected. */
  readonly redo: RedoExamination | undefined;
  readonly torn: readonly TornTransaction[];
}

export interface OffsetChangePlan extends OneConnectorPlan {
  readonly intent: OffsetChangeIntent;
  readonly decided: OffsetChangeDecided;
  readonly snapshot?: undefined;
}

export interface ResnapshotPlan extends OneConnectorPlan {
  readonly intent: ResnapshotIntent;
  readonly snapshot: SnapshotShown;
  readonly decided: ResnapshotDecided;
}

export type PlanOutcome =
  | { readonly state: "ready" }
  /** At least one finding blocks. */
  | { readonly state: "blocked" }
  /** There is nothing to do: the offset is as requested, or this decision was already applied. */
  | {
      readonly state: "no-op";
      readonly why: string;
      /**
       * Decision of the connector's latest change, if the ops topic records it: an expected decision equal to it is
       * already applied.
       */
      readonly applied?: string;
    };

export interface PlanWorld {
  readonly connectUrl: string;
  readonly connectVersion: string;
  readonly clusterId: string;
  readonly database: {
    readonly name: string;
    readonly version: string;
    readonly address: string;
    readonly dbid: bigint;
    readonly resetlogsScn: Scn;
    readonly currentScn: Scn;
    /** The database server's zone, such as `+01:00`. */
    readonly zone: string;
  };
  readonly opsTopic: string;
  readonly opsFormat: OpsFormat | undefined;
  /** `cdc.topic.prefix`: `server` of the ops events. */
  readonly prefix: string;
}

export interface SnapshotShown {
  readonly signalsTopic: string;
  /** As the signal names them: the dictionary's names. */
  readonly tables: readonly string[];
  /** How many tables the connector captures; undefined while unknown. */
  readonly captured: bigint | undefined;
  /** Undefined while the redo from the stored position is complete or unknown: then the offset does not change. */
  readonly gap: Gap | undefined;
  /** Captured tables that are not snapshotted again, and lose what happened in the gap. */
  readonly unlisted: readonly UnlistedTable[];
}

export interface ConnectorShown {
  readonly name: string;
  readonly connectorClass: string | undefined;
  readonly state: string;
  readonly worker: string;
  readonly tasks: readonly Pick<TaskStatus, "id" | "state" | "worker">[];
  /** The connector's own code for why it, or a task of it, has FAILED: `CDC-2002`. Omitted if the trace names none. */
  readonly failedWith?: string;
}

export interface OffsetShown {
  /** As it is written back. */
  readonly partition: JsonObject;
  /** Null when none is stored. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
  /** The decoded fields side by side, in the order of the specification. */
  readonly rows: readonly DiffRow[];
}

export interface DiffRow {
  readonly field: string;
  readonly before: Shown | undefined;
  readonly after: Shown | undefined;
  readonly change: "unchanged" | "changed" | "added" | "removed";
}

/** A value as text, with the time of an SCN where it is known. */
export interface Shown {
  readonly text: string;
  readonly at?: Instant;
}

export type Cost =
  | {
      readonly kind: "mined again";
      readonly archivedLogs: bigint;
      readonly bytes: bigint;
      /** Between the two SCNs; undefined if Oracle no longer knows the times. */
      readonly millis: bigint | undefined;
      /** Deliveries up to here are recognised by the stored last commit. */
      readonly recognisedUpTo: Scn | undefined;
    }
  | {
      readonly kind: "skipped";
      readonly millis: bigint | undefined;
      /** Set if no commit is lost: each one below it is acknowledged, or left out by the first-start cut anyway. */
      readonly deliveredUpTo?: Scn;
    }
  | { readonly kind: "none" };

/** A plan as stored in documents: each remedy on one line. */
export function asWritten(plan: Plan): Plan {
  const findings = plan.findings.map((one) => ({ ...one, remedies: one.remedies.map(lineOf) }));
  return { ...plan, findings };
}
