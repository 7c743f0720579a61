import { advanceTo } from "../../checks/snapshot-signal.ts";
import { createCommand } from "../../checks/written-topics.ts";
import { CallFailed, type FailureKind } from "../../errors.ts";
import { type OffsetEntry, ownOffset } from "../../facts/offset/stored-offset.ts";
import { encodeSignal, encodeStop, READ_PARTITION, signalId, signalIdOf } from "../../facts/ops/signal.ts";
import { callName } from "../../plan/steps.ts";
import type { RecordPosition } from "../../ports/kafka.ts";
import type { RunState } from "../../run/state.ts";
import { offsetSubject } from "../../run/subject.ts";
import { GO_ON, type RunContext, until } from "../context.ts";
import { untilDefinite } from "./definite-call.ts";
import {
  after,
  changeByAnotherRun,
  endOf,
  LOOK_BACK,
  lost,
  MAYBE_WRITTEN,
  notReadBack,
  positionOf,
} from "./ops-topic.ts";
import { demandOwn, looksOf } from "./own-run.ts";
import { obstacleToSending } from "./patch-offset.ts";
import { done, type Failed, failed, type Step, type StepResult, unclear } from "./step.ts";

const ATTEMPTS = 3;
/** Kafka's error code for a topic that exists. */
const TOPIC_ALREADY_EXISTS = 36;
/** The code of each definite refusal. */
const CODES: Partial<Record<FailureKind, string>> = { forbidden: "SNP907", missing: "SNP906" };

/**
 * Writes the snapshot signal, once per run: its id is in the journal before it is sent, and if the acknowledgement is
 * lost, the topic is read back. Only if it has not appeared for a while is it written again, with the same id. What the
 * task would never read is not a signal: the run fails before it announces a move.
 *
 * Rule: specification, `resnapshot`; architecture, "What apply promises", 3; reference: connector rules, "Signals and
 * snapshots".
 */
export const writeSignal: Step<"write-signal"> = {
  async run({ topic, tables, create, stop }, ctx) {
    const { signal: known, started } = ctx.state();
    const problem = create === true && known === undefined ? await createTopic(topic, ctx) : undefined;
    if (problem !== undefined) return problem;
    const signal = known ?? (await pin(topic, stop === true, ctx));
    if ("result" in signal) return signal;
    const written = (offset: bigint, where: string): StepResult =>
      isHandled(offset, signal)
        ? neverRead(topic, signal.id, offset, signal.handled ?? 0n)
        : done(`wrote the signal ${signal.id} to ${topic} (${where})`);
    // An earlier attempt of the run may have sent it a moment ago.
    const there = known === undefined ? undefined : await appears(topic, signal, ctx);
    if (there !== undefined) return written(there, "found there");
    const { connector } = started.subject;
    // They are sent in one batch: the task reads both at once, so that no pending snapshot begins between them.
    const records = [
      ...(signal.stopId === undefined ? [] : [encodeStop(signal.stopId, connector)]),
      encodeSignal({ id: signal.id, tables }, connector),
    ];
    let unanswered = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const obstacle = await whyNotNow(connector, ctx);
      if (obstacle !== undefined && unanswered === "") return obstacle;
      if (obstacle !== undefined) break;
      try {
        const { partition, offset } = await ctx.kafka.append(topic, records);
        return written(offset, `partition ${partition}, offset ${offset}`);
      } catch (failure) {
        if (!(failure instanceof CallFailed)) throw failure;
        if (!MAYBE_WRITTEN.has(failure.kind)) {
          // A signal sent earlier may still appear.
          if (unanswered === "") return refused(failure);
          unanswered = failure.message;
          break;
        }
        unanswered = failure.message;
        ctx.report(`no acknowledgement for the signal (${unanswered}); reading the topic back`);
        const found = await appears(topic, signal, ctx);
        if (found !== undefined) return written(found, "found there");
      }
    }
    return unclear(`whether the signal ${signal.id} was written is unknown: ${unanswered}`, [GO_ON]);
  },
};

/**
 * Why the signal must not leave, as seen within the last second: the process may have been asleep. It stands before the
 * run's own record in the ops topic, so that another run's since it began is looked for; if the topic can't be read,
 * whether there is one is unknown, and the signal does not leave.
 *
 * @throws CallFailed while a run is recovered: an earlier attempt may have written it
 */
async function whyNotNow(connector: string, ctx: RunContext): Promise<Failed | undefined> {
  const { body, opsTopicEnd } = ctx.state();
  let why: Failed | undefined;
  const looks = looksOf(ctx, async () => {
    const rival = await changeByAnotherRun(ctx, opsTopicEnd.begun?.map(positionOf));
    const obstacle = body === undefined ? undefined : await obstacleToSending(connector, ctx);
    if (obstacle !== undefined) why = failed(obstacle, "APL804");
    else if (rival !== undefined) why = lost(rival, ctx);
    await demandOwn(ctx);
  });
  try {
    do await looks.look();
    while (why === undefined && !looks.isFresh());
    return why;
  } catch (failure) {
    if (ctx.recovering || !(failure instanceof CallFailed && failure.system === "kafka")) throw failure;
    return failed(
      `whether another run is changing ${connector} is unknown; the signal was not written: ${failure.message}`,
      undefined,
      failure.remedies,
    );
  }
}

/** Whether the task reads on behind an offset. */
function isHandled(offset: bigint, { handled }: Pinned): boolean {
  return handled !== undefined && offset <= handled;
}

/** The topic was deleted and created again since, or another user or process has written the stored offset. */
function neverRead(topic: string, id: string, offset: bigint, handled: bigint): Failed {
  return failed(
    `the signal ${id} is at offset ${offset} of ${topic}, but the stored signal_offset is ${handled}: the task ` +
      "reads on from there and never handles it",
    "SNP921",
    [advanceTo(topic, offset + 1n, handled)],
  );
}

/** Creates the topic as the connector would, until a definite answer. @returns why it is not there */
async function createTopic(topic: string, ctx: RunContext): Promise<StepResult | undefined> {
  const exists = async () => (await ctx.kafka.topic(topic)) !== undefined;
  const created = await untilDefinite(
    {
      call: callName("create topic", topic),
      send: () => ctx.kafka.createTopic(topic, 1, { "cleanup.policy": "delete" }),
      isDone: exists,
      meansDone: ({ status }) => status === TOPIC_ALREADY_EXISTS,
    },
    ctx,
  );
  if (created.result === "unclear") return created;
  if (created.result === "failed")
    return failed(`the signals topic ${topic} was not created: ${created.error}`, "SNP906", [
      createCommand(ctx.kafka.brokers, topic),
    ]);
  // Every broker hears of a new topic in its own time.
  await until(ctx, ctx.limits.signal, async () => ((await exists()) ? true : undefined));
  return undefined;
}

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
  const offset = await appears(topic, signal, ctx);
  if (offset === undefined || isHandled(offset, signal)) return false;
  await ctx.record({ type: "step-done", step: "write-signal", note: "found in its topic", millis: 0n });
  return true;
}

type Pinned = NonNullable<RunState["signal"]>;

/**
 * Records the ends of the topics before the signal is sent; the ops topic's only if the run waits for an answer.
 * Nothing was sent yet: an unreachable broker ends a run that has just begun.
 */
async function pin(topic: string, stop: boolean, ctx: RunContext): Promise<Pinned | Failed> {
  const { plan, subject } = ctx.state().started;
  const awaited = plan?.steps.some(({ step }) => step === "wait-for-ack") ?? false;
  let found: readonly [readonly RecordPosition[], readonly RecordPosition[], readonly OffsetEntry[]];
  try {
    found = await Promise.all([
      ctx.kafka.endOffsets(topic),
      awaited ? ctx.kafka.endOffsets(subject.opsTopic) : [],
      ctx.connect.offsets(subject.connector),
    ]);
  } catch (failure) {
    if (ctx.recovering || !(failure instanceof CallFailed)) throw failure;
    return refused(failure);
  }
  const [signalsFrom, answersFrom, offsets] = found;
  const own = ownOffset(offsets, subject.prefix);
  const handled = own.is === "stored" ? own.offset.signalOffset : undefined;
  const pinned: Pinned = {
    type: "signal-pinned",
    id: signalId(ctx.clock.random),
    ...(stop ? { stopId: signalId(ctx.clock.random) } : {}),
    ...(handled === undefined ? {} : { handled }),
    signalsFrom: signalsFrom.map(endOf),
    answersFrom: answersFrom.map(endOf),
  };
  await ctx.record(pinned);
  return pinned;
}

function refused({ kind, message, remedies }: CallFailed): Failed {
  const code = CODES[kind];
  return failed(`the signal was not written: ${message}`, code, remedies);
}

/** @returns the signal's offset */
function appears(topic: string, signal: Pinned, ctx: RunContext): Promise<bigint | undefined> {
  return until(ctx, ctx.limits.signal, () => offsetOf(topic, signal, ctx));
}

/** @throws CallFailed if the topic can't be read to its end: an empty result would prove nothing */
async function offsetOf(topic: string, { id, signalsFrom }: Pinned, ctx: RunContext): Promise<bigint | undefined> {
  let from: readonly RecordPosition[] = signalsFrom.map(positionOf);
  for (;;) {
    const { records, reachedEnd } = await ctx.kafka.read(topic, { from, ...LOOK_BACK });
    // An earlier cdcctl may have written it to another partition, which no task reads.
    const found = records.find(({ partition, value }) => partition === READ_PARTITION && signalIdOf(value) === id);
    if (found !== undefined || reachedEnd) return found?.offset;
    if (records.length === 0) throw notReadBack(topic, ctx);
    from = after(from, records);
  }
}
