import type { OpenWorldOf } from "../../core/change/current-state.ts";
import { latestOfEach, runNamed, type StoredRun, type StoredRuns, storedRuns } from "../../core/change/stored-runs.ts";
import { isShown, Refusal, UsageError } from "../../core/errors.ts";
import { MAX_RESOLVED_PLAN_BYTES, parseResolvedPlan } from "../../core/plan/resolved-plan.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { needsRepair, type RunAfter, runsAfter } from "../../core/run/after.ts";
import { changedAnything, offsetStands, rollbackOf } from "../../core/run/change.ts";
import { controlOf } from "../../core/run/subject.ts";
import { parseDuration } from "../../core/values/duration.ts";
import { epochMillis, parseInstant } from "../../core/values/instant.ts";
import { nearest, orMeant } from "../../core/values/nearest.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { historyOptions, showOptions, statusOptions } from "../options/reports.ts";
import { writeLine } from "../screen.ts";
import { foundElsewhere } from "../views/connectors.ts";
import type { PositionView } from "../views/position.ts";
import type { Rendered } from "../views/rendered.ts";
import {
  historyReport as historyReportOf,
  type RunsView,
  runReport,
  statusReport as statusReportOf,
} from "../views/run.ts";
import { runDocument, runListDocument } from "../views/run-json.ts";
import { type RunView, readRun } from "../views/run-timeline.ts";
import { systemClock } from "./clock.ts";
import { readText } from "./files.ts";
import type { WorldFlags } from "./open-world.ts";
import { demandOwnState, namesWorkers, type Opened, openings, openState, ownPlaceOf } from "./places.ts";
import { planReport } from "./plan-report.ts";
import { inForm, type Reported, reported } from "./report-forms.ts";
import type { Refresh } from "./watching.ts";

export const RUN_ID = /^\d{4}-\d{2}-\d{2}T[\dA-Za-z-]*$/;

type ShowFlags = Flags<typeof showOptions>;
type HistoryFlags = Flags<typeof historyOptions>;
type StatusFlags = Flags<typeof statusOptions>;

/** Shows a saved plan or a run in the same views, offline. */
export async function showPlanOrRun(name: string, flags: ShowFlags, host: Host): Promise<Rendered> {
  if (RUN_ID.test(name)) {
    const { verifiedRun } = await import("./approvals/approving.ts");
    const run = await verifiedRun(await runOf(name, flags, host), flags, host);
    return inForm(flags.format, reported(runReport, runDocument, run), host);
  }
  const plan = parseResolvedPlan(await readText(name, MAX_RESOLVED_PLAN_BYTES), name);
  return planReport(plan.plans, { format: flags.format, files: [], out: name }, host);
}

/** A run of this machine, as views show it. @throws UsageError for an unknown one, and for one that has not begun */
export async function runOf(id: string, flags: Pick<ShowFlags, "state">, host: Host): Promise<RunView> {
  const store = openState(flags, host);
  const stored = await storedRuns(store);
  const { key } = runNamed(stored, id, store.place);
  const run = summaries(stored.runs).find((one) => one.key === key);
  if (run === undefined) throw new UsageError(`run ${id} has not begun`);
  return run;
}

/** The latest run of each connector, with its exit code; with `--position` each connector's position. */
export async function statusReport(flags: StatusFlags, host: Host): Promise<Refresh> {
  const isWatched = flags["fail-on"] !== undefined || flags["metrics-file"] !== undefined;
  const watch = isWatched ? await (await import("./watching/between-changes.ts")).watchFor(flags) : undefined;
  const stored = await runsOf(flags, host);
  const runs = summaries(stored.runs);
  const latest = latestChanges(runs);
  const asked: RunView[] = [];
  for (const run of flags.check || flags.position ? latest : []) if (await isOwn(run, flags, host)) asked.push(run);
  const open = runs.filter((run) => run.state.ended === undefined && !latest.includes(run));
  const listed = [...open, ...latest];
  const { currentState } = await import("../../core/change/current-state.ts");
  const { changesElsewhere } = await import("./elsewhere.ts");
  await using opened = openings(host);
  const worldOf: OpenWorldOf = (run) => opened.world(ownPlaceOf(run, flags));
  const seen = new Map(
    flags.check
      ? await Promise.all(asked.map(async (run) => [run.key.run, await currentState(run, worldOf)] as const))
      : [],
  );
  const looked = flags.check ? changesElsewhere(stored, asked, flags, opened) : undefined;
  const conditions = await watch?.carryOut({ stored, latest: asked, seen, opened, looked });
  const elsewhere = await looked;
  const positions: PositionView[] = [];
  for (const run of flags.position ? asked : []) positions.push(await positionOf(run, flags, opened));
  const store = openState(flags, host);
  const shown = await Promise.all(
    listed.map(async (run) => {
      const { change: now, connector } = seen.get(run.key.run) ?? {};
      const holder = run.state.ended === undefined ? await store.holder(run.key) : undefined;
      // A process that took the lock after the run's last entry has not continued it, and will be refused.
      const held = holder !== undefined && epochMillis(holder.at) <= epochMillis(run.lastAt) ? holder : undefined;
      return { ...run, now, connector, held };
    }),
  );
  const isUnsettled =
    listed.some(({ state }) => state.ended === undefined) ||
    [...seen.values()].some(({ change }) => needsRepair(change)) ||
    foundElsewhere(elsewhere ?? []).length > 0 ||
    stored.unreadable.runs.length > 0 ||
    stored.unreadable.folders.length > 0;
  const isMisplaced = positions.some((position) => "misplaced" in position && position.misplaced !== undefined);
  const found = isUnsettled ? EXIT.unfinished : isMisplaced ? EXIT.refused : EXIT.done;
  return {
    text: inForm(flags.format, listOf(statusReportOf, stored, { shown, positions, elsewhere, conditions }), host),
    exit: conditions?.reduce((worst, { exit }) => Math.max(worst, exit), 0) ?? found,
  };
}

/** Whether nobody else may have written where a run's workers are: a journal that others can write is only shown. */
async function isOwn({ key }: RunView, flags: StatusFlags, host: Host): Promise<boolean> {
  try {
    await demandOwnState(openState(flags, host), key, host);
    return true;
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    writeLine(host.stderr, `${key.connector} is shown by its journal alone: ${failure.message} (${failure.code})`);
    return false;
  }
}

/** The latest change of each connector, or its latest run: a later stop or start must not hide the change's status. */
function latestChanges(runs: readonly RunView[]): readonly RunView[] {
  const isChange = ({ state }: RunView) => controlOf(state.started.subject) === undefined;
  const inTurn = [...runs.filter((run) => !isChange(run)), ...runs.filter(isChange)];
  return latestOfEach(inTurn);
}

/**
 * Reads the position in the place where the run was made. An error concerns only this connector: the others are still
 * shown.
 */
async function positionOf(run: RunView, flags: StatusFlags, opened: Opened): Promise<PositionView> {
  const { connector } = run.key;
  try {
    const { inspectPosition } = await import("../../core/kinds/connector/inspect-position.ts");
    const world = await opened.world(ownPlaceOf(run, flags));
    const { timeline, misplaced } = await inspectPosition(connector, world, world.settingsOf);
    return { connector, timeline, ...(misplaced === undefined ? {} : { misplaced }) };
  } catch (error) {
    if (!isShown(error)) throw error;
    return { connector, unknown: error.message };
  }
}

export async function historyReport(flags: HistoryFlags, host: Host): Promise<Refresh> {
  const since = flags.since === undefined ? undefined : sinceOf(flags.since, systemClock);
  if (flags.ops) return (await import("./watching/between-changes.ts")).opsHistory(flags, since, host);
  const stored = await runsOf(flags, host);
  const shown = summaries(stored.runs).filter(
    ({ ticket, state }) =>
      (flags.ticket === undefined || ticket === flags.ticket) &&
      (since === undefined || epochMillis(state.started.at) >= since),
  );
  return { text: inForm(flags.format, listOf(historyReportOf, stored, { shown }), host), exit: EXIT.done };
}

/** @returns milliseconds since the epoch. @throws UsageError for what is neither a time nor a duration */
function sinceOf(text: string, clock: Clock): number {
  const ago = parseDuration(text);
  if (ago !== undefined) return epochMillis(clock.now()) - ago;
  const at = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (at === undefined)
    throw new UsageError(
      `--since ${text} is neither a time nor a duration`,
      "Write it as 2026-11-21T09:00:00Z, 2026-11-21, or 7d for the last seven days.",
    );
  return epochMillis(at);
}

/** @throws UsageError for a connector without a run here, naming the closest match, unless workers are named */
async function runsOf(flags: Pick<HistoryFlags, "state" | "connector"> & WorldFlags, host: Host): Promise<StoredRuns> {
  const { connector } = flags;
  const store = openState(flags, host);
  if (connector === undefined) return storedRuns(store);
  const stored = await storedRuns(store, { connector });
  const { runs, unreadable } = stored;
  if (runs.length > 0 || unreadable.runs.length > 0 || unreadable.folders.length > 0 || namesWorkers(flags))
    return stored;
  const known = [...new Set((await store.list()).map((key) => key.connector))];
  throw new UsageError(
    `no run of ${connector} in ${store.place}${orMeant(nearest(connector, known))}`,
    known.length === 0 ? "No run was made here yet." : `There are runs of ${known.slice(0, MOST_NAMES).join(", ")}.`,
  );
}

const MOST_NAMES = 10;

function listOf(report: typeof statusReportOf, stored: StoredRuns, shown: Omit<RunsView, "unreadable">): Reported {
  const of = { ...shown, unreadable: stored.unreadable };
  return reported(report, runListDocument, of);
}

/** Runs as views show them, each with the run that ended it. @param runs all of them, oldest first */
function summaries(runs: readonly StoredRun[]): readonly RunView[] {
  const after = runsAfter(runs.map(({ state }) => state));
  const overtaken = overtakenRuns(runs, after);
  return runs.flatMap((stored) => {
    const run = readRun(stored);
    if (run === undefined) return [];
    const ended = after.get(stored.key.run);
    return { ...run, overtaken: overtaken.has(stored.key.run), ...(ended === undefined ? {} : { after: ended }) };
  });
}

/**
 * Ids of runs overtaken by a later run of the connector that changed the starting point of a next command: its stored
 * offset or, after a stop or a start, anything.
 */
function overtakenRuns(runs: readonly StoredRun[], after: ReadonlyMap<string, RunAfter>): ReadonlySet<string> {
  const overtaken = new Set<string>();
  const changed = new Set<string>();
  const touched = new Set<string>();
  for (const { key, state } of runs.toReversed()) {
    const connector = `${key.clusterId} ${key.connector}`;
    const isControl = controlOf(state.started.subject) !== undefined;
    if ((isControl ? touched : changed).has(connector)) overtaken.add(key.run);
    if (changedAnything(state)) touched.add(connector);
    if (offsetStands(state) && !after.has(key.run) && rollbackOf(state) === undefined) changed.add(connector);
  }
  return overtaken;
}
