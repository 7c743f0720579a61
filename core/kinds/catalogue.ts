import { type ChangeKind, changeKind, type Intent, type IntentOf, type MigrationIntent } from "../document/intent.ts";
import { asWritten, type Plan } from "../plan/plan.ts";
import type { World } from "../ports/world.ts";
import type { RunStarted } from "../run/journal.ts";
import { kindOfRun, type RunSubject, type SubjectOf } from "../run/subject.ts";
import type { Observation } from "./connector/observe.ts";
import { cutover } from "./cutover/plan.ts";
import { cutoverRollback } from "./cutover-rollback/plan.ts";
import type { Facts, FactsOf } from "./facts.ts";
import type { Kind, ResolveOptions, Sources } from "./kind.ts";
import { offsetChange } from "./offset-change/plan.ts";
import { resnapshot } from "./resnapshot/plan.ts";
import { retirement } from "./retirement/plan.ts";
import { verification } from "./verification/plan.ts";

type IntentFor<K extends ChangeKind> = K extends "OffsetChange" | "Resnapshot" ? IntentOf<K> : MigrationIntent;
type AnyKind = Kind<Intent, Facts, RunSubject>;

/** The six kinds of change, by the plan file's kind; those of a migration by its phase. */
const KINDS: { readonly [K in ChangeKind]: Kind<IntentFor<K>, FactsOf[K], SubjectOf<K>> } = {
  OffsetChange: offsetChange,
  Resnapshot: resnapshot,
  cutover,
  verify: verification,
  rollback: cutoverRollback,
  retire: retirement,
};

export function kindOf(intent: Intent): AnyKind {
  return KINDS[changeKind(intent)] as AnyKind;
}

export function kindOfSubject(subject: RunSubject): AnyKind {
  return KINDS[kindOfRun(subject)] as AnyKind;
}

/**
 * Reads everything that the decision about an intent depends on, and changes nothing. @throws CallFailed, UsageError,
 * Refusal
 */
export function observe(
  intent: Intent,
  world: World,
  sources: Sources,
  options: Parameters<AnyKind["observe"]>[3] = { evidence: true },
): Promise<Observation> {
  return kindOf(intent).observe(intent, world, sources, options);
}

/** Resolves an intent against its facts. Pure: the same intent and facts give the same plan. */
export function planFor<I extends Intent>(intent: I, facts: Facts, options: ResolveOptions = {}): Plan<I["kind"]> {
  const kind = changeKind(intent);
  if (kind !== changeKind(facts)) throw new Error(`facts for ${changeKind(facts)} given with an intent for ${kind}`);
  return kindOf(intent).plan(intent, facts, options) as Plan<I["kind"]>;
}

/**
 * The first entry of a run's journal: what will be done, and by whom.
 *
 * @throws Refusal for a plan that can't be applied; blocked plans never get here
 */
export function runStarted(
  plan: Plan,
  by: Pick<RunStarted, "run" | "ordinal" | "operator" | "cdcctl" | "approvals">,
): RunStarted {
  return { type: "run-started", ...by, subject: kindOf(plan.intent).subject(plan), plan: asWritten(plan) };
}
