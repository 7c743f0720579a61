import type { ConnectorStatus, SignalAck } from "../../../schemas/generated/facts.ts";
import { CallFailed, orUndefined } from "../../errors.ts";
import { errorLine } from "../../facts/connector/traces.ts";
import { snapshotsAhead } from "../../facts/offset/snapshots-ahead.ts";
import { ownOffset } from "../../facts/offset/stored-offset.ts";
import { inLogOrder } from "../../facts/ops/ops-event.ts";
import { decodeSignalAck, decodeSnapshotEnd, isAccepted } from "../../facts/ops/signal.ts";
import { inspectSignals } from "../../kinds/connector/inspect-signals.ts";
import type { KafkaRecord, RecordPosition } from "../../ports/kafka.ts";
import { counted } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import type { Advice } from "../../values/remedy.ts";
import { truncate } from "../../values/truncate.ts";
import { type RunContext, toRecover, until } from "../context.ts";
import { after, LOOK_BACK, positionOf } from "./ops-topic.ts";
import { done, failed, type Step, type StepResult, unclear } from "./step.ts";

/**
 * Waits until the task has no other snapshot to finish, by its stored offset and the signals that it has not handled:
 * the signal of this run would be rejected, and not queued.
 *
 * Rule: reference: connector rules, "Signals and snapshots".
 */
export const waitForSnapshot: Step<"wait-for-snapshot"> = {
  async run({ connector, topic, millis }, ctx) {
    const { prefix } = ctx.state().started.subject;
    let left: readonly string[] = ["its stored offset was not read"];
    let times = 0;
    const notEnded = (error: string, remedies?: readonly Advice[]) => failed(error, "SNP919", remedies);
    try {
      const ended = await until(ctx, Number(millis), async (): Promise<StepResult | undefined> => {
        const own = ownOffset(await ctx.connect.offsets(connector), prefix);
        if (own.is !== "stored")
          return notEnded(own.is === "none" ? `${connector} has no stored offset any longer` : own.why);
        const { unread } = await inspectSignals(ctx.kafka, { topic, connector, prefix }, own.offset.signalOffset);
        const ahead = snapshotsAhead(own.offset, unread, [], []);
        if (ahead === undefined) return done("no other snapshot is under way");
        if (ahead.what.join() !== left.join()) ctx.report(`  ${ahead.what.join("; ")}`);
        left = ahead.what;
        const why = unable(connector, await ctx.connect.status(connector), "finish its snapshot");
        times = why === undefined ? 0 : times + 1;
        return why === undefined || times < 2 ? undefined : notEnded(why);
      });
      return ended ?? notEnded(`after ${printDuration(Number(millis))} ${left.join("; ")}`);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      // Nothing was changed yet.
      return notEnded(`the snapshot could not be watched: ${failure.message}`, failure.remedies);
    }
  },
};

/**
 * Waits for the connector's own answer to the signal of this run, from where the ops topic ended before it was written.
 * It does not wait for a connector that can't answer in its current state.
 *
 * Rule: reference: wire formats, "Ops topic".
 */
export const waitForAck: Step<"wait-for-ack"> = {
  async run({ topic, millis }, ctx) {
    const { connector } = ctx.state().started.subject;
    const waits = {
      for: "answer the signal",
      late: `${connector} has not answered within ${printDuration(Number(millis))}`,
      meanwhile: (id: string) => `The signal ${id} stays in its topic: the connector reads it when it runs.`,
    };
    return watchAnswers(topic, millis, ctx, waits, (record, id) => {
      const ack = decodeSignalAck(record.value, ctx.redact);
      return ack?.id === id ? answer(ack) : undefined;
    });
  },
};

/**
 * Waits for the end of the snapshot that the run's signal has started: behind its answer, no other can be running.
 *
 * Rule: reference: connector rules, "Signals and snapshots" (`snapshot-complete`).
 */
export const waitForCompletion: Step<"wait-for-completion"> = {
  async run({ topic, tables, millis }, ctx) {
    const { connector } = ctx.state().started.subject;
    const waits = {
      for: "finish its snapshot",
      late: `the snapshot of ${connector} has not ended within ${printDuration(Number(millis))}`,
      meanwhile: () => "The snapshot goes on while the connector runs.",
    };
    const skipped: string[] = [];
    let isOurs = false;
    return watchAnswers(topic, millis, ctx, waits, ({ value }, id) => {
      isOurs ||= decodeSignalAck(value, ctx.redact)?.id === id;
      const end = isOurs ? decodeSnapshotEnd(value, ctx.redact) : undefined;
      if (end === undefined) return undefined;
      if (end.table !== "*") {
        if (end.skipped !== "" && tables.includes(end.table))
          skipped.push(`${end.table}: ${truncate(end.skipped, 300)}`);
        return undefined;
      }
      if (end.stopped) return { result: "rejected", error: "a signal has stopped the snapshot before its end" };
      return skipped.length === 0
        ? done(`the snapshot of ${counted(tables.length, "table")} is complete`)
        : { result: "rejected", error: `the snapshot has skipped ${skipped.slice(0, 10).join("; ")}` };
    });
  },
};

interface Waits {
  readonly for: string;
  readonly late: string;
  readonly meanwhile: (id: string) => string;
}

/** Gives a run the records of the ops topic since its signal, in the order of the log, until one of them decides. */
async function watchAnswers(
  topic: string,
  millis: bigint,
  ctx: RunContext,
  waits: Waits,
  decide: (record: KafkaRecord, id: string) => StepResult | undefined,
): Promise<StepResult> {
  const { signal, started } = ctx.state();
  if (signal === undefined) throw new Error("an answer to no signal");
  const { connector } = started.subject;
  let from: readonly RecordPosition[] = signal.answersFrom.map(positionOf);
  let times = 0;
  const undecided = (why: string): StepResult =>
    unclear(why, [
      waits.meanwhile(signal.id),
      toRecover("To continue waiting"),
      { text: "To stop waiting", command: "cdcctl recover --abandon     # what was done remains" },
    ]);
  const decided = await until(ctx, Number(millis), async (): Promise<StepResult | undefined> => {
    // Brokers that do not answer for a while are asked again: there is time.
    const read = await orUndefined(ctx.kafka.read(topic, { from, ...LOOK_BACK }), "timeout");
    if (read === undefined) return undefined;
    const { records, reachedEnd } = read;
    for (const record of inLogOrder(records)) {
      const result = decide(record, signal.id);
      if (result !== undefined) return result;
    }
    from = after(from, records);
    // The topic comes first: the connector may have answered and stopped since.
    if (!reachedEnd) return undefined;
    const why = unable(connector, await ctx.connect.status(connector), waits.for);
    times = why === undefined ? 0 : times + 1;
    return why === undefined || times < 2 ? undefined : undecided(why);
  });
  return decided ?? undecided(waits.late);
}

function answer(ack: SignalAck): StepResult {
  const { outcome, message, id } = ack;
  const detail = message.trim() === "" ? "" : `: ${truncate(message, 500)}`;
  if (isAccepted(ack)) return done(`the connector has accepted the signal ${id}${detail}`);
  return {
    result: "rejected",
    error: `the connector answered "${truncate(outcome, 40)}" to the signal ${id}${detail}`,
  };
}

/** Why a connector can't do something in its current state; undefined while it may. */
function unable(connector: string, status: ConnectorStatus | undefined, act: string): string | undefined {
  if (status === undefined) return `${connector} no longer exists: it can't ${act}`;
  const failed = status.tasks.find(({ state }) => state === "FAILED");
  const state = failed === undefined ? status.state : "FAILED";
  if (state !== "FAILED" && state !== "STOPPED" && state !== "PAUSED") return undefined;
  const trace = state === "FAILED" ? errorLine(failed?.trace ?? status.trace) : "";
  return `${connector} is ${state}${trace === "" ? "" : ` (${trace})`}: it can't ${act} until it runs`;
}
