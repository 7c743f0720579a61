import { hasFailed, isRunning, isStopped } from "../../facts/connector/connector.ts";
import { sameOffsets } from "../../facts/offset/stored-offset.ts";
import { phaseSubject } from "../../run/subject.ts";
import { printDuration } from "../../values/duration.ts";
import { firstLine } from "../../values/truncate.ts";
import { type RunContext, until } from "../context.ts";
import { notStarted, startConnectorCall } from "./start.ts";
import type { Step, StepResult } from "./step.ts";

/**
 * Resumes the legacy connector from the offsets that it stopped with, which is looked at first: it is the proof that
 * nothing is lost.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const resumeLegacy: Step<"resume-legacy"> = {
  async run({ connector }, ctx) {
    const { returning } = ctx.state();
    const status = await ctx.connect.status(connector);
    if (status !== undefined && isStopped(status)) {
      const now = await ctx.connect.offsets(connector);
      if (returning !== undefined && !sameOffsets(now, returning.offsets))
        return {
          result: "unclear",
          why:
            `the stored offsets of ${connector} are no longer those that it stopped with: another user or process ` +
            "has changed them",
          remedies: [
            "Compare them with the run's journal, then resume it by hand, or put them back and:  cdcctl recover",
          ],
        };
      ctx.report(`  the offsets of ${connector} are those that it stopped with`);
    }
    if (status?.state !== "RUNNING") {
      const why = await newRuns(ctx);
      if (why !== undefined) return why;
    }
    const started = await startConnectorCall(connector, ctx);
    if (started.result !== "done") return notStarted(connector, started);
    const result = await until(ctx, ctx.limits.resume, async (): Promise<StepResult | undefined> => {
      const now = await ctx.connect.status(connector);
      if (now === undefined) return { result: "unclear", why: `${connector} is gone`, remedies: [] };
      if (isRunning(now))
        return { result: "done", note: `${connector} runs again, from the offsets that it stopped with` };
      if (!hasFailed(now)) return undefined;
      const trace = firstLine(now.tasks.find(({ state }) => state === "FAILED")?.trace ?? now.trace);
      return {
        result: "unclear",
        why: `${connector} failed after it was resumed${trace === "" ? "" : `: ${trace}`}`,
        remedies: ["Mend what made it fail, restart it, then:  cdcctl recover"],
      };
    });
    return (
      result ?? {
        result: "unclear",
        why: `${connector} was resumed, and its task does not run after ${printDuration(ctx.limits.resume)}`,
        remedies: ["Look at its task and log.", "To go on waiting:  cdcctl recover"],
      }
    );
  },
};

/**
 * It was deleted: one that runs was created since, by another user or process or by an attempt that nobody answered.
 */
async function newRuns(ctx: RunContext): Promise<StepResult | undefined> {
  const { connector, legacy } = phaseSubject(ctx.state());
  const status = await ctx.connect.status(connector);
  if (status === undefined || isStopped(status)) return undefined;
  return {
    result: "unclear",
    why: `${connector} is ${status.state} again: ${legacy} was not resumed, both would deliver`,
    remedies: [`Find out who created ${connector}, and stop it; then:  cdcctl recover`],
  };
}
