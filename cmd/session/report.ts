import { stat } from "node:fs/promises";
import { Refusal, UsageError } from "../../core/errors.ts";
import type { Misplaced } from "../../core/facts/offset/origin.ts";
import { lookAtPosition } from "../../core/kinds/connector/look-at-position.ts";
import { looksResolved, parseResolvedPlan } from "../../core/plan/resolved-plan.ts";
import { type Host, VERSION } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { reportOptions } from "../options/reports.ts";
import { sayLine } from "../screen.ts";
import { planReports } from "../views/plan.ts";
import { positionReport } from "../views/position.ts";
import type { Report } from "../views/report/model.ts";
import { renderHtml } from "../views/report/page.ts";
import { runReport } from "../views/run.ts";
import { readText } from "./files.ts";
import { openWorld } from "./open-world.ts";
import { openState } from "./places.ts";
import { planFiles } from "./planning.ts";
import { runsShown } from "./showing.ts";
import { runNamed, storedRuns } from "./stored-runs.ts";
import { reportUnplanned } from "./unplanned.ts";
import { DOCUMENTS, refuseOther, writeDocument } from "./write-file.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const RUN_ID = /^\d{4}-\d{2}-\d{2}T[\dA-Za-z-]*$/;

type ReportFlags = Flags<typeof reportOptions>;

/**
 * Writes a page of a run, of a plan, or of where a connector stands.
 *
 * @throws Refusal, once the page is written, for a connector whose stored offset has no place in the connected database
 * @param what a run's id; otherwise a file of that name, a resolved plan or a plan file; otherwise a connector
 */
export async function writeReport(what: string, flags: ReportFlags, host: Host): Promise<void> {
  await refuseOther(flags.out, DOCUMENTS.report);
  const { page, misplaced } = await pageOf(what, flags, host);
  await writeDocument(flags.out, page, DOCUMENTS.report);
  sayLine(host.stderr, `wrote ${flags.out}`);
  if (misplaced !== undefined) throw new Refusal(misplaced.code, misplaced.seen, misplaced.remedies);
}

interface Page {
  readonly page: string;
  readonly misplaced?: Misplaced | undefined;
}

async function pageOf(what: string, flags: ReportFlags, host: Host): Promise<Page> {
  if (RUN_ID.test(what)) return { page: await runPage(what, flags, host) };
  if (await isFile(what)) return { page: await planPage(what, flags, host) };
  return connectorPage(what, flags, host);
}

function pageWith(report: Report): string {
  return renderHtml({ what: "report", reports: [report] }, VERSION);
}

async function runPage(id: string, flags: ReportFlags, host: Host): Promise<string> {
  const store = openState(flags, host);
  const stored = await storedRuns(store);
  const { key } = runNamed(stored, id, store.place);
  const run = runsShown(stored.runs).find((one) => one.key.run === key.run && one.key.clusterId === key.clusterId);
  if (run === undefined) throw new UsageError(`run ${id} has not begun`);
  return pageWith(runReport(run));
}

async function planPage(file: string, flags: ReportFlags, host: Host): Promise<string> {
  const text = await readText(file, MAX_BYTES);
  const resolved = looksResolved(text);
  if (!resolved && /^\s*\{/.test(text) && /"kind"\s*:\s*"PlanReport"/.test(text.slice(0, 500)))
    throw new UsageError({
      file,
      message: "this is the output of plan --format json, which nothing protects against edits",
      remedy: "Give what plan --out wrote, or the plan file itself.",
    });
  if (resolved) return renderHtml(planReports(parseResolvedPlan(text, file).plans), VERSION);
  const { plans, unplanned } = await planFiles({ ...flags, files: [file] }, host, { again: false });
  const [first, ...more] = unplanned;
  if (first === undefined) return renderHtml(planReports(plans), VERSION);
  reportUnplanned(more, host);
  throw first.error;
}

async function connectorPage(connector: string, flags: ReportFlags, host: Host): Promise<Page> {
  if (flags.context === undefined && flags["connect-url"] === undefined)
    throw new UsageError(
      `there is no file ${connector}, and nobody says where a connector of that name is`,
      "Give --context or --connect-url for a connector, or check the file's name.",
    );
  const world = await openWorld({ context: flags.context, connectUrl: undefined, connector }, flags, host);
  try {
    const seen = await lookAtPosition(connector, world, world.settingsOf);
    return { page: pageWith(positionReport(seen)), misplaced: seen.misplaced };
  } finally {
    await world.close();
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (seen) => seen.isFile(),
    () => false,
  );
}
