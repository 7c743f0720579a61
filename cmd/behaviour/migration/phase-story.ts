import { type OffsetEntry, sameOffsets } from "../../../core/facts/offset/stored-offset.ts";
import { type OffsetsSetEvent, recordedChanges } from "../../../core/facts/ops/ops-event.ts";
import { readCall } from "../../../core/plan/steps.ts";
import { redactConfiguration } from "../../../core/redaction/redact.ts";
import type { JournalEntry } from "../../../core/run/journal.ts";
import { type RunState, runState } from "../../../core/run/state.ts";
import { canonicalJson, isObject, type Json, type JsonObject, parseJson } from "../../../core/values/json.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import { nameOfChange, oneAttemptEach } from "../announced.ts";
import { type Arrival, OPS_TOPIC } from "../changed-world.ts";
import type { MigrationWorld } from "./migration-world.ts";
import type { Phase } from "./phases.ts";

/** The world at one moment. */
export interface Seen {
  /** Its target state in Connect; undefined if it does not exist. */
  readonly legacy: string | undefined;
  readonly legacyOffsets: readonly OffsetEntry[];
  readonly next: string | undefined;
  readonly nextConfig: Readonly<Record<string, string>> | undefined;
  readonly nextOffsets: readonly OffsetEntry[];
  readonly topics: readonly string[];
  readonly evidence: string | undefined;
}

/** The evidence of a run in world, ops topic and journal. */
export interface PhaseEvidence {
  readonly phase: Phase;
  readonly before: Seen;
  readonly now: Seen;
  readonly entries: readonly JournalEntry[];
  readonly events: readonly OffsetsSetEvent[];
}

export function seen(world: MigrationWorld): Seen {
  const next = world.connector("new");
  return {
    legacy: world.connector("legacy")?.target,
    legacyOffsets: world.stored("legacy"),
    next: next?.target,
    nextConfig: next?.config,
    nextOffsets: world.stored("new").filter(({ offset }) => offset !== null),
    topics: world.topics(),
    evidence: world.evidence(),
  };
}

export async function collectedOf(world: MigrationWorld, phase: Phase, before: Seen): Promise<PhaseEvidence> {
  return { phase, before, now: seen(world), entries: world.journal(), events: await world.opsEvents() };
}

export type Status = "as before" | "done" | "in between";

/** Whether the phase has taken effect, by the world alone. */
export function statusOf({ phase, before, now }: Omit<PhaseEvidence, "entries" | "events">): Status {
  if (phase.phase === "verify") return now.evidence === before.evidence ? "as before" : "done";
  const isAsBefore =
    now.legacy === before.legacy &&
    now.next === before.next &&
    (now.nextOffsets.length === 0) === (before.nextOffsets.length === 0) &&
    before.topics.every((topic) => now.topics.includes(topic));
  if (isAsBefore) return "as before";
  const gone = (names: readonly string[]) => names.every((topic) => !now.topics.includes(topic));
  const done: Readonly<Record<Phase["phase"], boolean>> = {
    cutover: now.legacy === "STOPPED" && now.next === "RUNNING" && now.nextOffsets.length > 0,
    verify: true,
    rollback:
      now.legacy === "RUNNING" &&
      now.next === undefined &&
      now.nextOffsets.length === 0 &&
      gone(listed(phase, before.topics)),
    retire: now.legacy === undefined && now.next === before.next && gone(listed(phase, before.topics)),
  };
  return done[phase.phase] ? "done" : "in between";
}

/** The topics that a phase may delete. */
function listed({ deletes }: Phase, topics: readonly string[]): readonly string[] {
  return topics.filter((topic) => deletes.includes(topic));
}

/** @returns contradictions, one sentence each; empty if the evidence is consistent */
export function phaseContradictions(tale: PhaseEvidence): readonly string[] {
  const { phase, before, now, entries } = tale;
  const state = runState(entries);
  const stands = statusOf(tale);
  const kept = listed(phase, before.topics);
  const lost = before.topics.filter((topic) => !now.topics.includes(topic) && !kept.includes(topic));
  const always = lost.map((topic) => `${topic} is gone, and was not listed`);
  if (state === undefined)
    return [...always, ...(stands === "as before" ? [] : [`no run, but the world is ${stands}`])];
  const { ended, takeover, returning, started } = state;
  if (ended === undefined) return [...always, `run ${started.run} is not ended: ${state.lastProblem}`];
  const wanted: Status = ended.outcome === "succeeded" || state.verified !== undefined ? "done" : "as before";
  const problems = [...always, ...(stands === wanted ? [] : [`${ended.outcome}, but the world is ${stands}`])];
  if (phase.phase === "verify") problems.push(...evidenceContradictions(tale, state));
  if (takeover !== undefined && stands === "done") {
    if (!sameOffsets(now.legacyOffsets, takeover.offsets))
      problems.push("the legacy connector's offsets are not those that the journal took over from");
    const { name: _name, ...config } = redactConfiguration(now.nextConfig ?? {});
    if (canonicalJson(config) !== canonicalJson(takeover.configuration))
      problems.push("the new connector's configuration is not the one in the journal");
  }
  if (returning !== undefined && !sameOffsets(returning.offsets, before.legacyOffsets))
    problems.push("the legacy connector's offsets in the journal are not those that it had stopped with");
  return [...problems, ...eventContradictions(tale, ended.outcome === "succeeded")];
}

/** The evidence matches the journal's digest and outcome; nothing else has changed. */
function evidenceContradictions({ before, now }: PhaseEvidence, { ended, verified }: RunState): readonly string[] {
  const { digest, outcome } = isObject(parsed(now.evidence)) ? (parsed(now.evidence) as JsonObject) : {};
  const untouched = { ...now, evidence: before.evidence, nextOffsets: before.nextOffsets };
  return [
    ...(verified === undefined || verified.evidence.digest === digest ? [] : ["the evidence is not the journal's"]),
    ...((verified?.passed === true) === (ended?.outcome === "succeeded")
      ? []
      : [`${ended?.outcome}, and passed: ${verified?.passed}`]),
    ...(verified === undefined || verified.passed === (outcome === "pass") ? [] : [`the evidence says ${outcome}`]),
    ...(canonicalJson(untouched) === canonicalJson(before) ? [] : ["a verification has changed something"]),
  ];
}

function parsed(text: string | undefined): Json {
  return text === undefined ? null : parseJson(text);
}

/** A removal of offsets is announced, and its outcome recorded; nothing else is. */
function eventContradictions({ phase, entries, events }: PhaseEvidence, succeeded: boolean): readonly string[] {
  const run = runState(entries)?.started.run;
  const last = recordedChanges(events, NEW_CONNECTOR).find(({ event }) => event.details.run === run);
  if (phase.phase !== "rollback")
    return last === undefined ? [] : [`no offset was changed, but the topic says ${last.outcome}`];
  if (!succeeded)
    return last === undefined || last.outcome === "failed" ? [] : [`not done, but the topic says ${last.outcome}`];
  if (last?.outcome !== "applied") return [`done, but the topic says ${last?.outcome}`];
  const { new_resume_scn: scn, previous_offset: previous } = last.event.details;
  return [
    ...(scn === "none" ? [] : [`the topic says that the offset was set to ${scn}`]),
    ...(previous === undefined || previous === "null" ? ["the topic does not tell which offset was removed"] : []),
  ];
}

/**
 * Checks that every call that changes something was written down before it came, by an entry for each attempt, and is
 * one that this phase may make.
 *
 * @returns the problem, given an arrival and the journal at that time
 */
export function outOfTurn({
  phase,
  deletes,
}: Phase): (arrival: Arrival, entries: readonly JournalEntry[]) => string | undefined {
  const attempted = oneAttemptEach();
  return (arrival, entries) => {
    const call = nameOfChange(arrival, { ops: OPS_TOPIC, created: NEW_CONNECTOR });
    if (call === undefined) return undefined;
    const begun = entries.flatMap((entry) => (entry.type === "step-started" ? [entry.step] : [])).at(-1);
    const failed = entries.some(({ type }) => type === "step-failed");
    const { does, of: target } = readCall(call) ?? { does: call, of: "" };
    const allowed: Readonly<Record<string, boolean>> = {
      stop: begun === "stop-connector" && target === (phase === "cutover" ? LEGACY_CONNECTOR : NEW_CONNECTOR),
      start:
        target === LEGACY_CONNECTOR
          ? begun === "resume-legacy" || (phase === "cutover" && failed)
          : target === NEW_CONNECTOR && (begun === "start-new" || (phase === "rollback" && failed)),
      create: target === NEW_CONNECTOR && phase === "cutover",
      "delete offsets": target === NEW_CONNECTOR && phase === "rollback",
      "delete connector":
        target === LEGACY_CONNECTOR
          ? phase === "retire"
          : target === NEW_CONNECTOR && (phase === "rollback" || (phase === "cutover" && failed)),
      "delete topic": deletes.includes(target),
      "remove records": begun === "remove-records" && phase === "rollback",
      record: phase === "rollback" && (begun?.startsWith("record-") === true || failed),
    };
    const unwritten = call === "record" ? undefined : attempted(call, entries);
    return unwritten ?? (allowed[does] === true ? undefined : `${call} came in the step ${begun ?? "before any"}`);
  };
}
