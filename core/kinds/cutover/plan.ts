import type { CutoverFacts } from "../../../schemas/generated/facts.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { Refusal } from "../../errors.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import { positionRulesOf } from "../../legacy/legacy-kind.ts";
import type { Plan } from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { changeStands, rollbackName } from "../../run/change.ts";
import type { RunState } from "../../run/state.ts";
import { phasePlanOf } from "../../run/subject.ts";
import { rollbackReason } from "../connector/rollback.ts";
import type { Kind, ResolveOptions } from "../kind.ts";
import { START_SCN } from "../migration/new-connector.ts";
import { endedPhase, migrationTimeline, ofTwoConnectors, type Phase, resolvedPhase } from "../migration/plan.ts";
import { leaveOut, phaseByIntent, takeoverOf } from "../migration/reading.ts";
import { cutoverChecks } from "./checks.ts";
import { observeCutover } from "./observe.ts";
import { readCutover } from "./reading.ts";
import { cutoverSaid } from "./shown.ts";

/** Resolves a cutover against its facts. Pure: the same intent and facts give the same plan. */
export function planCutover(
  intent: MigrationIntent,
  facts: CutoverFacts,
  { again = false }: Pick<ResolveOptions, "again"> = {},
): Plan<"Migration"> {
  const reading = readCutover(intent, facts);
  const { createdStopped } = reading;
  const evidence = facts.audit?.known ? facts.audit.value.digest : undefined;
  const { from, to } = intent;
  const steps: readonly PlannedStep[] = [
    ...(positionRulesOf(facts.legacy).recordsOpen(facts.legacy) && !isStopped(facts.legacy.status)
      ? [{ step: "record-transactions", legacy: from.connector } as const]
      : []),
    { step: "stop-connector", connector: from.connector },
    { step: "recheck", legacy: from.connector },
    { step: "create-connector", connector: to.name, stopped: createdStopped },
    { step: "start-new", connector: to.name },
  ];
  const findings = findingsOf(cutoverChecks, intent, reading);
  const plan = {
    ...resolvedPhase(intent, reading, facts.legacy, findings, steps, { ...leaveOut(intent), evidence }),
    ...migrationTimeline(reading, {
      name: to.name,
      target: to.name,
      own: { is: "none" },
      journaled: { known: true, value: [], source: "the legacy connector keeps no journal", at: facts.at },
    }),
  };
  const decided = appliedBefore(facts, again, plan);
  return { ...decided, ...cutoverSaid(decided, reading) };
}

/**
 * A cutover in effect is not refused for what it has created itself: its decision was carried out, and nothing after
 * it.
 */
function appliedBefore({ latest, next }: CutoverFacts, again: boolean, plan: Phase): Phase {
  if (again || next === undefined || !latest.known || latest.value?.decision !== plan.decision) return plan;
  const { run, at } = latest.value;
  const why = `this decision was already applied by run ${run} (${at}); --again repeats it`;
  return { ...plan, outcome: { state: "no-op", why }, findings: [] };
}

/** A cutover: from the legacy connector to the new one. */
export const cutover: Kind<MigrationIntent, CutoverFacts, MigrationSubject> = {
  ...ofTwoConnectors,
  observe: observeCutover,
  plan: planCutover,
  byIntent: (intent) => ({
    decided: phaseByIntent("cutover", intent, leaveOut(intent)),
    settings: { ...intent.to.config, "cdc.topic.prefix": intent.to.topicPrefix ?? intent.from.connector },
  }),
  asOfRun: (facts, { transactionsSeen: openBefore }) => ({ ...facts, openBefore }),
  pin({ intent, decided: { configuration } }, facts) {
    const { offsets } = takeoverOf(intent.from, facts);
    if (offsets === undefined) return "the legacy connector's position is unknown";
    return {
      type: "takeover-pinned",
      startScn: offsets.startScn,
      lastDelivered: offsets.lastDelivered,
      offsets: facts.legacy.offsets,
      configuration: { ...configuration, [START_SCN]: String(offsets.startScn) },
    };
  },
  rollback: phaseBack,
};

/**
 * The rollback of a cutover, as a phase that is planned and applied like any other.
 *
 * @throws Refusal if nothing of it is in effect
 */
export function phaseBack(state: RunState): MigrationIntent {
  const { run, outcome } = endedPhase(state);
  const { intent } = phasePlanOf(state);
  if (!changeStands(state)) throw new Refusal("APL808", `run ${run} ended as ${outcome}: nothing of it is in effect`);
  return {
    ...intent,
    phase: "rollback",
    metadata: {
      name: rollbackName(run),
      reason: rollbackReason(run, state.started.subject.reason),
      ticket: intent.metadata.ticket,
    },
    origin: { by: "rollback", file: undefined, lines: {} },
    deleteTopics: false,
  };
}
