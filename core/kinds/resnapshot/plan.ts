import { CHECKS } from "../../checks/catalogue.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import { digestOfIntent } from "../../document/intent-digest.ts";
import type { ResnapshotFacts } from "../../facts/resnapshot-facts.ts";
import { evidenceOf } from "../../facts/table-evidence.ts";
import { diffRows } from "../../plan/diff.ts";
import type { Decided, Plan, PlannedStep, PlanOutcome, SnapshotShown } from "../../plan/plan.ts";
import { digestOf } from "../../values/digest.ts";
import type { ResolveOptions } from "../catalogue.ts";
import { intentAppliedLast, latestDecision } from "../connector/applied.ts";
import { connectorShown, worldShown } from "../connector/shown.ts";
import { span } from "../offset-change/cost.ts";
import { answersSignals } from "./answers.ts";
import { type ResnapshotReading, readResnapshot } from "./reading.ts";

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planResnapshot(intent: ResnapshotIntent, facts: ResnapshotFacts, options: ResolveOptions = {}): Plan {
  const reading = readResnapshot(intent, facts);
  const decided = decide(intent, reading);
  const findings = findingsOf(CHECKS.Resnapshot, intent, reading);
  const times = facts.times.known ? facts.times.value : [];
  const { stored, after, move } = reading;
  return {
    intent,
    plannedAt: facts.at,
    outcome: outcome(
      intent,
      reading,
      findings.some(({ effect }) => effect === "blocks"),
      options.again ?? false,
    ),
    world: worldShown(reading),
    connector: connectorShown(reading),
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
    snapshot: snapshotShown(reading),
    findings,
    steps: steps(intent, reading),
    decided,
    decision: digestOf(decided),
  };
}

function outcome(
  intent: ResnapshotIntent,
  { changes }: ResnapshotReading,
  blocked: boolean,
  again: boolean,
): PlanOutcome {
  if (!again && changes.known) {
    const applied = intentAppliedLast(changes.value, digestOfIntent(intent));
    if (applied !== undefined) {
      return {
        state: "no-op",
        why: `this resnapshot was carried out already${applied.endedAt === undefined ? "" : ` at ${applied.endedAt}`}; --again repeats it`,
        ...latestDecision({ changes }),
      };
    }
  }
  return { state: blocked ? "blocked" : "ready" };
}

function snapshotShown(reading: ResnapshotReading): SnapshotShown {
  const { facts, captured, gap, unlisted } = reading;
  const evidence = evidenceOf(facts.activity, facts.rowScns, {
    scn: gap?.from ?? 0n,
    at: gap?.fromTime,
  });
  return {
    signalsTopic: facts.connector.signalsTopic,
    tables: tablesOf(reading),
    captured: captured.known ? BigInt(captured.tables.length) : undefined,
    gap,
    unlisted: gap === undefined ? [] : unlisted.map((table) => ({ table: table.fullName, evidence: evidence(table) })),
  };
}

/** The tables as the signal names them, each once, in the operator's order. */
function tablesOf({ named }: ResnapshotReading): readonly string[] {
  return [...new Set(named.flatMap((one) => (one.found ? [one.table.fullName] : [])))];
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
    tables: tablesOf(reading),
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
    configuration: facts.connector.config,
  };
}

function steps(intent: ResnapshotIntent, reading: ResnapshotReading): readonly PlannedStep[] {
  const { way, gap, facts } = reading;
  const { name: connector, opsTopic, signalsTopic, status } = facts.connector;
  const signal: PlannedStep = { step: "write-signal", topic: signalsTopic, tables: tablesOf(reading) };
  const ack: readonly PlannedStep[] =
    intent.waitForAck !== undefined && answersSignals(intent, reading)
      ? [{ step: "wait-for-ack", topic: opsTopic, millis: intent.waitForAck }]
      : [];
  if (way === "signal") {
    const start = intent.resume && status.state !== "RUNNING";
    return [signal, ...(start ? [{ step: "start-connector", connector } as const] : []), ...ack];
  }
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
