import type { ResnapshotFacts } from "../../../schemas/generated/facts.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { ResnapshotReading } from "../../checks/readings.ts";
import { answerReadable, answersSignals } from "../../checks/snapshot-signal.ts";
import { digestOfIntent, type ResnapshotIntent } from "../../document/intent.ts";
import { isRunning } from "../../facts/connector/connector.ts";
import { span } from "../../facts/database/database.ts";
import { storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import type { Plan, Resolved } from "../../plan/plan.ts";
import { onlyStarts, type PlannedStep, removalSteps } from "../../plan/steps.ts";
import type { RunState } from "../../run/state.ts";
import { digestOf } from "../../values/digest.ts";
import type { Scn } from "../../values/scn.ts";
import { intentAppliedLast } from "../connector/applied.ts";
import {
  bodyPinned,
  connectorOutcome,
  connectorShown,
  offsetMove,
  offsetSubjectOf,
  ofOneConnector,
  plannedTimeline,
  startSteps,
  worldShown,
} from "../connector/plan.ts";
import { removedFromJournal } from "../connector/reading.ts";
import type { Kind, ResolveOptions } from "../kind.ts";
import { resnapshotChecks } from "./checks.ts";
import { observeResnapshot } from "./observe.ts";
import { decideResnapshot, gapText, readResnapshot, resnapshotByIntent } from "./reading.ts";
import { resnapshotSaid, UNLISTED } from "./shown.ts";

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planResnapshot(
  intent: ResnapshotIntent,
  facts: ResnapshotFacts,
  options: ResolveOptions = {},
): Plan<"Resnapshot"> {
  const reading = readResnapshot(intent, facts);
  const decided = decideResnapshot(intent, reading);
  const findings = findingsOf(resnapshotChecks, intent, reading);
  const { move } = reading;
  const connector = connectorShown(facts.connector);
  const plan: Resolved<"Resnapshot"> = {
    intent,
    plannedAt: facts.at,
    outcome: connectorOutcome(findings, reading, options.again ? undefined : nothingToDo(intent, reading)),
    world: worldShown(facts, { ...facts.connector, opsFormat: reading.opsFormat }),
    connectors: [connector],
    timeline: plannedTimeline(reading, move?.to, reading.gap !== undefined),
    findings,
    steps: steps(intent, reading),
    decided,
    decision: digestOf(decided),
  };
  const said = resnapshotSaid(
    {
      ...plan,
      connector,
      move,
      offset: offsetMove(reading),
      cost: move?.from === undefined ? undefined : { kind: "skipped", millis: span(move.from, move.to, facts.times) },
      redo: reading.redo?.known ? reading.redo.value : undefined,
      torn: reading.torn.known ? reading.torn.value : [],
      times: facts.times.known ? facts.times.value : [],
    },
    reading,
  );
  return { ...plan, ...said };
}

/**
 * The connector's latest change shows whether this intent was already carried out: once the offset is past its gap, the
 * same plan file would only write its signal once more. A signal alone is recorded only in the local journals, which
 * `apply` reads.
 *
 * @returns why there is nothing to do
 */
function nothingToDo(intent: ResnapshotIntent, { changes, way, facts }: ResnapshotReading): string | undefined {
  const answers = facts.opsHistory.known ? facts.opsHistory.value.answers : [];
  // It differs at a gap from the one that was carried out, which moved the offset past its own gap.
  if (way === "past the gap" || !changes.known) return undefined;
  const applied = intentAppliedLast(changes.value, digestOfIntent(intent), answers, storedOffsetOf(facts.connector));
  return applied && `this resnapshot was already applied at ${applied.latest.at}; --again repeats it`;
}

function withoutSignals(
  { signals }: ResnapshotFacts,
  { id, stopId }: NonNullable<RunState["signal"]>,
): Pick<ResnapshotFacts, "signals"> {
  if (signals?.known !== true) return {};
  const unread = signals.value.unread.filter((one) => one.id !== id && one.id !== stopId);
  return { signals: { ...signals, value: { ...signals.value, unread } } };
}

function steps(intent: ResnapshotIntent, reading: ResnapshotReading): readonly PlannedStep[] {
  const { way, gap, facts, tables } = reading;
  const { name: connector, opsTopic, signalsTopic: topic } = facts.connector;
  const { waitForSnapshot, waitForCompletion, waitForAck = waitForCompletion } = intent;
  if (tables.length === 0) return [];
  const signal: PlannedStep = {
    step: "write-signal",
    topic,
    tables,
    ...(facts.signalsTopic.known && facts.signalsTopic.value === "missing" ? { create: true } : {}),
    ...(intent.stopRunningSnapshot === true ? { stop: true } : {}),
  };
  const ack: readonly PlannedStep[] =
    waitForAck === undefined || !answersSignals(intent, reading) || !answerReadable(facts)
      ? []
      : [
          { step: "wait-for-ack", topic: opsTopic, millis: waitForAck },
          ...(waitForCompletion === undefined
            ? []
            : [{ step: "wait-for-completion", topic: opsTopic, tables, millis: waitForCompletion } as const]),
        ];
  if (way === "signal")
    return [
      ...(waitForSnapshot === undefined
        ? []
        : [{ step: "wait-for-snapshot", connector, topic, millis: waitForSnapshot } as const]),
      signal,
      ...(intent.resume ? startSteps(facts.connector) : []),
      ...ack,
    ];
  if (gap?.to === undefined) return [];
  return [
    ...(intent.waitForTransactions === undefined ? [] : [waitStep(gap.to, intent.waitForTransactions, reading)]),
    { step: "stop-connector", connector },
    { step: "recheck" },
    signal,
    { step: "record-applying", topic: opsTopic },
    ...removalSteps([...removedFromJournal(intent, reading), ...reading.removed]),
    { step: "patch-offset", connector },
    { step: "record-outcome", topic: opsTopic },
    ...(intent.resume ? [{ step: "resume-connector", connector, scn: gap.to } as const] : []),
    ...ack,
  ];
}

/** Waits for open transactions and, while a task runs that can remove them, for those that the journal holds. */
function waitStep(scn: Scn, millis: bigint, { held, facts }: ResnapshotReading): PlannedStep {
  const xids = held.known && isRunning(facts.connector.status) ? held.value.map(({ xid }) => xid) : [];
  const journaled = { topic: held.source, of: "journal", only: xids } as const;
  return { step: "wait-for-transactions", scn, millis, ...(xids.length === 0 ? {} : { journaled }) };
}

/** A resnapshot: a signal, and with a gap also a move of the stored offset. */
export const resnapshot: Kind<ResnapshotIntent, ResnapshotFacts, OffsetSubject> = {
  ...ofOneConnector,
  observe: observeResnapshot,
  plan: planResnapshot,
  byIntent: (intent) => ({ decided: resnapshotByIntent(intent) }),
  /** The run's own signal does not come before itself. */
  asOfRun: (facts, { signal }) => ({ ...facts, ...(signal === undefined ? {} : withoutSignals(facts, signal)) }),
  pin: ({ intent }, facts) => bodyPinned(offsetMove(readResnapshot(intent, facts))),
  subject(plan) {
    const { gap, tables, unlisted = [] } = plan.decided;
    const [signal] = plan.steps.flatMap((one) => (one.step === "write-signal" ? [one] : []));
    const evidence = plan.diff.find(({ title }) => title === UNLISTED)?.rows;
    return offsetSubjectOf(plan, gap === undefined || onlyStarts(plan), {
      command: "resnapshot",
      forget: [],
      snapshot: {
        signalsTopic: signal?.topic ?? "",
        tables,
        gap: gap && gapText(gap),
        unlisted,
        evidence: evidence && digestOf(evidence),
      },
    });
  },
};
