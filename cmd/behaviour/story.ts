import type { JournalEntry } from "../../core/apply/journal.ts";
import { runState } from "../../core/apply/journal.ts";
import { type OffsetsSetEvent, recordedChanges } from "../../core/facts/ops-event.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import type { Arrival } from "./changed-world.ts";
import { CANARIES, type ChangedWorld, settledJournal, whereItStands } from "./changed-world.ts";

/** What world, ops topic and journal tell of the latest run. */
export interface Told {
  readonly entries: readonly JournalEntry[];
  readonly events: readonly OffsetsSetEvent[];
  readonly stored: JsonObject | undefined;
}

export async function told(world: ChangedWorld): Promise<Told> {
  return { entries: await settledJournal(world), events: await world.opsEvents(), stored: world.sandbox.stored() };
}

/** @returns what does not fit together, one sentence each; none: they tell the same story */
export function contradictions({ entries, events, stored }: Told): readonly string[] {
  const state = runState(entries);
  const stands = whereItStands(stored);
  const last = recordedChanges(events, CONNECTOR).find(
    ({ event }) => event.details.run === state?.started.run,
  )?.outcome;
  if (state === undefined) {
    return [
      ...(events.length === 0 ? [] : ["events without a run"]),
      ...(stands === "as before" ? [] : [`no run, but the connector stands ${stands}`]),
    ];
  }
  if (state.ended === undefined) return [`run ${state.started.run} is not ended: ${state.lastProblem}`];
  switch (state.ended.outcome) {
    case "succeeded":
      return [
        ...(last === "applied" ? [] : [`succeeded, but the topic says ${last}`]),
        ...(stands !== "as before" || state.unproven !== undefined
          ? []
          : ["succeeded, but the offset is not the planned one"]),
      ];
    case "failed":
    case "refused":
      return [
        ...(last === undefined || last === "failed" ? [] : [`${state.ended.outcome}, but the topic says ${last}`]),
        ...(stands === "as before" ? [] : [`${state.ended.outcome}, but the connector stands ${stands}`]),
      ];
    case "rejected":
      return last === "failed" ? ["rejected, but the topic says failed"] : [];
    case "abandoned":
      return last === "applying" ? ["abandoned, but the topic says applying"] : [];
  }
}

/** Whether a call that changes something was written down before it came. @returns what is wrong */
export function unannounced(arrival: Arrival, entries: readonly JournalEntry[]): string | undefined {
  const call = changing(arrival);
  if (call === undefined) return undefined;
  const last = entries.at(-1);
  const begun = entries.flatMap((entry) => (entry.type === "step-started" ? [entry.step] : [])).at(-1);
  const failed = entries.some(({ type }) => type === "step-failed");
  const announced: Readonly<Record<typeof call, boolean>> = {
    PATCH: last?.type === "patch-sent",
    stop: last?.type === "step-started" && begun === "stop-connector",
    resume: begun === "resume-connector" || failed,
    record: begun === "record-applying" || begun === "record-outcome" || failed,
  };
  return announced[call] ? undefined : `${call} came after the journal's ${last?.type ?? "nothing"}`;
}

function changing(arrival: Arrival): "PATCH" | "stop" | "resume" | "record" | undefined {
  if (arrival.system === "kafka") return arrival.api === "Produce" ? "record" : undefined;
  if (arrival.method === "PATCH") return "PATCH";
  if (arrival.method !== "PUT") return undefined;
  return arrival.path === `/connectors/${CONNECTOR}/stop` ? "stop" : "resume";
}

/** @returns the canaries that somebody could read */
export function leaks(text: string): readonly string[] {
  return CANARIES.filter((canary) => text.includes(canary));
}
