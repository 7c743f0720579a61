import type { Intent } from "../document/intent.ts";
import { Refusal } from "../errors.ts";
import { observe, planFor } from "../kinds/catalogue.ts";
import type { Facts } from "../kinds/facts.ts";
import type { ResolveOptions } from "../kinds/kind.ts";
import type { Plan } from "../plan/plan.ts";
import { type Policies, underPolicies } from "../policies/policies.ts";
import type { Instant } from "../values/instant.ts";
import { comparedWith, refuseAge, refuseUnsettled } from "./compare.ts";
import type { ReviewedPlan } from "./reviewed-plan.ts";
import type { ChangeWorld } from "./run-context.ts";

export interface PlannedNow {
  readonly plan: Plan;
  readonly facts: Facts;
}

export interface PlanOptions extends ResolveOptions {
  /** The rules that the plan is held against; undefined: none. */
  readonly policies: Policies | undefined;
  /** When the plan that this one is compared with was made. */
  readonly plannedAt?: Instant;
}

/** Everything that a change depends on, for a plan that is shown. @throws Refusal, CallFailed */
export async function factsNow(intent: Intent, world: ChangeWorld): Promise<Facts> {
  return (await observe(intent, world, world.sources)).facts;
}

/** What follows from facts, held against the rules. @param now when it is planned */
export function planFrom(
  intent: Intent,
  facts: Facts,
  { policies, plannedAt, ...options }: PlanOptions,
  now: Instant,
): Promise<Plan> {
  return underPolicies(planFor(intent, facts, options), policies, now, plannedAt);
}

/** Observes everything that a change depends on, and plans it. Changes nothing. */
export async function planNow(intent: Intent, world: ChangeWorld, options: PlanOptions): Promise<PlannedNow> {
  const { facts } = await observe(intent, world, world.sources, { pinned: options.pinned, evidence: true });
  return { plan: await planFrom(intent, facts, options, world.clock.now()), facts };
}

/**
 * Plans the decision of a resolved plan against the current state; that plan is shown and applied, never text from the
 * file. The workers' Kafka cluster is compared before any other system is asked.
 *
 * @param options maxAge: milliseconds
 * @throws Refusal when the plan is too old, or something changed since the decision
 */
export async function planReviewedNow(
  { intent, decided, decision, plannedAt, pinned }: ReviewedPlan,
  world: ChangeWorld,
  { again, maxAge, policies }: Pick<PlanOptions, "policies"> & { readonly again: boolean; readonly maxAge: number },
): Promise<PlannedNow> {
  const { clusterId } = await world.connect.worker();
  if (clusterId !== decided.cluster)
    throw new Refusal(
      "APL803",
      `changed since planning: the Kafka cluster was ${decided.cluster} and is ${clusterId}`,
      ["Plan again and review the difference."],
    );
  await refuseUnsettled({ clusterId, connector: intent.target.connector }, world);
  refuseAge(plannedAt, world.clock.now(), maxAge);
  const { plan: now, facts } = await planNow(intent, world, { pinned, again, policies, plannedAt });
  const nothing = await comparedWith({ intent, decided, decision }, now, facts, world, { again });
  // The reviewed decision is shown, confirmed, and checked once more.
  const as = { ...now, decided, decision, plannedAt } as Plan;
  const isDone = nothing !== undefined && now.outcome.state !== "no-op";
  return { plan: isDone ? { ...as, outcome: { state: "no-op", why: nothing } } : as, facts };
}
