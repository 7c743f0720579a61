import type { Intent } from "../document/intent.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "../document/kinds.ts";
import { checkTogether, type PlanFileOptions, readDocument } from "../document/plan-file.ts";
import { treeOf } from "../document/tree.ts";
import { Refusal, UsageError } from "../errors.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { kindOf } from "../kinds/catalogue.ts";
import { isMoveBetween } from "../kinds/offset-change/recorded-move.ts";
import { type Plan, pinnedIn } from "../plan/plan.ts";
import type { ResolvedPlan } from "../plan/resolved-plan.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { canonicalJson } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";

/**
 * What of a resolved plan is applied: what is wanted, and what was decided. Everything else in the file is text: what
 * is shown before it is applied, and carried out, is planned anew from this, and held against the decision.
 */
export interface ReviewedPlan extends Pick<Plan, "intent" | "decided" | "decision" | "plannedAt"> {
  /** The SCN that was pinned when it was planned. */
  readonly pinned: Scn | undefined;
}

/**
 * The plans of a resolved plan as they may be applied. Each intent goes through the schema and the rules of plan files,
 * by the same reader, and has to say what was decided.
 *
 * @throws UsageError for an intent that no plan file gives; Refusal `APL802` for one that decides something else than
 * the file's decision
 */
export function reviewedPlans(
  { plans }: ResolvedPlan,
  file: string,
  codes: PlanFileOptions["codes"],
): readonly ReviewedPlan[] {
  const reviewed = plans.map((plan) => reviewedPlan(plan, file, codes));
  checkTogether(reviewed.map(({ intent }) => intent));
  return reviewed;
}

const AGAIN = { text: "Plan again", command: "cdcctl plan FILE --out PLAN" };

function reviewedPlan(plan: Plan, file: string, codes: PlanFileOptions["codes"]): ReviewedPlan {
  const intent = checkedIntent(plan.intent, file, codes);
  const { decided, decision, plannedAt } = plan;
  const other = decidedOtherwise(intent, decided);
  if (plan.world.clusterId !== decided.cluster) other.push("world.clusterId");
  if (other.length > 0)
    throw new Refusal(
      "APL802",
      `${file} was changed after it was planned: its plan of ${intent.metadata.name} is not what was decided ` +
        `(${other.join(", ")})`,
      [AGAIN],
    );
  return { intent, decided, decision, plannedAt, pinned: pinnedIn(plan) };
}

/** @throws UsageError for what a plan file cannot contain */
function checkedIntent(intent: Intent, file: string, codes: PlanFileOptions["codes"]): Intent {
  const { document } = DOCUMENT_KINDS[intent.kind] as unknown as DocumentKind<Intent["kind"]>;
  const place = { file, line: 1, column: 1 };
  const read = readDocument(treeOf((document as (of: Intent) => unknown)(intent), place), () => intent.origin, codes);
  if ("problems" in read)
    throw new UsageError(
      read.problems.map(({ message }) => ({
        message: `the plan in it is not one of a plan file: ${message}`,
        remedy: AGAIN,
        file,
      })),
    );
  const whole = withRollback(read.intent, intent, file);
  if (canonicalJson(whole) !== canonicalJson(intent))
    throw new UsageError({ message: "the plan in it is not one of a plan file", remedy: AGAIN, file });
  return whole;
}

/**
 * What only `rollback` asks for: the offset of before a run, which has to be one that the run's move leads to, or comes
 * from.
 */
function withRollback(read: Intent, given: Intent, file: string): Intent {
  if (read.kind !== "OffsetChange" || given.kind !== "OffsetChange" || given.origin.by !== "rollback") return read;
  const { position, signalSent } = given;
  if (position.to !== "restore") return signalSent === undefined ? read : { ...read, signalSent };
  const { offset, replacing } = position;
  const isReadable = decodeOffset(offset).ok && decodeOffset(replacing).ok;
  if (!isReadable || !(isMoveBetween(offset, replacing) || isMoveBetween(replacing, offset)))
    throw new UsageError({
      message: "the rollback in it restores an offset that no run has moved to the one that it replaces",
      remedy: { text: "Roll back again", command: "cdcctl rollback RUN --out PLAN" },
      file,
    });
  return { ...read, position, ...(signalSent === undefined ? {} : { signalSent }) };
}

/** @returns names of the members that the decision has otherwise than the intent */
function decidedOtherwise(intent: Intent, decided: Plan["decided"]): string[] {
  const { decided: byIntent, settings: named = {} } = kindOf(intent).byIntent(intent);
  const own = Object.entries(byIntent).flatMap(([member, value]) =>
    same(value, (decided as unknown as Readonly<Record<string, unknown>>)[member]) ? [] : [member],
  );
  const { configuration } = decided;
  // Whether a value is shown depends on the settings beside it.
  const redacted = redactConfiguration({ ...configuration, ...named });
  const settings = Object.keys(named).flatMap((name) =>
    Object.hasOwn(configuration, name) && configuration[name] === redacted[name] ? [] : [`configuration ${name}`],
  );
  return [...own, ...settings];
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
