import type { StepName } from "../../../core/plan/steps.ts";
import { changeStands } from "../../../core/run/change.ts";
import { patchInDoubt, type RunState, type StepState } from "../../../core/run/state.ts";
import { offsetSubject } from "../../../core/run/subject.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { backedOut, did, type KindView } from "./kind.ts";

const ofOneConnector = {
  untouched: "it changes neither offset nor connector",
  reportedByCalls: false,
  changes,
} as const;

/** Moves the stored offset, or only starts the connector. */
export const offsetChange: KindView<OffsetSubject> = {
  ...ofOneConnector,
  aim: ({ direction: to, scn, control }) =>
    scn === undefined ? (control ?? "start only") : `${to ?? "moved"} to ${scn}`,
};

/** Signals a snapshot and, past a gap, moves the stored offset. */
export const resnapshot: KindView<OffsetSubject> = {
  ...ofOneConnector,
  aim: ({ direction, scn }) => (scn === undefined ? "signal only" : `${direction ?? "moved"} to ${scn}`),
};

/** What was changed according to the journal, one sentence each. */
function changes(subject: OffsetSubject, state: RunState, at: (step: StepName) => StepState): readonly string[] {
  const { connector: name, ranBefore } = subject;
  return [
    ...(ranBefore ? did("stop-connector", name, at) : []),
    ...signalSentence(at("write-signal"), state),
    ...(state.attempts === 0n ? [] : [patchSentence(at("patch-offset"), state)]),
    ...did("resume-connector", name, at),
    ...did("start-connector", name, at),
    ...did("restart-connector", name, at),
    ...backedOut(name, state),
  ];
}

/** A signal stays in its topic, whatever the outcome of the run. */
function signalSentence(written: StepState, { signal, started: { subject } }: RunState): readonly string[] {
  if (signal === undefined || written === "pending" || written === "failed") return [];
  const snapshot = offsetSubject(subject)?.snapshot;
  const where = snapshot === undefined ? "" : ` to ${snapshot.signalsTopic}`;
  return written === "done"
    ? [`the signal ${signal.id} was written${where} and cannot be withdrawn`]
    : [`whether the signal ${signal.id} was written${where} is unknown`];
}

function patchSentence(patched: StepState, state: RunState): string {
  const scn = offsetSubject(state.started.subject)?.scn;
  if (changeStands(state) || (patched === "done" && state.ended === undefined))
    return `the stored offset was set to ${scn}`;
  if (patchInDoubt(state)) return `whether the stored offset was set to ${scn} is unknown`;
  return patched === "failed"
    ? "the stored offset was not changed"
    : `the stored offset was patched to ${scn}, but is not as planned`;
}
