import { hasFailed } from "../facts/connector/connector.ts";
import { succeeded } from "../run/sentences.ts";
import { inDoubt, stepsOf } from "../run/state.ts";
import type { Control } from "../run/subject.ts";
import { controlOf } from "../run/subject.ts";
import type { Remedy } from "../values/remedy.ts";
import { connectorsLine } from "../values/shell-word.ts";
import { carryOutStep } from "./carry-out-step.ts";
import { Interrupted, type RunContext } from "./context.ts";
import { end, type RunReport, unfinished } from "./endings.ts";
import { attempt } from "./engine.ts";
import { stepFor } from "./steps/catalogue.ts";

/**
 * Stops, resumes or restarts a connector, and waits for the state; the offset does not change. A run whose call got no
 * answer stays open, because the call may take effect later. An answered one is over, even if the connector did not
 * reach the requested state: nothing of the run is left to do then.
 */
export function carryOutControl(ctx: RunContext): Promise<RunReport> {
  return attempt(ctx, async () => {
    for (const planned of stepsOf(ctx.state())) {
      if (ctx.state().steps.get(planned.step) === "done") continue;
      if (ctx.interrupt.aborted) throw new Interrupted("interrupted before the call");
      const result = await carryOutStep(stepFor(planned), planned, ctx);
      if (result.result === "done") continue;
      if (result.result === "unclear" && inDoubt(ctx.state())) return unfinished(ctx, result.why, result.remedies);
      const remedy = await nextTo(ctx);
      const report = await end("failed", result.result === "unclear" ? result.why : result.error, ctx);
      return { ...report, remedies: [remedy] };
    }
    return end("succeeded", succeeded(ctx.state()), ctx);
  });
}

const WORDS: { readonly [C in Control]: "stop" | "resume" | "restart" } = {
  stop: "stop",
  resume: "resume",
  restart: "restart",
  "restart failed": "restart",
};

/** What an operator does if the connector did not reach the requested state. */
async function nextTo(ctx: RunContext): Promise<Remedy> {
  const { subject } = ctx.state().started;
  const status = await ctx.connect.status(subject.connector);
  const control = controlOf(subject) ?? "stop";
  return control !== "stop" && status !== undefined && hasFailed(status)
    ? { text: "Fix what made it fail, then", command: connectorsLine("restart", subject.connector, subject) }
    : {
        text: "Inspect its task and log. To try again",
        command: connectorsLine(WORDS[control], subject.connector, subject),
      };
}
