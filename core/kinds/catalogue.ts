import type { Intent, IntentOf, MigrationIntent } from "../document/intent.ts";
import type { OffsetChangeFacts, ResnapshotFacts } from "../facts/connector-facts.ts";
import type { Facts } from "../facts/facts.ts";
import type { CutoverFacts, RetirementFacts, ReturnFacts, VerificationFacts } from "../facts/migration-facts.ts";
import type { MigrationPlan } from "../plan/migration-plan.ts";
import type { ConnectorPlan, Plan } from "../plan/plan.ts";
import type { World } from "../ports/world.ts";
import type { Scn } from "../values/scn.ts";
import type { Observation } from "./connector/observe.ts";
import { observeCutover } from "./cutover/observe.ts";
import { planCutover } from "./cutover/plan.ts";
import { observeReturn } from "./cutover-rollback/observe.ts";
import { planReturn } from "./cutover-rollback/plan.ts";
import { observeOffsetChange } from "./offset-change/observe.ts";
import { planOffsetChange } from "./offset-change/plan.ts";
import { observeResnapshot } from "./resnapshot/observe.ts";
import { planResnapshot } from "./resnapshot/plan.ts";
import type { ResolveOptions } from "./resolve-options.ts";
import { observeRetirement } from "./retirement/observe.ts";
import { planRetirement } from "./retirement/plan.ts";
import type { Sources } from "./sources.ts";
import { observeVerification } from "./verification/observe.ts";
import { planVerification } from "./verification/plan.ts";

interface ObserveOptions {
  /** The SCN that a resolved plan has pinned. */
  readonly pinned?: Scn | undefined;
  /** False: what is only shown, and nothing is decided by, is not looked up. */
  readonly evidence: boolean;
}

/** A kind of change: what it looks at, and what follows from that. Each has a folder of its own. */
interface Kind<I extends Intent, F extends Facts, P extends Plan> {
  observe(intent: I, world: World, sources: Sources, options: ObserveOptions): Promise<Observation<F>>;
  /** Pure: the same intent and facts give the same plan. */
  plan(intent: I, facts: F, options: ResolveOptions): P;
}

interface Kinds {
  readonly OffsetChange: Kind<IntentOf<"OffsetChange">, OffsetChangeFacts, ConnectorPlan>;
  readonly Resnapshot: Kind<IntentOf<"Resnapshot">, ResnapshotFacts, ConnectorPlan>;
  readonly cutover: Kind<MigrationIntent, CutoverFacts, MigrationPlan>;
  readonly verify: Kind<MigrationIntent, VerificationFacts, MigrationPlan>;
  readonly rollback: Kind<MigrationIntent, ReturnFacts, MigrationPlan>;
  readonly retire: Kind<MigrationIntent, RetirementFacts, MigrationPlan>;
}

/** The six kinds of change, by the plan file's kind; those of a migration by its phase. */
const KINDS: Kinds = {
  OffsetChange: { observe: observeOffsetChange, plan: planOffsetChange },
  Resnapshot: { observe: observeResnapshot, plan: planResnapshot },
  cutover: { observe: observeCutover, plan: planCutover },
  verify: { observe: observeVerification, plan: planVerification },
  rollback: { observe: observeReturn, plan: planReturn },
  retire: { observe: observeRetirement, plan: planRetirement },
};

type PlanOf<I extends Intent> = I extends MigrationIntent ? MigrationPlan : ConnectorPlan;

const kindOf = (of: Intent | Facts): keyof Kinds => (of.kind === "Migration" ? of.phase : of.kind);

/** Looks at everything that an intent is decided by, and changes nothing. @throws CallFailed, UsageError, Refusal */
export function observe(
  intent: Intent,
  world: World,
  sources: Sources,
  options: ObserveOptions = { evidence: true },
): Promise<Observation> {
  return (KINDS[kindOf(intent)] as Kind<Intent, Facts, Plan>).observe(intent, world, sources, options);
}

/** Resolves an intent against its facts. Pure: the same intent and facts give the same plan. */
export function planFor<I extends Intent>(intent: I, facts: Facts, options: ResolveOptions = {}): PlanOf<I> {
  const kind = kindOf(intent);
  if (kind !== kindOf(facts)) throw new Error(`facts of ${kindOf(facts)} for an intent of ${kind}`);
  return (KINDS[kind] as Kind<Intent, Facts, Plan>).plan(intent, facts, options) as PlanOf<I>;
}
