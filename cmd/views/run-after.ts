import type { ConnectorStatus } from "../../core/facts/connector/connector.ts";
import type { ChangeNow } from "../../core/facts/offset/stored-change.ts";
import { changeStands, rollbackOf } from "../../core/run/change.ts";
import type { RunState } from "../../core/run/state.ts";
import { asked, type ByKind, type MigrationSubject, type OffsetSubject } from "../../core/run/subject.ts";
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
    const change = asked(CHANGES, subject, state);
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

const CHANGES: ByKind<readonly [RunState], Change> = {
  OffsetChange: offsetChange,
  Resnapshot: offsetChange,
  cutover: phaseChange,
  verify: phaseChange,
  // It is the rollback of every cutover of its two connectors, from whatever plan it came.
  rollback: (subject, state) => ({ ...phaseChange(subject, state), ends: ifSucceeded(state) }),
  retire: (subject, state) => ({ ...phaseChange(subject, state), phase: "retire", ends: ifSucceeded(state) }),
};

function phaseChange({ clusterId, connector, legacy }: MigrationSubject, state: RunState): Change {
  return {
    of: JSON.stringify([clusterId, connector, legacy]),
    begins: changeStands(state),
    phase: "rollback",
    ends: () => [],
  };
}

function ifSucceeded({ ended }: RunState): Change["ends"] {
  return (standing) => (ended?.outcome === "succeeded" ? [...standing] : []);
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

/** The state of a run's connector at this moment. `missing`: the workers have none of its name. */
export type ConnectorNow =
  | { readonly is: "seen"; readonly status: ConnectorStatus }
  | { readonly is: "missing" }
  | { readonly is: "unknown"; readonly why: string };

/** What has become of the offset that a settled run has stored. `unknown`: the workers could not be asked. */
export type ChangeSeen =
  | {
      readonly is: ChangeNow;
      /**
       * The connector is STOPPED although the run has started it, and a stop of the run was never answered: it may have
       * been carried out late.
       */
      readonly stoppedSince: boolean;
    }
  | { readonly is: "unknown"; readonly why: string };

/**
 * What has become of a change that succeeded, where it is not as the run left it; undefined where there is nothing to
 * say. Not escaped.
 */
export function changeSince(connector: string, run: string, now: ChangeSeen | undefined): string | undefined {
  switch (now?.is) {
    case undefined:
      return undefined;
    case "undone":
      return (
        `${connector}: a task that had outlived its stop has committed once more; the change of run ${run} is ` +
        "undone"
      );
    case "changed":
      return `${connector}: the stored offset is no longer that of run ${run}; another run, user or process has changed it`;
    case "unknown":
      return `${connector}: whether the change of run ${run} still stands is not known: ${now.why}`;
    case "stands":
    case "ran on":
      return now.stoppedSince
        ? `${connector} is STOPPED, although run ${run} has started it: an unanswered stop may have been carried ` +
            "out late"
        : undefined;
  }
}

/**
 * Whether something has to be done about it: the connector is not as the run left it, and no other run has made it so.
 */
export function needsRepair(now: ChangeSeen | undefined): boolean {
  if (now === undefined || now.is === "unknown" || now.is === "changed") return false;
  return now.is === "undone" || now.stoppedSince;
}
