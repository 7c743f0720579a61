import { type OffsetsSetEvent, recordedChanges } from "../../core/facts/ops/ops-event.ts";
import { callName } from "../../core/plan/steps.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runState } from "../../core/run/state.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import type { SignalAck } from "../../schemas/generated/facts.ts";
import { nameOfChange, oneAttemptEach, PATCH, SIGNAL } from "./announced.ts";
import {
  type Arrival,
  CANARIES,
  type ChangedWorld,
  JOURNAL_TOPIC,
  OPS_TOPIC,
  SIGNALS_TOPIC,
  settledJournal,
} from "./changed-world.ts";
import { type Change, positionOf } from "./changes.ts";

/** The evidence of the latest run in world, topics and journal. */
export interface Evidence {
  readonly change: Change;
  readonly entries: readonly JournalEntry[];
  readonly events: readonly OffsetsSetEvent[];
  /** Ids of the signals in their topic. */
  readonly signals: readonly string[];
  readonly acks: readonly SignalAck[];
  readonly stored: JsonObject | undefined;
}

export async function collected(world: ChangedWorld): Promise<Evidence> {
  const [entries, events, signals, acks] = await Promise.all([
    settledJournal(world),
    world.opsEvents(),
    world.signals(),
    world.acks(),
  ]);
  return { change: world.change, entries, events, signals, acks, stored: world.sandbox.stored() };
}

/** @returns contradictions, one sentence each; empty if the evidence is consistent */
export function contradictions(tale: Evidence): readonly string[] {
  const { change, entries, events, signals, stored } = tale;
  const state = runState(entries);
  const stands = positionOf(stored, change);
  if (state === undefined) {
    return [
      ...(events.length === 0 ? [] : ["events without a run"]),
      ...(signals.length === 0 ? [] : ["a signal without a run"]),
      ...(stands === "as before" ? [] : [`no run, but the connector stands ${stands}`]),
    ];
  }
  if (state.ended === undefined) return [`run ${state.started.run} is not ended: ${state.lastProblem}`];
  return [...offsetContradictions(tale, state, stands), ...signalContradictions(tale, state)];
}

function offsetContradictions(
  { change, events }: Evidence,
  { started, ended, unproven }: RunState,
  stands: ReturnType<typeof positionOf>,
): readonly string[] {
  const last = recordedChanges(events, CONNECTOR).find(({ event }) => event.details.run === started.run)?.outcome;
  if (change.target === undefined) return last === undefined ? [] : [`the offset stays, but the topic says ${last}`];
  switch (ended?.outcome) {
    case "succeeded":
      return [
        ...(last === "applied" ? [] : [`succeeded, but the topic says ${last}`]),
        ...(stands !== "as before" || unproven !== undefined
          ? []
          : ["succeeded, but the offset is not the planned one"]),
      ];
    case "failed":
    case "refused":
      return [
        ...(last === undefined || last === "failed" ? [] : [`${ended.outcome}, but the topic says ${last}`]),
        ...(stands === "as before" ? [] : [`${ended.outcome}, but the connector stands ${stands}`]),
      ];
    case "rejected":
      return last === "failed" ? ["rejected, but the topic says failed"] : [];
    case "abandoned":
      return last === "applying" ? ["abandoned, but the topic says applying"] : [];
    case undefined:
      return [];
  }
}

/** One run signals once, with the id in its journal, and the awaited answer has come. */
function signalContradictions(
  { change, events, signals, acks }: Evidence,
  { ended, signal }: RunState,
): readonly string[] {
  const ids = new Set(signals);
  const written = signal !== undefined && ids.has(signal.id);
  const asks = change.steps.includes("write-signal");
  const succeeded = ended?.outcome === "succeeded";
  const answered = acks.some(({ id, outcome }) => id === signal?.id && outcome === "ok");
  const moved = events.some(({ details }) => details.command === "resnapshot" && details.outcome === "applied");
  return [
    ...(ids.size > 1 ? [`${ids.size} signals of one run`] : []),
    ...(ids.size === 0 || written ? [] : ["a signal stands that the journal does not know"]),
    ...(asks && succeeded && !written ? ["succeeded, but no signal stands"] : []),
    ...(moved && !written ? ["the topic says applied, but no signal stands"] : []),
    ...(change.steps.includes("wait-for-ack") && succeeded && !answered ? ["succeeded without an answer"] : []),
  ];
}

/**
 * Checks that every mutating call was journaled before it arrived: calls to Connect by an entry for each attempt.
 *
 * @returns the problem, given an arrival and the journal at that time
 */
export function unannounced(): (arrival: Arrival, entries: readonly JournalEntry[]) => string | undefined {
  const attempted = oneAttemptEach();
  return (arrival, entries) => {
    const call = nameOfChange(arrival, { ops: OPS_TOPIC, signals: SIGNALS_TOPIC });
    if (call === undefined) return undefined;
    const begun = entries.flatMap((entry) => (entry.type === "step-started" ? [entry.step] : [])).at(-1);
    const failed = entries.some(({ type }) => type === "step-failed");
    const inStep: Readonly<Record<string, boolean>> = {
      [PATCH]: begun === "patch-offset" || begun === "resume-connector",
      [callName("stop", CONNECTOR)]: begun === "stop-connector",
      [callName("start", CONNECTOR)]: begun === "resume-connector" || begun === "start-connector" || failed,
      [SIGNAL]: begun === "write-signal" && entries.some(({ type }) => type === "signal-pinned"),
      [callName("create topic", SIGNALS_TOPIC)]: begun === "write-signal",
      [callName("remove records", JOURNAL_TOPIC)]: begun === "remove-records",
      record: begun === "record-applying" || begun === "record-outcome" || failed,
    };
    const unwritten = call === "record" || call === SIGNAL ? undefined : attempted(call, entries);
    return unwritten ?? (inStep[call] === true ? undefined : `${call} came in the step ${begun ?? "before any"}`);
  };
}

/**
 * The calls with an attempt that was abandoned and repeated without its effect being observed: a worker may still
 * execute it later. Read from the journal's entries, not from the state that the product derives from them.
 */
export function mayComeLate(entries: readonly JournalEntry[]): readonly string[] {
  const open = new Set<string>();
  const late = new Set<string>();
  for (const entry of entries) {
    const call = "call" in entry ? entry.call : entry.type.startsWith("patch-") ? PATCH : undefined;
    if (call === undefined) continue;
    if (entry.type === "call-sent" || entry.type === "patch-sent") {
      if (open.has(call) && entry.seen !== true) late.add(call);
      open.add(call);
    } else if (entry.type !== "call-unanswered" && entry.type !== "patch-unanswered") open.delete(call);
  }
  return [...late];
}

/** @returns the canaries found in the text */
export function leaks(text: string): readonly string[] {
  return CANARIES.filter((canary) => text.includes(canary));
}
