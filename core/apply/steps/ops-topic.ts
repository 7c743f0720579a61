import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import type { TopicEnd } from "../../../schemas/generated/run-journal.ts";
import { CallFailed, orUndefined } from "../../errors.ts";
import {
  beganAt,
  decodeRecordedEvent,
  inLogOrder,
  isOwnOutcome,
  type OffsetsSetEvent,
  type OpsOutcome,
  recordedChanges,
  runText,
} from "../../facts/ops/ops-event.ts";
import type { Facts } from "../../kinds/facts.ts";
import type { RecordPosition } from "../../ports/kafka.ts";
import { isOrdered, ownEvents } from "../../run/change.ts";
import { nothingSent } from "../../run/sentences.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import { type Failed, failed } from "./step.ts";

/** A partition's end for the journal, which keeps integers only. */
export function endOf({ partition, offset }: RecordPosition): TopicEnd {
  return { partition: BigInt(partition), offset };
}

/** A partition's end as the journal keeps it, for a port. */
export function positionOf({ partition, offset }: TopicEnd): RecordPosition {
  return { partition: Number(partition), offset };
}

/** Where to read on after these records: a bounded read may have stopped before the end. */
export function after(from: readonly RecordPosition[], records: readonly RecordPosition[]): readonly RecordPosition[] {
  const next = new Map(from.map(({ partition, offset }) => [partition, offset]));
  for (const { partition, offset } of records) {
    if (offset >= (next.get(partition) ?? 0n)) next.set(partition, offset + 1n);
  }
  return [...next].map(([partition, offset]) => ({ partition, offset }));
}

/** The limits of one read of a topic: far more records than others can write during one run. */
export const LOOK_BACK = { records: 10_000, millis: 15_000 } as const;
/** Failures of a write after which the record may be in the topic anyway. */
export const MAYBE_WRITTEN: ReadonlySet<string> = new Set(["timeout", "lost", "protocol"]);
/** How long a record that was acknowledged may take until it can be read: an earlier open transaction hides it. */
const VISIBLE_MILLIS = 60_000;

/**
 * How the ops topic orders this run and the others of its connector. No clock is used: the log alone decides what came
 * first.
 */
export interface OpsOrder {
  /** All events of the connector since the run began. */
  readonly events: readonly RecordedEvent[];
  /** The events of this run, from any machine, and their outcomes. */
  readonly own: readonly RecordedEvent[];
  readonly outcomes: ReadonlySet<OpsOutcome>;
  /** Another machine has announced that it takes this run over: it may have sent the PATCH. */
  readonly takenOver: boolean;
  /** The first change of another run after the recheck and before this run's own `applying` that did not fail. */
  readonly earlier: RecordedEvent | undefined;
  /** The latest change of another run that came after this run's own `applying` and did not fail. */
  readonly later: RecordedEvent | undefined;
  /** The latest of those that was carried out. */
  readonly followed: RecordedEvent | undefined;
}

/**
 * Reads how the ops topic orders this run against others.
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @throws CallFailed if the topic can't be read to its end: an empty result would prove nothing
 */
export async function opsOrder(ctx: RunContext): Promise<OpsOrder> {
  const { opsTopicEnd, started } = ctx.state();
  const { begun, judged } = opsTopicEnd;
  const events = await readEvents(ctx, (begun ?? judged)?.map(positionOf) ?? "tail");
  const own = ownEvents(events, ctx.state());
  const first = announcementIn(own);
  const isLater = (event: RecordedEvent) => first === undefined || isAfter(event, first);
  const changes = recordedChanges(events, started.subject.connector).filter(({ event, latest, outcome }) => {
    if (event.details.run === ctx.run || outcome === "failed") return false;
    // Changes that ended before the recheck were judged then; without its position, those that ended before this run's
    // own event do not count.
    return judged === undefined ? outcome === "applying" || isLater(event) : !isBefore(latest, judged);
  });
  return {
    events,
    own,
    outcomes: new Set(own.map(({ details }) => details.outcome)),
    takenOver: own.some(({ details }) => details.taken_over !== undefined),
    earlier: changes.find(({ event }) => !isLater(event))?.event,
    later: changes.findLast(({ event }) => isLater(event))?.event,
    followed: changes.findLast(({ event, outcome }) => outcome === "applied" && isLater(event))?.event,
  };
}

/** Whether an event belongs to this run, from its own machine or from one that took it over. */
export function isOfRun(details: RecordedEvent["details"], ctx: Pick<RunContext, "run" | "state">): boolean {
  const { operator, subject } = ctx.state().started;
  return isOwnOutcome(details, { run: ctx.run, decision: subject.decision, operator });
}

/** The log orders events of one partition only: an event in another partition is not known to be later. */
function isAfter({ record: one }: RecordedEvent, { record: other }: RecordedEvent): boolean {
  return one.partition === other.partition && one.offset > other.offset;
}

/** Whether an event lies before these ends; false for a partition without an end. */
export function isBefore({ record }: RecordedEvent, ends: readonly TopicEnd[]): boolean {
  const end = ends.find(({ partition }) => partition === record.partition);
  return end !== undefined && record.offset < end.offset;
}

/**
 * Compares a run that has announced its change, and sent nothing yet, with other announced runs: only the first in the
 * log continues.
 *
 * @returns why this one does not; undefined: it is the first
 * @throws CallFailed if the topic can't be read
 */
export async function overtaken(ctx: RunContext): Promise<Failed | undefined> {
  const order = await announcedOrder(ctx);
  const { opsTopic } = ctx.state().started.subject;
  if (order === undefined)
    return failed(
      `this run's own "applying" can't be read back from ${opsTopic} within ${printDuration(VISIBLE_MILLIS)}, so ` +
        "other runs can't be ruled out; " +
        nothingSent(ctx.state(), ctx.recovering),
      "APL805",
      ["Find the open transaction on the topic, or wait until it has ended; then plan again."],
    );
  // While it was interrupted, later runs may have continued.
  const rival = order.earlier ?? (ctx.recovering ? order.later : undefined);
  return rival === undefined ? undefined : lost(rival, ctx);
}

/** The order once the run's own `applying` can be read back; undefined: it can't be in time. */
function announcedOrder(ctx: RunContext): Promise<OpsOrder | undefined> {
  return until(ctx, VISIBLE_MILLIS, async () => {
    const now = await opsOrder(ctx);
    return now.outcomes.has("applying") ? now : undefined;
  });
}

/**
 * The order with the run's own `applying`, waited for where the journal has it acknowledged.
 *
 * @throws CallFailed if the topic can't be read
 */
export async function ownOrder(ctx: RunContext): Promise<OpsOrder> {
  const isThere = ctx.state().steps.get("record-applying") === "done";
  return (isThere ? await announcedOrder(ctx) : undefined) ?? opsOrder(ctx);
}

/** The `applying` among a run's own events. */
export function announcementIn<E extends OffsetsSetEvent>(own: readonly E[]): E | undefined {
  return own.find(({ details }) => details.outcome === "applying");
}

/** The failure of a run that another run has preceded. */
export function lost(rival: RecordedEvent, ctx: RunContext): Failed {
  const sent = nothingSent(ctx.state(), ctx.recovering);
  return failed(`${printRival(rival)} came first; ${sent}`, "OPS603", [
    "Wait until that run has ended, then plan again.",
    {
      text: "If its process is dead, settle it",
      command: "cdcctl recover",
      note: "on its machine; from another one: cdcctl recover --from-ops",
    },
  ]);
}

/** `run 2026-… by ben (self-asserted), recorded 2026-11-21T09:15:40Z,` */
export function printRival(event: RecordedEvent): string {
  const { new_resume_scn: scn } = event.details;
  const aim = scn === "none" ? "removes the stored offset" : `moves the offset to ${scn}`;
  return `${runText(event.details)}, recorded at ${beganAt(event)}, which ${aim},`;
}

/**
 * The latest change that was carried out after a decision was made.
 *
 * @param decided how far the ops topic had been read for that decision
 * @param run the decision's own run, which is no other's
 */
export function carriedOutSince(
  decided: readonly TopicEnd[],
  { opsHistory }: Facts,
  connector: string,
  run?: string,
): RecordedEvent | undefined {
  if (!opsHistory.known) return undefined;
  return recordedChanges(opsHistory.value.events, connector).findLast(
    ({ event, latest, outcome }) =>
      outcome === "applied" && (run === undefined || event.details.run !== run) && !isBefore(latest, decided),
  )?.event;
}

type Since = readonly RecordPosition[] | "tail" | undefined;

/**
 * The latest change of another run recorded since then or, without a known position, still open: a call now would
 * interfere with it. The log alone decides what came first.
 *
 * @throws CallFailed if the topic can't be read to its end: whether there is one is unknown
 */
export async function changeByAnotherRun(ctx: RunContext, since: Since): Promise<RecordedEvent | undefined> {
  // A topic that was not there when the run began records no run.
  const events = since === undefined ? orUndefined(readEvents(ctx, "tail"), "missing") : readEvents(ctx, since);
  return recordedChanges((await events) ?? [], ctx.state().started.subject.connector).findLast(
    ({ event, outcome }) =>
      event.details.run !== ctx.run && outcome !== "failed" && (since !== undefined || outcome === "applying"),
  )?.event;
}

/** The same where a topic that can't be read hinders nothing: a connector that ran is not left stopped for that. */
export function knownChangeByAnotherRun(ctx: RunContext, since: Since): Promise<RecordedEvent | undefined> {
  return orUndefined(changeByAnotherRun(ctx, since));
}

/** The failure for a change that was not part of the review. */
export const notReviewed = (theirs: RecordedEvent) => ({
  error: `${printRival(theirs)} was carried out after this one was planned`,
  code: "APL803",
  remedies: ["Check what that run has changed, then plan again and review the difference."],
});

/**
 * Records how far the ops topic had been read when the run was decided: later records came later, whatever the run had
 * done by then.
 */
export async function recordDecided({ opsHistory }: Facts, ctx: RunContext): Promise<void> {
  if (isOrdered(ctx.state()) && opsHistory.known && opsHistory.value.readTo.length > 0)
    await ctx.record({ type: "ops-topic-end", when: "begun", ends: opsHistory.value.readTo });
}

/**
 * Records the end of the ops topic before anything is changed, if the decision did not record it. A missing topic has
 * no ends: whatever it holds later came later.
 *
 * @throws CallFailed if the brokers don't answer
 */
export async function recordBegun(ctx: RunContext): Promise<void> {
  if (ctx.state().opsTopicEnd.begun === undefined) await recordEnds("begun", ctx);
}

/**
 * Records the end of the ops topic before the recheck: a change that ends later may be missing from what was read, as
 * offset and topic are read at different moments.
 *
 * @throws CallFailed if the brokers don't answer
 */
export async function recordJudged(ctx: RunContext): Promise<void> {
  await recordEnds("judged", ctx);
}

async function recordEnds(when: "begun" | "judged", ctx: RunContext): Promise<void> {
  if (!isOrdered(ctx.state())) return;
  const ends = (await orUndefined(ctx.kafka.endOffsets(ctx.state().started.subject.opsTopic), "missing")) ?? [];
  await ctx.record({ type: "ops-topic-end", when, ends: ends.map(endOf) });
}

export function notReadBack(topic: string, { kafka }: RunContext): CallFailed {
  return new CallFailed("kafka", "timeout", {
    message: `${kafka.brokers}: ${topic} could not be read back to its end in time`,
    remedy: "Check whether the brokers are overloaded.",
  });
}

/**
 * The events of the ops topic about this run's connector, in the order of the log.
 *
 * @throws CallFailed if the topic can't be read to its end: an empty result would prove nothing
 */
export async function readEvents(
  ctx: RunContext,
  from: "tail" | readonly RecordPosition[],
): Promise<readonly RecordedEvent[]> {
  const { opsTopic, connector } = ctx.state().started.subject;
  const { records, reachedEnd } = await ctx.kafka.read(opsTopic, { from, ...LOOK_BACK });
  if (!reachedEnd) throw notReadBack(opsTopic, ctx);
  return inLogOrder(records)
    .flatMap((record) => decodeRecordedEvent(record, ctx.redact) ?? [])
    .filter(({ details }) => details.connector === connector);
}
