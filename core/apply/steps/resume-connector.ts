import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { CallFailed } from "../../errors.ts";
import { hasFailed } from "../../facts/connector/connector.ts";
import { type CommitReading, readCommit } from "../../facts/offset/stored-change.ts";
import { storedChangeOf } from "../../run/change.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, toRecover, until } from "../context.ts";
import { opsOrder, printRival } from "./ops-topic.ts";
import { demandOwn } from "./own-run.ts";
import { overwritten, repair, storedUnder } from "./patch-offset.ts";
import { notStarted, startConnectorCall, whyFailed } from "./start.ts";
import { done, type Step, type StepResult, unclear } from "./step.ts";

/**
 * Resumes the connector and waits for its first commit: a running task does not prove that it started at the requested
 * position. A late commit of the old task before the resume is repaired; one after it does not end the wait, because a
 * new task that started earlier overwrites it.
 *
 * Rule: architecture, "What apply promises", 5.
 */
export const resumeConnector: Step<"resume-connector"> = {
  async run({ connector, scn }, ctx) {
    const before = await commitNow(connector, ctx);
    if (before.reading.is === "committed") return committed(before.reading, scn, ctx);
    // A later run has set another offset.
    if (before.reading.is === "overwritten") await demandOwn(ctx);
    if (before.reading.is === "overwritten" && (await ctx.connect.status(connector))?.state !== "RUNNING") {
      const notRepaired = await repair(connector, before.stored, ctx);
      if (notRepaired !== undefined) return notRepaired;
    }
    const started = await startConnectorCall(connector, ctx);
    if (started.result !== "done") return notStarted(connector, started);
    let last = before;
    let state = "in an unknown state";
    const result = await until(
      ctx,
      ctx.limits.resume,
      async () => {
        const [now, status] = await Promise.all([commitNow(connector, ctx), ctx.connect.status(connector)]);
        last = now;
        state = status?.state ?? state;
        return now.reading.is === "committed" ? committed(now.reading, scn, ctx) : failure(connector, status);
      },
      () => `${connector} is ${state} and has not committed yet`,
    );
    if (result !== undefined) return result;
    if (last.reading.is === "overwritten") return overwritten(last.stored, ctx);
    return unclear(
      `${connector} was resumed, is ${state}, and has not committed an offset within ` +
        printDuration(ctx.limits.resume),
      ["Inspect its task and log.", toRecover("To continue waiting")],
    );
  },
};

async function commitNow(connector: string, ctx: RunContext) {
  const state = ctx.state();
  const change = storedChangeOf(state);
  if (state.body === undefined || change === undefined) throw new Error("a resume without a body");
  const stored = await storedUnder(state.body.entry, connector, ctx);
  return { stored, reading: readCommit(stored, change) };
}

async function committed(
  { at, generation, proven }: Extract<CommitReading, { is: "committed" }>,
  scn: bigint,
  ctx: RunContext,
): Promise<StepResult> {
  const theirs = await cameAfter(ctx);
  if (proven && theirs === undefined) return done(`resumed; first commit at ${at}, journal generation ${generation}`);
  const seen = theirs ?? `the first commit seen is at ${at}, at or above the previous position`;
  return done(`resumed; ${seen}, which does not prove that it mined from ${scn}`, {
    unproven: `it mined from ${scn}: ${seen}`,
  });
}

/** Why the commit may belong to another run's position; undefined if no run came after this one. */
async function cameAfter(ctx: RunContext): Promise<string | undefined> {
  try {
    const { later } = await opsOrder(ctx);
    return later === undefined ? undefined : `${printRival(later)} came after it`;
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure;
    return `whether another run came after it could not be read (${failure.message})`;
  }
}

function failure(connector: string, status: ConnectorStatus | undefined): StepResult | undefined {
  if (status === undefined || !hasFailed(status)) return undefined;
  return unclear(`${connector} failed after it was resumed${whyFailed(status)}`, [
    toRecover("The offset is as planned; fix what made the task fail, restart it, then"),
  ]);
}
