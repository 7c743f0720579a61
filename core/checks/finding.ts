import type { Finding as StoredFinding } from "../../schemas/generated/plan.ts";
import { type Intent, isOfFlags } from "../document/intent.ts";
import type { Advice } from "../values/remedy.ts";
import type { Check, Grade } from "./check.ts";

/** What a check found, and what follows from it. A plain value; stored in resolved plans with each remedy on a line. */
export interface Finding extends Omit<StoredFinding, "remedies"> {
  readonly remedies: readonly Advice[];
}

/**
 * Runs the checks in order and decides the effect of each finding from its grade, what the plan file accepts, and the
 * command.
 */
export function findings<I extends Intent, R>(
  checks: readonly Check<I, R>[],
  intent: I,
  reading: R,
): readonly Finding[] {
  return checks.map((check) => finding(check, intent, reading));
}

function finding<I extends Intent, R>(check: Check<I, R>, intent: I, reading: R): Finding {
  const verdict = check.run(intent, reading);
  const { code, title } = check;
  if (verdict.verdict === "pass") return { code, title, verdict: "pass", effect: "none", remedies: [] };
  const usual = verdict.verdict === "unknown" ? (check.unknown ?? check.grade) : check.grade;
  const grade = verdict.grade ?? usual;
  return {
    code,
    title,
    verdict: verdict.verdict,
    effect: effect(grade, code, intent, verdict.firm ?? false),
    seen: verdict.seen,
    remedies: verdict.remedies ?? [check.remedy],
    ...(verdict.afterwards === undefined ? {} : { afterwards: verdict.afterwards }),
    ...(verdict.at === undefined ? {} : { at: place(verdict.at, intent) }),
  };
}

function effect(grade: Grade, code: string, intent: Intent, firm: boolean): Finding["effect"] {
  switch (grade) {
    case "refusal":
      return "blocks";
    case "advisory":
      return "warns";
    case "acceptable":
      if (intent.accept.includes(code)) return "accepted";
      return isOfFlags(intent.origin) && !firm ? "warns" : "blocks";
  }
}

function place(path: string, { origin }: Intent): NonNullable<Finding["at"]> {
  const line = origin.lines[path] ?? origin.lines[path.slice(0, path.lastIndexOf("."))];
  return { path, ...(origin.file === undefined ? {} : { file: origin.file }), ...(line === undefined ? {} : { line }) };
}
