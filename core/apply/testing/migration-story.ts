import { decodeOffset, sameOffsets } from "../../facts/offset/stored-offset.ts";
import { recordedChanges } from "../../facts/ops/ops-event.ts";
import type { JournalEntry } from "../../run/journal.ts";
import { type RunState, runState } from "../../run/state.ts";
import type { Attempts } from "./attempts.ts";
import { FATES } from "./fates.ts";
import type { Fate } from "./memory-world.ts";
import { LEGACY, LEGACY_TOPICS, type Migration } from "./migration-world.ts";
import { CONNECTOR } from "./story.ts";

/** An entry of the journal in a few words. */
export function entryText(entry: JournalEntry): string {
  switch (entry.type) {
    case "step-started":
    case "step-done":
    case "step-failed":
    case "step-unclear":
      return `${entry.step} ${entry.type.slice(5)}`;
    case "call-sent":
    case "call-applied":
    case "call-rejected":
    case "call-unanswered":
      return `${entry.type.slice(5)} ${entry.call}`;
    case "run-ended":
      return `ended ${entry.outcome}`;
    default:
      return entry.type;
  }
}

/** One fault, at each of the first calls and journal entries. */
export function everyFate(first: number): readonly (readonly Fate[])[] {
  return Array.from({ length: first }, (_, well) =>
    FATES.map((fate): readonly Fate[] => [...Array.from<Fate>({ length: well }).fill("answered"), fate]),
  ).flat();
}

/** Lets another user act right after an entry of the journal is written, before the run reads anything. */
export function actAfter(
  entry: string,
  { m, run }: { readonly m: Migration; readonly run: Attempts },
  act: () => void,
): void {
  const { watch, fate } = m.world;
  let done = false;
  const check = () => {
    const last = run.entries.at(-1);
    if (done || last === undefined || entryText(last) !== entry) return;
    done = true;
    act();
  };
  m.world.watch = () => {
    check();
    watch();
  };
  m.world.fate = () => {
    check();
    return fate();
  };
}

/** What world, ops topic and journal say against one another, or what must never be. */
export function contradiction(m: Migration, { entries }: Attempts): string | undefined {
  const state = runState(entries);
  const changes = m.world.changes.slice(m.changesBefore()).join(", ");
  if (m.bothRan()) return `both ran: ${changes}`;
  if (m.wrongs.length > 0) return m.wrongs.join("; ");
  if (state === undefined) return changes === "" ? undefined : `${changes} without a run`;
  if (state.ended === undefined) return "the run is not ended";
  const { subject } = state.started;
  if (subject.command !== "migrate") return "another kind";
  if (state.ended.outcome === "succeeded" && [...state.calls.values()].includes("sent")) return "succeeded in doubt";
  const unlisted = notListed(m, state);
  if (unlisted !== undefined) return unlisted;
  const wrong = { cutover: afterCutover, rollback: afterReturn, retire: afterRetirement, verify: () => undefined }[
    subject.phase
  ](m, state);
  return wrong === undefined
    ? undefined
    : `${wrong}: ${state.ended.outcome}, ${LEGACY} ${m.legacy()}, ${CONNECTOR} ${m.next()}; ` +
        `${entries.map(entryText).join(", ")}`;
}

/** Only what the plan lists is deleted; and the connector that the run has created itself. */
function notListed(m: Migration, { started: { plan } }: RunState): string | undefined {
  const listed = new Set<string>();
  for (const step of plan?.steps ?? []) {
    if (step.step === "delete-connector") listed.add(`DELETE ${step.connector}`);
    if (step.step === "delete-offsets") listed.add(`DELETE ${step.connector} offsets`);
    if (step.step === "delete-topics") for (const topic of step.topics) listed.add(`DELETE topic ${topic}`);
    if (step.step === "create-connector") {
      listed.add(`DELETE ${step.connector}`);
      if (!step.stopped) listed.add(`DELETE ${step.connector} offsets`);
    }
  }
  const deleted = m.world.changes.slice(m.changesBefore()).filter((one) => one.startsWith("DELETE"));
  const other = deleted.find((one) => !listed.has(one));
  return other === undefined ? undefined : `${other} was sent, and no plan lists it`;
}

function afterCutover(m: Migration, state: RunState): string | undefined {
  const { ended, takeover, started, backedOut } = state;
  const next = m.next();
  if (LEGACY_TOPICS.some((topic) => !m.world.topics.includes(topic))) return "a legacy topic is gone";
  switch (ended?.outcome) {
    case "succeeded": {
      const offset = decodeOffset(m.world.stored ?? {});
      if (m.legacy() !== "STOPPED" || next !== "RUNNING") return "not taken over";
      if (!offset.ok || offset.offset.resumeScn < (takeover?.startScn ?? 0n)) return "not at its start";
      return sameOffsets(m.world.connectors.offsets.get(LEGACY) ?? [], takeover?.offsets ?? [])
        ? undefined
        : "the legacy connector has moved on";
    }
    case "failed":
    case "refused": {
      // One that was created running, and may not be stopped, is left, and that is said.
      if (next === "RUNNING" && createdStopped(state)) return "what was taken back runs";
      const record = removalRecorded(m);
      if (record !== undefined) return record;
      const resumed = started.subject.ranBefore && backedOut?.resumed !== false && next === "gone";
      return resumed && m.legacy() !== "RUNNING" ? "the legacy connector is left stopped" : undefined;
    }
    case "abandoned":
      return removalRecorded(m);
    default:
      return undefined;
  }
}

/** What the ops topic says of the stored offset of a connector that its own run took back. */
function removalRecorded(m: Migration): string | undefined {
  const recorded = recordedChanges(m.world.events, CONNECTOR).at(-1)?.outcome;
  const deleted = m.world.changes.slice(m.changesBefore()).includes(`DELETE ${CONNECTOR} offsets`);
  if (recorded === "applying") return "the removal of its offset is left in flight";
  if (recorded === "applied" && !deleted) return "a removal that never happened is recorded as applied";
  return recorded === "failed" && m.world.connectors.offsets.get(CONNECTOR) === undefined && m.next() === "gone"
    ? "a removal counts as failed"
    : undefined;
}

function createdStopped({ started: { plan } }: RunState): boolean {
  return plan?.steps.some((step) => step.step === "create-connector" && step.stopped) === true;
}

function afterReturn(m: Migration, state: RunState): string | undefined {
  const { ended, returning, steps } = state;
  const change = recordedChanges(m.world.events, CONNECTOR).at(-1);
  switch (ended?.outcome) {
    case "succeeded":
      if (m.legacy() !== "RUNNING" || m.next() !== "gone") return "not gone back";
      if ((m.world.connectors.offsets.get(CONNECTOR) ?? []).length > 0) return "offsets are left behind";
      return returning !== undefined && returning.removed.length > 0 && change?.outcome !== "applied"
        ? `recorded as ${change?.outcome}`
        : undefined;
    case "failed":
    case "refused":
      if (m.world.changes.includes(`DELETE ${CONNECTOR}`)) return "a return that deleted something has failed";
      return change === undefined || change.outcome === "failed" ? undefined : `recorded as ${change.outcome}`;
    case "abandoned":
      if (steps.get("delete-offsets") === "done" && change?.outcome === "failed") return "a removal counts as failed";
      return change?.outcome === "applying" ? "left in flight" : undefined;
    default:
      return undefined;
  }
}

function afterRetirement(m: Migration, { ended, started: { plan } }: RunState): string | undefined {
  const topics = (plan?.steps ?? []).flatMap((step) => (step.step === "delete-topics" ? step.topics : []));
  const left = topics.filter((topic) => m.world.topics.includes(topic));
  switch (ended?.outcome) {
    case "succeeded":
      return m.legacy() !== "gone" || left.length > 0 ? "not retired" : undefined;
    case "failed":
    case "refused":
      return m.legacy() === "gone" || left.length < topics.length
        ? "a retirement that deleted something has failed"
        : undefined;
    default:
      return undefined;
  }
}
