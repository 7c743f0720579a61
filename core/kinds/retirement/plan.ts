import { CHECKS } from "../../checks/catalogue.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import { listed } from "../../checks/listed.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { RetirementFacts } from "../../facts/migration-facts.ts";
import { licenceTopicOf } from "../../legacy/written-topics.ts";
import type { MigrationPlan, MigrationShown } from "../../plan/migration-plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { phasePlan } from "../migration/plan.ts";
import { readRetirement } from "./reading.ts";

/** Resolves a retirement against its facts. Pure: the same intent and facts give the same plan. */
export function planRetirement(intent: MigrationIntent, facts: RetirementFacts): MigrationPlan {
  const reading = readRetirement(intent, facts);
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
  return phasePlan(
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
