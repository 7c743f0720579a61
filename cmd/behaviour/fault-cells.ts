import type { StepName } from "../../core/plan/steps.ts";
import { type Cell, faultCell, killCell, LATE_COMMIT, lateCommitCell } from "./cell.ts";
import { type Change, OFFSET_CHANGE, PAST_GAP, SIGNAL_ONLY } from "./changes.ts";
import { FAULTS, type FaultKind, MOMENTS, type Moment } from "./fault-places.ts";
import type { CellResult } from "./injected-faults.ts";

/** A cell and its runner. */
export interface PlannedCell {
  readonly cell: Cell;
  run(): Promise<CellResult<Cell>>;
}

const KILL = "SIGKILL";
const KILL_APPLIED = "SIGKILL, applied";
const LASTING = ", lasting";

type Places = Readonly<Partial<Record<StepName, Readonly<Partial<Record<Moment, readonly string[]>>>>>>;

/** Distinct faults for a request to a broker; once, and lasting. */
const AT_A_BROKER = onceAndLasting(
  FAULTS.filter(({ kafka }, at) => FAULTS.findIndex((one) => one.kafka === kafka) === at),
);
const AT_A_WORKER = onceAndLasting(FAULTS);

/**
 * What a resnapshot has of its own it is shown everything at; what it shares with an offset change, where a signal
 * stands by then, what differs by that. A process that is killed costs most of all: once for each thing that may be
 * half done.
 */
const AT_THE_GAP: Places = {
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

const BY_A_SIGNAL: Places = {
  "write-signal": { during: [KILL, KILL_APPLIED, ...AT_A_BROKER] },
  "start-connector": { before: [KILL, "409, lasting"], during: [KILL_APPLIED, ...AT_A_WORKER] },
  "wait-for-ack": { during: [KILL, "disconnect, lasting"], after: ["disconnect"] },
};

export const CELLS: readonly PlannedCell[] = [
  ...cells(OFFSET_CHANGE, everywhere(OFFSET_CHANGE.steps)),
  ...cells(PAST_GAP, AT_THE_GAP),
  ...cells(SIGNAL_ONLY, BY_A_SIGNAL),
];

export function nameOf({ change, step, moment, fault, lasts }: Cell): string {
  return `${change.name}, ${moment} ${step}: ${fault}${lasts ? LASTING : ""}`;
}

function everywhere(steps: readonly StepName[]): Places {
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

function cells(change: Change, places: Places): readonly PlannedCell[] {
  return change.steps.flatMap((step) =>
    MOMENTS.flatMap((moment) =>
      (places[step]?.[moment] ?? []).map((name) => {
        const lasts = name.endsWith(LASTING);
        return planned({ change, step, moment, fault: lasts ? name.slice(0, -LASTING.length) : name, lasts });
      }),
    ),
  );
}

function planned(cell: Cell): PlannedCell {
  switch (cell.fault) {
    case KILL:
      return { cell, run: () => killCell(cell, false) };
    case KILL_APPLIED:
      return { cell, run: () => killCell(cell, true) };
    case LATE_COMMIT:
      return { cell, run: () => lateCommitCell(cell) };
  }
  const kind = FAULTS.find(({ name }) => name === cell.fault);
  if (kind === undefined) throw new Error(`there is no fault ${cell.fault}`);
  return { cell, run: () => faultCell(cell, kind) };
}
