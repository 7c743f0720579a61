import { CallFailed } from "../../errors.ts";
import type { ConnectorStatus } from "../../facts/connector/connector.ts";
import { decodeSignalAck, type SignalAck } from "../../facts/ops/signal.ts";
import type { RecordPosition } from "../../ports/kafka.ts";
import { printDuration } from "../../values/duration.ts";
import { firstLine, truncate } from "../../values/truncate.ts";
import { until } from "../context.ts";
import type { Step, StepResult } from "./step.ts";
import { after, positionOf } from "./topic-ends.ts";

const LOOK = { records: 10_000, millis: 15_000 } as const;

/**
 * Waits for the connector's own answer to the signal of this run, from where the ops topic ended before it was written.
 * A connector that can't answer as it stands is not waited for.
 *
 * Rule: reference: wire formats, "Ops topic".
 */
export const waitForAck: Step<"wait-for-ack"> = {
  async run({ topic, millis }, ctx) {
    const { signal, started } = ctx.state();
    if (signal === undefined) throw new Error("an answer to no signal");
    const { connector } = started.subject;
    let from: readonly RecordPosition[] = signal.answersFrom.map(positionOf);
    let unable = 0;
    const answered = await until(ctx, Number(millis), async (): Promise<StepResult | undefined> => {
      const read = await ctx.kafka.read(topic, { from, ...LOOK }).catch(notInTime);
      if (read === undefined) return undefined;
      const { records, reachedEnd } = read;
      const ack = records.map(({ value }) => decodeSignalAck(value, ctx.redact)).find((one) => one?.id === signal.id);
      if (ack !== undefined) return answer(ack);
      from = after(from, records);
      // What the topic tells comes first: the connector may have answered and stopped since.
      if (!reachedEnd) return undefined;
      const why = unableToAnswer(connector, await ctx.connect.status(connector));
      unable = why === undefined ? 0 : unable + 1;
      return why === undefined || unable < 2 ? undefined : noAnswer(why, signal.id);
    });
    return answered ?? noAnswer(`${connector} has not answered within ${printDuration(Number(millis))}`, signal.id);
  },
};

/** Brokers that do not answer for a while are asked again: there is time. */
function notInTime(failure: unknown): undefined {
  if (failure instanceof CallFailed && failure.kind === "timeout") return undefined;
  throw failure;
}

function answer({ outcome, message, id }: SignalAck): StepResult {
  const said = message.trim() === "" ? "" : `: ${truncate(message, 500)}`;
  if (outcome === "ok") return { result: "done", note: `the connector has taken the signal ${id}${said}` };
  return {
    result: "rejected",
    error: `the connector answered "${truncate(outcome, 40)}" to the signal ${id}${said}`,
  };
}

function noAnswer(why: string, id: string): StepResult {
  return {
    result: "unclear",
    why,
    remedies: [
      `The signal ${id} stays in its topic: the connector takes it when it runs.`,
      "To go on waiting:  cdcctl recover",
      "To wait no longer:  cdcctl recover --abandon     # what was done stands",
    ],
  };
}

/** Why nothing is to be expected of a connector as it stands; undefined while it may answer. */
function unableToAnswer(connector: string, status: ConnectorStatus | undefined): string | undefined {
  if (status === undefined) return `${connector} is gone: it can't answer the signal`;
  const failed = status.tasks.find(({ state }) => state === "FAILED");
  const state = failed === undefined ? status.state : "FAILED";
  if (state !== "FAILED" && state !== "STOPPED" && state !== "PAUSED") return undefined;
  const trace = state === "FAILED" ? firstLine(failed?.trace ?? status.trace) : "";
  return `${connector} is ${state}${trace === "" ? "" : ` (${trace})`}: it can't answer the signal until it runs`;
}
