import { UsageError } from "../../core/errors.ts";
import { parseResolvedPlan } from "../../core/plan/resolved-plan.ts";
import { printJson } from "../../core/values/json.ts";
import { type Host, textOptions } from "../host.ts";
import { runDocument, runListDocument } from "../views/run-json.ts";
import { renderRunMarkdown } from "../views/run-markdown.ts";
import { renderHistoryText, renderRunText, renderStatusText } from "../views/run-text.ts";
import { type RunShown, readRun } from "../views/run-timeline.ts";
import { readText } from "./files.ts";
import { planReport } from "./plan-report.ts";
import { openState } from "./state-place.ts";
import { runNamed, type StoredRun, storedRuns } from "./stored-runs.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const RUN_ID = /^\d{4}-\d{2}-\d{2}T[\dA-Za-z-]*$/;

export interface ShowFlags {
  readonly format: string;
  readonly state: string | undefined;
  readonly connector?: string | undefined;
}

/** A saved plan or a run, in the same views. Nothing is asked of the world. */
export async function showPlanOrRun(name: string, flags: ShowFlags, host: Host): Promise<string> {
  if (RUN_ID.test(name)) {
    const store = openState(flags, host);
    const [run] = shown([runNamed(await storedRuns(store), name, store.place)]);
    if (run === undefined) throw new UsageError(`run ${name} has not begun`);
    return oneRun(run, flags.format, host);
  }
  const plan = parseResolvedPlan(await readText(name, MAX_BYTES), name);
  return planReport(plan.plans, { format: flags.format, files: [], out: name }, host);
}

/** The latest run of each connector, and whether one is not settled. */
export async function statusReport(
  flags: ShowFlags,
  host: Host,
): Promise<{ readonly text: string; readonly unsettled: boolean }> {
  const runs = shown(await storedRuns(openState(flags, host), flags.connector));
  const latest = [...new Map(runs.map((run) => [`${run.key.clusterId} ${run.key.connector}`, run])).values()];
  const open = runs.filter((run) => run.state.ended === undefined && !latest.includes(run));
  const listed = [...open, ...latest];
  return {
    text: listOf(listed, flags.format, host, renderStatusText),
    unsettled: listed.some(({ state }) => state.ended === undefined),
  };
}

export async function historyReport(flags: ShowFlags, host: Host): Promise<string> {
  return listOf(
    shown(await storedRuns(openState(flags, host), flags.connector)),
    flags.format,
    host,
    renderHistoryText,
  );
}

function oneRun(run: RunShown, format: string, host: Host): string {
  switch (format) {
    case "json":
      return `${printJson(runDocument(run))}\n`;
    case "markdown":
      return renderRunMarkdown(run);
    default:
      return renderRunText(run, textOptions(host.stdout));
  }
}

function listOf(runs: readonly RunShown[], format: string, host: Host, text: typeof renderStatusText): string {
  switch (format) {
    case "json":
      return `${printJson(runListDocument(runs))}\n`;
    case "markdown":
      return runs.map((run) => renderRunMarkdown(run)).join("\n");
    default:
      return text(runs, textOptions(host.stdout));
  }
}

function shown(runs: readonly StoredRun[]): readonly RunShown[] {
  return runs.flatMap((run) => readRun(run) ?? []);
}
