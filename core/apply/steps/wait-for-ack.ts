import type { ConnectorStatus } from "../../facts/connector.ts";
import { decodeSignalAck, type SignalAck } from "../../facts/signal.ts";
import type { RecordPosition } from "../../ports.ts";
import { printDuration } from "../../values/duration.ts";
import { until } from "../context.ts";
import type { Step, StepResult } from "./step.ts";
import { positionOf } from "./write-signal.ts";

const LOOK = { records: 10_000, millis: 15_000 } as const;

/**
 * Waits for the connector's own answer to the signal of this run, from where the ops topic ended before it was written.
 *
 * Rule: reference: wire formats, "Ops topic".
 */
export const waitForAck: Step<"wait-for-ack"> = {
  name: "wait-for-ack",
  describe: ({ topic, millis }) =>
    `wait for the connector's answer to the signal in ${topic} (at most ${printDuration(Number(millis))})`,
  probe: async () => "not-done",
  async run({ topic, millis }, ctx) {
    const { signal, started } = ctx.state();
    if (signal === undefined) throw new Error("an answer to no signal");
    const { connector } = started.subject;
    let from: readonly RecordPosition[] = signal.answersFrom.map(positionOf);
    let silent = 0;
    const answered = await until(ctx, Number(millis), async (): Promise<StepResult | undefined> => {
      const { records } = await ctx.kafka.read(topic, { from, ...LOOK });
      const ack = records.map(({ value }) => decodeSignalAck(value)).find((one) => one?.id === signal.id);
      if (ack !== undefined) return answer(ack);
      from = after(from, records);
      const why = cannotAnswer(connector, await ctx.connect.status(connector));
      silent = why === undefined ? 0 : silent + 1;
      // A state may be seen late: once is no proof.
      return why === undefined || silent < 2 ? undefined : noAnswer(why);
    });
    return (
      answered ??
      noAnswer(`${connector} has not answered the signal ${signal.id} within ${printDuration(Number(millis))}`)
    );
  },
  undo: () => "nothing to undo",
};

function answer({ outcome, message, id }: SignalAck): StepResult {
  const said = message === "" ? "" : `: ${message}`;
  if (outcome === "ok") return { result: "done", note: `the connector has taken the signal ${id}${said}` };
  return {
    result: "rejected",
    error: `the connector answered "${outcome}" to the signal ${id}${said}`,
    remedies: ["The tables are not snapshotted. Mend what it names, then plan a Resnapshot of them again."],
  };
}

function noAnswer(why: string): StepResult {
  return {
    result: "unclear",
    why,
    remedies: [
      "The signal stays in its topic: the connector takes it when it runs.",
      "To go on waiting:  cdcctl recover",
    ],
  };
}

/** Why nothing is to be expected of a connector; undefined while it may answer. */
function cannotAnswer(connector: string, status: ConnectorStatus | undefined): string | undefined {
  if (status === undefined) return `${connector} is gone: it can't answer the signal`;
  const failed = status.tasks.find(({ state }) => state === "FAILED");
  const state = failed === undefined ? status.state : "FAILED";
  if (state !== "FAILED" && state !== "STOPPED" && state !== "PAUSED") return undefined;
  const trace = (failed?.trace ?? status.trace ?? "").split("\n", 1)[0];
  return `${connector} is ${state}${trace === "" ? "" : `: ${trace}`}; it can't answer the signal until it runs`;
}

function after(from: readonly RecordPosition[], records: readonly RecordPosition[]): readonly RecordPosition[] {
  const next = new Map(from.map(({ partition, offset }) => [partition, offset]));
  for (const { partition, offset } of records) {
    if (offset >= (next.get(partition) ?? 0n)) next.set(partition, offset + 1n);
  }
  return [...next].map(([partition, offset]) => ({ partition, offset }));
}
