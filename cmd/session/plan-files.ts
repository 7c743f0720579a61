import { CHECKS } from "../../core/checks/catalogue.ts";
import type { Grade } from "../../core/checks/check.ts";
import { changeKind, type Intent, type MigrationPhase } from "../../core/document/intent.ts";
import {
  checkTogether,
  MAX_PLAN_FILE_BYTES,
  type PlanFileOptions,
  parsePlanFile,
} from "../../core/document/plan-file.ts";
import { UsageError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { looksResolved, parseResolvedPlan, printResolvedPlan, resolvedPlan } from "../../core/plan/resolved-plan.ts";
import type { ReviewedPlan } from "../../core/plan/reviewed-plan.ts";
import { type Host, VERSION } from "../host.ts";
import { sayLine } from "../screen.ts";
import { readText } from "./files.ts";
import { DOCUMENTS, writeDocument } from "./write-file.ts";

const MAX_RESOLVED_PLAN_BYTES = 64 * 1024 * 1024;

/** What the plan files of a command are, and how they are read. */
export interface PlanFileFlags {
  readonly files: readonly string[];
  /** Where those documents are applied that name no place themselves. */
  readonly context?: string | undefined;
  /** Of migrations, in place of what their files say. */
  readonly phase?: MigrationPhase | undefined;
}

/** Reads plan files; all problems of all files at once. */
export async function readIntents(flags: PlanFileFlags): Promise<readonly Intent[]> {
  const read = await readPlanFiles(flags);
  if (read.resolved !== undefined) {
    throw new UsageError({
      file: read.resolved.file,
      message: "this is a resolved plan, not a plan file",
      remedy: "Look at it with `cdcctl show`, or apply it.",
    });
  }
  return read.intents;
}

export interface PlanFiles {
  readonly intents: readonly Intent[];
  readonly resolved: { readonly file: string; readonly reviewed: readonly ReviewedPlan[] } | undefined;
}

/** Plan files, or one resolved plan: never both. Of a resolved plan what may be applied of it, and nothing else. */
export async function readPlanFiles({ files, context, phase }: PlanFileFlags): Promise<PlanFiles> {
  const problems: UsageError["problems"][number][] = [];
  const intents: Intent[] = [];
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("- is named twice: standard input can be read once", "Name each other plan file by its path.");
  for (const file of files) {
    try {
      const text = await readText(
        file,
        files.length === 1 && file.endsWith(".json") ? MAX_RESOLVED_PLAN_BYTES : MAX_PLAN_FILE_BYTES,
      );
      if (looksResolved(text)) {
        if (files.length > 1)
          throw new UsageError({ file, message: "a resolved plan holds everything: it is applied alone" });
        const { reviewedPlans } = await import("../../core/plan/reviewed-plan.ts");
        const reviewed = reviewedPlans(parseResolvedPlan(text, file), file, codesByGrade());
        refuseOtherPhase(phase, reviewed, file);
        const placed = reviewed.map((one) => ({ ...one, intent: placedIn(context, one.intent) }));
        return { intents: [], resolved: { file, reviewed: placed } };
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

/** A resolved plan is carried out as it was reviewed. @throws UsageError where `--phase` asks for something else */
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
      text: "A resolved plan is not changed: leave out --phase, or plan the file anew",
      command: `cdcctl plan FILE --phase ${phase} --out PLAN`,
    },
  });
}

/** The run remembers the context, so that `recover` and `rollback` find the systems again. */
function placedIn<I extends Intent>(context: string | undefined, intent: I): I {
  const { target } = intent;
  if (context === undefined || target.context !== undefined || target.connectUrl !== undefined) return intent;
  return { ...intent, target: { ...target, context } };
}

export async function writeResolvedPlan(path: string, plans: readonly Plan[], host: Host): Promise<void> {
  await writeDocument(path, printResolvedPlan(resolvedPlan(plans, VERSION)), DOCUMENTS.plan);
  sayLine(host.stderr, `wrote ${path}`);
}

/** Codes that `spec.accept` may name, and those that it may not. */
function codesByGrade(): NonNullable<PlanFileOptions["codes"]> {
  const checks = Object.values(CHECKS).flat();
  const of = (grade: Grade) => checks.filter((check) => check.grade === grade).map(({ code }) => code);
  return { acceptable: of("acceptable"), notices: of("advisory"), others: of("refusal") };
}
