import type { RetirementFacts } from "../../../schemas/generated/facts.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import { listed } from "../../checks/listed.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { Plan } from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import type { Kind } from "../kind.ts";
import { nothingToRollBack, ofTwoConnectors, resolvedPhase } from "../migration/plan.ts";
import { phaseByIntent } from "../migration/reading.ts";
import { retirementSaid } from "../migration/shown.ts";
import { retirementChecks } from "./checks.ts";
import { observeRetirement } from "./observe.ts";
import { readRetirement } from "./reading.ts";

/** Resolves a retirement against its facts. Pure: the same intent and facts give the same plan. */
export function planRetirement(intent: MigrationIntent, facts: RetirementFacts): Plan<"Migration"> {
  const reading = readRetirement(intent, facts);
  const { evidence } = facts;
  const topics = reading.topics.known ? reading.topics.value.map(({ topic }) => topic) : [];
  const steps: readonly PlannedStep[] = [
    { step: "delete-connector", connector: intent.from.connector },
    ...(topics.length === 0 ? [] : [{ step: "delete-topics", topics } as const]),
  ];
  const plan = resolvedPhase(
    intent,
    reading,
    facts.legacy,
    findingsOf(retirementChecks, intent, reading),
    steps,
    { evidence: evidence.known ? evidence.value.digest : undefined, topics },
    facts.legacy === undefined ? whatIsLeft(intent, facts) : undefined,
  );
  return { ...plan, ...retirementSaid(plan, reading) };
}

/**
 * The template and therefore the topics are unknown if the connector no longer exists. Only those named in the plan
 * file are searched for.
 */
function whatIsLeft({ from, verify }: MigrationIntent, { topics }: RetirementFacts): string {
  const named = new Set(Object.values(verify?.legacyTopics ?? {}));
  const left = topics.known ? topics.value.filter((topic) => named.has(topic)).sort() : [];
  const gone = `${from.connector} no longer exists`;
  return left.length === 0
    ? gone
    : `${gone}, and ${listed(left)} ${left.length === 1 ? "is" : "are"} kept (spec.verify.legacyTopics)`;
}

/** A retirement: deletes the legacy connector and its topics. */
export const retirement: Kind<MigrationIntent, RetirementFacts, MigrationSubject> = {
  ...ofTwoConnectors,
  observe: observeRetirement,
  plan: planRetirement,
  byIntent: (intent) => ({ decided: phaseByIntent("retire", intent, {}) }),
  rollback: nothingToRollBack("a retirement: what it deleted can't be restored"),
};
