import { CHECKS } from "../../checks/catalogue.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { ReturnFacts } from "../../facts/migration-facts.ts";
import type { MigrationPlan, MigrationShown } from "../../plan/migration-plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { drawn, phasePlan, takeoverShown } from "../migration/plan.ts";
import { readReturn } from "./reading.ts";

/** Resolves the rollback of a cutover against its facts. Pure: the same intent and facts give the same plan. */
export function planReturn(intent: MigrationIntent, facts: ReturnFacts): MigrationPlan {
  const reading = readReturn(intent, facts);
  const { takeover, newTopics } = reading;
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
  const plan = phasePlan(
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
