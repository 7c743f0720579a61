import type { ReviewedPlan } from "../../core/change/reviewed-plan.ts";
import type { Grade } from "../../core/checks/check.ts";
import { changeKind, type Intent, type MigrationPhase } from "../../core/document/intent.ts";
import {
  checkTogether,
  MAX_PLAN_FILE_BYTES,
  type PlanFileOptions,
  parsePlanFile,
} from "../../core/document/plan-file.ts";
import { UsageError } from "../../core/errors.ts";
import { CHECKS } from "../../core/kinds/checks.ts";
import type { Plan } from "../../core/plan/plan.ts";
import {
  MAX_RESOLVED_PLAN_BYTES,
  parseResolvedPlan,
  printResolvedPlan,
  resolvedPlan,
  seemsResolved,
} from "../../core/plan/resolved-plan.ts";
import { showBytes } from "../../core/values/amounts.ts";
import type { Digest } from "../../core/values/digest.ts";
import { type Host, VERSION } from "../host.ts";
import { writeLine } from "../screen.ts";
import { DOCUMENTS, readText, writeDocument } from "./files.ts";

/** The plan files of a command, and how to read them. */
export interface PlanFileFlags {
  readonly files: readonly string[];
  /** The context of documents that name no target themselves. */
  readonly context?: string | undefined;
  /** Phase of migrations, overriding their files. */
  readonly phase?: MigrationPhase | undefined;
}

/** Reads plan files; all problems of all files at once. */
export async function readIntents(flags: PlanFileFlags): Promise<readonly Intent[]> {
  const read = await readPlanFiles(flags);
  if (read.resolved !== undefined) {
    throw new UsageError({
      file: read.resolved.file,
      message: "this is a resolved plan, not a plan file",
      remedy: "Inspect it with `cdcctl show`, or apply it.",
    });
  }
  return read.intents;
}

export interface PlanFiles {
  readonly intents: readonly Intent[];
  readonly resolved:
    | { readonly file: string; readonly reviewed: readonly ReviewedPlan[]; readonly approval: Digest | undefined }
    | undefined;
}

/** Reads plan files or one resolved plan, never both. Of a resolved plan, returns only what may be applied. */
export async function readPlanFiles({ files, context, phase }: PlanFileFlags): Promise<PlanFiles> {
  const problems: UsageError["problems"][number][] = [];
  const intents: Intent[] = [];
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError(
      "- is given twice: standard input can only be read once",
      "Name the other plan files by path.",
    );
  for (const file of files) {
    try {
      const text = await readText(
        file,
        files.length === 1 && file.endsWith(".json") ? MAX_RESOLVED_PLAN_BYTES : MAX_PLAN_FILE_BYTES,
      );
      if (seemsResolved(text)) {
        if (files.length > 1) throw new UsageError({ file, message: "a resolved plan must be applied alone" });
        const { reviewedPlans } = await import("../../core/change/reviewed-plan.ts");
        const resolved = parseResolvedPlan(text, file);
        const reviewed = reviewedPlans(resolved, file, codesByGrade());
        refuseOtherPhase(phase, reviewed, file);
        const placed = reviewed.map((one) => ({ ...one, intent: placedIn(context, one.intent) }));
        return { intents: [], resolved: { file, reviewed: placed, approval: resolved.approval } };
      }
      for (const one of parsePlanFile(text, file, { codes: codesByGrade(), phase }).intents)
        intents.push(placedIn(context, one));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const one of error.problems) problems.push(one);
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
  checkTogether(intents);
  return { intents, resolved: undefined };
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

/** Records the context in the run, so that `recover` and `rollback` find the systems again. */
function placedIn<I extends Intent>(context: string | undefined, intent: I): I {
  const { target } = intent;
  if (context === undefined || target.context !== undefined || target.connectUrl !== undefined) return intent;
  return { ...intent, target: { ...target, context } };
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

/** Codes that `spec.accept` may and may not name; of some findings, only an unknown one can be accepted. */
function codesByGrade(): NonNullable<PlanFileOptions["codes"]> {
  const checks = Object.values(CHECKS).flat();
  const of = (grade: Grade) => checks.filter((check) => check.grade === grade).map(({ code }) => code);
  const unknown = checks.filter((check) => check.unknown === "acceptable").map(({ code }) => code);
  return { acceptable: [...of("acceptable"), ...unknown], notices: of("advisory"), others: of("refusal") };
}
