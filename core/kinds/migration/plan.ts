import type { Finding } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { DeployedConnector } from "../../facts/connector-facts.ts";
import type { MigrationFacts } from "../../facts/migration-facts.ts";
import { opsFormat } from "../../facts/ops/ops-event.ts";
import type { MigrationDecided, MigrationPlan, MigrationShown, TakeoverShown } from "../../plan/migration-plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { digestOf } from "../../values/digest.ts";
import type { Scn } from "../../values/scn.ts";
import { connectorShown, readiness, worldShown } from "../connector/shown.ts";
import { migrationTimeline } from "./position.ts";
import type { ReadsTakeover } from "./reading.ts";

export function drawn({ to }: MigrationIntent, reading: ReadsTakeover): Pick<MigrationPlan, "timeline"> {
  const timeline = migrationTimeline(reading, to.name);
  return timeline === undefined ? {} : { timeline };
}

/** What all phases have in common. @param nothing why there is nothing to do */
export function phasePlan(
  intent: MigrationIntent,
  { facts }: { readonly facts: MigrationFacts },
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
    outcome: nothing === undefined ? readiness(findings) : { state: "no-op", why: nothing },
    world: worldShown(facts, { ...facts.settings, opsFormat: opsFormat(intent.opsFormat, facts.settings) }),
    legacy: legacy === undefined ? undefined : connectorShown(legacy),
    next: facts.next === undefined ? undefined : connectorShown(facts.next),
    migration,
    findings,
    steps,
    decided,
    decision: digestOf(decided),
  };
}

export function takeoverShown({ facts, takeover: { offsets, overlap } }: ReadsTakeover): TakeoverShown | undefined {
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
