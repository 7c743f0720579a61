import type { Plan } from "../../core/plan/plan.ts";
import { describeStep, type StepName } from "../../core/plan/steps.ts";
import type { RunOutcome } from "../../core/run/journal.ts";
import { type RunState, runStatus, type StepState } from "../../core/run/state.ts";
import type { RunSubject } from "../../core/run/subject.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { ChangeSeen } from "./change-since.ts";
import type { PositionShown } from "./position.ts";
import type { RunAfter } from "./run-after.ts";
import { changes, millisOf, nextFor, type RunShown, standing } from "./run-timeline.ts";
import type { UnreadableDocument } from "./unreadable.ts";

/** Rises when a member changes its meaning or goes. */
export const RUN_REPORT_FORMAT = 1n;

/** One run in a list. */
export interface RunSummary {
  readonly run: string;
  readonly clusterId: string;
  readonly connector: string;
  readonly status: RunOutcome | "in doubt" | "unfinished";
  readonly standing: string;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  readonly operator: string;
  readonly subject: RunSubject;
  readonly next: readonly string[];
  /** The run that has taken it back, or, of a cutover, has made it final. */
  readonly after?: RunAfter;
  /** Of `status`: what has become of its change since. */
  readonly now?: ChangeSeen;
}

/** A run for a pipeline (`schemas/run.schema.json`). Printed with `printJson`. */
export interface RunDocument extends RunSummary {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Run";
  readonly formatVersion: bigint;
  readonly cdcctl: string;
  readonly message?: string;
  readonly lastProblem?: string;
  readonly changes: readonly string[];
  /** Id of the signal that was written, or may have been. */
  readonly signal?: string;
  readonly steps: readonly StepDocument[];
  readonly offset?: {
    readonly partition: JsonObject;
    readonly previous: JsonObject | null;
    readonly planned: JsonObject | null;
  };
  /** Of a cutover: where it starts, fixed when the legacy connector had stopped. */
  readonly takeover?: Omit<NonNullable<RunState["takeover"]>, "type">;
  /** Of a rollback to the legacy connector: what it found. */
  readonly returning?: Omit<NonNullable<RunState["returning"]>, "type">;
  /** Of a verification: what it came to. */
  readonly verified?: Omit<NonNullable<RunState["verified"]>, "type">;
  /** Of a migration: the calls that create or delete; `sent`: no definite answer has come. */
  readonly calls?: readonly { readonly call: string; readonly state: "sent" | "applied" }[];
  readonly recoveries: readonly { readonly at: Instant; readonly operator: string }[];
  /** Null for a run that was taken over from the ops topic. */
  readonly plan: Plan | null;
}

export interface StepDocument {
  readonly step: StepName;
  readonly description: string;
  readonly state: StepState;
  readonly startedAt?: Instant;
  readonly endedAt?: Instant;
  readonly millis?: number;
  readonly note?: string;
}

export interface RunListDocument {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "RunList";
  readonly formatVersion: bigint;
  readonly runs: readonly RunSummary[];
  /** Left out where it was not looked. */
  readonly positions?: readonly PositionShown[];
  /** What of the local state can't be read: these runs are in doubt. Left out where there is nothing. */
  readonly unreadable?: readonly UnreadableDocument[];
}

export function runDocument(run: RunShown): RunDocument {
  const { state, steps, recoveries } = run;
  const { started, ended, body, lastProblem, signal } = state;
  return {
    apiVersion: "cdcctl/v1",
    kind: "Run",
    formatVersion: RUN_REPORT_FORMAT,
    ...summary(run),
    cdcctl: started.cdcctl,
    ...(ended === undefined ? {} : { message: ended.message }),
    ...(lastProblem === undefined ? {} : { lastProblem }),
    changes: changes(run),
    ...(signal === undefined || state.steps.get("write-signal") === "failed" ? {} : { signal: signal.id }),
    steps: steps.map((step) => {
      const { planned, startedAt, endedAt, note } = step;
      const millis = millisOf(step);
      return {
        step: planned.step,
        description: describeStep(planned),
        state: step.state,
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(endedAt === undefined ? {} : { endedAt }),
        ...(millis === undefined ? {} : { millis }),
        ...(note === undefined ? {} : { note }),
      };
    }),
    ...(body === undefined
      ? {}
      : { offset: { partition: body.entry.partition, previous: body.previous, planned: body.entry.offset } }),
    ...migrationMembers(state),
    recoveries,
    plan: started.plan,
  };
}

function migrationMembers({
  started,
  takeover,
  returning,
  verified,
  calls,
}: RunState): Pick<RunDocument, "takeover" | "returning" | "verified" | "calls"> {
  if (started.subject.command !== "migrate") return {};
  return {
    ...(takeover === undefined
      ? {}
      : {
          takeover: {
            startScn: takeover.startScn,
            lastDelivered: takeover.lastDelivered,
            offsets: takeover.offsets,
            configuration: takeover.configuration,
          },
        }),
    ...(returning === undefined ? {} : { returning: { offsets: returning.offsets, removed: returning.removed } }),
    ...(verified === undefined
      ? {}
      : { verified: { passed: verified.passed, tables: verified.tables, evidence: verified.evidence } }),
    calls: [...calls].map(([call, state]) => ({ call, state })),
  };
}

/** @param positions of `status --position` */
export function runListDocument(
  runs: readonly RunShown[],
  positions: readonly PositionShown[] = [],
  unreadable: readonly UnreadableDocument[] = [],
): RunListDocument {
  return {
    apiVersion: "cdcctl/v1",
    kind: "RunList",
    formatVersion: RUN_REPORT_FORMAT,
    runs: runs.map(summary),
    ...(positions.length === 0 ? {} : { positions }),
    ...(unreadable.length === 0 ? {} : { unreadable }),
  };
}

function summary(run: RunShown): RunSummary {
  const { key, state } = run;
  return {
    run: key.run,
    clusterId: key.clusterId,
    connector: key.connector,
    status: runStatus(state),
    standing: standing(run),
    startedAt: state.started.at,
    ...(state.ended === undefined ? {} : { endedAt: state.ended.at }),
    operator: state.started.operator,
    subject: state.started.subject,
    next: nextFor(run),
    ...(run.after === undefined ? {} : { after: run.after }),
    ...(run.now === undefined ? {} : { now: run.now }),
  };
}
