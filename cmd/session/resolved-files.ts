import { type ReviewedPlan, reviewedPlans } from "../../core/change/reviewed-plan.ts";
import { changeKind, type Intent, type MigrationPhase } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { MAX_RESOLVED_PLAN_BYTES, printResolvedPlan, resolvedPlan } from "../../core/plan/resolved-plan.ts";
import { showBytes } from "../../core/values/amounts.ts";
import type { Digest } from "../../core/values/digest.ts";
import { type Host, VERSION } from "../host.ts";
import { writeLine } from "../screen.ts";
import { DOCUMENTS, writeDocument } from "./files.ts";
import { codesByGrade, type PlanFileFlags, placedIn, readFiles } from "./plan-files.ts";

export interface PlanFiles {
  readonly intents: readonly Intent[];
  readonly resolved: { readonly reviewed: readonly ReviewedPlan[]; readonly approval: Digest | undefined } | undefined;
}

/** Reads plan files or one resolved plan, never both. Of a resolved plan, returns only what may be applied. */
export async function readPlanFiles(flags: PlanFileFlags): Promise<PlanFiles> {
  const { intents, resolved } = await readFiles(flags);
  if (resolved === undefined) return { intents, resolved };
  const { file, plan } = resolved;
  const reviewed = reviewedPlans(plan, file, codesByGrade());
  refuseOtherPhase(flags.phase, reviewed, file);
  const placed = reviewed.map((one) => ({ ...one, intent: placedIn(flags.context, one.intent) }));
  return { intents, resolved: { reviewed: placed, approval: plan.approval } };
}

/** A resolved plan is applied as reviewed. @throws UsageError when `--phase` names another phase */
export function refuseOtherPhase(
  phase: MigrationPhase | undefined,
  plans: readonly { readonly intent: Intent }[],
  file: string,
): void {
  const other = plans.find(({ intent }) => phase !== undefined && changeKind(intent) !== phase)?.intent;
  if (other === undefined) return;
  throw new UsageError({
    file,
    message: `--phase ${phase}, but the plan of ${other.metadata.name} in it is of ${
      other.kind === "Migration" ? `phase ${other.phase}` : `kind ${other.kind}`
    }`,
    remedy: {
      text: "A resolved plan cannot be changed: omit --phase, or plan the file again",
      command: `cdcctl plan FILE --phase ${phase} --out PLAN`,
    },
  });
}

export async function writeResolvedPlan(path: string, plans: readonly Plan[], host: Host): Promise<void> {
  const text = printResolvedPlan(resolvedPlan(plans, VERSION));
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RESOLVED_PLAN_BYTES)
    throw new UsageError(
      `the resolved plan has ${showBytes(bytes)}, and none of more than ${showBytes(MAX_RESOLVED_PLAN_BYTES)} is read`,
      "Split the plan file, or apply it as it is.",
    );
  await writeDocument(path, text, DOCUMENTS.plan);
  writeLine(host.stderr, `wrote ${path}`);
}
