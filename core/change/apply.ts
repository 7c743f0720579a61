import type { RunReport, WaitLimits } from "../apply/context.ts";
import { carryOut } from "../apply/engine.ts";
import { carriedOutSince, notReviewed, recordDecided } from "../apply/steps/ops-topic.ts";
import { type Approvals, refuseExpired } from "../approvals/approvals.ts";
import { Refusal } from "../errors.ts";
import { observe, runStarted } from "../kinds/catalogue.ts";
import type { Facts } from "../kinds/facts.ts";
import { type Plan, pinnedIn } from "../plan/plan.ts";
import { nextOrdinal } from "../run/order.ts";
import { connectorsOf } from "../run/subject.ts";
import { runId } from "../values/run-id.ts";
import { comparedWith, refuseAge, refuseUnsettled, runsOf } from "./compare.ts";
import { closing, lockAll } from "./holding.ts";
import { type PlanOptions, planFrom } from "./plan.ts";
import { type Caller, type ChangeWorld, runContext } from "./run-context.ts";

export interface ApplyOptions extends Pick<PlanOptions, "policies"> {
  readonly limits: WaitLimits;
  /** Apply a decision again that was already applied. */
  readonly again: boolean;
  /** Maximum age of a plan, milliseconds. */
  readonly maxAge: number;
  /** Name of the command, for the lock. */
  readonly command: string;
  /** The facts of plans that were made in this command. */
  readonly from: ReadonlyMap<Plan, Facts>;
  /** The verified approvals of each plan. */
  readonly approvals: ReadonlyMap<Plan, Approvals>;
}

type Applied = { readonly plan: Plan } & ({ readonly nothing: string } | { readonly report: RunReport });

/**
 * Applies one plan: takes the lock, observes everything again, compares it with the plan, and only then begins the run.
 *
 * @throws Refusal when something changed since planning; no mutating call has been made
 */
export async function applyPlan(
  plan: Plan,
  world: ChangeWorld,
  caller: Caller,
  options: ApplyOptions,
): Promise<Applied> {
  const key = { clusterId: plan.world.clusterId, connector: plan.intent.target.connector };
  const pinned = pinnedIn(plan);
  await using _lock = await lockAll(connectorsOf(plan.decided), key.clusterId, world.state, options.command);
  for (const connector of connectorsOf(plan.decided)) await refuseUnsettled({ ...key, connector }, world);
  refuseAge(plan.plannedAt, world.clock.now(), options.maxAge);
  const { facts, kafka, oracle } = await observe(plan.intent, world, world.sources, { pinned, evidence: false });
  const asked = { ...options, pinned, plannedAt: plan.plannedAt };
  const now = await planFrom(plan.intent, facts, asked, world.clock.now());
  const nothing = await comparedWith(plan, now, facts, world, options);
  if (nothing !== undefined) return { plan: now, nothing };
  refuseChangedSince(options.from.get(plan), facts, key.connector);
  const blocking = now.findings.find(({ effect }) => effect === "blocks");
  if (blocking !== undefined) throw new Refusal(blocking.code, blocking.seen ?? blocking.title, blocking.remedies);

  const approvals = refuseExpired(options.approvals.get(plan), world.clock.now());
  const run = runId(world.clock.now(), world.clock.random);
  const earlier = await runsOf(key, world);
  const ordinal = nextOrdinal(earlier.map(({ state }) => state.started));
  await using writer = closing(await world.state.create({ ...key, run }));
  const ctx = runContext({ ...key, run }, [], writer, { kafka, oracle }, world, caller, {
    limits: options.limits,
    recovering: false,
    plan: now,
  });
  await ctx.record(
    runStarted(asAgreed(now, plan), { run, ordinal, operator: caller.operator, cdcctl: caller.cdcctl, approvals }),
  );
  await recordDecided(facts, ctx);
  return { plan: now, report: await carryOut(now.steps, ctx) };
}

/** The plan with what was said of the same decision to the operator: that is recorded, and not what is read since. */
function asAgreed(now: Plan, { summary, asks, inShort, first, diff, notes, figures, decision }: Plan): Plan {
  return decision === now.decision ? { ...now, summary, asks, inShort, first, diff, notes, figures } : now;
}

/**
 * @throws Refusal `APL803` when another run has changed the offset since planning: the plan shown started from another
 * offset
 */
function refuseChangedSince(planned: Facts | undefined, now: Facts, connector: string): void {
  if (planned?.opsHistory.known !== true) return;
  const theirs = carriedOutSince(planned.opsHistory.value.readTo, now, connector);
  if (theirs === undefined) return;
  const { code, error, remedies } = notReviewed(theirs);
  throw new Refusal(code, error, remedies);
}
