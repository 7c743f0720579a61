import { isStopped } from "../../facts/connector/connector.ts";
import { kindOf, planFor } from "../../kinds/catalogue.ts";
import { connectorsIn, type Facts } from "../../kinds/facts.ts";
import { type Plan, pinnedIn } from "../../plan/plan.ts";
import { decisionDiff, differences } from "../../plan/preconditions.ts";
import type { RunContext } from "../context.ts";
import { failedNotAtRest, notAtRest } from "./at-rest.ts";
import { carriedOutSince, notReviewed, printRival, recordJudged } from "./ops-topic.ts";
import { signalStands } from "./signal.ts";
import { done, type Failed, failed, type Step } from "./step.ts";

/**
 * Repeats the checks against the current offset, and pins the body of the PATCH.
 *
 * Rule: specification, `offsets set`, rule 4; architecture, "What apply promises", 2.
 */
export const recheck: Step<"recheck"> = {
  async run(_args, ctx) {
    const { plan } = ctx.state().started;
    if (plan === null) return failed("the run was taken over from the ops topic and has no plan to check against");
    const seen = await observeAtRest(plan, ctx);
    if ("result" in seen) return seen;
    const kind = kindOf(plan.intent);
    const facts = kind.asOfRun(withoutRun(seen, ctx.run), ctx.state());
    const changed = changedMeanwhile(plan.decision, facts, ctx);
    if (changed !== undefined) return changed;
    const now: Plan = planFor(plan.intent, facts, { pinned: pinnedIn(plan), again: true });
    const problem = refusal(plan, now, ctx);
    if (problem !== undefined) return problem;
    const pinned = kind.pin(now, facts);
    if (typeof pinned === "string") return failed(pinned);
    await ctx.record(pinned);
    return done("every check passed again");
  },
};

/** The most observations repeated because of a rebalance in between. */
const ATTEMPTS = 5;

/** Observes everything while the connector that the run has stopped is at rest; waits out a rebalance. */
async function observeAtRest(plan: Plan, ctx: RunContext): Promise<Facts | Failed> {
  const stopped = plan.steps.find((planned) => planned.step === "stop-connector")?.connector;
  for (let attempt = 1; ; attempt++) {
    const running = stopped === undefined ? undefined : await notAtRest(stopped, ctx);
    if (stopped !== undefined && running !== undefined) return failedNotAtRest(stopped, running, ctx);
    await recordJudged(ctx);
    const facts = await ctx.observe();
    const status = connectorsIn(facts).find((one) => stopped !== undefined && one?.name === stopped)?.status;
    if (status === undefined || isStopped(status)) return facts;
    if (stopped !== undefined && attempt === ATTEMPTS) return failedNotAtRest(stopped, status, ctx);
  }
}

/**
 * The failure if another run has changed something since this one was decided: it was reviewed against an offset that
 * no longer exists. If both had the same plan, nothing is left to do.
 */
function changedMeanwhile(decision: Plan["decision"], facts: Facts, ctx: RunContext): Failed | undefined {
  const { opsTopicEnd, started } = ctx.state();
  const { begun } = opsTopicEnd;
  const theirs = begun === undefined ? undefined : carriedOutSince(begun, facts, started.subject.connector, ctx.run);
  if (theirs === undefined) return undefined;
  if (theirs.details.decision !== decision) return { result: "failed", ...notReviewed(theirs) };
  return failed(
    `${printRival(theirs)} has carried out the same decision since this run began; nothing is left to do`,
    "APL803",
  );
}

/**
 * Why the plan's decision must not be started in the current state; undefined if it may, or if its signal, its first
 * part, is already written. Only reads.
 */
export async function noLongerAsPlanned(ctx: RunContext): Promise<Failed | undefined> {
  const { plan } = ctx.state().started;
  if (plan === null || (await signalStands(ctx))) return undefined;
  const kind = kindOf(plan.intent);
  const facts = kind.asOfRun(withoutRun(await ctx.observe(), ctx.run), ctx.state());
  const now = planFor(plan.intent, facts, { pinned: pinnedIn(plan), again: true });
  return refusal(plan, now, ctx);
}

/** The failure if the plan of now decides something else, whose changed lines are shown, or is blocked. */
function refusal(planned: Plan, { ...now }: Plan, ctx: RunContext): Failed | undefined {
  // Rules hold before a run begins, and never for what settles it.
  const { policies } = planned.decided;
  if (policies !== undefined) now.decided = { ...now.decided, policies };
  const changed = differences(planned, now, ctx.state().removal !== undefined);
  if (changed.length > 0) {
    for (const line of decisionDiff(planned, now)) ctx.report(`  ${line}`);
    const error = `the state is no longer as planned: ${changed.join("; ")}`;
    return failed(error, "APL803", ["Plan again and review the difference."]);
  }
  const blocking = now.findings.find(({ effect }) => effect === "blocks");
  return blocking && failed(blocking.seen ?? blocking.title, blocking.code, blocking.remedies);
}

/** The facts without what this run itself has recorded: its own `applying` is not another change in flight. */
export function withoutRun<F extends Facts>(facts: F, run: string): F {
  if (!facts.opsHistory.known) return facts;
  const { value } = facts.opsHistory;
  return {
    ...facts,
    opsHistory: {
      ...facts.opsHistory,
      value: { ...value, events: value.events.filter(({ details }) => details.run !== run) },
    },
  };
}
