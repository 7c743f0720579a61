import type { Plan } from "../../core/plan/plan.ts";
import { decisionOf } from "../../core/plan/resolved-plan.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import type { Host } from "../host.ts";
import { planDocument, planReports, type Unsettled } from "../views/plan.ts";
import type { Rendered } from "../views/rendered.ts";
import { inForm } from "./report-forms.ts";
import type { Unplanned } from "./unplanned.ts";

/** Plans in the asked form, with the commands that come next. */
export function planReport(
  plans: readonly Plan[],
  {
    format,
    files,
    out,
    unplanned = [],
    unsettled = [],
  }: {
    readonly format: string;
    readonly files: readonly string[];
    readonly out: string | undefined;
    readonly unplanned?: readonly Unplanned[];
    readonly unsettled?: readonly Unsettled[];
  },
  host: Host,
): Rendered {
  const next = unplanned.length > 0 || unsettled.length > 0 ? [] : nextCommands(plans, files, out);
  const shown = {
    reports: () => planReports(plans, { next, unplanned, unsettled }),
    json: () => planDocument(plans, next, unplanned, unsettled),
  };
  return inForm(format, shown, host);
}

function nextCommands(plans: readonly Plan[], files: readonly string[], out: string | undefined): readonly string[] {
  if (
    !plans.some(({ outcome }) => outcome.state === "ready") ||
    plans.some(({ outcome }) => outcome.state === "blocked")
  )
    return [];
  if (out !== undefined) return [`cdcctl apply ${shellFile(out)} --expect ${decisionOf(plans)}`];
  if (files.length === 0 || files.includes("-")) return [];
  const names = files.map(shellFile).join(" ");
  return [`cdcctl apply ${names}`, `cdcctl plan ${names} --out PLAN.json     # to attach it to a ticket`];
}
