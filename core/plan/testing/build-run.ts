import type { ConnectorKind } from "../../document/intent.ts";
import { runStarted } from "../../kinds/catalogue.ts";
import { STORED } from "../../kinds/offset-change/testing/build-facts.ts";
import type { RunKey } from "../../ports/state.ts";
import type { JournalEntry, JournalEvent } from "../../run/journal.ts";
import { instantOf } from "../../values/instant.ts";
import type { Plan } from "../plan.ts";
import type { StepName } from "../steps.ts";

/** Whole, valid journals of runs for tests: one entry a second, from 2026-11-21 09:15:40Z. */
export interface RecordedForTest {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
}

const BEGIN = Date.UTC(2026, 10, 21, 9, 15, 40);

export function buildRun(plan: Plan, events: readonly JournalEvent[], tail = "7f3a"): RecordedForTest {
  const run = `2026-11-21T09-15-40Z-${tail}`;
  return {
    key: { clusterId: plan.world.clusterId, connector: plan.intent.target.connector, run },
    entries: [runStarted(plan, { run, operator: "ana", cdcctl: "0.1.0" }), ...events].map((event, i) => ({
      seq: BigInt(i),
      at: instantOf(BEGIN + i * 1000),
      ...event,
    })),
  };
}

/** A step that was begun and done. */
export function done(step: StepName, note: string, ...between: readonly JournalEvent[]): readonly JournalEvent[] {
  return [{ type: "step-started", step }, ...between, { type: "step-done", step, note, millis: 1000n }];
}

export const SIGNAL = "srcdb-cdc-admin-0f6c1d1e-3c77-4f0e-9b1a-2f1d6c7b8a90";

/** The id that a signal gets, before it is written. */
export const signalPinned: JournalEvent = {
  type: "signal-pinned",
  id: SIGNAL,
  signalsFrom: [{ partition: 0n, offset: 4n }],
  answersFrom: [{ partition: 0n, offset: 17n }],
};

/** The signal of a resnapshot, written. */
export function signalled({ steps }: Plan<ConnectorKind>): readonly JournalEvent[] {
  return steps.flatMap((one) =>
    one.step === "write-signal"
      ? done("write-signal", `wrote the signal ${SIGNAL} to ${one.topic} (partition 0, offset 4)`, signalPinned)
      : [],
  );
}

/** Everything up to the record of the change: stop, recheck, a resnapshot's signal, `applying`. */
export function untilRecorded(plan: Plan<ConnectorKind>): readonly JournalEvent[] {
  const { scn } = plan.decided;
  if (scn === undefined) throw new Error("a plan without its target");
  const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = STORED;
  const entry = { partition: { server: plan.world.prefix }, offset: { ...kept, resume_scn: scn } };
  return [
    ...done("stop-connector", `${plan.decided.connector} stopped after 1 s`),
    ...done("recheck", "every check passed again", { type: "body-pinned", previous: STORED, body: entry }),
    ...signalled(plan),
    ...done("record-applying", 'recorded "applying" in orders.cdc.ops (partition 0, offset 17)'),
  ];
}

export function untilPatched(plan: Plan<ConnectorKind>): readonly JournalEvent[] {
  return [
    ...untilRecorded(plan),
    ...done(
      "patch-offset",
      "the stored offset is as planned",
      { type: "patch-sent", attempt: 1n },
      { type: "patch-applied", attempt: 1n },
    ),
  ];
}

/** The change, and the record of it. */
export function untilApplied(plan: Plan<ConnectorKind>): readonly JournalEvent[] {
  return [
    ...untilPatched(plan),
    ...done("record-outcome", 'recorded "applied" in orders.cdc.ops (partition 0, offset 18)'),
  ];
}

/** Everything but the wait for an answer. */
export function untilResumed(plan: Plan<ConnectorKind>): readonly JournalEvent[] {
  return [
    ...untilApplied(plan),
    ...done("resume-connector", `resumed; first commit at ${(plan.decided.scn ?? 0n) + 14n}, journal generation 18`),
  ];
}

export function untilSucceeded(plan: Plan<ConnectorKind>): readonly JournalEvent[] {
  return [
    ...untilResumed(plan),
    {
      type: "run-ended",
      outcome: "succeeded",
      message:
        `the stored offset of ${plan.decided.connector} was set to ${plan.decided.scn}, as planned; the connector is ` +
        "resumed",
    },
  ];
}
