import { CHECKS } from "../../checks/catalogue.ts";
import { type Finding, findings as findingsOf } from "../../checks/finding.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import { digestOfIntent } from "../../document/intent-digest.ts";
import { isRunning } from "../../facts/connector/connector.ts";
import type { OffsetChangeFacts } from "../../facts/connector-facts.ts";
import { storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import { diffRows } from "../../plan/diff.ts";
import type { ConnectorPlan, Decided, PlanOutcome } from "../../plan/plan.ts";
import { onlyStarts, type PlannedStep } from "../../plan/steps.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { digestOf } from "../../values/digest.ts";
import { appliedBefore, latestDecision } from "../connector/applied.ts";
import { plannedTimeline } from "../connector/position.ts";
import { leadsAhead } from "../connector/reading.ts";
import { connectorShown, readiness, worldShown } from "../connector/shown.ts";
import { startSteps } from "../connector/start.ts";
import type { ResolveOptions } from "../resolve-options.ts";
import { costOf } from "./cost.ts";
import { type OffsetChangeReading, readOffsetChange } from "./reading.ts";

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planOffsetChange(
  intent: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  options: ResolveOptions = {},
): ConnectorPlan {
  const reading = readOffsetChange(intent, facts, options.pinned);
  const decided = decide(intent, reading);
  const decision = digestOf(decided);
  const findings = findingsOf(CHECKS.OffsetChange, intent, reading);
  const times = facts.times.known ? facts.times.value : [];
  const before = reading.stored.state === "stored" ? reading.stored.entry.offset : null;
  const planned = steps(intent, reading);
  const starts = onlyStarts({ steps: planned });
  return {
    intent,
    plannedAt: facts.at,
    outcome: outcome(intent, reading, decision, starts, findings, options.again ?? false),
    world: worldShown(facts, { ...facts.connector, opsFormat: reading.opsFormat }),
    connector: connectorShown(facts.connector),
    move: starts ? undefined : reading.move,
    offset:
      reading.after === undefined || starts
        ? undefined
        : {
            partition:
              reading.stored.state === "stored" ? reading.stored.entry.partition : { server: facts.connector.prefix },
            before,
            after: reading.after,
            rows: diffRows(before, reading.after, times),
          },
    cost: starts ? { kind: "none" } : costOf(intent, reading),
    redo: reading.redo?.known ? reading.redo.value : undefined,
    torn: reading.torn.known ? reading.torn.value : [],
    timeline: plannedTimeline(
      reading,
      reading.target.pinned ? reading.target.scn : undefined,
      leadsAhead(reading.move),
    ),
    findings,
    steps: planned,
    decided,
    decision,
  };
}

/**
 * Applied already is what the connector's latest change says, by its decision or by this intent: where the connector
 * has run on since, the same plan file decides another direction, and would mine again what was delivered meanwhile.
 */
function outcome(
  intent: OffsetChangeIntent,
  reading: OffsetChangeReading,
  decision: string,
  starts: boolean,
  findings: readonly Finding[],
  again: boolean,
): PlanOutcome {
  // While a change is in flight, what is stored now is not what will be stored.
  if (findings.some(({ code, effect }) => code === "OPS603" && effect === "blocks")) return { state: "blocked" };
  const stored = storedOffsetOf(reading.facts.connector);
  // To start it once more repeats nothing.
  if (starts) return readiness(findings);
  if (reading.asWanted) {
    return {
      state: "no-op",
      why: "the stored offset is already as wanted, field by field",
      ...latestDecision(reading),
    };
  }
  const wanted = digestOfIntent(intent);
  const looked = { decision, scn: reading.target.pinned ? reading.target.scn : undefined, intent: wanted, stored };
  if (!again && reading.changes.known && appliedBefore(reading.changes.value, looked).is === "latest") {
    const change = reading.changes.value.findLast(({ outcome: ended }) => ended === "applied");
    const what = change?.event.details.decision === decision ? "decision" : "plan file";
    return {
      state: "no-op",
      ...latestDecision(reading),
      why:
        `this ${what} was applied already${change?.endedAt === undefined ? "" : ` at ${change.endedAt}`}; --again ` +
        "repeats it",
    };
  }
  return readiness(findings);
}

function decide(intent: OffsetChangeIntent, { facts, target, move }: OffsetChangeReading): Decided {
  return {
    kind: intent.kind,
    connector: facts.connector.name,
    cluster: facts.worker.clusterId,
    database: { dbid: facts.database.dbid, resetlogsScn: facts.database.resetlogsScn },
    scn: target.pinned ? target.scn : undefined,
    direction: move?.direction,
    restore: intent.position.to === "restore" ? intent.position.offset : undefined,
    metadata: { name: intent.metadata.name, reason: intent.metadata.reason, ticket: intent.metadata.ticket },
    allowSkip: intent.allowSkip,
    forgetReleased: intent.forgetReleased,
    resume: intent.resume,
    opsFormat: intent.opsFormat,
    accept: [...intent.accept].sort(),
    configuration: redactConfiguration(facts.connector.config),
  };
}

/**
 * The stored offset is as wanted, and the connector is not: "no longer stopped" (specification, "States and
 * transitions") holds for it too.
 */
function steps(
  { resume }: OffsetChangeIntent,
  { facts: { connector }, target, asWanted }: OffsetChangeReading,
): readonly PlannedStep[] {
  if (!target.pinned) return [];
  if (asWanted && resume && !isRunning(connector.status)) return startSteps(connector);
  return [
    { step: "stop-connector", connector: connector.name },
    { step: "recheck" },
    { step: "record-applying", topic: connector.opsTopic },
    { step: "patch-offset", connector: connector.name },
    { step: "record-outcome", topic: connector.opsTopic },
    ...(resume ? [{ step: "resume-connector", connector: connector.name, scn: target.scn } as const] : []),
  ];
}
