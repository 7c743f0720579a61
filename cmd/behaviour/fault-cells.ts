import type { StepName } from "../../core/plan/steps.ts";
import { type Cell, KILL, KILL_APPLIED, LASTING, LATE_COMMIT, type Subject } from "./cell.ts";
import { FAULTS, type FaultKind, MOMENTS, type Moment } from "./fault-places.ts";

/** What each step is shown, by when it strikes. Adding a step of its own is adding a row. */
export type Places = Readonly<Partial<Record<StepName, Faults>>>;
type Faults = Readonly<Partial<Record<Moment, readonly string[]>>>;

export function cellsOf(subject: Subject, places: Places): readonly Cell[] {
  return subject.steps.flatMap((step) =>
    MOMENTS.flatMap((moment) =>
      (places[step]?.[moment] ?? []).map((name) => {
        const lasts = name.endsWith(LASTING);
        return { subject, step, moment, fault: lasts ? name.slice(0, -LASTING.length) : name, lasts };
      }),
    ),
  );
}

/** All that can go wrong, at every moment of every step. */
export function everywhere(steps: readonly StepName[]): Places {
  const at = (moment: Moment): readonly string[] => [
    KILL,
    ...(moment === "during" ? [KILL_APPLIED] : []),
    ...onceAndLasting(FAULTS.filter(({ onlyDuring }) => onlyDuring !== true || moment === "during")),
    LATE_COMMIT,
  ];
  const moments = Object.fromEntries(MOMENTS.map((moment) => [moment, at(moment)]));
  return Object.fromEntries(steps.map((step) => [step, moments]));
}

function onceAndLasting(kinds: readonly FaultKind[]): readonly string[] {
  return kinds.flatMap(({ name }) => [name, `${name}${LASTING}`]);
}

/** What differs for a request to a broker; once, and lasting. */
const AT_A_BROKER = onceAndLasting(
  FAULTS.filter(({ kafka }, at) => FAULTS.findIndex((one) => one.kafka === kafka) === at),
);
const AT_A_WORKER = onceAndLasting(FAULTS);

/**
 * What a resnapshot has of its own it is shown everything at; what it shares with an offset change, where a signal
 * stands by then, what differs by that. A process that is killed costs most of all: once for each thing that may be
 * half done.
 */
export const AT_THE_GAP: Places = {
  "wait-for-transactions": { during: [KILL, "disconnect", "disconnect, lasting"], after: ["409, lasting"] },
  "stop-connector": { during: [KILL_APPLIED, "500, not applied, lasting", "500, applied later", LATE_COMMIT] },
  recheck: { during: ["disconnect, lasting", LATE_COMMIT] },
  "write-signal": {
    before: [KILL, "disconnect", "disconnect, lasting"],
    during: [KILL, KILL_APPLIED, ...AT_A_BROKER],
    after: [KILL, "disconnect, lasting", LATE_COMMIT],
  },
  "record-applying": { during: [KILL_APPLIED, "409, lasting", "disconnect, lasting"] },
  "patch-offset": {
    before: [KILL, "409, lasting"],
    during: [KILL_APPLIED, "409, lasting", "time-out, lasting", "500, applied later", "500, applied later, lasting"],
    after: [LATE_COMMIT],
  },
  "record-outcome": { during: ["409, lasting", "disconnect, applied"] },
  "resume-connector": { during: [KILL_APPLIED, "500, not applied, lasting", "500, applied later"] },
  "wait-for-ack": {
    during: [KILL, "time-out", "disconnect", "disconnect, lasting"],
    after: ["500, not applied, lasting", "disconnect"],
  },
};

export const BY_A_SIGNAL: Places = {
  "write-signal": { during: [KILL, KILL_APPLIED, ...AT_A_BROKER] },
  "start-connector": { before: [KILL, "409, lasting"], during: [KILL_APPLIED, ...AT_A_WORKER] },
  "wait-for-ack": { during: [KILL, "disconnect, lasting"], after: ["disconnect"] },
};

/** What every step of a migration is shown at every moment. */
const EACH = [KILL, "time-out", "409", "500, applied", "disconnect"];
/** What a call that creates, deletes or starts something is shown besides; it lasts where it differs by that. */
const ALL_DURING = [
  KILL,
  KILL_APPLIED,
  ...FAULTS.map(({ name }) => name),
  ...["409", "500, applied", "500, applied later", "disconnect"].map((name) => `${name}${LASTING}`),
];
const SHARED: Faults = { before: EACH, during: EACH, after: EACH };
const OWN: Faults = { before: EACH, during: ALL_DURING, after: EACH };
/**
 * A stop is journalled and repeated like the calls of a migration's own; what else differs by it an offset change
 * shows.
 */
const STOPPING: Faults = { ...SHARED, during: [...EACH, KILL_APPLIED, "500, applied later"] };
/** A database can be made to break off only. The topics are read before its table, and nothing after it. */
const COMPARING: Faults = { before: EACH, during: [KILL, "disconnect", `disconnect${LASTING}`], after: [] };
/** A look at the database, and nothing before it. */
const LOOKING: Faults = { before: [], during: [KILL, "disconnect", `disconnect${LASTING}`], after: EACH };

const SHARED_STEPS: Places = { recheck: SHARED, "record-applying": SHARED, "record-outcome": SHARED };

/** Steps that a migration has of its own, and its stops. */
export const OF_A_MIGRATION: Places = {
  ...SHARED_STEPS,
  "record-transactions": LOOKING,
  "stop-connector": STOPPING,
  "create-connector": OWN,
  "start-new": OWN,
  "verify-tables": COMPARING,
  "delete-offsets": OWN,
  "delete-connector": OWN,
  "delete-topics": OWN,
  "resume-legacy": OWN,
};

/** The calls of a retirement are those of a way back, with other names in them. */
export const OF_A_RETIREMENT: Places = { "delete-connector": SHARED, "delete-topics": SHARED };

/**
 * A task that was given up while it was stopped commits once more: where a stop or what follows it could be taken in by
 * it.
 */
export function withLateCommits(places: Places, steps: readonly StepName[]): Places {
  const late = steps.map((step) => {
    const faults = places[step] ?? {};
    return [step, { ...faults, during: [...(faults.during ?? []), LATE_COMMIT] }];
  });
  return { ...places, ...Object.fromEntries(late) };
}

/** What differs from another subject in these steps only. */
export function only(places: Places, ...steps: readonly StepName[]): Places {
  return Object.fromEntries(steps.map((step) => [step, places[step]]));
}
