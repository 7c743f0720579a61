import { Refusal } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { type Approved, approvalOf, approvalSeen, decisionOf } from "../../core/plan/resolved-plan.ts";
import { type Digest, parseDigest } from "../../core/values/digest.ts";
import { decideAccess } from "../../providers/contexts/trust.ts";
import type { Host } from "../host.ts";
import type { ConsentFlags } from "./consent.ts";
import { contextsOf } from "./contexts.ts";
import { accessFlags, type WorldFlags } from "./open-world.ts";

type Expected = Pick<ConsentFlags, "expect">;

/**
 * The approval of plans for where they would be applied: by the operator's own contexts and flags, never by what a
 * saved plan says of its place. Nothing is opened.
 *
 * @throws UsageError as `decideAccess`
 */
export async function approvedHere(plans: readonly Approved[], flags: WorldFlags, host: Host): Promise<Digest> {
  // What is wrong with the file is said when a world is opened.
  const contexts = await contextsOf(flags, host);
  const urls = new Map<Approved, readonly string[]>();
  for (const plan of plans) {
    const { connect } = await decideAccess(plan.intent.target, accessFlags(flags), contexts);
    urls.set(plan, [connect.url, ...(connect.otherUrls ?? [])]);
  }
  return approvalOf(plans, (plan) => urls.get(plan) ?? []);
}

/**
 * Compares `--expect` with plans made now. When nothing is left to do, the last applied decision is accepted as well.
 *
 * @throws Refusal `APL810` when something else was approved, whether there is anything to do or not
 */
export function demandExpected(plans: readonly Plan[], { expect }: Expected): void {
  if (expect === undefined) return;
  const applied = plans.map((plan) => ({ ...plan, decision: appliedDecision(plan) }));
  if (expect !== approvalSeen(applied)) demandApproval(expect, approvalSeen(plans), plans, applied);
}

/**
 * Compares `--expect` with what would be applied. A decision alone, as earlier versions printed it, is refused as well:
 * it does not say where, so a plan that was pointed elsewhere after the review would pass.
 *
 * @throws Refusal `APL810`
 */
export function demandApproval(
  expect: string | undefined,
  approval: Digest,
  ...plans: readonly (readonly Approved[])[]
): void {
  if (expect === undefined || expect === approval) return;
  throw plans.some((some) => expect === decisionOf(some))
    ? new Refusal("APL810", `--expect ${expect} is the decision alone, which does not say where it is applied`, [
        "Plan again, review the workers' URLs, and pass the approval that `cdcctl plan` prints.",
      ])
    : new Refusal("APL810", `expected approval ${expect}, but that of this plan and its place is ${approval}`, [
        "Plan again, review the difference, and pass the new approval to --expect.",
      ]);
}

/**
 * Compares where a saved plan would be applied with where it was planned, by its own approval.
 *
 * @param approval of the file; undefined in one of an earlier version
 * @throws Refusal `APL803`
 */
export function demandSamePlace(approval: Digest | undefined, here: Digest): void {
  if (approval === undefined || approval === here) return;
  throw new Refusal(
    "APL803",
    "changed since planning: the place, which is the workers' URLs of the context or plan, and the evidence file",
    ["Plan again and review the difference."],
  );
}

function appliedDecision({ outcome, decision }: Plan): Digest {
  return (
    (outcome.state === "no-op" && outcome.applied !== undefined ? parseDigest(outcome.applied) : undefined) ?? decision
  );
}
