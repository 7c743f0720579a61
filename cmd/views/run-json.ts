import type { Intent } from "../../core/document/intent.ts";
import { asWritten, type Plan } from "../../core/plan/plan.ts";
import { describeStep } from "../../core/plan/steps.ts";
import type { RunKey } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runStatus } from "../../core/run/state.ts";
import { kindOfRun } from "../../core/run/subject.ts";
import { errorDocument } from "./error-json.ts";
import type { ExpectedError } from "./error-text.ts";
import { viewOf } from "./kinds/catalogue.ts";
import type { PositionView } from "./position.ts";
import { changes, millisOf, nextFor, type RunView, readRun, statusSentence } from "./run-timeline.ts";
import type { UnreadableDocument } from "./unreadable.ts";

/** Rises when a member changes its meaning or goes. */
const FORMAT = 1n;

/** A run for a pipeline (`schemas/run.schema.json`). Printed with `printJson`. */
export function runDocument(run: RunView) {
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
    ...(viewOf(kindOfRun(started.subject)).reportedByCalls
      ? { calls: [...state.calls].map(([call, outcome]) => ({ call, state: outcome })) }
      : {}),
    recoveries,
    plan: started.plan,
  };
}

/** The outcome of one document of a command; not reached if no member is set. */
export interface IntentOutcome {
  readonly intent?: Intent;
  readonly plan?: Plan;
  /** Entries of the run that was made for it. */
  readonly run?: { readonly key: RunKey; readonly entries: readonly JournalEntry[] };
  /** Why there was nothing to do. */
  readonly nothing?: string;
  readonly error?: ExpectedError;
}

/**
 * The result of a command that applies a change: the run if there is one; the error if there is nothing else; otherwise
 * the outcome of each document (`schemas/apply.schema.json`), or an empty list of runs.
 */
export function changeDocument(outcomes: readonly IntentOutcome[], unreadable: readonly UnreadableDocument[]) {
  const [only, ...more] = outcomes;
  if (only === undefined) return runListDocument([], [], unreadable);
  const run = runOf(only);
  if (more.length === 0 && run !== undefined) return run;
  if (more.length === 0 && only.intent === undefined && only.error !== undefined) return errorDocument(only.error);
  return {
    apiVersion: "cdcctl/v1",
    kind: "ApplyReport",
    formatVersion: FORMAT,
    documents: outcomes.map((one) => ({
      ...(one.intent === undefined
        ? {}
        : {
            ...(one.intent.origin.file === undefined ? {} : { file: one.intent.origin.file }),
            name: one.intent.metadata.name,
            connector: one.intent.target.connector,
          }),
      ...becameOf(one),
    })),
  };
}

function becameOf(one: IntentOutcome) {
  const { plan, nothing, error } = one;
  const run = runOf(one);
  if (run !== undefined) return { became: "run", run };
  if (error !== undefined)
    return { became: plan === undefined ? "not planned" : "refused", error: errorDocument(error) };
  const planned = plan === undefined ? {} : { plan: asWritten(plan) };
  if (nothing !== undefined) return { became: "nothing to do", message: nothing, ...planned };
  if (plan?.outcome.state === "no-op") return { became: "nothing to do", message: plan.outcome.why, ...planned };
  return { became: plan?.outcome.state === "blocked" ? "blocked" : "not reached", ...planned };
}

function runOf({ run }: IntentOutcome) {
  const shown = run === undefined ? undefined : readRun(run);
  return shown === undefined ? undefined : runDocument(shown);
}

/** The results of a migration phase. */
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
  runs: readonly RunView[],
  positions: readonly PositionView[] = [],
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
function summary(run: RunView) {
  const { key, state } = run;
  return {
    run: key.run,
    clusterId: key.clusterId,
    connector: key.connector,
    status: runStatus(state),
    standing: statusSentence(run),
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
    ...(run.connector === undefined ? {} : { connectorNow: run.connector }),
  };
}
