import { type ConnectorStatus, isStopped } from "../../facts/connector/connector.ts";
import type { Facts } from "../../facts/facts.ts";
import { planFor } from "../../kinds/catalogue.ts";
import { START_SCN } from "../../kinds/migration/new-connector.ts";
import { isMigration, type Plan, pinnedBy } from "../../plan/plan.ts";
import { differences } from "../../plan/preconditions.ts";
import type { JournalEvent } from "../../run/journal.ts";
import type { Advice } from "../../values/remedy.ts";
import type { RunContext } from "../context.ts";
import { failedNotAtRest, notAtRest } from "./at-rest.ts";
import { carriedOutSince, notReviewed, printRival, recordJudged } from "./ops-topic.ts";
import { signalStands } from "./signal.ts";
import type { Failed, Step } from "./step.ts";

/**
 * Repeats the checks against the offset as it then stands, and fixes the body of the PATCH.
 *
 * Rule: specification, `offsets set`, rule 4; architecture, "What apply promises", 2.
 */
export const recheck: Step<"recheck"> = {
  async run(_args, ctx) {
    const { plan } = ctx.state().started;
    if (plan === null)
      return { result: "failed", error: "the run was taken over from the ops topic and has no plan to check against" };
    const seen = await observeAtRest(plan, ctx);
    if ("result" in seen) return seen;
    const facts = asOfRun(seen, ctx);
    const changed = changedMeanwhile(plan.decision, facts, ctx);
    if (changed !== undefined) return changed;
    const now = planFor(plan.intent, facts, { pinned: pinnedBy(plan), again: true });
    const problem = refusal(plan, now);
    if (problem !== undefined) return { result: "failed", ...problem };
    const fixed = fixedBy(now, facts);
    if (typeof fixed === "string") return { result: "failed", error: fixed };
    await ctx.record(fixed);
    return { result: "done", note: "every check passed again" };
  },
};

/** How often everything is looked at again because a rebalance was seen in the middle of it. */
const LOOKS = 5;

/** Looks at everything while the connector that the run has stopped is at rest; a rebalance is waited out. */
async function observeAtRest(plan: Plan, ctx: RunContext): Promise<Facts | Failed> {
  const stopped = plan.steps.find((planned) => planned.step === "stop-connector")?.connector;
  for (let look = 1; ; look++) {
    const running = stopped === undefined ? undefined : await notAtRest(stopped, ctx);
    if (stopped !== undefined && running !== undefined) return failedNotAtRest(stopped, running);
    await recordJudged(ctx);
    const facts = await ctx.observe();
    const status = stopped === undefined ? undefined : statusIn(facts, stopped);
    if (status === undefined || isStopped(status)) return facts;
    if (stopped !== undefined && look === LOOKS) return failedNotAtRest(stopped, status);
  }
}

/**
 * What another run has changed since this one was decided: it was reviewed against an offset that is not there any
 * more. Where both had the same plan, nothing is left to do.
 */
function changedMeanwhile(decision: Plan["decision"], facts: Facts, ctx: RunContext): Failed | undefined {
  const { opsTopicEnd, started } = ctx.state();
  const { begun } = opsTopicEnd;
  const theirs = begun === undefined ? undefined : carriedOutSince(begun, facts, started.subject.connector, ctx.run);
  if (theirs === undefined) return undefined;
  if (theirs.details.decision !== decision) return { result: "failed", ...notReviewed(theirs) };
  return {
    result: "failed",
    error: `${printRival(theirs)} has carried out the same decision since this run began; nothing is left to do`,
    code: "APL803",
  };
}

function statusIn(facts: Facts, name: string): ConnectorStatus | undefined {
  const seen =
    facts.kind !== "Migration" ? [facts.connector] : [...("legacy" in facts ? [facts.legacy] : []), facts.next];
  return seen.find((connector) => connector?.name === name)?.status;
}

/** What is carried out, as it now stands: written down before anything of it is begun. @returns why it can't be told */
function fixedBy(now: Plan, facts: Facts): JournalEvent | string {
  if (!isMigration(now)) {
    if (now.offset === undefined) return "the offset to store can't be worked out";
    const { before, partition, after } = now.offset;
    return { type: "body-fixed", previous: before, body: { partition, offset: after } };
  }
  if (facts.kind === "Migration" && facts.phase === "rollback")
    return { type: "return-fixed", offsets: facts.legacy.offsets, removed: facts.next?.offsets ?? [] };
  if (facts.kind !== "Migration" || facts.phase !== "cutover" || now.migration.phase !== "cutover")
    throw new Error("nothing is fixed by this phase");
  const { takeover, configuration } = now.migration;
  if (takeover === undefined) return "where the legacy connector stands can't be told";
  return {
    type: "takeover-fixed",
    startScn: takeover.startScn,
    lastDelivered: takeover.lastDelivered,
    offsets: facts.legacy.offsets,
    configuration: { ...configuration, [START_SCN]: String(takeover.startScn) },
  };
}

/**
 * What speaks against beginning what the plan decided, as the world stands now; undefined where nothing does, and where
 * its signal, the first of it, stands already. Only reads.
 */
export async function noLongerAsPlanned(ctx: RunContext): Promise<Failed | undefined> {
  const { plan } = ctx.state().started;
  if (plan === null || (await signalStands(ctx))) return undefined;
  const facts = asOfRun(await ctx.observe(), ctx);
  const problem = refusal(plan, planFor(plan.intent, facts, { pinned: pinnedBy(plan), again: true }));
  return problem === undefined ? undefined : { result: "failed", ...problem };
}

function refusal(
  planned: Plan,
  now: Plan,
): { readonly error: string; readonly code: string; readonly remedies: readonly Advice[] } | undefined {
  const changed = differences(planned, now);
  if (changed.length > 0) {
    return {
      error: `it is no longer as planned: ${changed.join("; ")}`,
      code: "APL803",
      remedies: ["Plan again and review the difference."],
    };
  }
  const blocking = now.findings.find(({ effect }) => effect === "blocks");
  if (blocking === undefined) return undefined;
  return { error: blocking.seen ?? blocking.title, code: blocking.code, remedies: blocking.remedies };
}

/**
 * The facts as they count for this run: without its own record, and with what it has seen before it stopped the legacy
 * connector.
 */
function asOfRun(seen: Facts, ctx: RunContext): Facts {
  const facts = withoutRun(seen, ctx.run);
  return facts.kind === "Migration" && facts.phase === "cutover"
    ? { ...facts, openBefore: ctx.state().transactionsSeen }
    : facts;
}

/** The facts without what this very run has recorded: its own `applying` is no foreign change in flight. */
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
