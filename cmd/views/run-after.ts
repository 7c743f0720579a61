import { changeStands, rollbackOf } from "../../core/run/change.ts";
import type { RunState } from "../../core/run/state.ts";
import type { MigrationSubject, OffsetSubject } from "../../core/run/subject.ts";
import type { Instant } from "../../core/values/instant.ts";

/** The later run that has taken a run back, or has made a cutover final. */
export interface RunAfter {
  readonly phase: "rollback" | "retire";
  readonly run: string;
  readonly at: Instant;
}

/**
 * What became of each run: the first one after it that took it back, or retired the legacy connector of its cutover.
 * Its way back is gone then.
 *
 * @param runs oldest first
 * @returns by the run's id
 */
export function runsAfter(runs: readonly RunState[]): ReadonlyMap<string, RunAfter> {
  const open = new Map<string, Set<string>>();
  const after = new Map<string, RunAfter>();
  for (const state of runs) {
    const { started, ended } = state;
    if (ended === undefined) continue;
    const { subject, run } = started;
    const change = subject.command === "migrate" ? phaseChange(subject, state) : offsetChange(subject, state);
    const standing = open.get(change.of) ?? new Set();
    for (const earlier of change.ends(standing)) {
      after.set(earlier, { phase: change.phase, run, at: ended.at });
      standing.delete(earlier);
    }
    if (change.begins) standing.add(run);
    open.set(change.of, standing);
  }
  return after;
}

/** What an ended run means for those before it. */
interface Change {
  /** What it changed: only runs that changed the same are ended by it. */
  readonly of: string;
  readonly begins: boolean;
  readonly phase: RunAfter["phase"];
  /** @param standing earlier runs of the same that nothing has ended yet */
  ends(standing: ReadonlySet<string>): readonly string[];
}

/** A rollback is the way back of every cutover of its two connectors, from whatever plan it came. */
function phaseChange({ phase, clusterId, connector, legacy }: MigrationSubject, state: RunState): Change {
  const succeeded = state.ended?.outcome === "succeeded";
  return {
    of: JSON.stringify([clusterId, connector, legacy]),
    begins: changeStands(state),
    phase: phase === "retire" ? "retire" : "rollback",
    ends: (standing) => (succeeded && (phase === "rollback" || phase === "retire") ? [...standing] : []),
  };
}

/** An offset is taken back by the run that `rollback` made for it; another move of the offset is no way back. */
function offsetChange({ clusterId, connector }: OffsetSubject, state: RunState): Change {
  const back = changeStands(state) ? rollbackOf(state) : undefined;
  return {
    of: JSON.stringify([clusterId, connector]),
    begins: changeStands(state),
    phase: "rollback",
    ends: (standing) => (back !== undefined && standing.has(back) ? [back] : []),
  };
}

/** In a sentence. */
export function sentenceAfter({ phase, run }: RunAfter): string {
  return phase === "rollback"
    ? `it was rolled back by run ${run}`
    : `the legacy connector was retired by run ${run}: there is no way back`;
}
