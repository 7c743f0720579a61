import { decodeOffset, sameOffset } from "../../facts/stored-offset.ts";
import { printDuration } from "../../values/duration.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { type RunContext, until } from "../context.ts";
import { overwritten, storedUnder } from "./patch-offset.ts";
import type { Step, StepResult } from "./step.ts";

/**
 * Resumes the connector and waits for its first commit: that the task runs does not prove that it started where it was told to.
 *
 * Rule: architecture, "What apply promises", 5.
 */
export const resumeConnector: Step<"resume-connector"> = {
  name: "resume-connector",

  describe: ({ connector, scn }) => `resume ${connector}, wait for its first commit at or after ${scn}`,

  async probe({ connector }, ctx) {
    const { body } = ctx.state();
    if (body === undefined) return "not-done";
    const commit = firstCommit(await storedUnder(body.entry, connector, ctx), ctx);
    return commit === undefined ? "not-done" : commit.result === "done" ? "done" : "unclear";
  },

  async run({ connector }, ctx) {
    const { body } = ctx.state();
    if (body === undefined) throw new Error("a resume without a body");
    const started = await ctx.connect.status(connector);
    if (started?.state !== "RUNNING") {
      const stored = await storedUnder(body.entry, connector, ctx);
      if (!sameOffset(stored, body.entry.offset)) return overwritten(stored);
      await ctx.connect.resume(connector);
    }
    const commit = await until(ctx, ctx.limits.resume, async () => {
      const [stored, status] = await Promise.all([
        storedUnder(body.entry, connector, ctx),
        ctx.connect.status(connector),
      ]);
      return firstCommit(stored, ctx) ?? failure(connector, status);
    });
    if (commit !== undefined) return commit;
    return {
      result: "unclear",
      why: `${connector} was resumed and has not committed an offset within ${printDuration(ctx.limits.resume)}`,
      remedies: ["Look at its task and log.", "To go on waiting:  cdcctl recover"],
    };
  },

  undo: ({ started }) => `${started.subject.connector} is stopped first`,
};

/**
 * Reads what a stored offset proves after the resume. A commit of the new task has a higher journal generation; one with the old
 * generation that differs from the body is a late commit of the old task.
 */
function firstCommit(stored: JsonObject | null, ctx: RunContext): StepResult | undefined {
  const { body, started } = ctx.state();
  if (body === undefined || sameOffset(stored, body.entry.offset)) return undefined;
  const seen = stored === null ? undefined : decodeOffset(stored);
  if (seen === undefined || !seen.ok) return overwritten(stored);
  const generation = generationOf(body.entry.offset);
  const risen = (seen.offset.journalGeneration ?? 0n) > generation;
  if (!risen || seen.offset.resumeScn < started.subject.scn) return overwritten(stored);
  const previous = resumeScnOf(body.previous);
  const at = seen.offset.resumeScn;
  if (started.subject.direction === "backward" && previous !== undefined && at >= previous) {
    return {
      result: "done",
      note: `resumed; its first seen commit is at ${at}, at or above the previous position: that it mined from ${started.subject.scn} is unproven`,
    };
  }
  return {
    result: "done",
    note: `resumed; first commit at ${at}, journal generation ${seen.offset.journalGeneration}`,
  };
}

function failure(
  connector: string,
  status: Awaited<ReturnType<RunContext["connect"]["status"]>>,
): StepResult | undefined {
  const failed = status?.tasks.find(({ state }) => state === "FAILED");
  if (status?.state !== "FAILED" && failed === undefined) return undefined;
  const trace = (failed?.trace ?? status?.trace ?? "").split("\n", 1)[0];
  return {
    result: "unclear",
    why: `${connector} failed after it was resumed: ${trace}`,
    remedies: ["The offset is as planned; mend what made the task fail, restart it, then:  cdcctl recover"],
  };
}

function generationOf(offset: JsonObject | null): bigint {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded?.ok ? (decoded.offset.journalGeneration ?? 0n) : 0n;
}

function resumeScnOf(offset: JsonObject | null): Scn | undefined {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded?.ok ? decoded.offset.resumeScn : undefined;
}
