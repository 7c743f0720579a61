import type { Grade } from "../../core/checks/check.ts";
import type { Intent, MigrationPhase } from "../../core/document/intent.ts";
import {
  checkTogether,
  MAX_PLAN_FILE_BYTES,
  type PlanFileOptions,
  parsePlanFile,
} from "../../core/document/plan-file.ts";
import { UsageError } from "../../core/errors.ts";
import { CHECKS } from "../../core/kinds/checks.ts";
import {
  MAX_RESOLVED_PLAN_BYTES,
  parseResolvedPlan,
  type ResolvedPlan,
  seemsResolved,
} from "../../core/plan/resolved-plan.ts";
import { DENIED } from "../../core/policies/finding.ts";
import { readText } from "./files.ts";

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
  const { intents, resolved } = await readFiles(flags);
  if (resolved !== undefined) {
    throw new UsageError({
      file: resolved.file,
      message: "this is a resolved plan, not a plan file",
      remedy: "Inspect it with `cdcctl show`, or apply it.",
    });
  }
  return intents;
}

interface FilesRead {
  readonly intents: readonly Intent[];
  readonly resolved: { readonly file: string; readonly plan: ResolvedPlan } | undefined;
}

/** Reads plan files or one resolved plan, never both. */
export async function readFiles({ files, context, phase }: PlanFileFlags): Promise<FilesRead> {
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
        return { intents: [], resolved: { file, plan: parseResolvedPlan(text, file) } };
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

/** Records the context in the run, so that `recover` and `rollback` find the systems again. */
export function placedIn<I extends Intent>(context: string | undefined, intent: I): I {
  const { target } = intent;
  if (context === undefined || target.context !== undefined || target.connectUrl !== undefined) return intent;
  return { ...intent, target: { ...target, context } };
}

/** Codes that `spec.accept` may and may not name; of some findings, only an unknown one can be accepted. */
export function codesByGrade(): NonNullable<PlanFileOptions["codes"]> {
  const checks = Object.values(CHECKS).flat();
  const of = (grade: Grade) => checks.filter((check) => check.grade === grade).map(({ code }) => code);
  const unknown = checks.filter((check) => check.unknown === "acceptable").map(({ code }) => code);
  return { acceptable: [...of("acceptable"), ...unknown, DENIED], notices: of("advisory"), others: of("refusal") };
}
