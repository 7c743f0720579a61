import type { LagAttribute, LargestTransaction, TaskMetrics } from "../../facts/connector/task-metrics.ts";
import type { Observed } from "../../facts/observed.ts";
import { counted, showBytes, showCount } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import { type Judgement, no, unknown, yes } from "./cause.ts";
import type { LagSample } from "./lag-facts.ts";
import type { LagReading } from "./lag-reading.ts";
import { ofWhom } from "./long-transaction.ts";

/** Causes that two samples of the task's metrics distinguish (reference: Oracle, "Why is the connector behind?"). */

const LEAST_QUEUE = 1000n;
const POLLS_QUEUED = 4n;
/** The record queue counts as full from this percentage of its limit. */
const FULL_PERCENT = 80n;
const LEAST_SLOW_STEP = 5000n;
const LARGE_CHANGES = 100_000n;

/** Records wait to be polled: Connect and Kafka are slower than the task. */
export function kafkaSide({ facts }: LagReading): Judgement {
  const { pollMaxRecords } = facts.connector;
  const before = attribute(facts.first.metrics, "QueueDepth");
  const after = attribute(facts.second.metrics, "QueueDepth");
  if (!before.known) return unknown(before.why);
  if (!after.known) return unknown(after.why);
  if (!pollMaxRecords.known) return unknown(pollMaxRecords.why);
  const polled = POLLS_QUEUED * pollMaxRecords.value;
  const limit = polled > LEAST_QUEUE ? polled : LEAST_QUEUE;
  const full = (depth: bigint) => depth * 100n >= limit * FULL_PERCENT;
  const seen =
    `the record queue held ${showCount(before.value)} and ${showCount(after.value)} records of ` +
    `${showCount(limit)}`;
  return full(before.value) && full(after.value)
    ? yes(`${seen}: the task mines faster than its records are polled and sent`)
    : no(seen);
}

/** Mining steps time out, or take far longer than intended. */
export function mining(reading: LagReading): Judgement {
  const { facts } = reading;
  const timeouts = grown(facts, "StepTimeouts");
  const last = attribute(facts.second.metrics, "LastStepMillis");
  const { targetLatency } = facts.connector;
  const slow = last.known && targetLatency.known ? slowFrom(targetLatency.value ?? 0n) : undefined;
  const found = [
    ...(timeouts.known && timeouts.value > 0n
      ? [`${counted(timeouts.value, "more mining step")} timed out between the two samples`]
      : []),
    ...(last.known && slow !== undefined && last.value >= slow
      ? [
          `the last mining step took ${printDuration(Number(last.value))}; from ${printDuration(Number(slow))} ` +
            `on it is slow`,
        ]
      : []),
  ];
  const [first, ...others] = found;
  if (first !== undefined) return yes(first, ...others);
  for (const one of [timeouts, last, targetLatency]) if (!one.known) return unknown(one.why);
  // A full record queue already explains why a task waits.
  if (standsStill(facts) && kafkaSide(reading).verdict !== "yes")
    return unknown(
      "no mining step finished and no row was mined between the two samples, while the lag grew: a mining query " +
        `may hang. The last finished step took ${lastTook(last)}, which says nothing about the one ` +
        "under way",
    );
  return no(`no mining step timed out, and the last took ${lastTook(last)}`);
}

/** Without a report of the last step, there was none. */
function lastTook(last: Observed<bigint>): string {
  return printDuration(Number(last.known ? last.value : 0n));
}

/** Counters that grow while a task mines, whether or not it finds changes. */
const PROGRESS: readonly LagAttribute[] = ["Steps", "RowsMined", "MinedToScn"];

/** Whether the task did nothing between the two samples although the lag grew. False if unknown. */
function standsStill({ first, second }: LagReading["facts"]): boolean {
  const change = (name: LagAttribute): bigint | undefined => {
    const [from, to] = [attribute(first.metrics, name), attribute(second.metrics, name)];
    return from.known && to.known ? to.value - from.value : undefined;
  };
  const { currentScn: from } = first;
  const { currentScn: to } = second;
  const grew =
    (from.known && to.known && to.value > from.value) ||
    (["ScnLag", "MillisBehindSource"] as const).some((name) => (change(name) ?? 0n) > 0n);
  return grew && change("Steps") === 0n && PROGRESS.every((name) => (change(name) ?? 0n) === 0n);
}

function slowFrom(targetLatency: bigint): bigint {
  return 2n * targetLatency > LEAST_SLOW_STEP ? 2n * targetLatency : LEAST_SLOW_STEP;
}

/** One transaction spilled to disk, fills a quarter of the buffer, or has very many changes. */
export function largeTransaction({ facts }: LagReading): Judgement {
  const { metrics } = facts.second;
  if (!metrics.known) return unknown(metrics.why);
  const { largestTransactions: largest } = metrics.value;
  const { BufferMemoryMaxBytes: buffer } = metrics.value.lag;
  if (!largest.known) return unknown(largest.why);
  const [first, ...others] = largest.value.flatMap((one) => largeness(one, buffer) ?? []);
  if (first !== undefined) return yes(first, ...others);
  return buffer.known
    ? no(`none of ${showCount(largest.value.length)} buffered transactions is large`)
    : unknown(buffer.why);
}

function largeness(one: LargestTransaction, buffer: Observed<bigint>): string | undefined {
  const { xid, events, heapBytes, spilledBytes } = one;
  const quarter = buffer.known && buffer.value > 0n && heapBytes * 4n >= buffer.value;
  if (spilledBytes <= 0n && !quarter && events < LARGE_CHANGES) return undefined;
  const spilled = spilledBytes > 0n ? `, ${showBytes(spilledBytes)} of them spilled to disk` : "";
  const of = buffer.known && buffer.value > 0n ? ` of ${showBytes(buffer.value)} of buffer` : " of memory";
  return (
    `transaction ${xid}${ofWhom(one)} has ${counted(events, "change")}${spilled}, and takes ` +
    `${showBytes(heapBytes)}${of}`
  );
}

/** The task mines redo again with a dictionary from the redo itself, which is slow. */
export function replay({ facts }: LagReading): Judgement {
  const replays = grown(facts, "LagReplays");
  if (!replays.known) return unknown(replays.why);
  return replays.value > 0n
    ? yes(`${counted(replays.value, "more replay")} with a redo dictionary between the two samples`)
    : no("no replay with a redo dictionary between the two samples");
}

/**
 * How much a counter grew between the two samples. Unknown if the task was restarted in between: its counters start
 * from 0 again.
 */
function grown({ first, second }: LagReading["facts"], name: LagAttribute): Observed<bigint> {
  const [from, to] = [attribute(first.metrics, name), attribute(second.metrics, name)];
  if (!from.known) return from;
  if (!to.known) return to;
  if (to.value < from.value || startedAgain(first, second))
    return { known: false, why: AFTER_RESET, source: to.source };
  return { ...to, value: to.value - from.value };
}

const AFTER_RESET = "the task was restarted between the two samples, which reset its counters";

/** Whether the task has taken fewer steps than before; false if the number is unknown. */
export function startedAgain(first: LagSample, second: LagSample): boolean {
  const [before, after] = [attribute(first.metrics, "Steps"), attribute(second.metrics, "Steps")];
  return before.known && after.known && after.value < before.value;
}

function attribute(metrics: Observed<TaskMetrics>, name: LagAttribute): Observed<bigint> {
  return metrics.known ? metrics.value.lag[name] : metrics;
}
