import { describeStep } from "../../core/plan/steps.ts";
import { type RunState, runStatus } from "../../core/run/state.ts";
import { kindOfRun } from "../../core/run/subject.ts";
import { viewOf } from "./kinds/catalogue.ts";
import type { PositionShown } from "./position.ts";
import { changes, millisOf, nextFor, type RunShown, standing } from "./run-timeline.ts";
import type { UnreadableDocument } from "./unreadable.ts";

/** Rises when a member changes its meaning or goes. */
const FORMAT = 1n;

/** A run for a pipeline (`schemas/run.schema.json`). Printed with `printJson`. */
export function runDocument(run: RunShown) {
  const { state, steps, recoveries } = run;
  const { started, ended, body, lastProblem, signal } = state;
  return {
    apiVersion: "cdcctl/v1",
    kind: "Run",
    formatVersion: FORMAT,
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
    ...fixedOrFound(state),
    ...(viewOf(kindOfRun(started.subject)).toldByCalls
      ? { calls: [...state.calls].map(([call, came]) => ({ call, state: came })) }
      : {}),
    recoveries,
    plan: started.plan,
  };
}

/** What a phase of a migration has fixed or found. */
function fixedOrFound({ takeover, returning, verified }: RunState) {
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
  };
}

/** @param positions of `status --position` */
export function runListDocument(
  runs: readonly RunShown[],
  positions: readonly PositionShown[] = [],
  unreadable: readonly UnreadableDocument[] = [],
) {
  return {
    apiVersion: "cdcctl/v1",
    kind: "RunList",
    formatVersion: FORMAT,
    runs: runs.map(summary),
    ...(positions.length === 0 ? {} : { positions }),
    ...(unreadable.length === 0 ? {} : { unreadable }),
  };
}

/** One run in a list. */
function summary(run: RunShown) {
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
    ...(run.name === undefined ? {} : { name: run.name }),
    ...(run.ticket === undefined ? {} : { ticket: run.ticket }),
    subject: state.started.subject,
    ...(run.held === undefined ? {} : { held: { ...run.held, pid: BigInt(run.held.pid) } }),
    next: nextFor(run),
    ...(run.after === undefined ? {} : { after: run.after }),
    ...(run.now === undefined ? {} : { now: run.now }),
  };
}
