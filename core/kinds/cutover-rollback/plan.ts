import type { ReturnFacts } from "../../../schemas/generated/facts.ts";
import type { RemovedRecords } from "../../../schemas/generated/plan.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { Observed } from "../../facts/observed.ts";
import { ownOffset } from "../../facts/offset/stored-offset.ts";
import type { Plan } from "../../plan/plan.ts";
import { type PlannedStep, removalSteps } from "../../plan/steps.ts";
import type { Kind } from "../kind.ts";
import { migrationTimeline, nothingToRollBack, ofTwoConnectors, resolvedPhase } from "../migration/plan.ts";
import { leaveOut, phaseByIntent } from "../migration/reading.ts";
import { returnSaid } from "../migration/shown.ts";
import { keptRecords } from "../migration/topics.ts";
import { returnChecks } from "./checks.ts";
import { observeReturn } from "./observe.ts";
import { readReturn } from "./reading.ts";

/** Resolves the rollback of a cutover against its facts. Pure: the same intent and facts give the same plan. */
export function planReturn(intent: MigrationIntent, facts: ReturnFacts): Plan<"Migration"> {
  const reading = readReturn(intent, facts);
  const { newTopics } = reading;
  const { from, to } = intent;
  const topics = newTopics.known ? newTopics.value : [];
  const { opsTopic } = facts.settings;
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
    // The connector is resumed before the topics: a missing permission there does not leave the pipeline stopped.
    { step: "resume-legacy", connector: from.connector },
    ...(facts.next === undefined ? [] : removalSteps(leftRecords(facts, topics))),
    ...(topics.length === 0 ? [] : [{ step: "delete-topics", topics } as const]),
  ];
  const done =
    facts.next === undefined && newTopics.known && topics.length === 0 && facts.legacy.status.state === "RUNNING";
  const plan = resolvedPhase(
    intent,
    reading,
    facts.legacy,
    findingsOf(returnChecks, intent, reading),
    steps,
    {
      ...leaveOut(intent),
      ...(intent.deleteTopics ? { topics } : {}),
    },
    done ? `${to.name} does not exist, and ${from.connector} is running` : undefined,
  );
  const timeline = migrationTimeline(reading, {
    name: to.name,
    target: from.connector,
    own: ownOffset(facts.next?.offsets ?? [], facts.settings.prefix),
    journaled: UNREAD,
  });
  return { ...plan, ...timeline, ...returnSaid(plan, reading, topics) };
}

/** Otherwise the next cutover to this prefix would restore what this connector has journaled; topics may be shared. */
function leftRecords({ settings, topics }: ReturnFacts, deleted: readonly string[]): readonly RemovedRecords[] {
  return keptRecords(settings).filter(
    ({ topic }) => !deleted.includes(topic) && !(topics.known && !topics.value.includes(topic)),
  );
}

const UNREAD: Observed<never> = {
  known: false,
  why: "the rollback does not depend on them, so the journal was not read",
  source: "",
};

/** The rollback of a cutover: from the new connector back to the legacy one. */
export const cutoverRollback: Kind<MigrationIntent, ReturnFacts, MigrationSubject> = {
  ...ofTwoConnectors,
  observe: observeReturn,
  plan: planReturn,
  byIntent: (intent) => ({ decided: phaseByIntent("rollback", intent, leaveOut(intent)) }),
  pin: (_now, { legacy, next }) => ({ type: "return-pinned", offsets: legacy.offsets, removed: next?.offsets ?? [] }),
  rollback: nothingToRollBack("itself a rollback; to take over again, plan a cutover"),
};
