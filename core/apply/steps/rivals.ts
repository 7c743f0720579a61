import { CallFailed } from "../../errors.ts";
import { decodeOffsetsSet, type OffsetsSetEvent, type OpsOutcome, recordedChanges } from "../../facts/ops-event.ts";
import type { RecordPosition } from "../../ports/kafka.ts";
import type { TopicEnd } from "../../run/journal.ts";
import { printDuration } from "../../values/duration.ts";
import { type RunContext, until } from "../context.ts";
import type { StepResult } from "./step.ts";
import { endOf, positionOf } from "./topic-ends.ts";

/** Far more than can be written by others while one run is under way. */
const LOOK_BACK_RECORDS = 10_000;
const LOOK_BACK_MILLIS = 15_000;
/** How long a record that was acknowledged may take until it can be read: a transaction that is open before it hides it. */
const VISIBLE_MILLIS = 60_000;

/** An event of this connector with its place in the log. */
export interface PlacedEvent extends RecordPosition {
  readonly event: OffsetsSetEvent;
}

/** How the ops topic orders this run and the others of its connector. No clock is asked: the log alone says what came first. */
export interface OpsOrder {
  /** What is recorded of this run. */
  readonly outcomes: ReadonlySet<OpsOutcome>;
  /** The latest event of this run by which another machine took it over: it may have sent the PATCH. */
  readonly takenOver: OffsetsSetEvent | undefined;
  /** The first change of another run that came before this run's own `applying`, after everything was checked again, and did not fail. */
  readonly earlier: OffsetsSetEvent | undefined;
  /** The latest change of another run that came after this run's own `applying` and did not fail. */
  readonly later: OffsetsSetEvent | undefined;
}

/**
 * Reads how the ops topic orders this run against others.
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @throws CallFailed where the topic can't be read to its end: not found is then no proof
 */
export async function opsOrder(ctx: RunContext): Promise<OpsOrder> {
  const { begun, judged } = ctx.state().opsTopicEnd;
  const placed = await readEvents(ctx, (begun ?? judged)?.map(positionOf) ?? "tail");
  const own = placed.filter(({ event }) => event.details.run === ctx.run);
  const first = own.find(({ event }) => event.details.outcome === "applying");
  const place = new Map(placed.map(({ event, partition, offset }) => [event, { partition, offset }]));
  const changes = recordedChanges(
    placed.map(({ event }) => event),
    ctx.state().started.subject.connector,
  ).filter(
    ({ event, outcome }) =>
      event.details.run !== ctx.run &&
      outcome !== "failed" &&
      // What was there when everything was checked was judged then; without such a place what has ended long ago is read as well.
      (judged === undefined
        ? outcome === "applying" || isAfter(place.get(event), first)
        : !isBefore(place.get(event), judged)),
  );
  return {
    outcomes: new Set(own.map(({ event }) => event.details.outcome)),
    takenOver: own.findLast(({ event }) => event.details.taken_over !== undefined)?.event,
    // Without a place to begin at, what was ended long ago is read as well.
    earlier: changes.find(({ event }) => isAfter(first, place.get(event)))?.event,
    // Where this run's own event is gone (retention), whatever is there came later.
    later: changes.findLast(({ event }) => !isAfter(first, place.get(event)))?.event,
  };
}

/** Within one partition: a connector's events share one. */
function isAfter(one: RecordPosition | undefined, other: RecordPosition | undefined): boolean {
  return one !== undefined && other !== undefined && one.partition === other.partition && one.offset > other.offset;
}

function isBefore(place: RecordPosition | undefined, ends: readonly TopicEnd[]): boolean {
  const end = ends.find(({ partition }) => Number(partition) === place?.partition);
  return place !== undefined && end !== undefined && place.offset < end.offset;
}

/**
 * Holds a run that has announced its change, and sent nothing yet, against the others that did: only the first in the log goes on.
 *
 * @returns why this one does not; undefined: it is the first
 * @throws CallFailed where the topic can't be read
 */
export async function overtaken(ctx: RunContext): Promise<Extract<StepResult, { result: "failed" }> | undefined> {
  const order = await until(ctx, VISIBLE_MILLIS, async () => {
    const now = await opsOrder(ctx);
    return now.outcomes.has("applying") ? now : undefined;
  });
  const { connector, opsTopic } = ctx.state().started.subject;
  if (order === undefined)
    return {
      result: "failed",
      error: `this run's own "applying" can't be read back from ${opsTopic} within ${printDuration(VISIBLE_MILLIS)}, so that other runs can't be ruled out; nothing was sent`,
      code: "APL805",
      remedies: ["Find the transaction that is open on the topic, or wait until it has ended; then plan again."],
    };
  // While it was interrupted, others may have come after it that went on.
  const rival = order.earlier ?? (ctx.recovering ? order.later : undefined);
  return rival === undefined ? undefined : lost(rival, connector);
}

/** The failure of a run that has lost against another one. */
export function lost(rival: OffsetsSetEvent, connector: string): Extract<StepResult, { result: "failed" }> {
  return {
    result: "failed",
    error: `${printRival(rival)} changes ${connector} at the same time; this run has sent nothing`,
    code: "OPS603",
    remedies: [
      "Wait until that run has ended, then plan again.",
      "If its process is dead, settle it:  cdcctl recover, on its machine, or:  cdcctl recover --from-ops",
    ],
  };
}

/** `ben's run 2026-… to 2169287, recorded 2026-11-21T09:15:40Z,` */
export function printRival({ at, details }: OffsetsSetEvent): string {
  const { operator, run, new_resume_scn: scn } = details;
  const whose = operator === "" ? "another operator" : operator;
  const aim = scn === "none" ? "removes the stored offset" : `moves the offset to ${scn}`;
  return `${whose}'s run ${run ?? "(without an id)"}, recorded at ${at}, which ${aim},`;
}

/**
 * Writes down where the ops topic ends now: what comes after it came later. A topic that is not there, or not yet, has no end; and no run but one that
 * changes a stored offset is recorded in it.
 */
export async function recordOpsTopicEnd(when: "begun" | "judged", ctx: RunContext): Promise<void> {
  const { subject } = ctx.state().started;
  const recorded = subject.command === "migrate" ? subject.phase === "rollback" : subject.scn !== undefined;
  if (!recorded) return;
  try {
    const ends = (await ctx.kafka.endOffsets(subject.opsTopic)).map(endOf);
    await ctx.record({ type: "ops-topic-end", when, ends });
  } catch (failure) {
    if (!(failure instanceof CallFailed && failure.kind === "missing")) throw failure;
  }
}

/**
 * The events of the ops topic about this run's connector, in the order of the log.
 *
 * @throws CallFailed where the topic can't be read to its end: not found is then no proof
 */
export async function readEvents(
  ctx: RunContext,
  from: "tail" | readonly RecordPosition[],
): Promise<readonly PlacedEvent[]> {
  const { opsTopic, connector } = ctx.state().started.subject;
  const { records, reachedEnd } = await ctx.kafka.read(opsTopic, {
    from,
    records: LOOK_BACK_RECORDS,
    millis: LOOK_BACK_MILLIS,
  });
  if (!reachedEnd) {
    throw new CallFailed({
      system: "kafka",
      kind: "timeout",
      message: `${opsTopic} could not be read back to its end in ${printDuration(LOOK_BACK_MILLIS)}`,
    });
  }
  return records.flatMap(({ value, partition, offset }) => {
    const event = decodeOffsetsSet(value, ctx.told);
    return event?.details.connector === connector ? [{ event, partition, offset }] : [];
  });
}
