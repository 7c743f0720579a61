import { callName } from "../../plan/calls.ts";
import { curlLine } from "../../values/shell-word.ts";
import type { RunContext } from "../context.ts";
import { type CallOutcome, untilDefinite } from "./definite-call.ts";
import type { Unclear } from "./step.ts";

/**
 * Asks a connector to run, until that is answered; one that runs is asked only where an earlier attempt was never
 * answered. It does not wait until the connector runs.
 *
 * @param obstacle what speaks against it; asked before each time
 */
export function startConnectorCall(
  connector: string,
  ctx: RunContext,
  obstacle?: () => Promise<string | undefined>,
): Promise<CallOutcome> {
  const runs = async () => (await ctx.connect.status(connector))?.state === "RUNNING";
  return untilDefinite(
    {
      call: callName("start", connector),
      send: () => ctx.connect.resume(connector),
      isDone: runs,
      hasEffect: runs,
      stands: runs,
      ...(obstacle === undefined ? {} : { obstacle }),
    },
    ctx,
  );
}

/**
 * The result of a step whose connector was not started. What is done before stands, so that a no is no failure of the
 * change.
 */
export function notStarted(connector: string, started: Exclude<CallOutcome, { readonly result: "done" }>): Unclear {
  return started.result === "unclear"
    ? started
    : {
        result: "unclear",
        why: `${connector} was not started: ${started.error}`,
        remedies: ["Fix that, then:  cdcctl recover"],
      };
}

/** What an operator does about a connector that a run leaves stopped. */
export function howToStart(connector: string, ctx: RunContext): string {
  return `${connector} stays stopped. To start it:  ${curlLine("PUT", ctx.connect.url, connector, "/resume")}`;
}
