import { stat } from "node:fs/promises";
import { Refusal, UsageError } from "../../core/errors.ts";
import type { Misplaced } from "../../core/facts/offset/origin.ts";
import { inspectPosition } from "../../core/kinds/connector/inspect-position.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { MAX_RESOLVED_PLAN_BYTES, parseResolvedPlan, seemsResolved } from "../../core/plan/resolved-plan.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { reportOptions } from "../options/reports.ts";
import { writeLine } from "../screen.ts";
import { planDocument, planReports } from "../views/plan.ts";
import { positionDocument, positionReport } from "../views/position.ts";
import { runReport } from "../views/run.ts";
import { runDocument } from "../views/run-json.ts";
import { DOCUMENTS, readText, refuseOther, writeDocument } from "./files.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { planFiles } from "./planning.ts";
import { inForm, type Reported, reported, writeInForm } from "./report-forms.ts";
import { refuseOtherPhase } from "./resolved-files.ts";
import { RUN_ID, runOf } from "./showing.ts";
import { reportUnplanned } from "./unplanned.ts";

type ReportFlags = Flags<typeof reportOptions>;

/** A report, and the reason why a pipeline should still stop. */
interface Found extends Reported {
  readonly misplaced?: Misplaced | undefined;
}

/**
 * Reports on a run, a plan, or a connector's position; with `--out` as a page in that file.
 *
 * @throws Refusal, after the report is written, for a connector whose stored offset does not belong to the connected
 * database
 * @param what a run id; otherwise the file of that name, a resolved plan or a plan file; otherwise a connector
 */
export async function writeReport(what: string, flags: ReportFlags, host: Host): Promise<void> {
  const { out, format } = flags;
  if (out !== undefined && (format === "json" || format === "markdown"))
    throw new UsageError(
      `--out writes a page, but --format ${format} is given`,
      "Omit --format, or omit --out and redirect standard output.",
    );
  if (out !== undefined) await refuseOther(out, DOCUMENTS.report);
  const found = await reportOf(what, flags, host);
  if (out === undefined) writeInForm(format, found, host);
  else {
    await writeDocument(out, inForm("html", found, host), DOCUMENTS.report);
    writeLine(host.stderr, `wrote ${out}`);
  }
  const { misplaced } = found;
  if (misplaced !== undefined) throw new Refusal(misplaced.code, misplaced.seen, misplaced.remedies);
}

async function reportOf(what: string, flags: ReportFlags, host: Host): Promise<Found> {
  const isRun = RUN_ID.test(what);
  if (!isRun && (await isFile(what))) {
    const plans = await plansOf(what, flags, host);
    return { reports: () => planReports(plans), json: () => planDocument(plans, []) };
  }
  if (flags.phase !== undefined)
    throw new UsageError(
      `--phase applies only to plan files; ${what} is ${isRun ? "a run" : "not a file"}`,
      "Omit --phase.",
    );
  if (isRun) return reported(runReport, runDocument, await runOf(what, flags, host));
  return positionReports(what, flags, host);
}

async function plansOf(file: string, flags: ReportFlags, host: Host): Promise<readonly Plan[]> {
  const text = await readText(file, MAX_RESOLVED_PLAN_BYTES);
  const resolved = seemsResolved(text);
  if (!resolved && /^\s*\{/.test(text) && /"kind"\s*:\s*"PlanReport"/.test(text.slice(0, 500)))
    throw new UsageError({
      file,
      message: "this is the output of plan --format json, which is not protected against edits",
      remedy: "Pass the file written by plan --out, or the plan file itself.",
    });
  if (resolved) {
    const { plans } = parseResolvedPlan(text, file);
    refuseOtherPhase(flags.phase, plans, file);
    return plans;
  }
  const { plans, unplanned } = await planFiles({ ...flags, files: [file] }, host, { again: false });
  const [first, ...more] = unplanned;
  if (first === undefined) return plans;
  reportUnplanned(more, host, "full");
  throw first.error;
}

async function positionReports(connector: string, flags: ReportFlags, host: Host): Promise<Found> {
  if (flags.context === undefined && flags["connect-url"] === undefined)
    throw new UsageError(
      `${connector} is not a file`,
      "Check the file name. To report on a connector, add --context or --connect-url.",
    );
  await using world = await openWorld(typedTarget(connector, flags), flags, host);
  const seen = await inspectPosition(connector, world, world.settingsOf);
  return { ...reported(positionReport, positionDocument, seen), misplaced: seen.misplaced };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (seen) => seen.isFile(),
    () => false,
  );
}
