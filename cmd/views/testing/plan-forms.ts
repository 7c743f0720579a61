import type { Plan } from "../../../core/plan/plan.ts";
import { type PlanOptions, planReport, planReports, type UnplannedView } from "../plan.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { renderHtml } from "../report/page.ts";
import { renderTerminal, type TerminalOptions } from "../report/terminal.ts";

/** Plans in each format, as the commands show them. */

export function renderPlanText(
  plan: Plan,
  { next, limits, full, toExpect = false, ...options }: TerminalOptions & PlanOptions,
) {
  const given = Object.entries({ full, next, limits }).filter(([, value]) => value !== undefined);
  return renderTerminal(planReport(plan, { toExpect, ...Object.fromEntries(given) }), options);
}

export function renderPlansMarkdown(
  plans: readonly Plan[],
  options: {
    readonly next?: readonly string[];
    readonly unplanned?: readonly UnplannedView[];
    readonly limit?: number;
  } = {},
) {
  return renderMarkdown(planReports(plans, options), options.limit);
}

export function renderPlansHtml(plans: readonly Plan[], version: string): string {
  return renderHtml(planReports(plans), version);
}
