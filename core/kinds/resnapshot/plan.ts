import { CHECKS } from "../../checks/catalogue.ts";
import { type Finding, findings as findingsOf } from "../../checks/finding.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import { digestOfIntent } from "../../document/intent-digest.ts";
import type { ResnapshotFacts } from "../../facts/connector-facts.ts";
import { span } from "../../facts/database/database.ts";
import { storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import { diffRows } from "../../plan/diff.ts";
import type { ConnectorPlan, Decided, PlanOutcome, SnapshotShown } from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { digestOf } from "../../values/digest.ts";
import { intentAppliedLast, latestDecision } from "../connector/applied.ts";
import { plannedTimeline } from "../connector/position.ts";
import { connectorShown, readiness, worldShown } from "../connector/shown.ts";
import { startSteps } from "../connector/start.ts";
import type { ResolveOptions } from "../resolve-options.ts";
import { answerReadable, answersSignals } from "./answers.ts";
import { type ResnapshotReading, readResnapshot } from "./reading.ts";

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planResnapshot(
  intent: ResnapshotIntent,
  facts: ResnapshotFacts,
  options: ResolveOptions = {},
): ConnectorPlan {
  const reading = readResnapshot(intent, facts);
  const decided = decide(intent, reading);
  const findings = findingsOf(CHECKS.Resnapshot, intent, reading);
  const times = facts.times.known ? facts.times.value : [];
  const { stored, after, move } = reading;
  return {
    intent,
    plannedAt: facts.at,
    outcome: outcome(intent, reading, findings, options.again ?? false),
    world: worldShown(facts, { ...facts.connector, opsFormat: reading.opsFormat }),
    connector: connectorShown(facts.connector),
    move,
    offset:
      after === undefined || stored.state !== "stored" || stored.entry.offset === null
        ? undefined
        : {
            partition: stored.entry.partition,
            before: stored.entry.offset,
            after,
            rows: diffRows(stored.entry.offset, after, times),
          },
    cost:
      move?.from === undefined ? { kind: "none" } : { kind: "skipped", millis: span(move.from, move.to, facts.times) },
    redo: reading.redo?.known ? reading.redo.value : undefined,
    torn: reading.torn.known ? reading.torn.value : [],
    timeline: plannedTimeline(reading, move?.to, reading.gap !== undefined),
    snapshot: snapshotShown(reading),
    findings,
    steps: steps(intent, reading),
    decided,
    decision: digestOf(decided),
  };
}

/**
 * Carried out already is what the connector's latest change says by this intent: once the offset stands past its gap,
 * the same plan file would only write its signal once more. A signal alone is in no record but the local journals,
 * which `apply` looks at.
 */
function outcome(
  intent: ResnapshotIntent,
  { changes, way, facts }: ResnapshotReading,
  findings: readonly Finding[],
  again: boolean,
): PlanOutcome {
  // While a change is in flight, what is stored now is not what will be stored.
  if (findings.some(({ code, effect }) => code === "OPS603" && effect === "blocks")) return { state: "blocked" };
  const answers = facts.opsHistory.known ? facts.opsHistory.value.answers : [];
  // Before a gap it is another one than was carried out: that one moved the offset past its own.
  const applied =
    !again && way !== "past the gap" && changes.known
      ? intentAppliedLast(changes.value, digestOfIntent(intent), answers, storedOffsetOf(facts.connector))
      : undefined;
  if (applied !== undefined) {
    const when = applied.endedAt === undefined ? "" : ` at ${applied.endedAt}`;
    return {
      state: "no-op",
      why: `this resnapshot was carried out already${when}; --again repeats it`,
      ...latestDecision({ changes, facts }),
    };
  }
  return readiness(findings);
}

function snapshotShown(reading: ResnapshotReading): SnapshotShown {
  const { facts, captured, gap, tables, evidence } = reading;
  return {
    signalsTopic: facts.connector.signalsTopic,
    tables,
    captured: captured.known ? BigInt(captured.tables.length) : undefined,
    gap,
    unlisted: [...evidence].map(([{ fullName }, known]) => ({ table: fullName, evidence: known })),
  };
}

function decide(intent: ResnapshotIntent, reading: ResnapshotReading): Decided {
  const { facts, move, gap, redo, unlisted } = reading;
  return {
    kind: intent.kind,
    connector: facts.connector.name,
    cluster: facts.worker.clusterId,
    database: { dbid: facts.database.dbid, resetlogsScn: facts.database.resetlogsScn },
    scn: gap?.to,
    direction: move?.direction,
    restore: undefined,
    metadata: { name: intent.metadata.name, reason: intent.metadata.reason, ticket: intent.metadata.ticket },
    tables: reading.tables,
    ...(gap === undefined || !redo?.known
      ? {}
      : { gap: redo.value.faults.map(({ code, message }) => `${code} ${message}`) }),
    ...(gap === undefined ? {} : { unlisted: unlisted.map(({ fullName }) => fullName) }),
    skipGapForUnlistedTables: intent.skipGapForUnlistedTables,
    waitForTransactions: intent.waitForTransactions,
    waitForAck: intent.waitForAck,
    resume: intent.resume,
    opsFormat: intent.opsFormat,
    accept: [...intent.accept].sort(),
    configuration: redactConfiguration(facts.connector.config),
  };
}

function steps(intent: ResnapshotIntent, reading: ResnapshotReading): readonly PlannedStep[] {
  const { way, gap, facts, tables } = reading;
  const { name: connector, opsTopic, signalsTopic } = facts.connector;
  if (tables.length === 0) return [];
  const signal: PlannedStep = { step: "write-signal", topic: signalsTopic, tables };
  const ack: readonly PlannedStep[] =
    intent.waitForAck !== undefined && answersSignals(intent, reading) && answerReadable(facts)
      ? [{ step: "wait-for-ack", topic: opsTopic, millis: intent.waitForAck }]
      : [];
  if (way === "signal") return [signal, ...(intent.resume ? startSteps(facts.connector) : []), ...ack];
  if (gap?.to === undefined) return [];
  return [
    ...(intent.waitForTransactions === undefined
      ? []
      : [{ step: "wait-for-transactions", scn: gap.to, millis: intent.waitForTransactions } as const]),
    { step: "stop-connector", connector },
    { step: "recheck" },
    signal,
    { step: "record-applying", topic: opsTopic },
    { step: "patch-offset", connector },
    { step: "record-outcome", topic: opsTopic },
    ...(intent.resume ? [{ step: "resume-connector", connector, scn: gap.to } as const] : []),
    ...ack,
  ];
}
