import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import type { MigrationSubject, OffsetSubject } from "../../schemas/generated/run-journal.ts";
import type { ChangeNow } from "../facts/offset/stored-change.ts";
import type { Instant } from "../values/instant.ts";
import { changeStands, rollbackOf } from "./change.ts";
import type { RunState } from "./state.ts";
import { answerFor, type ByKind } from "./subject.ts";

/** The later run that rolled a run back, or made a cutover final. */
export interface RunAfter {
  readonly phase: "rollback" | "retire";
  readonly run: string;
  readonly at: Instant;
}

/**
 * The first later run that rolled each run back, or that retired the legacy connector of its cutover; it can no longer
 * be rolled back then.
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
    const change = answerFor(CHANGES, subject, state);
    const active = open.get(change.of) ?? new Set();
    for (const earlier of change.ends(active)) {
      after.set(earlier, { phase: change.phase, run, at: ended.at });
      active.delete(earlier);
    }
    if (change.begins) active.add(run);
    open.set(change.of, active);
  }
  return after;
}

/** The effect of an ended run on earlier runs. */
interface Change {
  /** What it changed: it ends only runs that changed the same. */
  readonly of: string;
  readonly begins: boolean;
  readonly phase: RunAfter["phase"];
  /** @param active earlier runs of the same that are not ended yet */
  ends(active: ReadonlySet<string>): readonly string[];
}

const CHANGES: ByKind<readonly [RunState], Change> = {
  OffsetChange: offsetChange,
  Resnapshot: offsetChange,
  cutover: phaseChange,
  verify: phaseChange,
  // A rollback phase ends every cutover of its two connectors, from any plan.
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
  return (active) => (ended?.outcome === "succeeded" ? [...active] : []);
}

/** An offset change is rolled back only by the run that `rollback` made for it, not by another move of the offset. */
function offsetChange({ clusterId, connector }: OffsetSubject, state: RunState): Change {
  const back = changeStands(state) ? rollbackOf(state) : undefined;
  return {
    of: JSON.stringify([clusterId, connector]),
    begins: changeStands(state),
    phase: "rollback",
    ends: (active) => (back !== undefined && active.has(back) ? [back] : []),
  };
}

/** The current state of a run's connector. `missing`: the workers have no connector of this name. */
export type ConnectorNow =
  /** @property stoppedBy the connector's code in a trace, which itself is left out */
  | { readonly is: "seen"; readonly status: ConnectorStatus; readonly stoppedBy?: string }
  | { readonly is: "missing" }
  | { readonly is: "unknown"; readonly why: string };

/** The current state of the offset stored by a settled run. `unknown`: the workers could not be asked. */
export type ChangeSeen =
  | {
      readonly is: ChangeNow;
      /**
       * The connector is STOPPED although the run started it, and a stop of the run was never answered: it may have
       * taken effect late.
       */
      readonly stoppedSince: boolean;
      /** The cause of `changed` as a clause, if it is known. */
      readonly by?: string;
    }
  | { readonly is: "unknown"; readonly why: string };

/** Whether action is required: the connector is not as the run left it, and no other run changed it. */
export function needsRepair(now: ChangeSeen | undefined): boolean {
  if (now === undefined || now.is === "unknown" || now.is === "changed") return false;
  return now.is === "undone" || now.stoppedSince;
}
