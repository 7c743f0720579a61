import { CHECKS } from "../../checks/catalogue.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { OffsetChangeFacts } from "../../facts/offset-change-facts.ts";
import type { RecordedChange } from "../../facts/ops-event.ts";
import { sameOffset } from "../../facts/stored-offset.ts";
import { diffRows } from "../../plan/diff.ts";
import type { Decided, Plan, PlannedStep, PlanOutcome } from "../../plan/plan.ts";
import { digestOf } from "../../values/digest.ts";
import type { Scn } from "../../values/scn.ts";
import { costOf } from "./cost.ts";
import { type OffsetChangeReading, readOffsetChange } from "./reading.ts";

export interface ResolveOptions {
  /** The SCN that a resolved plan has pinned. */
  readonly pinned?: Scn | undefined;
  /** Do it once more although this decision was applied already (`--again`). */
  readonly again?: boolean;
}

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planOffsetChange(
  intent: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  options: ResolveOptions = {},
): Plan {
  const reading = readOffsetChange(intent, facts, options.pinned);
  const decided = decide(intent, reading);
  const decision = digestOf(decided);
  const findings = findingsOf(CHECKS.OffsetChange, intent, reading);
  const times = facts.times.known ? facts.times.value : [];
  const { worker, connector, database } = facts;
  const before = reading.stored.state === "stored" ? reading.stored.entry.offset : null;
  return {
    intent,
    plannedAt: facts.at,
    outcome: outcome(
      reading,
      decision,
      findings.flatMap(({ code, effect }) => (effect === "blocks" ? [code] : [])),
      options.again ?? false,
    ),
    world: {
      connectUrl: worker.url,
      connectVersion: worker.version,
      clusterId: worker.clusterId,
      database: {
        name: database.name,
        version: database.version,
        address: database.address,
        dbid: database.dbid,
        resetlogsScn: database.resetlogsScn,
        currentScn: database.currentScn,
        zone: database.zone,
      },
      opsTopic: connector.opsTopic,
      opsFormat: reading.opsFormat,
      prefix: connector.prefix,
    },
    connector: {
      name: connector.name,
      connectorClass: connector.connectorClass,
      state: connector.status.state,
      worker: connector.status.worker,
      tasks: connector.status.tasks.map(({ id, state, worker: on }) => ({ id, state, worker: on })),
    },
    move: reading.move,
    offset:
      reading.after === undefined
        ? undefined
        : {
            partition:
              reading.stored.state === "stored" ? reading.stored.entry.partition : { server: connector.prefix },
            before,
            after: reading.after,
            rows: diffRows(before, reading.after, times),
          },
    cost: costOf(intent, reading),
    redo: reading.redo.known ? reading.redo.value : undefined,
    torn: reading.torn.known ? reading.torn.value : [],
    findings,
    steps: steps(intent, reading),
    decided,
    decision,
  };
}

/**
 * Whether the decision was applied already, by what the ops topic tells: `latest` while nothing came after it.
 *
 * Rule: architecture, "What apply promises", 8.
 */
export function appliedBefore(changes: readonly RecordedChange[], decision: string): "never" | "latest" | "superseded" {
  const applied = changes.filter(({ outcome: ended }) => ended === "applied");
  const last = applied.findLastIndex(({ event }) => event.details.decision === decision);
  if (last < 0) return "never";
  return last === applied.length - 1 ? "latest" : "superseded";
}

function outcome(
  reading: OffsetChangeReading,
  decision: string,
  blocking: readonly string[],
  again: boolean,
): PlanOutcome {
  // While a change is in flight, what is stored now is not what will be stored.
  if (blocking.includes("OPS603")) return { state: "blocked" };
  const stored = reading.stored.state === "stored" ? reading.stored.offset.raw : undefined;
  if (stored !== undefined && reading.after !== undefined && sameOffset(stored, reading.after)) {
    return {
      state: "no-op",
      why: "the stored offset is already as wanted, field by field",
      ...latestDecision(reading),
    };
  }
  if (!again && reading.changes.known && appliedBefore(reading.changes.value, decision) === "latest") {
    const change = reading.changes.value.findLast(({ event }) => event.details.decision === decision);
    return {
      state: "no-op",
      ...latestDecision(reading),
      why: `this decision was applied already${change?.endedAt === undefined ? "" : ` at ${change.endedAt}`}; --again repeats it`,
    };
  }
  return blocking.length > 0 ? { state: "blocked" } : { state: "ready" };
}

function latestDecision({ changes }: OffsetChangeReading): { readonly applied?: string } {
  const latest = changes.known ? changes.value.findLast(({ outcome: ended }) => ended === "applied") : undefined;
  const applied = latest?.event.details.decision;
  return applied === undefined ? {} : { applied };
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
    configuration: facts.connector.config,
  };
}

function steps(
  { resume }: OffsetChangeIntent,
  { facts: { connector }, target }: OffsetChangeReading,
): readonly PlannedStep[] {
  if (!target.pinned) return [];
  return [
    { step: "stop-connector", connector: connector.name },
    { step: "recheck" },
    { step: "record-applying", topic: connector.opsTopic },
    { step: "patch-offset", connector: connector.name },
    { step: "record-outcome", topic: connector.opsTopic },
    ...(resume ? [{ step: "resume-connector", connector: connector.name, scn: target.scn } as const] : []),
  ];
}
