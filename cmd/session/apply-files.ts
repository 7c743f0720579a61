import { type ApplyOptions as Applying, applyPlan } from "../../core/change/apply.ts";
import { refuseUnsettled } from "../../core/change/compare.ts";
import { thrownBy } from "../../core/change/holding.ts";
import type { Target } from "../../core/document/intent.ts";
import { isShown, Refusal } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { Policies } from "../../core/policies/policies.ts";
import { showCount } from "../../core/values/amounts.ts";
import { EXIT } from "../command.ts";
import { textOptions, VERSION } from "../host.ts";
import type { applyOptions } from "../options/changes.ts";
import type { Flags, filesPositional } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import { FATES_BEFORE, type Fate, fateOf, fatesReport } from "../views/attempt.ts";
import { planReports, questionOf } from "../views/plan.ts";
import { textOf } from "../views/rendered.ts";
import { renderTerminal } from "../views/report/terminal.ts";
import { demandApprovals } from "./approvals/approving.ts";
import { demandExpected } from "./approving.ts";
import { type ConsentFlags, consent, demandConsent } from "./consent.ts";
import { type ChangeHost, reportFailed, reportNothingToDo, reportRun } from "./machine-output.ts";
import { callerOf } from "./narration.ts";
import { openWorld, type WorldFlags } from "./open-world.ts";
import { openState } from "./places.ts";
import { wholePlan } from "./plan-report.ts";
import { planIntents, planReviewed } from "./planning.ts";
import { policiesOfEach } from "./policies/policies.ts";
import { FORMS } from "./report-forms.ts";
import { readPlanFiles } from "./resolved-files.ts";
import { durationOf, waitLimits } from "./typed-values.ts";
import { namingDocument, ofDocument, reportUnplanned, type Unplanned } from "./unplanned.ts";

type DocumentFate = Parameters<typeof fatesReport>[0][number];
type ApplyFlags = Flags<typeof applyOptions & typeof filesPositional>;
type ApplyOptions = Omit<Applying, "approvals" | "policies"> & {
  /** Looks whether what is to be applied is approved, before anybody is asked. */
  readonly approve: (plans: readonly Plan[]) => Promise<Applying["approvals"]>;
  /** The rules for plans at a target; undefined: they are held against none. */
  readonly policiesOf: ((target: Target) => Promise<Policies>) | undefined;
  /** The command that shows a refused plan in full; undefined: everything is shown. */
  readonly whole?: readonly string[] | undefined;
};

/** Plans (or reads the resolved plan), asks, and applies one plan after the other. @returns the exit code */
export async function applyFiles(flags: ApplyFlags, host: ChangeHost): Promise<number> {
  const { interrupt } = host;
  const limits = waitLimits(flags, host);
  const maxAge = durationOf("max-age", flags["max-age"]);
  demandConsent(flags, host);
  const { resolved, intents } = await readPlanFiles(flags);
  const { plans, from, unplanned } =
    resolved === undefined
      ? await planIntents(intents, flags, host, { again: flags.again, patience: "a worker that restarts" })
      : await planReviewed(resolved, flags, host, { again: flags.again, maxAge });
  host.machine?.planned(intents, plans, unplanned);
  if (interrupt.aborted) return interrupted(false, host);
  const whole = flags.full ? undefined : resolved === undefined ? wholePlan(flags.files, flags) : [];
  if (unplanned.length > 0) {
    showPlans(plans, { limits, whole }, host, unplanned);
    const exit = reportUnplanned(unplanned, host, "line");
    writeLine(
      host.stderr,
      `not applied: ${showCount(unplanned.length)} of ${showCount(intents.length)} documents could not be planned`,
    );
    const fates: DocumentFate[] = plans.map(({ intent, outcome }) => ({ intent, fate: FATES_BEFORE[outcome.state] }));
    for (const { at, intent } of unplanned) fates.splice(at, 0, { intent, fate: FATES_BEFORE.blocked });
    reportFates(fates, host);
    return exit;
  }
  const { again } = flags;
  const approve = (all: readonly Plan[]) => demandApprovals(all, flags, host);
  const policiesOf = policiesOfEach(flags, host);
  return applyPlans(plans, flags, host, {
    ...{ limits, maxAge, again, command: "apply", from, whole },
    ...{ approve, policiesOf },
  });
}

/**
 * Shows the plans, asks, and applies them in order; stops at the first that fails.
 *
 * @returns 0 when all are done or there was nothing to do, 1 when nothing changed, 3 when something did
 */
export async function applyPlans(
  plans: readonly Plan[],
  flags: WorldFlags & ConsentFlags,
  host: ChangeHost,
  options: ApplyOptions,
): Promise<number> {
  const fates = new Map(plans.map((plan) => [plan, FATES_BEFORE[plan.outcome.state]]));
  try {
    return await applyInOrder(plans, flags, host, options, fates);
  } finally {
    const documents = [...fates].map(([{ intent }, fate]) => ({ intent, fate }));
    reportFates(documents, host);
  }
}

/** @param fates receives the outcome of each document */
async function applyInOrder(
  plans: readonly Plan[],
  flags: WorldFlags & ConsentFlags,
  host: ChangeHost,
  options: ApplyOptions,
  fates: Map<Plan, Fate>,
): Promise<number> {
  // An interrupted run can explain both a refusal and a plan with nothing left to do.
  for (const { world, intent } of plans) {
    const key = { clusterId: world.clusterId, connector: intent.target.connector };
    const state = openState(flags, host);
    await namingDocument(intent, plans.length > 1, () => refuseUnsettled(key, { state }));
  }
  showPlans(plans, options, host);
  demandExpected(plans, flags);
  const blocked = plans.filter(({ outcome }) => outcome.state === "blocked").length;
  if (blocked > 0) {
    if (plans.length > 1)
      writeLine(host.stderr, `not applied: ${showCount(blocked)} of ${showCount(plans.length)} plans are refused`);
    return EXIT.refused;
  }
  const open = plans.filter(({ outcome }) => outcome.state === "ready");
  if (open.length === 0) return EXIT.done;
  const approvals = await options.approve(plans);
  demandConsent(flags, host);
  const { question, answer } = questionOf(open);
  if (!(await consent(flags, host, question, answer))) {
    writeLine(host.stderr, "not applied: nothing was changed");
    return EXIT.refused;
  }
  let changed = false;
  const from = new Map(options.from);
  for (const plan of open) {
    if (host.interrupt.aborted) return interrupted(changed, host);
    await using world = await openWorld(plan.intent.target, flags, host, "a worker that restarts");
    try {
      const policies = await options.policiesOf?.(plan.intent.target);
      const applying = { ...options, from, approvals, policies };
      const applied = await applyPlan(plan, world, callerOf(host, world), applying);
      if ("nothing" in applied) {
        reportNothingToDo(applied.plan, applied.nothing, host);
        fates.set(plan, { is: "nothing to do" });
        continue;
      }
      reportRun(applied.report, host);
      fates.set(plan, fateOf(applied.report));
      const { outcome } = applied.report;
      // This document changed the state that a later document of the same connector was planned from.
      for (const later of open) if (later.intent.target.connector === plan.intent.target.connector) from.delete(later);
      changed ||= applied.report.changed;
      if (outcome !== "succeeded") return changed ? EXIT.unfinished : EXIT.refused;
    } catch (failure) {
      const error = thrownBy(failure);
      fates.set(plan, { is: error instanceof Refusal ? "refused" : "failed" });
      if (!isShown(error)) throw error;
      const named = plans.length > 1 ? ofDocument(error, plan.intent) : error;
      if (!changed) throw named;
      reportFailed(named, host, plan.intent);
      writeLine(host.stderr, "earlier documents were applied; this one and those after it were not");
      return EXIT.unfinished;
    }
  }
  return EXIT.done;
}

/** The run's own output is enough for a single document. */
function reportFates(documents: readonly DocumentFate[], host: ChangeHost): void {
  if (documents.length < 2) return;
  host.stdout.write(textOf([""]));
  host.stdout.write(renderTerminal(fatesReport(documents), textOptions(host.stdout)));
}

function showPlans(
  plans: readonly Plan[],
  { limits, whole }: Pick<ApplyOptions, "limits" | "whole">,
  host: ChangeHost,
  unplanned: readonly Unplanned[] = [],
): void {
  const options = { ...textOptions(host.stdout), version: VERSION };
  const refused = whole !== undefined && plans.some(({ outcome }) => outcome.state === "blocked");
  const shown = { limits, unplanned, full: whole === undefined, ...(refused ? { next: whole } : {}) };
  host.stdout.write(FORMS.text(planReports(plans, shown), options));
}

/** Reports an interruption before a run began. */
function interrupted(changed: boolean, host: ChangeHost): number {
  writeLine(
    host.stderr,
    changed ? "Interrupted: earlier documents were applied, the others were not." : "Interrupted: nothing was changed.",
  );
  return changed ? EXIT.unfinished : EXIT.refused;
}
