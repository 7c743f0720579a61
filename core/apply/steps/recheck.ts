import { isStopped } from "../../facts/connector.ts";
import type { Facts } from "../../facts/facts.ts";
import { planFor } from "../../kinds/catalogue.ts";
import type { Plan } from "../../plan/plan.ts";
import { differences } from "../../plan/preconditions.ts";
import type { RunContext } from "../context.ts";
import type { Step, StepResult } from "./step.ts";
import { startedAgain } from "./stop-connector.ts";
import { signalStands } from "./write-signal.ts";

/**
 * Repeats the checks against the offset as it then stands, and fixes the body of the PATCH.
 *
 * Rule: specification, `offsets set`, rule 4; architecture, "What apply promises", 2.
 */
export const recheck: Step<"recheck"> = {
  name: "recheck",

  describe: () => "check everything again against the offset as it then stands",

  probe: async (_args, ctx) => (ctx.state().body === undefined ? "not-done" : "done"),

  async run(_args, ctx) {
    const { plan } = ctx.state().started;
    if (plan === null)
      return { result: "failed", error: "the run was taken over from the ops topic and has no plan to check against" };
    const facts = withoutRun(await ctx.observe(), ctx.run);
    const { name, status } = facts.connector;
    if (!isStopped(status)) return startedAgain(name, status.state);
    const now = planFor(plan.intent, facts, { pinned: plan.move?.to, again: true });
    const problem = refusal(plan, now);
    if (problem !== undefined) return { result: "failed", ...problem };
    if (now.offset === undefined) return { result: "failed", error: "the offset to store can't be worked out" };
    await ctx.record({
      type: "body-fixed",
      previous: now.offset.before,
      body: { partition: now.offset.partition, offset: now.offset.after },
    });
    return { result: "done", note: "every check passed again" };
  },

  undo: () => "nothing to undo",
};

/**
 * What speaks against beginning what the plan decided, as the world stands now; undefined where nothing does, and where its signal, the first of it,
 * stands already. Only reads.
 */
export async function noLongerAsPlanned(
  ctx: RunContext,
): Promise<Extract<StepResult, { result: "failed" }> | undefined> {
  const { plan } = ctx.state().started;
  if (plan === null || (await signalStands(ctx))) return undefined;
  const facts = withoutRun(await ctx.observe(), ctx.run);
  const problem = refusal(plan, planFor(plan.intent, facts, { pinned: plan.move?.to, again: true }));
  return problem === undefined ? undefined : { result: "failed", ...problem };
}

function refusal(
  planned: Plan,
  now: Plan,
): { readonly error: string; readonly code: string; readonly remedies: readonly string[] } | undefined {
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

/** The facts without what this very run has recorded: its own `applying` is no foreign change in flight. */
function withoutRun<F extends Facts>(facts: F, run: string): F {
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
