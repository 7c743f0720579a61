import { phaseAbandoned, phaseDone } from "./migration-sentences.ts";
import type { RunState } from "./state.ts";
import { offsetSubject } from "./subject.ts";
import { unprovenOf } from "./unproven.ts";

/**
 * What a run came to, one sentence each, for its report and its journal. They go by the journal alone: a run that is
 * recovered says the same.
 */

export function succeeded(state: RunState): string {
  const { signal, steps, started } = state;
  const { subject } = started;
  if (subject.command === "migrate") return phaseDone(subject, state);
  const { connector, scn } = subject;
  const resumed = steps.get("resume-connector") === "done";
  const unproven = unprovenOf(state);
  const doubt = unproven.length === 0 ? "" : `; unproven: ${unproven.join("; ")}`;
  // What the connector has committed since may come from elsewhere.
  const set = resumed && state.unproven !== undefined ? "was set to" : "is";
  const offset =
    `the stored offset of ${connector} ${set} ${scn}, as planned; the connector is ` +
    `${resumed ? "resumed" : "stopped"}${doubt}`;
  if (signal === undefined)
    return scn === undefined
      ? `the stored offset of ${connector} was left as it is; the connector runs${doubt}`
      : offset;
  const asked =
    steps.get("wait-for-ack") === "done"
      ? `the connector has taken the signal ${signal.id}`
      : `the signal ${signal.id} is written`;
  if (scn !== undefined) return `${asked}, and ${offset}`;
  return (
    `${asked}, and the stored offset of ${connector} was left as it ` +
    `is${steps.get("start-connector") === "done" ? "; the connector runs" : ""}${doubt}`
  );
}

/** The connector's own no, and what stands all the same. */
export function rejected(answer: string, { started: { subject } }: RunState): string {
  const { connector } = subject;
  const scn = offsetSubject(subject)?.scn;
  return scn === undefined
    ? `${answer}; the stored offset of ${connector} was left as it is`
    : `${answer}; the stored offset of ${connector} is ${scn}, past the gap`;
}

/** What an operator does about it. */
export function afterRejection({ started: { subject, plan } }: RunState): readonly string[] {
  const again = plan?.intent.origin.by === "plan file" ? "apply it again" : "ask for them again";
  return offsetSubject(subject)?.scn === undefined
    ? ["The tables are not snapshotted. Mend what the connector names, then plan a Resnapshot of them again."]
    : [
        "The tables lack what happened in the gap until they are snapshotted. Mend what the connector names, " +
          `then ${again}.`,
      ];
}

/** A failure of a run whose signal stands: it asks for a snapshot all the same. */
export function withSignal(error: string, id: string): string {
  return `${error}; the signal ${id} is written and can't be taken back`;
}

/** What stays open when an operator ends a run. */
export function abandoned(operator: string, state: RunState): string {
  const { steps, signal, attempts, started } = state;
  const { subject } = started;
  const by = `abandoned by ${operator}`;
  if (subject.command === "migrate") return `${by}: ${phaseAbandoned(subject, state)}`;
  const standing = steps.get("write-signal") === "done";
  const signalLeft =
    signal === undefined
      ? ""
      : standing
        ? `; the signal ${signal.id} is written and can't be taken back`
        : steps.get("write-signal") === "failed"
          ? ""
          : `; whether the signal ${signal.id} was written was never known`;
  const waited = steps.has("wait-for-ack")
    ? "the connector's answer to the signal was not seen"
    : steps.has("start-connector")
      ? "that its task runs was not seen"
      : undefined;
  if (subject.scn === undefined) return `${by}: ${waited ?? "the stored offset was left as it is"}${signalLeft}`;
  if (steps.get("record-outcome") === "done")
    return `${by}: the offset was patched, ${waited ?? "its first commit was not seen"}${signalLeft}`;
  return attempts === 0n
    ? `${by}: the offset was not changed${signalLeft}`
    : `${by}: whether the offset was changed was never known${signalLeft}`;
}
