import type { MigrationSubject, OffsetSubject } from "../../schemas/generated/run-journal.ts";
import { ofPhases } from "../document/intent.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { operatorText } from "../facts/ops/ops-event.ts";
import { showCompared } from "../facts/tables/tables.ts";
import { type CallDoes, callName, PATCH, readCall, STEPS } from "../plan/steps.ts";
import { showCount } from "../values/amounts.ts";
import { patchInDoubt, type RunState } from "./state.ts";
import { answerFor, type ByKind, offsetSubject } from "./subject.ts";

/**
 * The result of a run in one sentence, for its report and its journal. It depends only on the journal, so a recovered
 * run gives the same one.
 */

/** What a run says that has not sent its change yet: a stop is not nothing, and a signal that may be in its topic. */
export function nothingSent({ signal, steps }: RunState, recovering: boolean): string {
  const mayBeWritten = signal !== undefined && (recovering || steps.get("write-signal") !== "started");
  if (mayBeWritten) return "no PATCH was sent";
  return steps.has("stop-connector") ? "nothing but the stop was sent" : "nothing was sent";
}

export function succeeded(state: RunState): string {
  return answerFor(DONE, state.started.subject, state);
}

const DONE: ByKind<readonly [RunState], string> = {
  OffsetChange: offsetDone,
  Resnapshot: offsetDone,
  cutover: ({ connector, legacy }, state) =>
    `${connector} has taken over from ${legacy} at ${state.takeover?.startScn}: it is running, and ${legacy} is ` +
    `stopped${doubtOf(state)}`,
  verify: (_subject, { verified }) =>
    (verified?.tables.length === 1
      ? "the table and its"
      : `${showCount(verified?.tables.length ?? 0)} tables and their`) +
    ` topics agree${verified?.counts === undefined ? "" : `; ${showCompared(verified.counts)}`}; evidence ` +
    `${verified?.evidence.file}, ${verified?.evidence.digest}`,
  rollback: ({ connector, legacy }, state) =>
    `${legacy} is running again, from the offsets it stopped ` +
    `with${state.returning?.removed.length === 0 ? "" : `; ${connector} and its offsets are deleted`}${doubtOf(state)}`,
  retire: ({ connector, legacy }, state) =>
    `${legacy} ${state.steps.has("delete-topics") ? "and its topics are" : "is"} deleted; ${connector} remains` +
    doubtOf(state),
};

function offsetDone({ connector, scn, control }: OffsetSubject, state: RunState): string {
  const { signal, steps } = state;
  const resumed = steps.get("resume-connector") === "done";
  const doubt = doubtOf(state);
  if (control !== undefined)
    return `${connector} ${control === "stop" ? "is STOPPED" : "is running"}, its stored offset is unchanged${doubt}`;
  // A connector that runs has committed since.
  const set = resumed ? "was set to" : "is";
  const offset =
    `the stored offset of ${connector} ${set} ${scn}, as planned; the connector is ` +
    `${resumed ? "resumed" : "stopped"}${doubt}`;
  if (signal === undefined)
    return scn === undefined
      ? `the stored offset of ${connector} is unchanged; the connector is running${doubt}`
      : offset;
  const asked =
    steps.get("wait-for-completion") === "done"
      ? `the snapshot of the signal ${signal.id} is complete`
      : steps.get("wait-for-ack") === "done"
        ? `the connector has accepted the signal ${signal.id}`
        : `the signal ${signal.id} is written`;
  if (scn !== undefined) return `${asked}, and ${offset}`;
  return (
    `${asked}, and the stored offset of ${connector} is ` +
    `unchanged${steps.get("start-connector") === "done" ? "; the connector is running" : ""}${doubt}`
  );
}

/** The connector's refusal, and what remains anyway. */
export function rejected(answer: string, { started: { subject } }: RunState): string {
  const { connector } = subject;
  const scn = offsetSubject(subject)?.scn;
  return scn === undefined
    ? `${answer}; the stored offset of ${connector} is unchanged`
    : `${answer}; the stored offset of ${connector} is ${scn}, past the gap`;
}

/** What an operator does about it. */
export function afterRejection({ started: { subject, plan } }: RunState): readonly string[] {
  const again = plan?.intent.origin.by === "plan file" ? "apply it again" : "ask for them again";
  return offsetSubject(subject)?.scn === undefined
    ? [
        "Tables were not snapshotted. Fix the problem that the connector names, then plan a Resnapshot of them " +
          "again.",
      ]
    : [
        "The tables lack what happened in the gap until they are snapshotted. Fix the problem that the connector " +
          `names, then ${again}.`,
      ];
}

/** The failure of a run whose signal was written, and which still requests a snapshot. */
export function withSignal(error: string, id: string): string {
  return `${error}; the signal ${id} is written and can't be revoked`;
}

/** What remains unknown when an operator abandons a run. */
export function abandoned(operator: string, state: RunState): string {
  return `abandoned by ${operatorText(operator)}: ${answerFor(LEFT, state.started.subject, state)}`;
}

const LEFT: ByKind<readonly [RunState], string> = {
  OffsetChange: offsetLeft,
  Resnapshot: offsetLeft,
  ...ofPhases(phaseLeft),
};

function offsetLeft(subject: OffsetSubject, { steps, signal, attempts }: RunState): string {
  const written = steps.get("write-signal");
  const signalLeft =
    signal === undefined || written === "failed"
      ? ""
      : written === "done"
        ? `; the signal ${signal.id} is written and can't be revoked`
        : `; whether the signal ${signal.id} was written is unknown`;
  const unseen = [...steps.keys()].flatMap((step) => STEPS[step].unseen ?? []).at(-1);
  if (subject.scn === undefined) return `${unseen ?? "the stored offset is unchanged"}${signalLeft}`;
  if (steps.get("record-outcome") === "done")
    return `the offset was patched, ${unseen ?? "its first commit was not seen"}${signalLeft}`;
  return attempts === 0n
    ? `the offset was not changed${signalLeft}`
    : `whether the offset was changed is unknown${signalLeft}`;
}

function phaseLeft(
  { phase, legacy, connector }: MigrationSubject,
  { steps, calls }: RunState,
  known = "was never known",
): string {
  const open = [...calls].flatMap(([call, at]) => (at === "sent" ? [call] : []));
  const unknown = open.length === 0 ? "" : `; whether ${open.join(", ")} took effect ${known}`;
  const begun = [...steps].filter(([, at]) => at !== "pending" && at !== "failed").map(([step]) => step);
  const left =
    begun.length === 0
      ? "nothing was changed"
      : `the ${phase} of ${legacy} and ${connector} is left as it was after ${begun.at(-1)}`;
  return `${left}${unknown}`;
}

/** What an unfinished run has left so far, according to its journal: the connector's state and its stored offset. */
export function leftSoFar(state: RunState): string {
  return answerFor(SO_FAR, state.started.subject, state);
}

const phaseSoFar = (subject: MigrationSubject, state: RunState) => phaseLeft(subject, state, "is not known");

const SO_FAR: ByKind<readonly [RunState], string> = {
  OffsetChange: offsetSoFar,
  Resnapshot: offsetSoFar,
  ...ofPhases(phaseSoFar),
};

function offsetSoFar({ connector, scn }: OffsetSubject, state: RunState): string {
  const { attempts, body } = state;
  const before = body?.previous == null ? undefined : decodeOffset(body.previous);
  const was = before?.ok === true ? before.offset.resumeScn.toString() : "what it was before";
  const offset =
    attempts === 0n || scn === undefined
      ? `its stored offset is unchanged${before?.ok === true ? ` (${was})` : ""}`
      : patchInDoubt(state)
        ? `whether its stored offset is ${scn} or still ${was} is unknown`
        : `its stored offset was set to ${scn} (before: ${was})`;
  return `${connectorSoFar(connector, state)}; ${offset}`;
}

function connectorSoFar(connector: string, { calls, steps }: RunState): string {
  switch (calls.get(callName("start", connector))) {
    case "applied":
      return `${connector} was started`;
    case "sent":
      return `whether ${connector} was started is unknown`;
  }
  if (steps.get("stop-connector") === "done") return `${connector} is stopped`;
  switch (calls.get(callName("stop", connector))) {
    case "applied":
      return `${connector} was requested to stop`;
    case "sent":
      return `whether ${connector} was requested to stop is unknown`;
  }
  return `${connector} was not changed`;
}

/** The effect of a call that a worker carries out late, after it was abandoned and repeated. */
const LATE: Readonly<Record<CallDoes, (of: string) => string>> = {
  stop: (of) => `would stop ${of} again`,
  create: (of) => `would create ${of} again after it is deleted`,
  start: (of) => `would start ${of} again after it is stopped`,
  restart: (of) => `would restart ${of} again`,
  "delete offsets": (of) => `would delete the offsets of ${of} again`,
  "delete connector": (of) => `would delete ${of} again after it is created`,
  "create topic": (of) => `would create the topic ${of} again after it is deleted`,
  "delete topic": (of) => `would delete the topic ${of} again after it is created`,
  "remove records": (of) => `would remove what was written to ${of} under the same keys`,
};

/**
 * What a run could not prove, although every step is done: the reports of its steps, and every unanswered attempt of a
 * call. A frozen worker can carry out such an attempt at any later time, and no wait rules that out.
 *
 * Rule: architecture, "What apply promises", 4 and 5.
 */
export function doubtOf({ unanswered, doubts, started }: RunState): string {
  const late = [...unanswered].map((call) => {
    const read = readCall(call);
    const does =
      call === PATCH
        ? `, which would set the offset to ${offsetSubject(started.subject)?.scn} again`
        : read === undefined
          ? ""
          : `, which ${LATE[read.does](read.of)}`;
    const carried =
      read?.does === "remove records" ? "broker still appends unanswered" : "worker still carries out an unanswered";
    return `no ${carried} ${call}${does}`;
  });
  // Journals of earlier versions say `that no task …`.
  const open = [...doubts.values()].map((doubt) => doubt.replace(/^that /, "")).concat(late);
  if (open.length === 0) return "";
  const listed = open.length === 1 ? open : open.map((doubt, at) => `(${at + 1}) ${doubt}`);
  return `; not proven: ${listed.join("; ")}; check later: cdcctl status`;
}
