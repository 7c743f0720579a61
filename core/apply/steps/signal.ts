import { CallFailed, type FailureKind } from "../../errors.ts";
import type { ConnectorStatus } from "../../facts/connector/connector.ts";
import { errorLine } from "../../facts/connector/traces.ts";
import { decodeSignalAck, encodeSignal, type SignalAck, signalId, signalIdOf } from "../../facts/ops/signal.ts";
import type { RecordPosition } from "../../ports/kafka.ts";
import type { RunState } from "../../run/state.ts";
import { offsetSubject } from "../../run/subject.ts";
import { printDuration } from "../../values/duration.ts";
import { truncate } from "../../values/truncate.ts";
import { type RunContext, until } from "../context.ts";
import { GO_ON } from "../endings.ts";
import { after, endOf, positionOf } from "./ops-topic.ts";
import { obstacleToSending } from "./patch-offset.ts";
import type { Failed, Step, StepResult } from "./step.ts";

/** After these failures the record may be in the topic anyway. */
const MAYBE_WRITTEN: ReadonlySet<string> = new Set(["timeout", "lost", "protocol"]);
const ATTEMPTS = 3;
const LOOK_BACK = { records: 10_000, millis: 15_000 } as const;
/** The code of each definite refusal. */
const CODES: Partial<Record<FailureKind, string>> = { forbidden: "SNP907", missing: "SNP906" };

/**
 * Writes the snapshot signal, once per run: its id is in the journal before it is sent, and if the acknowledgement is
 * lost, the topic is read back. Only if it has not appeared for a while is it written again, with the same id.
 *
 * Rule: specification, `resnapshot`; architecture, "What apply promises", 3.
 */
export const writeSignal: Step<"write-signal"> = {
  async run({ topic, tables }, ctx) {
    const { signal: known, started } = ctx.state();
    const signal = known ?? (await fix(topic, ctx));
    if ("result" in signal) return signal;
    const written = (where: string): StepResult => ({
      result: "done",
      note: `wrote the signal ${signal.id} to ${topic} (${where})`,
    });
    // An earlier attempt of the run may have sent it a moment ago.
    if (known !== undefined && (await appears(topic, signal, ctx))) return written("found there");
    const obstacle =
      ctx.state().body === undefined ? undefined : await obstacleToSending(started.subject.connector, ctx);
    if (obstacle !== undefined) return { result: "failed", error: obstacle, code: "APL804" };
    const record = encodeSignal({ id: signal.id, tables }, started.subject.connector);
    let lost = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const { partition, offset } = await ctx.kafka.append(topic, record);
        return written(`partition ${partition}, offset ${offset}`);
      } catch (failure) {
        if (!(failure instanceof CallFailed)) throw failure;
        if (!MAYBE_WRITTEN.has(failure.kind)) {
          // A signal sent earlier may still appear.
          if (lost === "") return refused(failure);
          lost = failure.message;
          break;
        }
        lost = failure.message;
        ctx.report(`no acknowledgement for the signal (${lost}); reading the topic back`);
        if (await appears(topic, signal, ctx)) return written("found there");
      }
    }
    return {
      result: "unclear",
      why: `whether the signal ${signal.id} was written is unknown: ${lost}`,
      remedies: [GO_ON],
    };
  },
};

/**
 * Whether the signal of a run that ends is in its topic. If that was open, the topic is read, and the result journaled.
 *
 * @throws CallFailed if the topic can't be read
 */
export async function signalStands(ctx: RunContext): Promise<boolean> {
  const { signal, steps, started } = ctx.state();
  const step = steps.get("write-signal");
  const topic = offsetSubject(started.subject)?.snapshot?.signalsTopic;
  if (signal === undefined || topic === undefined || step === "failed") return false;
  if (step === "done") return true;
  if (!(await appears(topic, signal, ctx))) return false;
  await ctx.record({ type: "step-done", step: "write-signal", note: "found in its topic", millis: 0n });
  return true;
}

type Fixed = NonNullable<RunState["signal"]>;

/**
 * Records the ends of the topics before the signal is sent; the ops topic's only if the run waits for an answer.
 * Nothing was sent yet: an unreachable broker ends a run that has just begun.
 */
async function fix(topic: string, ctx: RunContext): Promise<Fixed | Failed> {
  const { plan, subject } = ctx.state().started;
  const awaited = plan?.steps.some(({ step }) => step === "wait-for-ack") ?? false;
  let ends: readonly (readonly RecordPosition[])[];
  try {
    ends = await Promise.all([ctx.kafka.endOffsets(topic), awaited ? ctx.kafka.endOffsets(subject.opsTopic) : []]);
  } catch (failure) {
    if (ctx.recovering || !(failure instanceof CallFailed)) throw failure;
    return refused(failure);
  }
  const [signalsFrom = [], answersFrom = []] = ends;
  const fixed: Fixed = {
    type: "signal-fixed",
    id: signalId(ctx.clock.random),
    signalsFrom: signalsFrom.map(endOf),
    answersFrom: answersFrom.map(endOf),
  };
  await ctx.record(fixed);
  return fixed;
}

function refused({ kind, message, remedies }: CallFailed): Failed {
  const code = CODES[kind];
  return {
    result: "failed",
    error: `the signal was not written: ${message}`,
    ...(code === undefined ? {} : { code }),
    remedies,
  };
}

async function appears(topic: string, signal: Fixed, ctx: RunContext): Promise<boolean> {
  const found = await until(ctx, ctx.limits.signal, async () =>
    (await isThere(topic, signal, ctx)) ? true : undefined,
  );
  return found === true;
}

/** @throws CallFailed if the topic can't be read to its end: an empty result would prove nothing */
async function isThere(topic: string, { id, signalsFrom }: Fixed, ctx: RunContext): Promise<boolean> {
  let from: readonly RecordPosition[] = signalsFrom.map(positionOf);
  for (;;) {
    const { records, reachedEnd } = await ctx.kafka.read(topic, { from, ...LOOK_BACK });
    if (records.some(({ value }) => signalIdOf(value) === id)) return true;
    if (reachedEnd) return false;
    if (records.length === 0)
      throw new CallFailed({
        system: "kafka",
        kind: "timeout",
        message: `${ctx.kafka.brokers}: ${topic} could not be read back to its end in time`,
        remedy: "Check whether the brokers are overloaded.",
      });
    from = after(from, records);
  }
}

const LOOK = { records: 10_000, millis: 15_000 } as const;

/**
 * Waits for the connector's own answer to the signal of this run, from where the ops topic ended before it was written.
 * It does not wait for a connector that can't answer in its current state.
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
      // The topic comes first: the connector may have answered and stopped since.
      if (!reachedEnd) return undefined;
      const why = unableToAnswer(connector, await ctx.connect.status(connector));
      unable = why === undefined ? 0 : unable + 1;
      return why === undefined || unable < 2 ? undefined : noAnswer(why, signal.id);
    });
    return answered ?? noAnswer(`${connector} has not answered within ${printDuration(Number(millis))}`, signal.id);
  },
};

/** Retries brokers that do not answer for a while: there is time. */
function notInTime(failure: unknown): undefined {
  if (failure instanceof CallFailed && failure.kind === "timeout") return undefined;
  throw failure;
}

function answer({ outcome, message, id }: SignalAck): StepResult {
  const detail = message.trim() === "" ? "" : `: ${truncate(message, 500)}`;
  if (outcome === "ok") return { result: "done", note: `the connector has accepted the signal ${id}${detail}` };
  return {
    result: "rejected",
    error: `the connector answered "${truncate(outcome, 40)}" to the signal ${id}${detail}`,
  };
}

function noAnswer(why: string, id: string): StepResult {
  return {
    result: "unclear",
    why,
    remedies: [
      `The signal ${id} stays in its topic: the connector reads it when it runs.`,
      { text: "To continue waiting", command: "cdcctl recover" },
      { text: "To stop waiting", command: "cdcctl recover --abandon     # what was done remains" },
    ],
  };
}

/** Why a connector can't answer in its current state; undefined while it may answer. */
function unableToAnswer(connector: string, status: ConnectorStatus | undefined): string | undefined {
  if (status === undefined) return `${connector} no longer exists: it can't answer the signal`;
  const failed = status.tasks.find(({ state }) => state === "FAILED");
  const state = failed === undefined ? status.state : "FAILED";
  if (state !== "FAILED" && state !== "STOPPED" && state !== "PAUSED") return undefined;
  const trace = state === "FAILED" ? errorLine(failed?.trace ?? status.trace) : "";
  return `${connector} is ${state}${trace === "" ? "" : ` (${trace})`}: it can't answer the signal until it runs`;
}
