import type { LagAttribute, LargestTransaction, TaskMetrics } from "../../facts/connector/task-metrics.ts";
import type { Observed } from "../../facts/observed.ts";
import { counted, showBytes, showCount } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import { type Judgement, likely, no, unknown, yes } from "./cause.ts";
import type { LagReading, LagSample } from "./lag-facts.ts";
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
    `the record queue held ${showCount(before.value)} and ${showCount(after.value)} of ` +
    `${showCount(limit)} records`;
  return full(before.value) && full(after.value)
    ? yes(`${seen}: the task mines faster than its records are polled and sent`)
    : no(`Kafka keeps up: ${seen}.`);
}

/** Mining steps time out, or take far longer than intended. */
export function mining(reading: LagReading): Judgement {
  const { facts } = reading;
  const timeouts = grown(facts, "StepTimeouts");
  const last = attribute(facts.second.metrics, "LastStepMillis");
  const { targetLatency } = facts.connector;
  const slow = last.known && targetLatency.known ? slowFrom(targetLatency.value ?? 0n) : undefined;
  const found: string[] = [
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
  // A full record queue already explains why a task waits.
  const engine = kafkaSide(reading).verdict === "yes" ? ({ is: "mining" } as const) : engineOf(facts);
  if (engine.is === "still" && engine.polls !== undefined && facts.between >= BLOCKED_MILLIS)
    found.push(`neither a mining step nor a poll for new redo finished in ${printDuration(Number(facts.between))}`);
  const [first, ...others] = found;
  if (first !== undefined) return yes(first, ...others);
  for (const one of [timeouts, last, targetLatency]) if (!one.known) return unknown(one.why);
  if (engine.is === "polling")
    return no(`The database is quiet: ${counted(engine.polls, "poll")} of the task came back empty (IdlePolls).`);
  if (engine.is === "still")
    return unknown(
      `the task finished no mining step ${engine.polls === undefined ? "" : "and no poll for new redo "}between the ` +
        `two samples, so a mining query may hang. Its last finished step took ${lastTook(last)}. Sample again with ` +
        "--interval 10m: an engine that is still for 10 min is blocked",
    );
  return no(`Every mining step finished in time; the last took ${lastTook(last)}.`);
}

/** The last step is reported if there was one. */
function lastTook(last: Observed<bigint>): string {
  return printDuration(Number(last.known ? last.value : 0n));
}

/** Counters that grow while a task mines, whether or not it finds changes. */
const PROGRESS: readonly LagAttribute[] = ["Steps", "RowsMined", "MinedToScn"];

/** Rule: the connector's alert NotAdvancing: steps and idle polls together do not increase in 10 min. */
const BLOCKED_MILLIS = 600_000n;

/**
 * What the task's engine did between the two samples: `still` is neither a step nor a poll for new redo, or, where an
 * older connector does not count polls, no step although the lag grew.
 */
function engineOf({
  first,
  second,
}: LagReading["facts"]):
  | { readonly is: "mining" }
  | { readonly is: "polling"; readonly polls: bigint }
  | { readonly is: "still"; readonly polls: 0n | undefined } {
  const change = (name: LagAttribute): bigint | undefined => {
    const [from, to] = [attribute(first.metrics, name), attribute(second.metrics, name)];
    return from.known && to.known ? to.value - from.value : undefined;
  };
  const { currentScn: from } = first;
  const { currentScn: to } = second;
  const grew =
    (from.known && to.known && to.value > from.value) ||
    (["ScnLag", "MillisBehindSource"] as const).some((name) => (change(name) ?? 0n) > 0n);
  if (change("Steps") !== 0n || PROGRESS.some((name) => (change(name) ?? 0n) !== 0n)) return { is: "mining" };
  const polls = change("IdlePolls");
  if (polls !== undefined && polls > 0n) return { is: "polling", polls };
  return polls === 0n || (polls === undefined && grew) ? { is: "still", polls } : { is: "mining" };
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
  if (!buffer.known) return unknown(buffer.why);
  return no(largest.value.length === 0 ? "The task's buffer is empty." : "Every buffered transaction is small.");
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
    : no("The count of replays with a redo dictionary stayed the same (LagReplays).");
}

/**
 * A snapshot is running: while it reads a chunk, streaming waits rather than deliver a later change first. By the task,
 * or by the stored offset where an older connector does not report it.
 */
export function snapshot({ facts: { second } }: LagReading): Judgement {
  const tables = attribute(second.metrics, "SnapshotTablesRemaining");
  if (tables.known)
    return tables.value > 0n
      ? likely(`${counted(tables.value, "table")} of a snapshot remain (SnapshotTablesRemaining)`)
      : no("0 tables are left to snapshot (SnapshotTablesRemaining).");
  const { stored } = second;
  if (!stored.known) return unknown(tables.why);
  const { snapshot: progress } = stored.value;
  if (progress === undefined || (progress.readable && progress.complete))
    return no("Every snapshot in the stored offset is finished.");
  return progress.readable
    ? likely(`${showCount(progress.tablesDone)} of ${counted(progress.tables, "table")} are done, by the stored offset`)
    : unknown(tables.why);
}

/** The spill is nearly full. Rule: the connector's alert SpillNearLimit. */
export function spillRemark({ second: { metrics } }: LagReading["facts"]): readonly string[] {
  const [spilled, most] = [attribute(metrics, "SpilledBytes"), attribute(metrics, "SpillMaxBytes")];
  if (!spilled.known || !most.known || spilled.value * 10n <= most.value * 8n) return [];
  return [
    `The spill holds ${showBytes(spilled.value)} of ${showBytes(most.value)} (SpillMaxBytes): when it is full, the ` +
      "task stops with CDC-4001.",
  ];
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
