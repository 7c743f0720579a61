import type { UnreadableState } from "../../core/change/stored-runs.ts";
import { hasFailed, isRunning } from "../../core/facts/connector/connector.ts";
import { operatorText } from "../../core/facts/ops/ops-event.ts";
import { diffRows } from "../../core/plan/diff.ts";
import { describeStep } from "../../core/plan/steps.ts";
import { type ChangeSeen, needsRepair, type RunAfter } from "../../core/run/after.ts";
import { runStatus, type StepState } from "../../core/run/state.ts";
import { controlOf, kindOfRun, offsetSubject, type RunSubject } from "../../core/run/subject.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { shellWord, workersFlag } from "../../core/values/shell-word.ts";
import type { Judged } from "../../core/watching/conditions.ts";
import { type Elsewhere, elsewhereNext, elsewhereNotices, foundElsewhere } from "./connectors.ts";
import { showInstant, showMillis, shownStop, statusOf, trunc } from "./layout.ts";
import { offsetTable } from "./offset.ts";
import { type PositionView, positionSection } from "./position.ts";
import {
  type Cell,
  type ColumnOf,
  fields,
  figure,
  type Mark,
  type Notice,
  notice,
  type Outcome,
  RANK,
  type Report,
  type Section,
  type Step,
  section,
  type Table,
  tableOf,
} from "./report/model.ts";
import { toneOf } from "./report/terminal.ts";
import { viewOf } from "./run-kinds.ts";
import {
  changes,
  millisOf,
  nextFor,
  type RunView,
  recordSections,
  type StepTaken,
  snapshotSentence,
  startAgain,
  statusSentence,
} from "./run-timeline.ts";
import { unreadableSections } from "./unreadable.ts";
import { conditionsSection, stopNext, stopNotices } from "./watching/reports.ts";

const STATES: { readonly [state in StepState]: readonly [word: string, mark: Mark | undefined] } = {
  pending: ["not begun", undefined],
  started: ["begun", "begun"],
  done: ["done", "good"],
  failed: ["failed", "bad"],
  unclear: ["not known", "unknown"],
};

/** The report of a run: its aim, the result and time of each step, what was changed, its status, the next command. */
export function runReport(run: RunView): Report {
  const { key, state } = run;
  const { plan, subject } = state.started;
  const records = viewOf(kindOfRun(subject)).records?.(subject, state) ?? [];
  return {
    heading: { title: `run ${key.run}`, outcome: outcomeOf(run) },
    lead: about(run),
    sections: [
      ...offsets(run),
      ...section(RANK.outcome, fields(records), { title: "Results", terminal: "no title" }),
      ...section(RANK.refusals, [{ is: "steps", rows: run.steps.map(stepOf) }], {
        title: "Steps",
        terminal: "no title",
      }),
      ...section(RANK.figure, figure(plan?.timeline), {
        title: "The position when it was planned",
        only: "page",
      }),
      ...recordSections(run),
      ...section(RANK.outcome, ending(run), { title: "Outcome", terminal: "no title", flush: true }),
    ],
    next: nextFor(run),
  };
}

/** The aim of a run in a few words. */
function aim(subject: RunSubject): string {
  return viewOf(kindOfRun(subject)).aim(subject);
}

function about(run: RunView): readonly Notice[] {
  const { key, state } = run;
  const { subject, operator, cdcctl, at: startedAt } = state.started;
  const change = offsetSubject(subject);
  const ordered = subject.by === "ops topic" ? "taken over from the ops topic" : `by ${operatorText(operator)}`;
  const control = controlOf(subject);
  return [
    notice(
      control === undefined
        ? `${subject.command} for ${trunc(subject.connector)}: ${aim(subject)}${change?.resume ? ", and resume" : ""}`
        : `connectors ${aim(subject)} of ${trunc(subject.connector)}`,
    ),
    ...(change?.snapshot === undefined ? [] : [notice(snapshotSentence(change.snapshot))]),
    ...(subject.reason === "" ? [] : [notice(trunc(subject.reason, 600))]),
    notice(`begun ${showInstant(startedAt)} ${ordered}, cdcctl ${cdcctl}, Kafka cluster ${key.clusterId}`),
    ...run.approved.map((line) => notice(`approved by ${trunc(line, 2000)}`)),
    ...(control === undefined ? [notice(["decision ", { code: subject.decision }])] : []),
    ...(run.name === undefined ? [] : [notice(`plan ${trunc(run.name, 200)}${ticket(run)}`)]),
  ];
}

function ticket({ ticket: of }: RunView): string {
  return of === undefined ? "" : `, ticket ${trunc(of, 200)}`;
}

function offsets({ state: { body } }: RunView): readonly Section[] {
  if (body === undefined) return [];
  const table = offsetTable(diffRows(body.previous, body.entry.offset, []));
  return section(RANK.subject, [table], { title: "The stored offset", terminal: "no title" });
}

function stepOf(step: StepTaken): Step {
  const [word, mark] = STATES[step.state];
  const millis = millisOf(step);
  return {
    text: describeStep(step.planned),
    taken: {
      state: word,
      mark,
      begun: step.startedAt === undefined ? undefined : showInstant(step.startedAt),
      took: millis === undefined || millis < 100 ? undefined : showMillis(millis),
      note: step.note,
    },
  };
}

function ending(run: RunView): readonly Notice[] {
  const { ended, lastProblem } = run.state;
  const seen = changes(run);
  const how = ended === undefined ? "" : ` ${showInstant(ended.at)}: ${trunc(ended.message, 2000)}`;
  return [
    ...run.recoveries
      .slice(-5)
      .map(({ at, operator }) => notice(`resumed ${showInstant(at)} by ${operatorText(operator)}`)),
    notice(`${statusSentence(run)}${how}`, toneOf(outcomeOf(run).mark)),
    ...(ended === undefined && lastProblem !== undefined ? [notice(trunc(lastProblem, 2000))] : []),
    notice(seen.length === 0 ? "nothing was changed" : seen.join("; ")),
    ...(run.after === undefined ? [] : [notice(`${sentenceAfter(run.after)} (${showInstant(run.after.at)})`)]),
  ];
}

function outcomeOf(run: RunView): Outcome {
  const { ended } = run.state;
  return {
    word: statusSentence(run),
    mark: ended === undefined ? "begun" : ended.outcome === "succeeded" ? "good" : "bad",
  };
}

/** Runs of this machine, including unreadable ones. */
export interface RunsView {
  readonly shown: readonly RunView[];
  /** Shown first, because these runs are in doubt and their order is unknown. */
  readonly unreadable: UnreadableState;
  readonly positions?: readonly PositionView[];
  /** Set by `status`; undefined where nothing was looked up. */
  readonly elsewhere?: readonly Elsewhere[] | undefined;
  readonly conditions?: readonly Judged[] | undefined;
}

/** The report of `status`: one line per run, then the next command. */
export function statusReport(view: RunsView): Report {
  const { runs, folders } = view.unreadable;
  const nothing = view.shown.length === 0 && runs.length === 0 && folders.length === 0;
  const next = view.shown.flatMap((run) => {
    if (run.state.ended === undefined) return nextFor(run);
    // The next command depends on the connector's error.
    if (needsRepair(run.now)) return nextFor(run);
    return run.state.ended.outcome === "rejected" ? [`cdcctl show ${shellWord(run.key.run)}`] : startStopped(run);
  });
  const asked = view.shown.some(({ connector }) => connector !== undefined && connector.is !== "unknown");
  const stops = view.shown.flatMap(({ key, connector }) => {
    const stop = connector?.is === "seen" ? shownStop(connector.stoppedBy) : undefined;
    return stop === undefined ? [] : [{ ...stop, text: `${key.connector}: stopped by ${stop.text}` }];
  });
  const since = view.shown.flatMap(({ key, now }) => changeSince(key.connector, key.run, now) ?? []);
  const columns: readonly ColumnOf<RunView>[] = [
    ["Connector", ({ key }) => trunc(key.connector, 40)],
    ["Run", ({ key }) => `run ${key.run}`],
    ["Status", (run) => statusCell(run, statusSentence(run))],
    ...(asked ? [["Connector now", stateCell] as const] : []),
  ];
  return listReport("Runs of each connector", view, columns, {
    bare: true,
    next:
      nothing && view.elsewhere === undefined
        ? [`cdcctl connectors list ${workersFlag({})}     # includes runs on other machines`]
        : [
            ...next,
            ...elsewhereNext(view.elsewhere ?? []),
            ...stopNext(view.elsewhere),
            ...new Set(stops.map((stop) => stop.next)),
          ],
    since: [
      ...[...stops.map(({ text }) => text), ...since, ...statesNotKnown(view.shown)].map((one) =>
        notice(trunc(one, 2000), "caution"),
      ),
      ...elsewhereNotices(view.elsewhere),
      ...stopNotices(view.elsewhere),
    ],
  });
}

function stateCell({ connector }: RunView): Cell {
  switch (connector?.is) {
    case "seen":
      return {
        text: isRunning(connector.status) ? connector.status.state : statusOf(connector.status),
        tone: hasFailed(connector.status) ? "bad" : isRunning(connector.status) ? "good" : "caution",
      };
    case "missing":
      return { text: "connector does not exist", tone: "bad" };
    default:
      return "";
  }
}

/** One sentence for all runs; omitted if the change could not be read, which is reported already. */
function statesNotKnown(shown: readonly RunView[]): readonly string[] {
  const lost = shown.filter(({ connector, now }) => connector?.is === "unknown" && now === undefined);
  const [first] = lost;
  if (first?.connector?.is !== "unknown") return [];
  const names = [...new Set(lost.map(({ key }) => key.connector))].join(", ");
  return [`${names}: the state is unknown: ${first.connector.why}`];
}

/** The command that starts a connector that is STOPPED and has nothing to settle. */
function startStopped({ key, state, connector }: RunView): readonly string[] {
  const subject = offsetSubject(state.started.subject);
  if (subject === undefined || connector?.is !== "seen" || connector.status.state !== "STOPPED") return [];
  return startAgain({ ...subject, connector: key.connector });
}

/** The report of `history`: one line per run, in the given order. */
export function historyReport(of: RunsView): Report {
  const since = of.shown.length === 0 ? [] : [notice("Times are UTC. Operators are self-asserted (CDCCTL_OPERATOR).")];
  return listReport("Runs", of, HISTORY, { since });
}

/** A run's name holds its start time. The columns together fit a page. */
const HISTORY: readonly ColumnOf<RunView>[] = [
  ["Run", ({ key }) => key.run],
  ["Connector", ({ key }) => trunc(key.connector, 40), { wraps: true, most: 14 }],
  ["What", ({ state }) => aim(state.started.subject), { wraps: true, most: 19 }],
  [
    "Status",
    (run) => statusCell(run, `${runStatus(run.state)}${run.after === undefined ? "" : AFTER[run.after.phase]}`),
    { wraps: true, most: 12 },
  ],
  ["Operator", ({ state }) => trunc(state.started.operator, 60), { wraps: true, most: 10 }],
  ["Plan", planOf, { wraps: true, most: 16 }],
  ["Ticket", ({ ticket: of = "" }) => trunc(of, 60), { wraps: true, most: 12 }],
  [
    "Approved by",
    ({ approved }) => trunc(approved.map((who) => `approved by ${who}`).join("; "), 200),
    { below: true },
  ],
  ["Reason", ({ state }) => trunc(state.started.subject.reason, 100), { below: true }],
];

function planOf({ name = "", state: { started } }: RunView): string {
  const { by } = started.subject;
  return trunc(by === "plan file" ? name : by, 60);
}

const AFTER: { readonly [phase in RunAfter["phase"]]: string } = {
  rollback: ", rolled back",
  retire: ", made final",
};

function statusCell(run: RunView, text: string): Cell {
  return { text, tone: toneOf(outcomeOf(run).mark) };
}

/** The worst first. */
function outcomeOfRuns({ shown, unreadable, elsewhere = [] }: RunsView): Outcome {
  const unread = unreadable.runs.length + unreadable.folders.length;
  const open = shown.filter(({ state }) => state.ended === undefined).length;
  const repair = shown.filter(({ now }) => needsRepair(now)).length;
  if (unread > 0) return { word: `${showCount(unread)} unreadable`, mark: "bad" };
  if (open > 0) return { word: `${showCount(open)} not settled`, mark: "begun" };
  const others = foundElsewhere(elsewhere).length;
  if (others > 0) return { word: `${showCount(others)} in flight elsewhere`, mark: "begun" };
  if (repair > 0) return { word: `${counted(repair, "connector")} changed since the run`, mark: "caution" };
  return shown.length === 0
    ? { word: "no runs", mark: "nothing" }
    : { word: shown.length === 1 ? "settled" : "all settled", mark: "good" };
}

function listReport(
  title: string,
  view: RunsView,
  columns: readonly ColumnOf<RunView>[],
  {
    next = [],
    since = [],
    ...look
  }: Pick<Table, "bare"> & { readonly next?: readonly string[]; readonly since?: readonly Notice[] } = {},
): Report {
  const { shown, unreadable, positions = [], elsewhere = [] } = view;
  const lost = unreadableSections(unreadable);
  const table = tableOf("Times are UTC", shown, { what: "run", ...look }, columns);
  const nothing = lost.length === 0 && foundElsewhere(elsewhere).length === 0;
  const none = nothing ? [notice("no runs here")] : [];
  const parts = [...(shown.length === 0 ? none : [table]), ...since];
  return {
    heading: { title, terminal: "no title", outcome: outcomeOfRuns(view) },
    urgent: lost,
    sections: [
      ...section(RANK.outcome, parts, { flush: true }),
      ...conditionsSection(view.conditions),
      ...positions.flatMap(positionSection),
    ],
    next,
  };
}

/** The effect as a sentence. */
function sentenceAfter({ phase, run }: RunAfter): string {
  return phase === "rollback"
    ? `it was rolled back by run ${run}`
    : `the legacy connector was retired by run ${run}: it cannot be rolled back`;
}

/** A sentence about a successful change that is no longer as the run left it; undefined if it is. Not escaped. */
function changeSince(connector: string, run: string, now: ChangeSeen | undefined): string | undefined {
  switch (now?.is) {
    case undefined:
      return undefined;
    case "undone":
      return (
        `${connector}: a task that kept running after its stop committed again; ` + `the change of run ${run} is undone`
      );
    case "changed":
      return (
        `${connector}: the stored offset is no longer that of run ${run}; ` +
        (now.by ?? "another run, user or process changed it")
      );
    case "unknown":
      return `${connector}: cannot determine whether the change of run ${run} still stands: ${now.why}`;
    case "stands":
    case "ran on":
      return now.stoppedSince
        ? `${connector} is STOPPED, although run ${run} started it: an unanswered stop may have taken effect late`
        : undefined;
  }
}
