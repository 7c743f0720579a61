import type { OffsetsSetDetails } from "../../../schemas/generated/facts.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { approvalDetails } from "../../approvals/approvals.ts";
import { CallFailed, orUndefined } from "../../errors.ts";
import { directionBetween } from "../../facts/offset/move.ts";
import {
  type DecodedOffset,
  decodeOffset,
  isEmptyOffset,
  offsetUnder,
  resumeScnIn,
} from "../../facts/offset/stored-offset.ts";
import { encodeOpsEvent, listDetail, type OpsOutcome, scnDetail } from "../../facts/ops/ops-event.ts";
import type { RecordPosition } from "../../ports/kafka.ts";
import type { RunState } from "../../run/state.ts";
import { intentOfSubject, offsetSubject } from "../../run/subject.ts";
import { type Instant, millisBetween } from "../../values/instant.ts";
import { canonicalJson } from "../../values/json.ts";
import { truncate } from "../../values/truncate.ts";
import { GO_ON, type RunContext } from "../context.ts";
import { isOfRun, MAYBE_WRITTEN, opsOrder, readEvents } from "./ops-topic.ts";
import { demandOwn, demandUnsettled, looksOf } from "./own-run.ts";
import { done, failed, type Step, type StepResult, type Unclear, unclear } from "./step.ts";

/** How often an event whose acknowledgement was lost is written again; one more copy of it does no harm. */
const ATTEMPTS = 4;
/** Limit for the error in a record, characters: it may repeat a proxy's answer. */
const LONGEST_ERROR = 2000;

export const recordApplying: Step<"record-applying"> = {
  run: async (_args, ctx) =>
    removesNothing(ctx.state()) ? nothingToRecord(ctx) : writeEvent("applying", ctx, { own: demandUnsettled }),
};

export const recordOutcome: Step<"record-outcome"> = {
  async run(_args, ctx) {
    if (removesNothing(ctx.state())) return nothingToRecord(ctx);
    const written = await writeEvent("applied", ctx, { own: demandOwn });
    if (written.result === "unclear") return { ...written, why: `${changed(ctx)}, but ${written.why}` };
    // The change is in effect: a refused record does not make it a failed one.
    return written.result === "failed"
      ? unclear(`${changed(ctx)}, but "applied" could not be recorded: ${written.error}`)
      : written;
  },

  undo: (_args, ctx, why) => recordFailure(why, ctx),
};

/**
 * Records `failed` for what was announced.
 *
 * @param own looks whether the run is still to be recorded from here
 * @returns that it could not be written; undefined: nothing is left to record
 */
export async function recordFailure(
  error: string,
  ctx: RunContext,
  own: typeof demandOwn = demandUnsettled,
): Promise<Unclear | undefined> {
  if (!(await mustRecordFailure(ctx))) return undefined;
  const recorded = await writeEvent("failed", ctx, { error, own });
  if (recorded.result !== "done") return unclear(`its record could not be written: ${problemOf(recorded)}`);
  ctx.report(`  ${recorded.note}`);
  return undefined;
}

/**
 * Whether `failed` has to be recorded: an `applying` that was begun may be or still arrive in the topic; only its
 * definite refusal leaves nothing to record.
 */
async function mustRecordFailure(ctx: RunContext): Promise<boolean> {
  return isAnnounced(ctx.state()) && (!ctx.recovering || !(await isRecorded("failed", ctx, "tail")));
}

/** Why an event was not written, or may not have been. */
export function problemOf(result: Exclude<StepResult, { readonly result: "done" }>): string {
  return "why" in result ? result.why : result.error;
}

/** What has already changed when the outcome is recorded. */
function changed(ctx: RunContext): string {
  const { returning, started } = ctx.state();
  const scn = offsetSubject(started.subject)?.scn;
  return returning === undefined
    ? `the stored offset has been set to ${scn}`
    : `the offsets of ${started.subject.connector} are deleted`;
}

/**
 * Whether a rollback deletes a connector without stored offsets: no offset is removed, and a connector that never ran
 * has no ops topic to record it in.
 */
export function removesNothing({ returning }: RunState): boolean {
  return returning?.removed.every(({ offset }) => isEmptyOffset(offset)) ?? false;
}

/** Whether the ops topic records, or may record, that the run has begun its change. */
export function isAnnounced(state: RunState): boolean {
  const announced = state.steps.get("record-applying");
  return announced !== undefined && announced !== "failed" && !removesNothing(state);
}

function nothingToRecord(ctx: RunContext): StepResult {
  const { connector } = ctx.state().started.subject;
  return done(`${connector} has no stored offset, so there is nothing to record`);
}

/**
 * Writes one `offsets-set` event of this run, acknowledged by all in-sync replicas. If the acknowledgement is lost, the
 * topic is read back, and the event written again if it is missing.
 *
 * @param own looks whether the run is still to be recorded from here; repeated until it is fresh
 */
export async function writeEvent(
  outcome: OpsOutcome,
  ctx: RunContext,
  { error, own }: { readonly error?: string; readonly own?: typeof demandOwn } = {},
): Promise<StepResult> {
  const { subject } = ctx.state().started;
  // All operators' machines see the same workers: with their clock, the age of an event is the same everywhere.
  const workersTime = ctx.connect.time();
  const { by } = subject;
  // A run keeps its operator, whoever recovers it on its own machine, which identifies its outcome.
  const operator = by === "ops topic" ? ctx.operator : ctx.state().started.operator;
  const details = detailsOf(ctx.state(), ctx.run, operator, outcome, error);
  const isFirst = outcome === "applying" && by !== "ops topic";
  const event = {
    at: notBefore(isFirst ? undefined : (await opsOrder(ctx)).own.at(-1)?.at, workersTime ?? ctx.clock.now()),
    server: subject.prefix,
    details: workersTime === undefined ? { ...details, clock: "operator" } : details,
  };
  const record = encodeOpsEvent(event, subject.opsFormat);
  const before = await ctx.kafka.endOffsets(subject.opsTopic);
  let lost = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (const looks = own && looksOf(ctx, own); looks?.isFresh() === false; ) await looks.look();
    try {
      const { partition, offset } = await ctx.kafka.append(subject.opsTopic, record);
      return done(`recorded "${outcome}" in ${subject.opsTopic} (partition ${partition}, offset ${offset})`);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      if (!MAYBE_WRITTEN.has(failure.kind) && lost === "") return failed(failure.message, "APL805");
      lost = failure.message;
      ctx.report(`no acknowledgement for "${outcome}" (${failure.message}); reading the topic back`);
      // If the topic can't be read either, the event is written again: another copy does no harm.
      if (await orUndefined(isRecorded(outcome, ctx, before)))
        return done(`recorded "${outcome}" in ${subject.opsTopic} (found there)`);
      if (ctx.interrupt.aborted || attempt === ATTEMPTS) break;
      await ctx.clock.sleep(250 * 2 ** attempt, ctx.interrupt);
    }
  }
  return unclear(
    `whether "${outcome}" was recorded is unknown${ctx.interrupt.aborted ? " (interrupted)" : ""}: ${lost}`,
    [GO_ON],
  );
}

/**
 * The time of an event that follows another of its run: the workers' Date headers are whole seconds, and their clocks
 * differ, so a later answer may give an earlier time.
 */
function notBefore(last: Instant | undefined, now: Instant): Instant {
  return last !== undefined && millisBetween(last, now) < 0 ? last : now;
}

/** Whether the topic has an event of this run, within the look-back limit. @throws CallFailed as `recordedOutcomes` */
export async function isRecorded(
  outcome: OpsOutcome,
  ctx: RunContext,
  from: "tail" | readonly RecordPosition[],
): Promise<boolean> {
  return (await recordedOutcomes(ctx, from)).has(outcome);
}

/**
 * This run's outcomes in the topic, within the look-back limit, from any machine.
 *
 * @throws CallFailed if it can't be read to its end: an empty result would prove nothing
 */
export async function recordedOutcomes(
  ctx: RunContext,
  from: "tail" | readonly RecordPosition[] = "tail",
): Promise<ReadonlySet<OpsOutcome>> {
  const events = await readEvents(ctx, from);
  return new Set(events.flatMap(({ details }) => (isOfRun(details, ctx) ? [details.outcome] : [])));
}

/** Rule: specification, `resnapshot`; reference: wire formats, "Ops topic". */
export function detailsOf(
  { started: { subject, approvals }, body, signal, returning }: RunState,
  run: string,
  operator: string,
  outcome: OpsOutcome,
  error: string | undefined,
): OffsetsSetDetails {
  const previous = body?.previous ?? offsetUnder(returning?.removed ?? [], subject.prefix);
  const decoded = previous === null ? undefined : decodeOffset(previous);
  const change = offsetSubject(subject);
  const intent = intentOfSubject(subject);
  const snapshot = change?.snapshot;
  return {
    connector: subject.connector,
    // A rollback to the legacy connector removes the offset, which is the same command.
    command: change?.command ?? "offsets set",
    reason: subject.reason,
    ...(subject.ticket === undefined ? {} : { ticket: subject.ticket }),
    operator,
    ...approvalDetails(approvals),
    ...(change === undefined ? {} : { direction: directionOf(change, body, decoded) }),
    previous_resume_scn: scnDetail(resumeScnIn(previous)),
    new_resume_scn: scnDetail(change?.scn),
    outcome,
    ...(change === undefined || change.forget.length === 0 ? {} : { forgotten_released: change.forget.join(",") }),
    ...(change?.deliverAgain === undefined ? {} : { deliver_again: "true" }),
    ...(subject.ranBefore ? {} : { ran_before: "false" }),
    ...(change?.removes === undefined ? {} : { removed_records: canonicalJson(change.removes) }),
    ...(error === undefined ? {} : { error: truncate(error, LONGEST_ERROR) }),
    gap: snapshot?.gap,
    tables: snapshot && listDetail(snapshot.tables),
    signal_id: snapshot && signal?.id,
    unlisted_tables: snapshot && snapshot.unlisted.length > 0 ? listDetail(snapshot.unlisted) : undefined,
    evidence: snapshot?.evidence,
    run,
    decision: subject.decision,
    ...(intent === undefined ? {} : { intent }),
    ...(subject.by === "ops topic" ? { taken_over: operator } : {}),
    previous_offset: canonicalJson(previous),
    new_offset: canonicalJson(body?.entry.offset ?? null),
  };
}

/**
 * The direction of the move, from the offset stored at that time: between the plan and the stop the connector may have
 * reached the very SCN.
 */
function directionOf(
  { direction, scn }: OffsetSubject,
  body: RunState["body"],
  previous: DecodedOffset | undefined,
): string {
  if (scn === undefined || body === undefined || previous?.ok === false) return direction ?? "";
  return directionBetween(previous?.offset.resumeScn, scn);
}
