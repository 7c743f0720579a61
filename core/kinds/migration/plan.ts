import { CHECKS } from "../../checks/catalogue.ts";
import { type Finding, findings as findingsOf } from "../../checks/finding.ts";
import { listed } from "../../checks/listed.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import type { DeployedConnector } from "../../facts/connector-facts.ts";
import type { CutoverFacts, MigrationFacts, RetirementFacts } from "../../facts/migration-facts.ts";
import { opsFormat } from "../../facts/ops/ops-event.ts";
import { licenceTopicOf } from "../../legacy/licence-topic.ts";
import { storedStart } from "../../legacy/stored-start.ts";
import { redactTranslation } from "../../legacy/translation.ts";
import type {
  MigrationDecided,
  MigrationPlan,
  MigrationShown,
  Preflight,
  TakeoverShown,
} from "../../plan/migration-plan.ts";
import type { ConnectorShown, PlanOutcome, PlanWorld } from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { digestOf } from "../../values/digest.ts";
import type { Scn } from "../../values/scn.ts";
import { standing } from "../connector/shown.ts";
import type { ResolveOptions } from "../resolve-options.ts";
import { migrationTimeline } from "./position.ts";
import {
  type CutoverReading,
  type MigrationReading,
  type RetirementReading,
  type ReturnReading,
  readCutover,
  readRetirement,
  readReturn,
  readVerification,
  type VerificationReading,
} from "./reading.ts";

/** Resolves a phase of a migration against its facts. Pure: the same intent and facts give the same plan. */
export function planMigration(
  intent: MigrationIntent,
  facts: MigrationFacts,
  { again = false }: Pick<ResolveOptions, "again"> = {},
): MigrationPlan {
  switch (facts.phase) {
    case "cutover":
      return appliedBefore(facts, again, planCutover(intent, readCutover(intent, facts)));
    case "verify":
      return planVerification(intent, readVerification(intent, facts));
    case "rollback":
      return planReturn(intent, readReturn(intent, facts));
    case "retire":
      return planRetirement(intent, readRetirement(intent, facts));
  }
}

function planCutover(intent: MigrationIntent, reading: CutoverReading): MigrationPlan {
  const { facts, takeover, createdStopped } = reading;
  const { from, to } = intent;
  const shown: MigrationShown = {
    phase: "cutover",
    translation: redactTranslation(facts.translation),
    configuration: redactConfiguration(facts.settings.config),
    preflight: preflight(facts),
    takeover: takeoverShown(reading),
    redo: takeover.redo?.known ? takeover.redo.value : undefined,
    createdStopped,
  };
  const steps: readonly PlannedStep[] = [
    ...(storedStart(facts.legacy.config).is === "above open transactions" && !isStopped(facts.legacy.status)
      ? [{ step: "record-transactions", legacy: from.connector } as const]
      : []),
    { step: "stop-connector", connector: from.connector },
    { step: "recheck", legacy: from.connector },
    { step: "create-connector", connector: to.name, stopped: createdStopped },
    { step: "start-new", connector: to.name },
  ];
  const plan = assembled(intent, reading, facts.legacy, findingsOf(CHECKS.Cutover, intent, reading), shown, steps, {
    leaveOut: [...from.leaveOut].sort(),
  });
  return { ...plan, ...drawn(intent, reading) };
}

/**
 * A cutover that stands is not refused for what it has created itself: its decision was carried out, and nothing after
 * it.
 */
function appliedBefore({ latest, next }: CutoverFacts, again: boolean, plan: MigrationPlan): MigrationPlan {
  if (again || next === undefined || !latest.known || latest.value?.decision !== plan.decision) return plan;
  const { run, at } = latest.value;
  const why = `this decision was applied already by run ${run} (${at}); --again repeats it`;
  return { ...plan, outcome: { state: "no-op", why }, findings: [] };
}

function planVerification(intent: MigrationIntent, reading: VerificationReading): MigrationPlan {
  const tables = reading.tables.flatMap((table) => (table.ok ? [table.verified] : []));
  const { evidence } = intent;
  const shown: MigrationShown = { phase: "verify", tables, checkScn: intent.verify?.checkScn, evidence };
  const steps: readonly PlannedStep[] = tables.length === 0 ? [] : [{ step: "verify-tables", tables, evidence }];
  const findings = findingsOf(CHECKS.Verification, intent, reading);
  return assembled(intent, reading, undefined, findings, shown, steps, {
    ...(intent.verify === undefined ? {} : { verify: digestOf(intent.verify) }),
    evidence,
  });
}

function planReturn(intent: MigrationIntent, reading: ReturnReading): MigrationPlan {
  const { facts, takeover, newTopics } = reading;
  const { from, to } = intent;
  const topics = newTopics.known ? newTopics.value : [];
  const { opsTopic } = facts.settings;
  const shown: MigrationShown = {
    phase: "rollback",
    takeover: takeoverShown(reading),
    redo: takeover.redo?.known ? takeover.redo.value : undefined,
    topics,
    kept: facts.topics.known
      ? facts.topics.value
          .filter((name) => name.startsWith(`${facts.settings.prefix}.`) && !topics.includes(name))
          .sort()
      : undefined,
  };
  const removal: readonly PlannedStep[] =
    facts.next === undefined
      ? [{ step: "recheck", legacy: from.connector }]
      : [
          { step: "stop-connector", connector: to.name },
          { step: "recheck", legacy: from.connector },
          { step: "record-applying", topic: opsTopic },
          { step: "delete-offsets", connector: to.name },
          { step: "record-outcome", topic: opsTopic },
          { step: "delete-connector", connector: to.name },
        ];
  const steps: readonly PlannedStep[] = [
    ...removal,
    // Before the topics: a right that is missing there leaves no pipeline standing still.
    { step: "resume-legacy", connector: from.connector },
    ...(topics.length === 0 ? [] : [{ step: "delete-topics", topics } as const]),
  ];
  const done =
    facts.next === undefined && newTopics.known && topics.length === 0 && facts.legacy.status.state === "RUNNING";
  const plan = assembled(
    intent,
    reading,
    facts.legacy,
    findingsOf(CHECKS.Return, intent, reading),
    shown,
    steps,
    { leaveOut: [...from.leaveOut].sort(), ...(intent.deleteTopics ? { topics } : {}) },
    done ? `${to.name} is not there, and ${from.connector} runs` : undefined,
  );
  return { ...plan, ...drawn(intent, reading) };
}

function drawn({ to }: MigrationIntent, reading: CutoverReading | ReturnReading): Pick<MigrationPlan, "timeline"> {
  const timeline = migrationTimeline(reading, to.name);
  return timeline === undefined ? {} : { timeline };
}

function planRetirement(intent: MigrationIntent, reading: RetirementReading): MigrationPlan {
  const { facts } = reading;
  const topics = (reading.topics.known ? reading.topics.value : []).map(({ topic, what }) => ({ topic, what }));
  const { evidence, legacy } = facts;
  const shown: MigrationShown = {
    phase: "retire",
    topics: reading.topics.known ? topics : undefined,
    licenceTopic: intent.deleteLicenceTopic || legacy === undefined ? undefined : licenceTopicOf(legacy.config),
    evidence: evidence.known ? { file: evidence.value.file, digest: evidence.value.digest } : undefined,
  };
  const names = topics.map(({ topic }) => topic);
  const steps: readonly PlannedStep[] = [
    { step: "delete-connector", connector: intent.from.connector },
    ...(names.length === 0 ? [] : [{ step: "delete-topics", topics: names } as const]),
  ];
  return assembled(
    intent,
    reading,
    facts.legacy,
    findingsOf(CHECKS.Retirement, intent, reading),
    shown,
    steps,
    { evidence: evidence.known ? evidence.value.digest : undefined, topics: names },
    facts.legacy === undefined ? whatIsLeft(intent, facts) : undefined,
  );
}

/**
 * Without the connector its template leads to no topic, and which ones were its own nobody can say. Those that the plan
 * file names are looked for.
 */
function whatIsLeft({ from, verify }: MigrationIntent, { topics }: RetirementFacts): string {
  const named = new Set(Object.values(verify?.legacyTopics ?? {}));
  const left = topics.known ? topics.value.filter((topic) => named.has(topic)).sort() : [];
  const gone = `${from.connector} is not there any more`;
  return left.length === 0
    ? gone
    : `${gone}, and ${listed(left)} ${left.length === 1 ? "stays" : "stay"} (spec.verify.legacyTopics)`;
}

/** What all phases have in common. @param nothing why there is nothing to do */
function assembled(
  intent: MigrationIntent,
  { facts }: MigrationReading,
  legacy: DeployedConnector | undefined,
  findings: readonly Finding[],
  migration: MigrationShown,
  steps: readonly PlannedStep[],
  more: Partial<MigrationDecided>,
  nothing?: string,
): MigrationPlan {
  const decided: MigrationDecided = {
    kind: "Migration",
    phase: intent.phase,
    legacy: intent.from.connector,
    connector: intent.to.name,
    cluster: facts.worker.clusterId,
    database: { dbid: facts.database.dbid, resetlogsScn: facts.database.resetlogsScn },
    metadata: { name: intent.metadata.name, reason: intent.metadata.reason, ticket: intent.metadata.ticket },
    ...more,
    opsFormat: intent.opsFormat,
    accept: [...intent.accept].sort(),
    legacyConfiguration: legacy && redactConfiguration(legacy.config),
    configuration: redactConfiguration(facts.settings.config),
  };
  return {
    intent,
    plannedAt: facts.at,
    outcome: outcome(findings, nothing),
    world: worldShown(intent, facts),
    legacy: legacy === undefined ? undefined : connectorShown(legacy),
    next: facts.next === undefined ? undefined : connectorShown(facts.next),
    migration,
    findings,
    steps,
    decided,
    decision: digestOf(decided),
  };
}

function outcome(findings: readonly Finding[], nothing: string | undefined): PlanOutcome {
  if (nothing !== undefined) return { state: "no-op", why: nothing };
  return { state: findings.some(({ effect }) => effect === "blocks") ? "blocked" : "ready" };
}

function worldShown(intent: MigrationIntent, { worker, database, settings }: MigrationFacts): PlanWorld {
  const { name, version, address, dbid, resetlogsScn, currentScn, zone } = database;
  return {
    connectUrl: worker.url,
    connectVersion: worker.version,
    clusterId: worker.clusterId,
    database: { name, version, address, dbid, resetlogsScn, currentScn, zone },
    opsTopic: settings.opsTopic,
    opsFormat: opsFormat(intent.opsFormat, settings),
    prefix: settings.prefix,
  };
}

function connectorShown({ name, connectorClass, status }: DeployedConnector): ConnectorShown {
  return { name, connectorClass, ...standing(status) };
}

function preflight({ installed, problems, lacking }: CutoverReading["facts"]): Preflight {
  return {
    installed: installed.known ? installed.value : undefined,
    // Without its class no worker is asked.
    problems: installed.known && installed.value && problems.known ? problems.value : undefined,
    masked: lacking,
  };
}

function takeoverShown({
  facts,
  takeover: { offsets, overlap },
}: CutoverReading | ReturnReading): TakeoverShown | undefined {
  if (offsets === undefined) return undefined;
  const times = new Map(facts.times.known ? facts.times.value.map(({ scn, at }) => [scn, at] as const) : []);
  const at = (scn: Scn | undefined) => (scn === undefined ? undefined : times.get(scn));
  const { unread: _unread, ...known } = offsets;
  return {
    ...known,
    partitions: offsets.partitions.map((one) => ({ ...one, at: at(one.scn), committedAt: at(one.commitScn) })),
    startedAt: at(offsets.startScn),
    lastDeliveredAt: at(offsets.lastDelivered),
    overlap,
  };
}
