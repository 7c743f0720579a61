import type { StepName } from "../../../core/plan/steps.ts";
import {
  FAULTS,
  faultNamed,
  KILL,
  KILL_APPLIED,
  LASTING,
  LATE_COMMIT,
  MOMENTS,
  type Moment,
  nameOfPlace,
} from "../fault-places.ts";
import type { PhaseCell } from "./phase-cell.ts";
import {
  CUTOVER,
  CUTOVER_RECORDING,
  type Phase,
  RETIREMENT,
  RETURN,
  RETURN_WITH_TOPICS,
  VERIFICATION,
} from "./phases.ts";

/** Faults injected into every step at every moment. */
export const EACH = [KILL, "time-out", "409", "500, applied", "disconnect"];
/** Additional faults for a call that creates, deletes or starts something; lasting where that makes a difference. */
const ALL_DURING = [
  KILL,
  KILL_APPLIED,
  ...FAULTS.map(({ name }) => name),
  ...["409", "500, applied", "500, applied later", "disconnect"].map((name) => `${name}${LASTING}`),
];

type Faults = Readonly<Record<Moment, readonly string[]>>;
const SHARED: Faults = { before: EACH, during: EACH, after: EACH };
const OWN: Faults = { before: EACH, during: ALL_DURING, after: EACH };

/** A stop is journaled and repeated like a migration's own calls; the offset change covers its other differences. */
const STOPPING: Faults = { ...SHARED, during: [...EACH, KILL_APPLIED, "500, applied later"] };

/** A database can be made to break off only. The topics are read before its table, and nothing after it. */
const COMPARING: Faults = { before: EACH, during: [KILL, "disconnect", `disconnect${LASTING}`], after: [] };

/** A read of the database, and nothing before it. */
const LOOKING: Faults = { before: [], during: [KILL, "disconnect", `disconnect${LASTING}`], after: EACH };

/** Steps that a migration has of its own, and its stops. Adding the next is adding a row. */
const OWN_STEPS: Readonly<Partial<Record<StepName, Faults>>> = {
  "record-transactions": LOOKING,
  "stop-connector": STOPPING,
  "create-connector": OWN,
  "start-new": OWN,
  "verify-tables": COMPARING,
  "delete-offsets": OWN,
  "delete-connector": OWN,
  "delete-topics": OWN,
  "resume-legacy": OWN,
  // The last step of a rollback.
  "remove-records": { ...OWN, after: [] },
};

/**
 * A task that was given up while it was stopped commits once more: where a stop or what follows it could be taken in by
 * it.
 */
const LATE: Readonly<Record<string, readonly StepName[]>> = {
  [CUTOVER.name]: ["stop-connector", "recheck", "create-connector"],
  [RETURN.name]: ["stop-connector", "recheck", "record-applying", "delete-offsets"],
};

/** Only what differs from the cutover or rollback without it. */
const ONLY: Readonly<Record<string, readonly StepName[]>> = {
  [CUTOVER_RECORDING.name]: ["record-transactions"],
  [RETURN_WITH_TOPICS.name]: ["delete-topics"],
};

export const PHASE_CELLS: readonly PhaseCell[] = [
  CUTOVER,
  CUTOVER_RECORDING,
  VERIFICATION,
  RETURN,
  RETURN_WITH_TOPICS,
  RETIREMENT,
].flatMap(cells);

export const nameOfPhaseCell = (cell: PhaseCell): string => `${cell.phase.name}, ${nameOfPlace(cell)}`;

function cells(phase: Phase): readonly PhaseCell[] {
  return (ONLY[phase.name] ?? phase.steps).flatMap((step) => {
    // The calls of a retirement are those of a rollback, with other names.
    const faults = (phase === RETIREMENT ? undefined : OWN_STEPS[step]) ?? SHARED;
    const late = LATE[phase.name]?.includes(step) ? [LATE_COMMIT] : [];
    return MOMENTS.flatMap((moment) =>
      [...faults[moment], ...(moment === "during" ? late : [])].map((name) => ({
        phase,
        step,
        moment,
        ...faultNamed(name),
      })),
    );
  });
}
