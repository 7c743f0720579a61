import type { UnreadableState } from "../../core/change/stored-runs.ts";
import type { Intent } from "../../core/document/intent.ts";
import type { ExpectedError } from "../../core/errors.ts";
import { asWritten, type Plan } from "../../core/plan/plan.ts";
import { describeStep } from "../../core/plan/steps.ts";
import type { RunKey } from "../../core/ports/state.ts";
import type { JournalEntry, JournalEvent } from "../../core/run/journal.ts";
import { runStatus } from "../../core/run/state.ts";
import { kindOfRun } from "../../core/run/subject.ts";
import { elsewhereDocuments } from "./connectors.ts";
import { errorDocument } from "./error-text.ts";
import { documentOf, unlessEmpty } from "./json-text.ts";
import type { RunsView } from "./run.ts";
import { viewOf } from "./run-kinds.ts";
import { changes, millisOf, nextFor, type RunView, readRun, statusSentence } from "./run-timeline.ts";
import { unreadableDocuments } from "./unreadable.ts";

/** A run for a pipeline (`schemas/run.schema.json`). Printed with `printJson`. */
export function runDocument(run: RunView) {
  const { state, steps, recoveries } = run;
  const { started, ended, body, lastProblem, signal, takeover, returning, verified } = state;
  return {
    ...documentOf("Run", 2n),
    ...summary(run),
    cdcctl: started.cdcctl,
    message: ended?.message,
    lastProblem,
    changes: changes(run),
    signal: state.steps.get("write-signal") === "failed" ? undefined : signal?.id,
    steps: steps.map((step) => ({
      step: step.planned.step,
      description: describeStep(step.planned),
      state: step.state,
      startedAt: step.startedAt,
      endedAt: step.endedAt,
      millis: millisOf(step),
      note: step.note,
    })),
    offset: body && { partition: body.entry.partition, previous: body.previous, planned: body.entry.offset },
    takeover: takeover && contentOf(takeover),
    returning: returning && contentOf(returning),
    verified: verified && contentOf(verified),
    calls: viewOf(kindOfRun(started.subject)).reportedByCalls
      ? [...state.calls].map(([call, outcome]) => ({ call, state: outcome }))
      : undefined,
    recoveries,
    plan: started.plan,
  };
}

/** What an entry of the journal says, without its place there. */
function contentOf(entry: JournalEvent) {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !["type", "seq", "at"].includes(name)));
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
export function changeDocument(outcomes: readonly IntentOutcome[], unreadable: UnreadableState) {
  const [only, ...more] = outcomes;
  if (only === undefined) return runListDocument({ unreadable });
  const run = runOf(only);
  if (more.length === 0 && run !== undefined) return run;
  if (more.length === 0 && only.intent === undefined && only.error !== undefined) return errorDocument(only.error);
  return {
    ...documentOf("ApplyReport", 2n),
    documents: outcomes.map((one) => ({
      file: one.intent?.origin.file,
      name: one.intent?.metadata.name,
      connector: one.intent?.target.connector,
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
  const planned = plan && asWritten(plan);
  if (nothing !== undefined) return { became: "nothing to do", message: nothing, plan: planned };
  if (plan?.outcome.state === "no-op") return { became: "nothing to do", message: plan.outcome.why, plan: planned };
  return { became: plan?.outcome.state === "blocked" ? "blocked" : "not reached", plan: planned };
}

function runOf({ run }: IntentOutcome) {
  const shown = run === undefined ? undefined : readRun(run);
  return shown === undefined ? undefined : runDocument(shown);
}

/** Runs, with what `status` looked for besides. */
export function runListDocument({ shown = [], positions, unreadable, elsewhere, conditions }: Partial<RunsView>) {
  return {
    ...documentOf("RunList"),
    runs: shown.map(summary),
    elsewhere: elsewhere && elsewhereDocuments(elsewhere),
    stopped: elsewhere?.flatMap(({ stopped }) => stopped ?? []),
    conditions: conditions?.map(({ condition, verdict, seen }) => ({ condition, verdict, seen })),
    positions: unlessEmpty(positions ?? []),
    unreadable: unlessEmpty(unreadable === undefined ? [] : unreadableDocuments(unreadable)),
  };
}

function summary(run: RunView) {
  const { key, state } = run;
  return {
    run: key.run,
    clusterId: key.clusterId,
    connector: key.connector,
    status: runStatus(state),
    statusText: statusSentence(run),
    startedAt: state.started.at,
    endedAt: state.ended?.at,
    operator: state.started.operator,
    approvals: state.started.approvals,
    name: run.name,
    ticket: run.ticket,
    subject: state.started.subject,
    held: run.held && { ...run.held, pid: BigInt(run.held.pid) },
    next: nextFor(run),
    after: run.after,
    now: run.now,
    connectorNow: run.connector,
  };
}
